//! Transposition of very short rows that lie one behind the other, by AVX-512.
//!
//! As many vectors as rows have elements hold a row for each element of a vector. Every column is
//! picked out of all of them: out of the first two, then what the next one adds to it. That is a
//! permutation for each column and each vector but one, and nothing else. If the columns are a
//! power of two, halving is fewer permutations.

#![allow(unsafe_code, reason = "vectors are loaded and stored through pointers")]

use super::Block;
use super::vectors::Vectors;
use crate::element::Element;
use crate::level::avx512::Proof;
use crate::level::{Available, Code, Work};
use crate::simd::prefetch_next;

type Vector = <Proof as Vectors>::Vector;

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
        prefetch_next(source, ahead, COLUMNS * BYTES);
        // SAFETY: the rows of a tile are so many vectors; this is the first.
        let mut vectors = [unsafe { proof.load_whole(source) }; COLUMNS];
        for (i, vector) in vectors.iter_mut().enumerate().skip(1) {
            // SAFETY: as above.
            *vector = unsafe { proof.load_whole(source.wrapping_add(i * BYTES)) };
        }
        let columns = match COLUMNS {
            2 | 4 | 8 => Self::split(proof, vectors),
            _ => Self::pick(proof, vectors),
        };
        for (column, vector) in columns.into_iter().enumerate() {
            let to = target.wrapping_add(column * column_stride + row * SIZE);
            // SAFETY: a vector can be written to every column of the tile.
            unsafe { proof.store(vector, to) };
        }
    }

    /// The columns, each picked out of all vectors.
    #[inline(always)]
    fn pick(proof: Proof, vectors: [Vector; COLUMNS]) -> [Vector; COLUMNS] {
        let mut columns = vectors;
        for (column, orders) in columns.iter_mut().zip(&Self::ORDERS) {
            *column = vectors[0];
            for i in 1..COLUMNS {
                // SAFETY: an array of as many bytes.
                let order = unsafe { proof.load_whole(orders[i].as_ptr()) };
                *column = proof.pick::<SIZE>(*column, vectors[i], order);
            }
        }
        columns
    }

    /// The columns, a power of two: a sequence of vectors is split into that of its elements with
    /// an even number, and that of the others, until there is one for each column.
    #[inline(always)]
    fn split(proof: Proof, mut vectors: [Vector; COLUMNS]) -> [Vector; COLUMNS] {
        // SAFETY: an array of as many bytes.
        let even = unsafe { proof.load_whole(Self::HALVES[0].as_ptr()) };
        // SAFETY: as above.
        let odd = unsafe { proof.load_whole(Self::HALVES[1].as_ptr()) };
        let mut length = COLUMNS;
        while length > 1 {
            let before = vectors;
            for place in 0..COLUMNS {
                let (first, number) = (place / length * length, place % length);
                let (half, pair) = (number / (length / 2), number % (length / 2));
                let (a, b) = (before[first + 2 * pair], before[first + 2 * pair + 1]);
                vectors[place] = proof.pick::<SIZE>(a, b, [even, odd][half]);
            }
            length /= 2;
        }
        // The first split, by the lowest bit of a column's number, decided the highest of a place.
        let bits = COLUMNS.ilog2();
        let mut columns = vectors;
        for (number, column) in columns.iter_mut().enumerate() {
            *column = vectors[number.reverse_bits() >> (usize::BITS - bits)];
        }
        columns
    }

    /// The elements of two vectors with an even number, and the others.
    const HALVES: [[u8; BYTES]; 2] = {
        let mut halves = [[0; BYTES]; 2];
        let mut place = 0;
        while place < 2 * Self::ROWS {
            let (half, element) = (place / Self::ROWS, place % Self::ROWS);
            halves[half][element * SIZE] = (2 * element + half).to_le_bytes()[0];
            place += 1;
        }
        halves
    };
}

/// `to[c * lanes + r] = rows[r * N + c]` for as many rows as lanes, of elements of four or eight
/// bytes: where the compiler knows how many columns there are.
#[inline(always)]
pub(crate) fn pick_columns<T: Element, const N: usize>(
    proof: Proof,
    rows: &[T],
    to: &mut [T],
    lanes: usize,
) {
    let size = size_of::<T>();
    assert!(rows.len() == lanes * N && to.len() == lanes * N, "rows and columns are as many");
    assert!(lanes * size >= BYTES, "lanes fill a vector");
    let (source, target) = (rows.as_ptr().cast(), to.as_mut_ptr().cast());
    let dense = Dense { proof, source, target, column_stride: lanes * size, rows: lanes, ahead: 0 };
    match size {
        4 => Pass::<4, N>(dense).run(proof),
        8 => Pass::<8, N>(dense).run(proof),
        _ => unreachable!("elements have four or eight bytes"),
    }
}
