//! Sources: the stored values of one input, as lanes can read them.
//!
//! Where values lie as lanes want them they are read in place. Otherwise they are
//! packed into a block that stays in the first level of cache.

use std::ops::Range;

use smallvec::SmallVec;

use super::copies::{copy_strided, pad};
use super::inputs::{Inputs, LONGEST_TRANSPOSED, RowCount, Ways};
use super::lanes::Run;
use crate::element::Element;
use crate::level::{Available, Code};
use crate::plan::{Axis, Grid, Path, Places, Plan};
use crate::simd::{FETCHED_BY_TRANSPOSITION, Fetch, transpose};

// Nothing here depends on the operator, so what is large is not inlined into kernels:
// it is compiled once per type.

/// Room for packed values.
type Scratch<T> = SmallVec<[T; 256]>;

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// Bytes from row to row up to which short rows lie close together.
const CLOSE: usize = 1024;

/// How far ahead such rows are fetched at least, in bytes.
const AHEAD: usize = 8192;

/// The buffer of a view, read as a plan says.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "names a hidden type of a public trait")]
pub struct Source<'a, T> {
    data: &'a [T],
    plan: &'a Plan,
    level: Available,
}

/// Rows at one stride.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Source`")]
pub struct Rows {
    /// The place of the first lane's first value.
    place: usize,
    /// From row to row.
    stride: isize,
    count: RowCount,
}

