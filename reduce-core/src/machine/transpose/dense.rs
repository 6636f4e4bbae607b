//! Transposition of very short rows that lie one behind the other.
//!
//! As many vectors as there are columns form a sequence, which holds as many rows as a vector has elements.
//! While the number of columns is even, a sequence is split into the elements of even columns and those of odd
//! ones. Each half is such a sequence again. That takes a permutation of two vectors for each vector and each
//! split.
//!
//! No two of an odd number of vectors hold elements of a column at the same place, since a vector has a power
//! of two of elements. So the elements of all columns at a place need only be rotated among the vectors, as far
//! as the place says. For each bit of that distance, each vector takes its elements at some places from the
//! vector that is as far from it. Then every vector holds one column, whose elements are put in order by a
//! permutation of that vector alone. For seven columns, that is four instructions for each vector. Three of
//! them only choose between two vectors.

#![allow(unsafe_code, reason = "vectors are loaded and stored through pointers")]

use super::Rectangle;
use super::vectors::Vectors;
use crate::machine::bits::Bits;
use crate::machine::code::{Code, Work};
use crate::machine::prefetch::prefetch;

/// Bytes of the largest vector.
pub(in crate::machine) const MOST_BYTES: usize = 64;

/// The instructions that pick elements out of whole vectors. Elements have `SIZE` bytes, which is
/// [`Whole::LEAST`] or more.
pub(in crate::machine) trait Whole: Vectors {
    /// Bytes of the smallest element.
    const LEAST: usize;

    /// Bytes of the largest one that is moved as a whole, not in parts.
    const MOST: usize;

    /// A whole vector.
    ///
    /// # Safety
    /// *pieces*: a whole vector can be read.
    unsafe fn load_whole(self, source: *const u8) -> Self::Vector;

    /// The elements with an even number, and the others, of `a` and then `b`.
    fn halves<const SIZE: usize>(
        self,
        a: Self::Vector,
        b: Self::Vector,
    ) -> (Self::Vector, Self::Vector);

    /// Elements of `b` where a bit of the mask says so, those of `a` elsewhere.
    fn replace<const SIZE: usize>(
        self,
        a: Self::Vector,
        b: Self::Vector,
        mask: u32,
    ) -> Self::Vector;

    /// The elements, or their parts, that `order` names: numbers as wide as those.
    fn permute<const SIZE: usize>(self, a: Self::Vector, order: &[u8; MOST_BYTES]) -> Self::Vector;
}

/// Transposes the first rows of a block, and says how many: all or none.
#[inline(always)]
pub(in crate::machine) fn transpose<P: Whole, T: Bits>(
    proof: P,
    block: &mut Rectangle<'_, T>,
) -> usize {
    let size = size_of::<T>();
    if block.row_stride != block.columns || size < P::LEAST || block.rows * size < P::BYTES {
        return 0;
    }
    let dense = Dense {
        proof,
        source: block.src.as_ptr().cast(),
        target: block.out.as_mut_ptr().cast(),
        column_stride: block.width.wrapping_mul(size),
        rows: block.rows,
        ahead: block.ahead,
    };
    macro_rules! run_pass {
        ($($columns:literal)*) => {
            match (size, block.columns) {
                $(
                    (2, $columns) => proof.run(DensePass::<P, 2, $columns>(dense)),
                    (4, $columns) => proof.run(DensePass::<P, 4, $columns>(dense)),
                    (8, $columns) => proof.run(DensePass::<P, 8, $columns>(dense)),
                )*
                _ => return 0,
            }
        };
    }
    // With more columns, pieces are as fast.
    run_pass!(2 3 4 5 6 7 8 9);
    block.rows
}

/// Rows that lie one behind the other, at least as many as a vector has elements. The pointers are to their
/// first elements, the stride is in bytes; all rows lie in the source, and all columns in the target.
struct Dense<P> {
    proof: P,
    source: *const u8,
    target: *mut u8,
    column_stride: usize,
    rows: usize,
    ahead: usize,
}

