//! Transposition tile by tile: a tile has as many rows as a vector has elements.
//!
//! Short rows that lie close together share a piece. A shuffle within the piece
//! brings the elements of each column together, and these *units* are transposed
//! as larger elements are.

use super::Rectangle;
#[cfg(target_arch = "x86_64")]
use super::dense;
use super::pass::{TilePass, Tiles};
use super::vectors::{PIECE, Vectors};
use crate::machine::bits::Bits;
use crate::machine::level::Available;

/// Transposes the first rows of a block, and says how many.
pub(super) fn transpose<T: Bits>(level: Available, block: &mut Rectangle<'_, T>) -> usize {
    #[cfg(target_arch = "aarch64")]
    if let Some(neon) = crate::machine::level::neon::Proof::of(level) {
        return transpose_by(neon, block);
    }
    #[cfg(target_arch = "x86_64")]
    {
        let done = dense::transpose(level, block);
        if done > 0 {
            return done;
        }
    }
    #[cfg(target_arch = "x86_64")]
    if !prefers_narrow(block)
        && let Some(avx512) = crate::machine::level::avx512::Proof::of(level)
    {
        return transpose_by(avx512, block);
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = crate::machine::level::avx2::Proof::of(level) {
        return transpose_by(avx2, block);
    }
    0
}

/// Whether AVX2's vectors are as good as wider ones, or better. They hold two rows' pieces and not four, and to
/// bring pieces together takes more than what is then done with them. It was measured on Zen 4: with elements
/// of 4 bytes, rows of 8 to 24 are read 10 to 17 % faster. Elements of 8 bytes gain a quarter or more in rows
/// from memory that are longer than a line. They lose in shorter ones, and so do the shortest rows, which share
/// a piece.
#[cfg(target_arch = "x86_64")]
fn prefers_narrow<T>(block: &Rectangle<'_, T>) -> bool {
    match size_of::<T>() {
        4 => rows_per_piece(block) == 1,
        8 => block.columns > 8,
        _ => false,
    }
}

#[inline(always)]
fn transpose_by<V: Vectors, T: Bits>(vectors: V, block: &mut Rectangle<'_, T>) -> usize {
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
pub(super) fn rows_per_piece<T>(block: &Rectangle<'_, T>) -> usize {
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
