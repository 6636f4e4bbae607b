//! Sources: the stored values of an input, as lanes can read them.
//!
//! Where values lie as lanes want them they are read in place. Otherwise they are packed into a
//! block that stays in the first level of cache. An incomplete step at the end of a buffer is
//! *staged*: copied to where a whole one may be read. Nothing here depends on the operator, or on more of the storage
//! type than the size of an element.

#![allow(unsafe_code, reason = "buffers are read as numbers of the size of their elements")]

mod buffer;
mod chunks;
mod copies;
mod lent;
mod room;

use std::marker::PhantomData;
use std::ops::Range;

pub(in crate::kernel) use chunks::{CHUNK, Chunk, ChunkSources, IN_TURN, SourcePlaces};
pub(crate) use room::{Lines, Room, Scratch};

use buffer::{Buffer, BufferRows, outer_place};

use crate::machine::LINE;
use crate::machine::level::Available;
use crate::plan::{FETCHED_BY_TURNING, Path, Plan};

/// Short rows lie close together if there are up to this many bytes from row to row.
const CLOSE: usize = 1024;

/// Such rows are fetched at least this many bytes ahead.
const AHEAD: usize = 8192;

/// An input, read as a plan says.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    data: *const u8,
    /// The number of elements of the buffer, and the bytes of each.
    length: usize,
    size: usize,
    plan: &'a Plan,
    level: Available,
    buffer: PhantomData<&'a [u8]>,
}

/// Elements one behind the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) data: *const u8,
    /// The place of the first in the buffer.
    pub(super) place: usize,
    /// How many elements may be read from there on.
    pub(super) readable: usize,
    pub(super) count: usize,
    /// The position of the first.
    pub(super) position: u64,
}

impl Run {
    /// No elements.
    pub(super) const NONE: Run =
        Run { data: std::ptr::null(), place: 0, readable: 0, count: 0, position: 0 };
}

/// Rows at one stride.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    place: usize,
    stride: isize,
    pub(super) count: usize,
    /// How many lanes have an element: all, except in the last of rows that are folded side by side.
    pub(super) full: usize,
}

/// Steps of lanes across rows, and how far ahead of them others are fetched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Across {
    pub(super) data: *const u8,
    pub(super) way: isize,
    pub(super) ahead: usize,
}

/// Does something with the elements of a source as numbers of their size.
macro_rules! by_size {
    ($source:expr, $buffer:ident => $does:expr) => {
        match $source.size {
            1 => by_size!($source, $buffer: u8, $does),
            2 => by_size!($source, $buffer: u16, $does),
            4 => by_size!($source, $buffer: u32, $does),
            _ => by_size!($source, $buffer: u64, $does),
        }
    };
    ($source:expr, $buffer:ident: $number:ty, $does:expr) => {{
        // SAFETY: *types*, which the caller of `new` keeps: elements have `size` bytes, and are aligned to them.
        // *bytes*: any are a number.
        let $buffer = unsafe { $source.numbers::<$number>() };
        $does
    }};
}

impl<'a> Source<'a> {
    /// A source of `length` elements of `size` bytes.
    ///
    /// # Safety
    /// *buffers*: the elements may be read for as long as the source is used. *types*: they have this size, of one to
    /// eight bytes, and are aligned to it.
    pub(super) unsafe fn new(
        data: *const u8,
        length: usize,
        size: usize,
        plan: &'a Plan,
        level: Available,
    ) -> Self {
        Source { data, length, size, plan, level, buffer: PhantomData }
    }