/// Elements have `SIZE` bytes, and a row has `COLUMNS` of them.
struct DensePass<P, const SIZE: usize, const COLUMNS: usize>(Dense<P>);

impl<P: Whole, const SIZE: usize, const COLUMNS: usize> DensePass<P, SIZE, COLUMNS> {
    /// Rows of a tile, which are the elements of a vector.
    const ROWS: usize = P::BYTES / SIZE;

    /// How often the columns can be split in two, and how many are left of each part then.
    const SPLITS: u32 = COLUMNS.trailing_zeros();
    const LEFT: usize = COLUMNS >> Self::SPLITS;

    /// The vector, in a sequence of an odd number of them, whose element at a place belongs to the first
    /// column. Its number says how far the elements there are to be rotated.
    const fn vector(place: usize) -> usize {
        let mut vector = 0;
        while !(vector * Self::ROWS + place).is_multiple_of(Self::LEFT) {
            vector += 1;
        }
        vector
    }

    /// The places whose elements are to be rotated by each power of two.
    const ROTATED: [u32; COLUMNS] = {
        let mut rotated = [0; COLUMNS];
        let mut place = 0;
        while place < Self::ROWS {
            let mut bit = 0;
            while 1 << bit < Self::LEFT {
                if Self::vector(place) & 1 << bit > 0 {
                    rotated[bit] |= 1 << place;
                }
                bit += 1;
            }
            place += 1;
        }
        rotated
    };

    /// After the rotation, the vector of each column.
    const VECTORS: [usize; COLUMNS] = {
        let mut vectors = [0; COLUMNS];
        let mut vector = 0;
        while vector < Self::LEFT {
            vectors[vector * Self::ROWS % Self::LEFT] = vector;
            vector += 1;
        }
        vectors
    };

    /// For each column, where its elements are, or their parts.
    const ORDERS: [[u8; MOST_BYTES]; COLUMNS] = {
        let unit = if SIZE < P::MOST { SIZE } else { P::MOST };
        let parts = SIZE / unit;
        let mut orders = [[0; MOST_BYTES]; COLUMNS];
        let mut number = 0;
        while number < Self::LEFT * Self::ROWS * parts {
            let (element, part) = (number / parts, number % parts);
            let (column, row) = (element % Self::LEFT, element / Self::LEFT);
            let place = element % Self::ROWS * parts + part;
            // Numbers are below 256: their other bytes are 0.
            orders[column][(row * parts + part) * unit] = place.to_le_bytes()[0];
            number += 1;
        }
        orders
    };
}

impl<P: Whole, const SIZE: usize, const COLUMNS: usize> Work for DensePass<P, SIZE, COLUMNS> {
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        self.tiles();
    }
}

impl<P: Whole, const SIZE: usize, const COLUMNS: usize> DensePass<P, SIZE, COLUMNS> {
    /// Works tile by tile; the last one overlaps the one before it if need be.
    #[inline(always)]
    fn tiles(&self) {
        let rows = self.0.rows;
        for tile in 0..rows / Self::ROWS {
            self.tile(tile * Self::ROWS);
        }
        if !rows.is_multiple_of(Self::ROWS) {
            self.tile(rows - Self::ROWS);
        }
    }

    /// The tile whose first row is given.
    #[inline(always)]
    fn tile(&self, row: usize) {
        let Dense { proof, source, target, column_stride, ahead, .. } = self.0;
        let source = source.wrapping_add(row * COLUMNS * SIZE);
        if ahead > 0 {
            prefetch(source, ahead, COLUMNS * P::BYTES);
        }
        // SAFETY: *pieces*: the rows of a tile are `COLUMNS` vectors, which lie in the block; this is the first.
        let mut vectors = [unsafe { proof.load_whole(source) }; COLUMNS];
        for (i, vector) in vectors.iter_mut().enumerate().skip(1) {
            // SAFETY: *pieces*: this is vector `i` of the same `COLUMNS`.
            *vector = unsafe { proof.load_whole(source.wrapping_add(i * P::BYTES)) };
        }
        let columns = Self::order(proof, Self::rotate(proof, Self::split(proof, vectors)));
        for (column, vector) in columns.into_iter().enumerate() {
            let to = target.wrapping_add(column * column_stride + row * SIZE);
            // SAFETY: *pieces*: a tile has as many rows as a vector has elements, so that one fits into each column.
            unsafe { proof.store(vector, to) };
        }
    }

