//! Transposition of a block whose size the compiler knows: nothing is to be checked, nor
//! computed but once.

use super::Block;
use super::pass::Pass;
use super::plain;
use super::tiles::Tiles;
use super::vectors::Vectors;
use crate::element::Element;
use crate::level::{Code, Work};

/// The rows of the block: no fewer than an AVX2 or NEON vector has elements of two bytes.
pub(crate) const ROWS: usize = 16;

/// Its columns: pieces of elements of two bytes or more.
pub(crate) const COLUMNS: usize = 8;

const SIZE: usize = ROWS * COLUMNS;

/// `to[c * ROWS + r] = from[r * COLUMNS + c]`.
pub(crate) fn turn_plainly<T: Element>(from: &[T; SIZE], to: &mut [T; SIZE]) {
    plain::transpose(&mut Block::new(from, COLUMNS, ROWS, COLUMNS, to, ROWS), 0);
}

/// The same in vectors, for elements of two to eight bytes.
#[inline(always)]
pub(crate) fn turn_by<V: Vectors, T: Element>(vectors: V, from: &[T; SIZE], to: &mut [T; SIZE]) {
    vectors.run(Turn { vectors, from, to });
}

/// A block to be turned.
struct Turn<'a, V, T> {
    vectors: V,
    from: &'a [T; SIZE],
    to: &'a mut [T; SIZE],
}

impl<V: Vectors, T: Element> Work for Turn<'_, V, T> {
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        const { assert!(matches!(size_of::<T>(), 2 | 4 | 8)) };
        const { assert!(V::BYTES / size_of::<T>() <= ROWS, "vectors are within a column") };
        let size = size_of::<T>();
        let tiles = Tiles {
            vectors: self.vectors,
            source: self.from.as_ptr().cast(),
            row_stride: COLUMNS * size,
            target: self.to.as_mut_ptr().cast(),
            column_stride: ROWS * size,
            rows: ROWS,
            columns: COLUMNS,
            ahead: 0,
        };
        match size {
            2 => Pass::<V, 2, 2, 8>(tiles).run(code),
            4 => Pass::<V, 4, 4, 4>(tiles).run(code),
            _ => Pass::<V, 8, 8, 2>(tiles).run(code),
        }
    }
}
