//! The transposition of tiles, compiled for each size of elements and units.

#![allow(unsafe_code, reason = "vectors are loaded and stored through pointers")]

use super::vectors::{PIECE, Vectors};
use crate::machine::barrier::opaque;
use crate::machine::code::{Code, Work};
use crate::machine::prefetch::prefetch;

/// The rows of a block that are transposed here, one tile of them at least. The
/// pointers are to their first elements, the strides in bytes. `rows` are as many
/// as [`rows_in_pieces`](super::tiles::rows_in_pieces) says, so:
///
/// - from every row that begins the rows of a piece, whole pieces can be read up
///   to the one with the last column;
/// - a vector can be written to every column of every tile.
pub(super) struct Tiles<V> {
    pub(super) vectors: V,
    pub(super) source: *const u8,
    pub(super) row_stride: usize,
    pub(super) target: *mut u8,
    pub(super) column_stride: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// How far ahead others are fetched meanwhile, in bytes; 0 if none are.
    pub(super) ahead: usize,
}

/// Elements have `SIZE` bytes, units `UNIT`, and a piece has `UNITS` of them.
pub(super) struct TilePass<V, const SIZE: usize, const UNIT: usize, const UNITS: usize>(
    pub(super) Tiles<V>,
);

impl<V: Vectors, const SIZE: usize, const UNIT: usize, const UNITS: usize> Work
    for TilePass<V, SIZE, UNIT, UNITS>
{
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        match self.0.ahead {
            0 => self.tiles::<false>(),
            _ => self.tiles::<true>(),
        }
    }
}

impl<V: Vectors, const SIZE: usize, const UNIT: usize, const UNITS: usize>
    TilePass<V, SIZE, UNIT, UNITS>
{
    /// The rows of a piece.
    const SHARED: usize = {
        assert!(UNIT * UNITS == PIECE && UNIT.is_multiple_of(SIZE));
        UNIT / SIZE
    };

    /// Works tile by tile; the last one overlaps the one before it if need be.
    #[inline(always)]
    fn tiles<const FETCHES: bool>(&self) {
        let Tiles { mut source, row_stride, mut target, rows, .. } = self.0;
        let order = self.order();
        let tile = V::BYTES / SIZE;
        let mut left = rows - tile;
        loop {
            self.transpose_tile::<FETCHES>(source, target, &order);
            if left == 0 {
                return;
            }
            let next = tile.min(left);
            source = source.wrapping_add(next * row_stride);
            target = target.wrapping_add(next * SIZE);
            left -= next;
        }
    }

    /// The byte of a piece that goes to each place when its units are formed.
    #[inline(always)]
    fn order(&self) -> [u8; PIECE] {
        let mut order = [0; PIECE];
        for (place, byte) in order.iter_mut().enumerate() {
            let (column, row) = (place / UNIT, place / SIZE % Self::SHARED);
            let from = row.wrapping_mul(self.0.row_stride) + column * SIZE + place % SIZE;
            // A piece with several rows has their strides within it.
            *byte = from.to_le_bytes()[0];
        }
        order
    }

    #[inline(always)]
    fn transpose_tile<const FETCHES: bool>(
        &self,
        source: *const u8,
        target: *mut u8,
        order: &[u8; PIECE],
    ) {
        let rest = self.0.columns % UNITS;
        let full = self.0.columns - rest;
        for column in (0..full).step_by(UNITS) {
            self.transpose_columns::<FETCHES>(source, target, column, UNITS, order);
        }
        // Columns known at compile time spare the work for the others.
        match (UNITS, rest) {
            (_, 0) => {}
            (2 | 4, 1) => self.transpose_columns::<FETCHES>(source, target, full, 1, order),
            (4, 2) => self.transpose_columns::<FETCHES>(source, target, full, 2, order),
            (4, 3) => self.transpose_columns::<FETCHES>(source, target, full, 3, order),
            _ => self.transpose_columns::<FETCHES>(source, target, full, rest, order),
        }
    }

    /// Transposes some columns of a tile, from `first` on.
    #[inline(always)]
    fn transpose_columns<const FETCHES: bool>(
        &self,
        source: *const u8,
        target: *mut u8,
        first: usize,
        columns: usize,
        order: &[u8; PIECE],
    ) {
        // Rows that follow are needed next; a share of them with each panel.
        if FETCHES {
            let share = V::BYTES;
            prefetch(source.wrapping_add(first * share), self.0.ahead, columns * share);
        }
        let source = source.wrapping_add(first * SIZE);
        let target = target.wrapping_add(first.wrapping_mul(self.0.column_stride));
        self.transpose_panel(source, target, columns, order);
    }

    /// Transposes the pieces at `source`, and stores the first columns.
    #[inline(always)]
    fn transpose_panel(
        &self,
        source: *const u8,
        target: *mut u8,
        columns: usize,
        order: &[u8; PIECE],
    ) {
        let vectors = self.0.vectors;
        // It is hidden from the optimiser, or dozens of its multiples would be kept in memory from panel to
        // panel.
        let step = opaque(Self::SHARED * self.0.row_stride);
        let load = |i: usize| {
            let first = source.wrapping_add(i * step);
            // SAFETY: *pieces*: `rows_in_pieces` counted the rows from which whole pieces can be read, and this one
            // begins a piece.
            let pieces = unsafe { vectors.load(first, UNITS * step) };
            if Self::SHARED > 1 { vectors.shuffle(pieces, order) } else { pieces }
        };
        let mut units = [load(0); UNITS];
        for i in 1..UNITS {
            units[i] = load(i);
        }
        // Interleaving the halves of a sequence of UNITS² as often as UNITS has
        // bits moves element i * UNITS + j to j * UNITS + i.
        units = self.interleave_halves(units);
        if UNITS >= 4 {
            units = self.interleave_halves(units);
        }
        if UNITS >= 8 {
            units = self.interleave_halves(units);
        }
        if UNITS >= 16 {
            units = self.interleave_halves(units);
        }
        for i in 0..UNITS {
            if i < columns {
                let column = target.wrapping_add(i.wrapping_mul(self.0.column_stride));
                // SAFETY: *pieces*: a tile has as many rows as a vector has elements, so that one fits into each
                // column.
                unsafe { vectors.store(units[i], column) };
            }
        }
    }

    #[inline(always)]
    fn interleave_halves(&self, units: [V::Vector; UNITS]) -> [V::Vector; UNITS] {
        let mut out = units;
        let mut pair = |i: usize| {
            if i < UNITS / 2 {
                (out[2 * i], out[2 * i + 1]) =
                    self.0.vectors.interleave::<UNIT>(units[i], units[i + UNITS / 2]);
            }
        };
        // As a loop of eight it is not unrolled, and the vectors go to memory.
        pair(0);
        pair(1);
        pair(2);
        pair(3);
        pair(4);
        pair(5);
        pair(6);
        pair(7);
        out
    }
}