#[allow(private_interfaces, reason = "as `Source`")]
impl<'a, T: Element> Inputs<'a> for Source<'a, T> {
    type Stored = T;
    type Place = usize;
    type Scratch = Scratch<T>;
    type Rows = Rows;
    const HAS_COLUMNS: bool = matches!(size_of::<T>(), 4 | 8);

    #[inline(always)]
    fn new(data: &'a [T], plan: &'a Plan, level: Available) -> Self {
        Source { data, plan, level }
    }

    #[inline(always)]
    fn behind(place: usize, way: usize) -> usize {
        place.wrapping_add(way)
    }

    #[inline(always)]
    fn times(way: usize, times: usize) -> usize {
        way.wrapping_mul(times)
    }

    #[inline(always)]
    fn element(self, place: usize) -> T {
        self.data[place]
    }

    #[inline(always)]
    fn neighbours(self, place: usize, count: usize) -> &'a [T] {
        &self.data[place..place + count]
    }

    #[inline(always)]
    fn from(self, place: usize, count: usize) -> &'a [T] {
        let data = &self.data[place..];
        assert!(count <= data.len(), "a row ends beyond the buffer");
        data
    }

    #[inline(always)]
    fn outer_rows(self, index: usize) -> impl Iterator<Item = usize> {
        self.plan.outer_rows(index)
    }

    #[inline(always)]
    fn outer_way(self) -> usize {
        self.plan.outer_row().stride.cast_unsigned()
    }

    #[inline(always)]
    fn outer_is_dense(self) -> bool {
        self.outer_way() == 1
    }

    #[inline(always)]
    fn lane_way(self) -> usize {
        self.plan.lane.stride.cast_unsigned()
    }

    #[inline(never)]
    fn ways(self, ways: &mut Ways<usize>) {
        let mut places = Places::new(&self.plan.reduced, 0);
        places.next();
        ways.extend(&mut places);
    }

    #[inline(always)]
    fn units(self, first: usize) -> impl Iterator<Item = (usize, usize)> {
        self.plan.units_from(first)
    }

    #[inline(always)]
    fn is_in_place(self) -> bool {
        self.plan.path == Path::Lanes && self.plan.run().stride == 1
    }

    #[inline(always)]
    fn shift(self, place: usize) -> usize {
        match self.plan.grid.in_lines {
            true => self.data.as_ptr().wrapping_add(place).addr() % LINE / size_of::<T>(),
            false => 0,
        }
    }

    #[inline(never)]
    fn run(self, place: usize, blocks: Range<usize>) -> (&'a [T], u64) {
        let (start, first, count, position) = self.in_run(place, blocks);
        (&self.data[start + first..start + first + count], position)
    }

    #[inline(never)]
    fn block<'s>(self, packed: &'s mut Scratch<T>, place: usize, number: usize) -> (&'s [T], u64)
    where
        'a: 's,
    {
        if self.is_in_place() {
            return self.run(place, number..number + 1);
        }
        if self.plan.path == Path::Lanes {
            let (start, first, count, position) = self.in_run(place, number..number + 1);
            packed.resize(packed.len().max(count), T::default());
            let stride = self.plan.run().stride;
            let way = first.cast_signed().wrapping_mul(stride);
            let start = start.wrapping_add_signed(way);
            copy_strided(&mut packed[..count], self.data, start, stride);
            return (&packed[..count], position);
        }
        let length = self.plan.grid.piece;
        let first = number * length;
        let count = length.min(self.plan.count - first);
        packed.resize(packed.len().max(count), T::default());
        self.gather(&mut packed[..count], place, first);
        (&packed[..count], first as u64)
    }

    #[inline(never)]
    fn segment(self, place: usize, rows: Range<usize>) -> (Rows, RowCount) {
        let axis = self.plan.grid.row_axis;
        let (outer, inner) = match self.plan.reduced.len() {
            1 => (0, rows.start),
            _ => (rows.start / axis.size, rows.start % axis.size),
        };
        let start = if outer == 0 { place } else { self.outer_place(place, outer) };
        let way = inner.cast_signed().wrapping_mul(axis.stride);
        let place = start.wrapping_add_signed(way);
        let count = if inner < axis.size {
            RowCount { count: rows.len().min(axis.size - inner), full: usize::MAX }
        } else {
            // What is left of the rows that are folded side by side.
            let rows = self.plan.count / self.plan.neighbours;
            let full = rows % self.plan.side_by_side * self.plan.row().size;
            RowCount { count: 1, full }
        };
        (Rows { place, stride: axis.stride, count }, count)
    }

    fn is_last_cut_off(self, rows: Rows, width: usize) -> bool {
        let Rows { place, stride, count: RowCount { count, .. } } = rows;
        let end = |row: usize| {
            let way = row.cast_signed().wrapping_mul(stride);
            place.wrapping_add_signed(way).saturating_add(width)
        };
        self.reads_in_place()
            && count > 1
            && stride > 0
            && (end(count - 2)..end(count - 1)).contains(&self.data.len())
    }

    fn lanes_at_once(self, rows: usize, group: usize) -> usize {
        if self.reads_in_place() {
            return usize::MAX / group * group;
        }
        let lanes = self.plan.grid.packed / (size_of::<T>() * rows.max(1));
        (lanes / group).max(1) * group
    }

    #[inline(never)]
    fn rows<'s>(
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
        let way = skipped.cast_signed().wrapping_mul(self.plan.row().stride);
        let rows = Rows { place: rows.place.wrapping_add_signed(way), ..rows };
        let RowCount { count, full } = rows.count;
        let width = lanes.next_multiple_of(group);
        let lanes = lanes.min(full.saturating_sub(skipped));
        if self.reads_in_place() {
            let data = self.data;
            let way = (count - 1).cast_signed().wrapping_mul(rows.stride);
            let last = rows.place.wrapping_add_signed(way);
            if rows.place.max(last) + width <= data.len() {
                let ahead = self.plan.grid.ahead;
                return Run { data, at: rows.place, stride: rows.stride, steps: count, ahead };
            }
        }
        // Rows a power of two apart would compete for the same lines of the cache.
        let line = LINE / size_of::<T>();
        let width = width + if width > group { line } else { 0 };
        let length = count * width;
        packed.resize(packed.len().max(length + line), T::default());
        // A vector that begins with a line takes half as long to store.
        let first = packed.as_ptr().align_offset(LINE).min(line);
        let data = &mut packed[first..first + length];
        self.pack(data, rows, lanes, width);
        let ahead = match rows.stride {
            1 => self.ahead_of_packed(data, rows.place, lanes),
            _ => Fetch::Nothing,
        };
        Run { data, at: 0, stride: width.cast_signed(), steps: count, ahead }
    }

    #[inline(always)]
    fn are_very_short_rows(self) -> bool {
        let Plan { count, lane, .. } = *self.plan;
        self.are_short_rows() && lane.stride == count.cast_signed() && matches!(count, 2..=8)
    }

    #[inline(always)]
    fn are_short_rows(self) -> bool {
        let Plan { count, lane, side_by_side, neighbours, .. } = *self.plan;
        let run = Axis { size: count, stride: 1 };
        (self.plan.run(), side_by_side, neighbours) == (run, 1, 1)
            && lane.stride > 0
            && count <= LONGEST_TRANSPOSED
    }

    #[inline(always)]
    fn columns<'s, C: Code, const N: usize, const L: usize>(
        self,
        code: C,
        room: &'s mut [[T; L]; N],
        place: usize,
        results: usize,
    ) -> Option<Run<'s, T>>
    where
        'a: 's,
    {
        let data = room.as_flattened_mut();
        let padded;
        let rows = match &self.data[place..place + results * N] {
            rows if results == L => rows,
            rows => {
                padded = pad::<T, N, L>(rows);
                padded.as_flattened()
            }
        };
        code.columns::<T, N>(rows, data, L);
        Some(Run { data, at: 0, stride: L.cast_signed(), steps: N, ahead: Fetch::Nothing })
    }

    #[inline(always)]
    fn transposed<'s, const L: usize>(
        self,
        room: &'s mut [[T; L]],
        place: usize,
        results: usize,
    ) -> Option<Run<'s, T>>
    where
        'a: 's,
    {
        let Plan { count, lane, grid, .. } = self.plan;
        let (apart, data) = (lane.stride.unsigned_abs(), room.as_flattened_mut());
        let rows = &self.data[place..];
        transpose(self.level, rows, apart, results, *count, data, L, grid.packed_ahead);
        let ahead = self.ahead_of_packed(data, place, results);
        Some(Run { data, at: 0, stride: L.cast_signed(), steps: *count, ahead })
    }
}

