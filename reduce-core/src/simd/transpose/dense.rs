//! Transposition of very short rows that lie one behind the other, by AVX-512.
//!
//! As many vectors as rows have elements hold a row for each element of a vector. Every column is
//! picked out of all of them: out of the first two, then what the next one adds to it. That is a
//! permutation for each column and each vector but one, and nothing else.

#![allow(unsafe_code, reason = "vectors are loaded and stored through pointers")]

use super::Block;
use super::vectors::Vectors;
use crate::element::Element;
use crate::level::avx512::Proof;
use crate::level::{Available, Code, Work};
use crate::simd::prefetch;

/// Bytes of a vector.
const BYTES: usize = <Proof as Vectors>::BYTES;

/// Transposes the first rows of a block, and says how many: all or none.
#[inline(always)]
pub(super) fn transpose<T: Element>(level: Available, block: &mut Block<'_, T>) -> usize {
    let size = size_of::<T>();
    if block.row_stride != block.columns || block.rows * size < BYTES {
        return 0;
    }
    let Some(proof) = Proof::of(level) else {
        return 0;
    };
    let dense = Dense {
        proof,
        source: block.src.as_ptr().cast(),
        target: block.out.as_mut_ptr().cast(),
        column_stride: block.width.wrapping_mul(size),
        rows: block.rows,
        ahead: block.ahead,
    };
    // More columns take more permutations than tiles do.
    match (size, block.columns) {
        (2, 2) => proof.run(Pass::<2, 2>(dense)),
        (2, 3) => proof.run(Pass::<2, 3>(dense)),
        (2, 4) => proof.run(Pass::<2, 4>(dense)),
        (2, 5) => proof.run(Pass::<2, 5>(dense)),
        (4, 2) => proof.run(Pass::<4, 2>(dense)),
        (4, 3) => proof.run(Pass::<4, 3>(dense)),
        (4, 4) => proof.run(Pass::<4, 4>(dense)),
        (4, 5) => proof.run(Pass::<4, 5>(dense)),
        (8, 2) => proof.run(Pass::<8, 2>(dense)),
        (8, 3) => proof.run(Pass::<8, 3>(dense)),
        (8, 4) => proof.run(Pass::<8, 4>(dense)),
        (8, 5) => proof.run(Pass::<8, 5>(dense)),
        _ => return 0,
    }
    block.rows
}

/// Rows that fill a vector's elements or more, one behind the other. The pointers are to their
/// first elements, the stride is in bytes; all rows lie in the source, and all columns in the
/// target.
struct Dense {
    proof: Proof,
    source: *const u8,
    target: *mut u8,
    column_stride: usize,
    rows: usize,
    ahead: usize,
}

/// Elements have `SIZE` bytes, and a row has `COLUMNS` of them.
struct Pass<const SIZE: usize, const COLUMNS: usize>(Dense);

impl<const SIZE: usize, const COLUMNS: usize> Pass<SIZE, COLUMNS> {
    /// Rows of a tile, which are the elements of a vector.
    const ROWS: usize = BYTES / SIZE;

    /// For each column and vector: which elements to pick, of what the vectors before it gave and
    /// of this one.
    const ORDERS: [[[u8; BYTES]; COLUMNS]; COLUMNS] = {
        let mut orders = [[[0; BYTES]; COLUMNS]; COLUMNS];
        let mut place = 0;
        while place < COLUMNS * COLUMNS * Self::ROWS {
            let (column, vector) = (place / Self::ROWS / COLUMNS, place / Self::ROWS % COLUMNS);
            let row = place % Self::ROWS;
            let element = row * COLUMNS + column;
            let (from, number) = (element / Self::ROWS, element % Self::ROWS);
            let picked = match (from, vector) {
                (0, 1) => number,
                _ if from == vector => Self::ROWS + number,
                _ => row,
            };
            // Numbers are below 256: their other bytes are 0.
            orders[column][vector][row * SIZE] = picked.to_le_bytes()[0];
            place += 1;
        }
        orders
    };
}

impl<const SIZE: usize, const COLUMNS: usize> Work for Pass<SIZE, COLUMNS> {
    /// Tile by tile; the last one overlaps the one before it if need be.
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        let rows = self.0.rows;
        for tile in 0..rows / Self::ROWS {
            self.tile(tile * Self::ROWS);
        }
        if !rows.is_multiple_of(Self::ROWS) {
            self.tile(rows - Self::ROWS);
        }
    }
}

impl<const SIZE: usize, const COLUMNS: usize> Pass<SIZE, COLUMNS> {
    /// The tile whose first row is given.
    #[inline(always)]
    fn tile(&self, row: usize) {
        let Dense { proof, source, target, column_stride, ahead, .. } = self.0;
        let source = source.wrapping_add(row * COLUMNS * SIZE);
        if ahead > 0 {
            prefetch(source, ahead, COLUMNS * BYTES);
        }
        let vectors: [_; COLUMNS] = std::array::from_fn(|i| {
            // SAFETY: the rows of a tile are so many vectors.
            unsafe { proof.load_whole(source.wrapping_add(i * BYTES)) }
        });
        for (column, orders) in Self::ORDERS.iter().enumerate() {
            let mut picked = vectors[0];
            for i in 1..COLUMNS {
                // SAFETY: an array of as many bytes.
                let order = unsafe { proof.load_whole(orders[i].as_ptr()) };
                picked = proof.pick::<SIZE>(picked, vectors[i], order);
            }
            let to = target.wrapping_add(column * column_stride + row * SIZE);
            // SAFETY: a vector can be written to every column of the tile.
            unsafe { proof.store(picked, to) };
        }
    }
}