    /// Splits the vectors into sequences of an odd number of columns.
    #[inline(always)]
    fn split(proof: P, mut vectors: [P::Vector; COLUMNS]) -> [P::Vector; COLUMNS] {
        // As a loop, it is not always unrolled, and the vectors go to memory.
        if Self::SPLITS > 0 {
            vectors = Self::halve(proof, vectors, COLUMNS);
        }
        if Self::SPLITS > 1 {
            vectors = Self::halve(proof, vectors, COLUMNS / 2);
        }
        if Self::SPLITS > 2 {
            vectors = Self::halve(proof, vectors, COLUMNS / 4);
        }
        vectors
    }

    /// Splits each sequence of `length` vectors in two.
    #[inline(always)]
    fn halve(proof: P, vectors: [P::Vector; COLUMNS], length: usize) -> [P::Vector; COLUMNS] {
        let mut halves = vectors;
        for pair in 0..COLUMNS / 2 {
            let (first, number) = (2 * pair / length * length, 2 * pair % length / 2);
            let (even, odd) = proof.halves::<SIZE>(vectors[2 * pair], vectors[2 * pair + 1]);
            halves[first + number] = even;
            halves[first + length / 2 + number] = odd;
        }
        halves
    }

    /// Rotates the elements at each place of a sequence, until each vector holds one column.
    #[inline(always)]
    fn rotate(proof: P, mut vectors: [P::Vector; COLUMNS]) -> [P::Vector; COLUMNS] {
        if Self::LEFT > 1 {
            vectors = Self::rotate_by(proof, vectors, 0);
        }
        if Self::LEFT > 2 {
            vectors = Self::rotate_by(proof, vectors, 1);
        }
        if Self::LEFT > 4 {
            vectors = Self::rotate_by(proof, vectors, 2);
        }
        if Self::LEFT > 8 {
            vectors = Self::rotate_by(proof, vectors, 3);
        }
        vectors
    }

    /// Rotates those whose distance has this bit.
    #[inline(always)]
    fn rotate_by(proof: P, vectors: [P::Vector; COLUMNS], bit: usize) -> [P::Vector; COLUMNS] {
        let mut rotated = vectors;
        for place in 0..COLUMNS {
            let (first, number) = (place / Self::LEFT * Self::LEFT, place % Self::LEFT);
            let other = vectors[first + (number + (1 << bit)) % Self::LEFT];
            rotated[place] = proof.replace::<SIZE>(vectors[place], other, Self::ROTATED[bit]);
        }
        rotated
    }

    /// The columns, out of the vectors that hold one each.
    #[inline(always)]
    fn order(proof: P, vectors: [P::Vector; COLUMNS]) -> [P::Vector; COLUMNS] {
        let mut columns = vectors;
        for (number, column) in columns.iter_mut().enumerate() {
            // The first split, by the lowest bit of a column's number, decided the highest of the
            // sequence's.
            let sequence = (number % (COLUMNS / Self::LEFT)).reverse_bits();
            let sequence = sequence.checked_shr(usize::BITS - Self::SPLITS).unwrap_or(0);
            let number = number >> Self::SPLITS;
            *column = vectors[sequence * Self::LEFT + Self::VECTORS[number]];
            if Self::LEFT > 1 {
                *column = proof.permute::<SIZE>(*column, &Self::ORDERS[number]);
            }
        }
        columns
    }
}