    /// The elements, as numbers.
    ///
    /// # Safety
    /// *types*: the elements are as large as these numbers.
    unsafe fn numbers<T>(self) -> Buffer<'a, T> {
        // SAFETY: *buffers*, which the caller of `new` keeps: there are `length` elements; and the caller of this
        // function keeps their size.
        let data = unsafe { std::slice::from_raw_parts(self.data.cast::<T>(), self.length) };
        Buffer { data, plan: self.plan, level: self.level }
    }

    #[inline(always)]
    pub(super) fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Bytes of an element.
    #[inline(always)]
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The address of a place.
    ///
    /// # Panics
    /// If the buffer has fewer than `count` elements from there on.
    #[inline(always)]
    pub(super) fn at(&self, place: usize, count: usize) -> *const u8 {
        let is_there = place.checked_add(count).is_some_and(|end| end <= self.length);
        assert!(is_there, "elements lie in the buffer");
        self.data.wrapping_add(place * self.size)
    }

    /// How many elements there are from a place on.
    #[inline(always)]
    pub(super) fn left(&self, place: usize) -> usize {
        self.length.saturating_sub(place)
    }

    /// Whether blocks along a result are read where they are.
    #[inline(always)]
    pub(super) fn is_in_place(&self) -> bool {
        self.plan.path == Path::Lanes && self.plan.run().stride == 1
    }

    /// The elements of some blocks of the result that starts at a place, read where they are: the first ones, up to the
    /// end of their run.
    pub(super) fn run(&self, place: usize, blocks: Range<usize>) -> Run {
        let run = self.plan.run();
        let grid = &self.plan.grid;
        // Divisions are slow; most results are one run.
        let (outer, chunk) = match self.plan.reduced.len() {
            1 => (0, blocks.start),
            _ => (blocks.start / grid.blocks_of_run, blocks.start % grid.blocks_of_run),
        };
        let start = outer_place(self.plan, place, outer);
        let first = chunk * grid.piece;
        let count = run.size.min(first + blocks.len() * grid.piece) - first;
        let data = self.at(start + first, count);
        let (place, readable) = (start + first, self.left(start + first));
        Run { data, place, readable, count, position: (outer * run.size + first) as u64 }
    }

    /// The elements of a block of the result that starts at a place. They are packed if need be, with room for a step
    /// of `lanes` behind them.
    pub(super) fn block(&self, room: &mut Room, place: usize, number: usize, lanes: usize) -> Run {
        if self.is_in_place() {
            return self.run(place, number..number + 1);
        }
        let grid = &self.plan.grid;
        let (first, count) = if self.plan.path == Path::Lanes {
            let (run, blocks) = (self.plan.run(), grid.blocks_of_run);
            let (outer, chunk) = (number / blocks, number % blocks);
            let first = chunk * grid.piece;
            (outer * run.size + first, grid.piece.min(run.size - first))
        } else {
            let first = number * grid.piece;
            (first, grid.piece.min(self.plan.count - first))
        };
        let data = by_size!(self, buffer => buffer.pack_along(room, place, (first, count), lanes));
        Run { data, place: 0, readable: count + lanes, count, position: first as u64 }
    }

    /// Returns where `count` elements of the result that starts at a place lie one behind the other, from its `first`
    /// on. They are packed if need be.
    pub(super) fn some(
        &self,
        room: &mut Room,
        place: usize,
        (first, count): (usize, usize),
    ) -> *const u8 {
        let run = self.plan.run();
        let (outer, inner) = (first / run.size, first % run.size);
        if run.stride == 1 && inner + count <= run.size {
            return self.at(outer_place(self.plan, place, outer) + inner, count);
        }
        by_size!(self, buffer => buffer.pack_along(room, place, (first, count), 0))
    }

    /// Packs `count` elements, from the `first` on, of each of `results` neighbouring results. The first result starts
    /// at a place. The elements of each result come to lie one behind the other, and results too. None if results do
    /// not lie side by side.
    pub(super) fn some_of_each(
        &self,
        room: &mut Room,
        place: usize,
        (first, count): (usize, usize),
        results: usize,
    ) -> Option<*const u8> {
        let run = self.plan.run();
        let (outer, inner) = (first / run.size, first % run.size);
        let apart = usize::try_from(run.stride).ok().filter(|&apart| apart >= results)?;
        if self.plan.lane.stride != 1 || inner + count > run.size {
            return None;
        }
        let first = (outer_place(self.plan, place, outer) + inner * apart, apart);
        Some(by_size!(self, buffer => buffer.pack_columns(room, first, (count, results))))
    }

    /// Some rows, as many as lie at one stride.
    pub(super) fn segment(&self, place: usize, rows: Range<usize>) -> Segment {
        let axis = self.plan.grid.row_axis;
        let (outer, inner) = match self.plan.reduced.len() {
            1 => (0, rows.start),
            _ => (rows.start / axis.size, rows.start % axis.size),
        };
        let start = outer_place(self.plan, place, outer);
        let way = inner.cast_signed().wrapping_mul(axis.stride);
        let place = start.wrapping_add_signed(way);
        let (count, full) = if inner < axis.size {
            (rows.len().min(axis.size - inner), usize::MAX)
        } else {
            // What is left of the rows that are folded side by side.
            let rows = self.plan.count / self.plan.neighbours;
            (1, rows % self.plan.side_by_side * self.plan.row().size)
        };
        Segment { place, stride: axis.stride, count, full }
    }

    /// Whether rows are read where they are, but for the last.
    fn reads_in_place(&self) -> bool {
        self.plan.row().stride == 1
    }

    /// Whether the last of some rows is the only one that would be read beyond the end of the buffer, if `width`
    /// elements are read of each.
    pub(super) fn is_last_cut_off(&self, rows: Segment, width: usize) -> bool {
        let Segment { place, stride, count, .. } = rows;
        let end = |row: usize| {
            let way = row.cast_signed().wrapping_mul(stride);
            place.wrapping_add_signed(way).saturating_add(width)
        };
        self.reads_in_place()
            && count > 1
            && stride > 0
            && (end(count - 2)..end(count - 1)).contains(&self.length)
    }

    /// For how many lanes rows are read together, in whole groups. If rows are read where they are, that is for all.
    /// Otherwise it is for as many as fit in the first level of cache when packed.
    pub(super) fn lanes_at_once(&self, rows: usize, group: usize) -> usize {
        if self.reads_in_place() {
            return usize::MAX / group * group;
        }
        let lanes = self.plan.grid.packed / (self.size * rows.max(1));
        (lanes / group).max(1) * group
    }

    /// Rows as groups of `group` lanes read them, `lanes` lanes after the `skipped` first ones.
    pub(super) fn across(
        &self,
        room: &mut Room,
        rows: Segment,
        (skipped, lanes): (usize, usize),
        group: usize,
    ) -> Across {
        let Segment { stride, count, full, .. } = rows;
        let way = skipped.cast_signed().wrapping_mul(self.plan.row().stride);
        let place = rows.place.wrapping_add_signed(way);
        let width = lanes.next_multiple_of(group);
        let lanes = lanes.min(full.saturating_sub(skipped));
        if self.reads_in_place() {
            let way = (count - 1).cast_signed().wrapping_mul(stride);
            let last = place.wrapping_add_signed(way);
            if place.max(last).saturating_add(width) <= self.length {
                let way = stride.wrapping_mul(self.size.cast_signed());
                return Across { data: self.at(place, width), way, ahead: self.plan.grid.ahead };
            }
        }
        // Rows a power of two apart would compete for the same lines of the cache.
        let width = width + if width > group { LINE / self.size } else { 0 };
        let packed = BufferRows { place, stride, count, lanes };
        let data = by_size!(self, buffer => buffer.pack_across(room, packed, width));
        let ahead = if stride == 1 { self.ahead_of_packed(data, place, lanes) } else { 0 };
        Across { data, way: (width * self.size).cast_signed(), ahead }
    }

    /// Some contiguous rows from a place on, turned: where their first elements lie, the way from
    /// there to the next, and how far ahead others are fetched meanwhile.
    #[inline(always)]
    pub(super) fn turned(
        &self,
        room: &mut Room,
        place: usize,
        lanes: usize,
        group: usize,
    ) -> (*const u8, isize, usize) {
        let width = lanes.next_multiple_of(group);
        // Columns a power of two apart would compete for the same lines of the cache.
        let width = width + if width > group { LINE / self.size } else { 0 };
        let rows = BufferRows { place, stride: 1, count: self.plan.count, lanes };
        let data = by_size!(self, buffer => buffer.turn(room, rows, width));
        let ahead = self.ahead_of_packed(data, place, lanes);
        (data, (width * self.size).cast_signed(), ahead)
    }

    /// The distance from packed rows to the rows that follow them in the buffer, or 0 if rows lie far apart there. Each
    /// step over packed rows fetches its share of the rows that follow, while the memory has nothing else to do.
    fn ahead_of_packed(&self, packed: *const u8, place: usize, lanes: usize) -> usize {
        let apart = self.plan.lane.stride.saturating_mul(self.size.cast_signed());
        let close = FETCHED_BY_TURNING + 1..=CLOSE;
        let apart = usize::try_from(apart).unwrap_or(0);
        if !close.contains(&apart) || self.plan.grid.packed_ahead == 0 {
            return 0;
        }
        let next = AHEAD.max(lanes * apart);
        let place = self.data.wrapping_add(place * self.size).addr();
        place.wrapping_add(next).wrapping_sub(packed.addr())
    }

    /// Copies some elements from a place on to where a step of lanes may be read; its other lanes are zero.
    ///
    /// # Safety
    /// *room*: a step of `lanes` elements fits.
    pub(super) unsafe fn stage(&self, room: *mut u8, place: usize, count: usize, lanes: usize) {
        by_size!(self, buffer => {
            // SAFETY: *room*, which the caller keeps: a step of elements of this size fits. It need not be initialised.
            let step = unsafe { std::slice::from_raw_parts_mut(room.cast(), lanes) };
            buffer.stage(place, count, step);
        });
    }
}