impl<T: Element> Source<'_, T> {
    /// Where some blocks of a contiguous run lie: the start of the run, the first
    /// index in it, how many of the same run; and the position of the first.
    #[inline(always)]
    fn in_run(self, place: usize, blocks: Range<usize>) -> (usize, usize, usize, u64) {
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
        (start, first, end - first, (outer * run.size + first) as u64)
    }

    /// Whether rows are read where they are, but for the last.
    fn reads_in_place(self) -> bool {
        self.plan.row().stride == 1
    }

    /// The place of the first value for an index of the outer reduced axes.
    fn outer_place(self, place: usize, index: usize) -> usize {
        let axes = &self.plan.reduced;
        let outer = &axes[..axes.len().saturating_sub(1)];
        Places::from_index(outer, place, index).next().unwrap_or(place)
    }

    /// Packs rows: `packed[row * width + lane]`.
    fn pack(self, packed: &mut [T], rows: Rows, lanes: usize, width: usize) {
        let Rows { place, stride, count: RowCount { count, .. } } = rows;
        let lane_stride = self.plan.row().stride;
        if stride == 1 && lane_stride > 0 {
            let apart = lane_stride.unsigned_abs();
            let ahead = self.plan.grid.packed_ahead;
            let data = self.data.get(place..).unwrap_or_default();
            return transpose(self.level, data, apart, lanes, count, packed, width, ahead);
        }
        let mut start = place;
        for row in packed.chunks_exact_mut(width) {
            copy_strided(&mut row[..lanes], self.data, start, lane_stride);
            start = start.wrapping_add_signed(stride);
        }
    }

    /// What follows packed rows that lay close together: each step over them fetches its share of
    /// it, while the memory has nothing else to do.
    fn ahead_of_packed(self, packed: &[T], place: usize, lanes: usize) -> Fetch {
        let element = size_of::<T>();
        let apart = self.plan.lane.stride.saturating_mul(element.cast_signed());
        let close = FETCHED_BY_TRANSPOSITION + 1..=CLOSE;
        let apart = usize::try_from(apart).unwrap_or(0);
        let fetched = matches!(self.plan.grid.packed_ahead, Fetch::Nothing | Fetch::Far(_));
        if !close.contains(&apart) || fetched {
            return Fetch::Nothing;
        }
        let next = AHEAD.max(lanes * apart);
        let place = self.data.as_ptr().wrapping_add(place).addr();
        Fetch::Near(place.wrapping_add(next).wrapping_sub(packed.as_ptr().addr()))
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
