//! Sources: the stored values of a block, as lanes can read them.
//!
//! Where values lie as lanes want them they are read in place. Otherwise they are
//! packed, and half-precision floats widened, into a block that stays in the first
//! level of cache.

use std::ops::Range;

use smallvec::SmallVec;

use super::fold::Blocks;
use super::lanes::Run;
use crate::element::Element;
use crate::level::Available;
use crate::plan::{Grid, Path, Places, Plan};
use crate::simd::transpose;

// Nothing here depends on the operator, so nothing is inlined into kernels: it is
// compiled once per type.

/// Room for packed values; reused from block to block.
pub(super) type Scratch<T> = SmallVec<[T; 256]>;

/// The buffer of a view, read as a plan says.
#[derive(Clone, Copy)]
pub(super) struct Source<'a, T> {
    pub(super) data: &'a [T],
    pub(super) plan: &'a Plan,
    pub(super) level: Available,
}

/// Rows at one stride.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// The place of the first lane's first value.
    pub(super) place: usize,
    /// From row to row.
    pub(super) stride: isize,
    pub(super) count: usize,
    /// Lanes that have a value: all, but in the last of rows folded side by side.
    pub(super) full: usize,
}

impl<'a, T: Element> Source<'a, T> {
    /// Whether blocks are read where they are.
    #[inline(always)]
    pub(super) fn is_in_place(self) -> bool {
        self.plan.path == Path::Lanes
    }

    /// The values of some blocks of the result that starts at `place`, read in place,
    /// as many as lie in one run; and the position of the first.
    #[inline(never)]
    pub(super) fn run(self, place: usize, blocks: Range<usize>) -> (&'a [T], u64) {
        let run = self.plan.run();
        let Grid { piece, blocks_of_run, .. } = self.plan.grid;
        // Divisions are slow; most results are one run.
        let (outer, chunk) = match self.plan.reduced.len() {
            1 => (0, blocks.start),
            _ => (blocks.start / blocks_of_run, blocks.start % blocks_of_run),
        };
        let start = if outer == 0 { place } else { self.outer_place(place, outer) };
        let first = chunk * piece;
        let end = run.size.min(first + blocks.len() * piece);
        (&self.data[start + first..start + end], (outer * run.size + first) as u64)
    }

