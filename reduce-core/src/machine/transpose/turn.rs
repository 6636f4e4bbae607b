//! Transposition of a block whose size the compiler knows. Nothing has to be checked, and all is computed once.

use super::Rectangle;
use super::pass::{TilePass, Tiles};
use super::plain;
use super::vectors::Vectors;
use crate::machine::bits::Bits;
use crate::machine::code::{Code, TURNED, TURNED_COLUMNS, TURNED_ROWS, Work};

/// `to[c * TURNED_ROWS + r] = from[r * TURNED_COLUMNS + c]`.
pub(crate) fn turn_plainly<T: Bits>(from: &[T; TURNED], to: &mut [T; TURNED]) {
    plain::transpose(
        &mut Rectangle::new(from, TURNED_COLUMNS, TURNED_ROWS, TURNED_COLUMNS, to, TURNED_ROWS),
        0,
    );
}

/// Does the same in vectors, for elements of two to eight bytes.
#[inline(always)]
pub(crate) fn turn_by<V: Vectors, T: Bits>(vectors: V, from: &[T; TURNED], to: &mut [T; TURNED]) {
    vectors.run(Turn { vectors, from, to });
}

/// A block to be turned.
struct Turn<'a, V, T> {
    vectors: V,
    from: &'a [T; TURNED],
    to: &'a mut [T; TURNED],
}

impl<V: Vectors, T: Bits> Work for Turn<'_, V, T> {
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        const { assert!(matches!(size_of::<T>(), 2 | 4 | 8)) };
        const { assert!(V::BYTES / size_of::<T>() <= TURNED_ROWS, "vectors are within a column") };
        let size = size_of::<T>();
        let tiles = Tiles {
            vectors: self.vectors,
            source: self.from.as_ptr().cast(),
            row_stride: TURNED_COLUMNS * size,
            target: self.to.as_mut_ptr().cast(),
            column_stride: TURNED_ROWS * size,
            rows: TURNED_ROWS,
            columns: TURNED_COLUMNS,
            ahead: 0,
        };
        match size {
            2 => TilePass::<V, 2, 2, 8>(tiles).run(code),
            4 => TilePass::<V, 4, 4, 4>(tiles).run(code),
            _ => TilePass::<V, 8, 8, 2>(tiles).run(code),
        }
    }
}
