//! Transposition tile by tile: a tile has as many rows as a vector has elements.
//!
//! Short rows that lie close together share a piece. A shuffle within the piece
//! brings the elements of each column together, and these *units* are transposed
//! as larger elements are.

use super::Rectangle;
use super::pass::{TilePass, Tiles};
use super::vectors::{PIECE, Vectors};
use crate::machine::bits::Bits;

/// Transposes the first rows of a block, and says how many.
#[inline(always)]
pub(in crate::machine) fn transpose<V: Vectors, T: Bits>(
    vectors: V,
    block: &mut Rectangle<'_, T>,
) -> usize {
    let size = size_of::<T>();
    let shared = rows_per_piece(block);
    let rows = rows_in_pieces(block, shared);
    if rows < V::BYTES / size {
        return 0;
    }
    let tiles = Tiles {
        vectors,
        source: block.src.as_ptr().cast(),
        row_stride: block.row_stride * size,
        target: block.out.as_mut_ptr().cast(),
        // A single column may have any width.
        column_stride: block.width.wrapping_mul(size),
        rows,
        columns: block.columns,
        ahead: block.ahead,
    };
    match (size, shared) {
        (1, 1) => vectors.run(TilePass::<V, 1, 1, 16>(tiles)),
        (1, 2) => vectors.run(TilePass::<V, 1, 2, 8>(tiles)),
        (1, 4) => vectors.run(TilePass::<V, 1, 4, 4>(tiles)),
        (1, 8) => vectors.run(TilePass::<V, 1, 8, 2>(tiles)),
        (2, 1) => vectors.run(TilePass::<V, 2, 2, 8>(tiles)),
        (2, 2) => vectors.run(TilePass::<V, 2, 4, 4>(tiles)),
        (2, 4) => vectors.run(TilePass::<V, 2, 8, 2>(tiles)),
        (4, 1) => vectors.run(TilePass::<V, 4, 4, 4>(tiles)),
        (4, 2) => vectors.run(TilePass::<V, 4, 8, 2>(tiles)),
        (8, 1) => vectors.run(TilePass::<V, 8, 8, 2>(tiles)),
        _ => return 0,
    }
    rows
}

/// The number of rows that share a piece. It is a power of two, and their elements of one column fill at most
/// half a piece.
#[inline(always)]
pub(in crate::machine) fn rows_per_piece<T>(block: &Rectangle<'_, T>) -> usize {
    let piece = PIECE / size_of::<T>();
    let fit = |rows: usize| {
        // A single row may have any stride.
        rows <= block.rows.min(piece / 2)
            && rows * block.columns <= piece
            && (rows - 1) * block.row_stride + block.columns <= piece
    };
    let mut rows = 1;
    while fit(2 * rows) {
        rows *= 2;
    }
    rows
}

/// How many rows of a block may be read in whole pieces without leaving its
/// source. That is for reading `shared` rows at a time, from any row on that
/// leaves as many.
#[inline(always)]
pub(super) fn rows_in_pieces<T>(block: &Rectangle<'_, T>, shared: usize) -> usize {
    // Elements from the start of a row to the end of its last piece.
    let reach = block.columns.next_multiple_of(PIECE / size_of::<T>());
    let Some(further) = block.src.len().checked_sub(reach) else {
        return 0;
    };
    if (block.rows - shared) * block.row_stride <= further {
        block.rows
    } else {
        shared + further / block.row_stride
    }
}