    /// The values of the `number`th block of the result that starts at `place`, and
    /// the position of the first.
    #[inline(never)]
    pub(super) fn block<'s>(
        self,
        packed: &'s mut Scratch<T>,
        place: usize,
        number: usize,
    ) -> (&'s [T], u64)
    where
        'a: 's,
    {
        if self.is_in_place() {
            return self.run(place, number..number + 1);
        }
        let length = self.plan.grid.piece;
        let first = number * length;
        let count = length.min(self.plan.count - first);
        packed.resize(packed.len().max(count), T::default());
        self.gather(&mut packed[..count], place, first);
        (&packed[..count], first as u64)
    }

    /// The first of some rows, as many as lie at one stride and are read at once.
    #[inline(never)]
    pub(super) fn segment(self, place: usize, rows: Range<usize>) -> Rows {
        let Grid { row_axis: axis, rows_at_once, .. } = self.plan.grid;
        let (outer, inner) = match self.plan.reduced.len() {
            1 => (0, rows.start),
            _ => (rows.start / axis.size, rows.start % axis.size),
        };
        let start = if outer == 0 { place } else { self.outer_place(place, outer) };
        let way = inner.cast_signed().wrapping_mul(axis.stride);
        let place = start.wrapping_add_signed(way);
        if inner < axis.size {
            let left = (axis.size - inner).min(rows.len());
            let count = left.min(rows_at_once);
            return Rows { place, stride: axis.stride, count, full: usize::MAX };
        }
        // What is left of the rows that are folded side by side.
        let full = self.plan.count % self.plan.side_by_side * self.plan.lane.size;
        Rows { place, stride: axis.stride, count: 1, full }
    }

    /// Lanes for which rows are read together: all if they are read in place, else
    /// as many as fit in the first level of cache when packed.
    pub(super) fn lanes_at_once(self, rows: usize, group: usize) -> usize {
        const PACKED_BYTES: usize = 1 << 12;
        if self.reads_in_place() {
            return usize::MAX / group * group;
        }
        let lanes = PACKED_BYTES / (size_of::<T>() * rows.max(1));
        (lanes / group).max(1) * group
    }

    /// Rows as groups of `group` lanes read them, some lanes after the first ones:
    /// those of the next group lie `group` values further.
    #[inline(never)]
    pub(super) fn rows<'s>(
        self,
        packed: &'s mut Scratch<T>,
        rows: Rows,
        skipped: usize,
        lanes: usize,
        group: usize,
    ) -> Run<'s, T>
    where
        'a: 's,
    {
        let way = skipped.cast_signed().wrapping_mul(self.plan.lane.stride);
        let rows = Rows { place: rows.place.wrapping_add_signed(way), ..rows };
        let width = lanes.next_multiple_of(group);
        let lanes = lanes.min(rows.full.saturating_sub(skipped));
        if self.reads_in_place() {
            let data = self.data;
            let way = (rows.count - 1).cast_signed().wrapping_mul(rows.stride);
            let last = rows.place.wrapping_add_signed(way);
            if rows.place.max(last) + width <= data.len() {
                let ahead = self.plan.grid.ahead;
                return Run { data, at: rows.place, stride: rows.stride, steps: rows.count, ahead };
            }
        }
        // Rows a power of two apart would compete for the same lines of the cache.
        let width = width + if width > group { 16 } else { 0 };
        let length = rows.count * width;
        packed.resize(packed.len().max(length), T::default());
        let data = &mut packed[..length];
        self.pack(data, rows, lanes, width);
        Run { data, at: 0, stride: width.cast_signed(), steps: rows.count, ahead: 0 }
    }

    /// Whether rows are read where they are, but for the last.
    fn reads_in_place(self) -> bool {
        self.plan.lane.stride == 1
    }

    /// The place of the first value for an index of the outer reduced axes.
    fn outer_place(self, place: usize, index: usize) -> usize {
        let axes = &self.plan.reduced;
        let outer = &axes[..axes.len().saturating_sub(1)];
        Places::from_index(outer, place, index).next().unwrap_or(place)
    }

    /// Packs rows: `packed[row * width + lane]`.
    fn pack(self, packed: &mut [T], rows: Rows, lanes: usize, width: usize) {
        let Rows { place, stride, count, .. } = rows;
        let lane_stride = self.plan.lane.stride;
        if stride == 1 && lane_stride > 0 {
            let apart = lane_stride.unsigned_abs();
            return transpose(self.level, self.data, place, apart, lanes, count, packed, width);
        }
        let mut start = place;
        for row in packed.chunks_exact_mut(width) {
            copy_strided(&mut row[..lanes], self.data, start, lane_stride);
            start = start.wrapping_add_signed(stride);
        }
    }

    /// Packs values of a result from its `first` on.
    fn gather(self, packed: &mut [T], place: usize, first: usize) {
        let run = self.plan.run();
        let mut filled = 0;
        while filled < packed.len() {
            let (outer, inner) = ((first + filled) / run.size, (first + filled) % run.size);
            let start = if outer == 0 { place } else { self.outer_place(place, outer) };
            let start = start.wrapping_add_signed(inner.cast_signed().wrapping_mul(run.stride));
            let left = run.size - inner;
            let taken = left.min(packed.len() - filled);
            copy_strided(&mut packed[filled..filled + taken], self.data, start, run.stride);
            filled += taken;
        }
    }
}

/// The blocks of the result that starts at a place.
pub(super) struct SourceBlocks<'s, 'a, T> {
    pub(super) source: Source<'a, T>,
    pub(super) scratch: &'s mut Scratch<T>,
    pub(super) place: usize,
}

impl<T: Element> Blocks<T> for SourceBlocks<'_, '_, T> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.source.plan.grid.blocks
    }

    #[inline(always)]
    fn block(&mut self, number: u64) -> (&[T], u64) {
        let number = usize::try_from(number).unwrap_or(0);
        self.source.block(self.scratch, self.place, number)
    }
}

/// Copies values from `place` on, `stride` apart.
fn copy_strided<T: Copy>(target: &mut [T], data: &[T], place: usize, stride: isize) {
    if target.is_empty() {
        return;
    }
    if stride == 1 {
        return target.copy_from_slice(&data[place..place + target.len()]);
    }
    if let Ok(step) = usize::try_from(stride)
        && step > 0
    {
        for (to, from) in target.iter_mut().zip(data[place..].iter().step_by(step)) {
            *to = *from;
        }
        return;
    }
    let mut next = place;
    for to in target {
        *to = data[next];
        next = next.wrapping_add_signed(stride);
    }
}
