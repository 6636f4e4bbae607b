//! Elements packed to where lanes can read them: what depends on their size alone.

use std::mem::MaybeUninit;

use super::copies::copy_strided;
use super::room::Room;
use crate::machine::level::Available;
use crate::machine::{stage, transpose};
use crate::plan::{Places, Plan};
use crate::values::element::Element;

/// The elements of an input, as numbers of their size, read as a plan says.
#[derive(Clone, Copy)]
pub(super) struct Buffer<'a, T> {
    pub(super) data: &'a [T],
    pub(super) plan: &'a Plan,
    pub(super) level: Available,
}

/// Rows at one stride, and lanes across them.
#[derive(Clone, Copy, Debug)]
pub(super) struct BufferRows {
    /// The place of the first lane's first element.
    pub(super) place: usize,
    /// The way from row to row.
    pub(super) stride: isize,
    pub(super) count: usize,
    pub(super) lanes: usize,
}

impl<T: Element> Buffer<'_, T> {
    /// Packs `count` elements of the result that starts at a place, from its `first` on. Behind them is room for a
    /// step.
    #[inline(never)]
    pub(super) fn pack_along(
        self,
        room: &mut Room,
        place: usize,
        (first, count): (usize, usize),
        step: usize,
    ) -> *const u8 {
        let packed = &mut room.elements::<T>(count + step)[..count];
        let run = self.plan.run();
        let mut filled = 0;
        while filled < packed.len() {
            let (outer, inner) = ((first + filled) / run.size, (first + filled) % run.size);
            let start = outer_place(self.plan, place, outer);
            let start = start.wrapping_add_signed(inner.cast_signed().wrapping_mul(run.stride));
            let left = run.size - inner;
            let taken = left.min(packed.len() - filled);
            copy_strided(&mut packed[filled..filled + taken], self.data, start, run.stride);
            filled += taken;
        }
        packed.as_ptr().cast()
    }

    /// Packs rows: `packed[row * width + lane]`.
    #[inline(never)]
    pub(super) fn pack_across(self, room: &mut Room, rows: BufferRows, width: usize) -> *const u8 {
        let BufferRows { place, stride, count, lanes } = rows;
        let lane_stride = self.plan.row().stride;
        if stride == 1 && lane_stride > 0 {
            return self.turn(room, rows, width);
        }
        let packed = room.elements::<T>(count * width);
        let mut start = place;
        for row in packed.chunks_exact_mut(width) {
            copy_strided(&mut row[..lanes], self.data, start, lane_stride);
            start = start.wrapping_add_signed(stride);
        }
        packed.as_ptr().cast()
    }
}

impl<T: Element> Buffer<'_, T> {
    /// As [`Buffer::pack_across`], of rows that are contiguous along each lane.
    #[inline(always)]
    pub(super) fn turn(self, room: &mut Room, rows: BufferRows, width: usize) -> *const u8 {
        let BufferRows { place, count, lanes, .. } = rows;
        let packed = room.elements::<T>(count * width);
        let apart = self.plan.row().stride.unsigned_abs();
        let ahead = self.plan.grid.turned_ahead;
        let data = self.data.get(place..).unwrap_or_default();
        transpose(self.level, data, apart, lanes, count, packed, width, ahead);
        packed.as_ptr().cast()
    }

    /// Packs `columns` neighbours of each of `rows` rows, which lie `apart` elements apart. Elements of one column come
    /// to lie behind one another.
    pub(super) fn pack_columns(
        self,
        room: &mut Room,
        (place, apart): (usize, usize),
        (rows, columns): (usize, usize),
    ) -> *const u8 {
        let packed = room.elements::<T>(columns * rows);
        let data = self.data.get(place..).unwrap_or_default();
        transpose(self.level, data, apart, rows, columns, packed, rows, 0);
        packed.as_ptr().cast()
    }

    /// Copies some elements into a step, whose other lanes are zero.
    pub(super) fn stage(self, place: usize, count: usize, step: &mut [MaybeUninit<T>]) {
        stage(self.level, &self.data[place..place + count], step);
    }
}

/// The place of the first element for an index of the outer reduced axes.
pub(super) fn outer_place(plan: &Plan, place: usize, index: usize) -> usize {
    if index == 0 {
        return place;
    }
    let outer = &plan.reduced[..plan.reduced.len().saturating_sub(1)];
    Places::from_index(outer, place, index).next().unwrap_or(place)
}
