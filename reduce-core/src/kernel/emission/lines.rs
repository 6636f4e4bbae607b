//! Lines: the walk of an emission through inputs, results and output.
//!
//! The output is written in row-major order. A *line* is as long as all of these can be walked at one stride each; a
//! *plane* is several lines at equal distances. What is emitted lies one behind the other along a line; where its
//! places lie apart, it is first made in a room of 4 kB.

#![allow(unsafe_code, reason = "a microkernel is called with pointers")]

use std::mem::MaybeUninit;
use std::ops::Range;

use smallvec::SmallVec;

use super::super::micro::{Data, Emission, INPUTS};
use super::stage::Stage;
use crate::machine::level::Available;
use crate::machine::team::{GRAIN, Team};
use crate::machine::{FAR_AHEAD, Machine};
use crate::plan::{Axis, InOrder, Places};

/// An emission over some elements.
pub(super) struct LineWalk<'a> {
    pub(super) stage: &'a Stage,
    /// The walk over all inputs and, behind them, the results and what is emitted.
    pub(super) walk: &'a InOrder,
    pub(super) level: Available,
    /// Where all elements, all results and all that is emitted would begin. Those of this emission are there.
    pub(super) data: Data,
    pub(super) results: *const u8,
    pub(super) out: *mut u8,
}

// SAFETY: an operator, elements and results that threads may share, and places that are written once.
unsafe impl Sync for LineWalk<'_> {}

/// The places of the first element of a plane in each input, that of its result, and where it is emitted to.
type First = SmallVec<[usize; INPUTS + 2]>;

/// Bytes of the room for what is emitted to places that lie apart.
const APART_BYTES: usize = 4096;

/// A room of [`APART_BYTES`], as numbers of the largest size.
type ApartRoom = MaybeUninit<[u64; APART_BYTES / 8]>;

impl LineWalk<'_> {
    /// Emits over some elements, counted in the order of the output, split among a team.
    ///
    /// # Safety
    /// They and their results are there, as the plan has them, with room for what is emitted, and all
    /// of it is of the types of the stage.
    pub(super) unsafe fn split(&self, elements: Range<usize>, team: Team<'_>) {
        if team.threads() == 1 || elements.len() <= GRAIN {
            // SAFETY: the caller's.
            return unsafe { self.emit(elements) };
        }
        let end = elements.end;
        let parts = elements.step_by(GRAIN).map(|first| first..end.min(first + GRAIN));
        // SAFETY: the caller's; no two parts have an element in common.
        team.each(parts.collect(), |part| unsafe { self.emit(part) });
    }

    /// Emits over some elements.
    ///
    /// # Safety
    /// As [`LineWalk::split`].
    unsafe fn emit(&self, elements: Range<usize>) {
        let template = self.template();
        let plane = template.count * template.lines;
        // Divisions are slow, and most outputs are not split.
        let (number, mut first) = match elements.start {
            0 => (0, 0),
            start => (start / plane, start % plane),
        };
        let mut walks: SmallVec<[Places<'_>; 2]> = self.walk.outside(2, number).collect();
        let mut left = elements.len();
        while left > 0 {
            let places: First = walks.iter_mut().filter_map(Iterator::next).collect();
            let some = left.min(plane - first);
            // SAFETY: the caller's.
            unsafe { self.emit_of_plane(&template, &places, first..first + some) };
            (left, first) = (left - some, 0);
        }
    }

    /// Emits over some elements of a plane.
    ///
    /// # Safety
    /// As [`LineWalk::split`].
    unsafe fn emit_of_plane(
        &self,
        template: &Template,
        places: &First,
        mut elements: Range<usize>,
    ) {
        let size = template.count;
        let is_apart = template.out_way != self.stage.emitted.1.cast_signed() && size > 1;
        while !elements.is_empty() {
            let (line, skipped) = (elements.start / size, elements.start % size);
            let (count, lines) = match elements.len() {
                some if is_apart => {
                    (some.min(size - skipped).min(APART_BYTES / self.stage.emitted.1), 1)
                }
                some if skipped > 0 || some < size => (some.min(size - skipped), 1),
                some => (size, some / size),
            };
            let mut emission = Emission { count, lines, ..template.emission };
            let [of_inputs @ .., of_results, of_out] = places.as_slice() else { return };
            let on = |way: isize, next: isize| {
                let way = way.wrapping_mul(skipped.cast_signed());
                way.wrapping_add(next.wrapping_mul(line.cast_signed()))
            };
            for (input, &place) in of_inputs.iter().enumerate() {
                let first = self.data[input].wrapping_add(place * self.stage.elements[input]);
                emission.data[input] =
                    first.wrapping_offset(on(template.ways[input], template.next[input]));
            }
            let first = self.results.wrapping_add(of_results * self.stage.sizes.result);
            emission.results = first.wrapping_offset(on(template.result_way, template.next_result));
            let out = self.out.wrapping_add(of_out * self.stage.emitted.1);
            emission.out = out.wrapping_offset(on(template.out_way, template.next_out));
            if is_apart {
                // SAFETY: the caller's, and one line, which the room has place for.
                unsafe { self.emit_apart(emission, template.out_way) };
            } else {
                // SAFETY: the caller's.
                unsafe { (self.stage.emit)(self.level, self.stage.op, &emission) };
            }
            elements.start += count * lines;
        }
    }

    /// Emits over a line to places that lie apart.
    ///
    /// # Safety
    /// As [`LineWalk::split`]; the room has place for it.
    unsafe fn emit_apart(&self, mut emission: Emission, way: isize) {
        let mut room = ApartRoom::uninit();
        let (to, count) = (emission.out, emission.count);
        emission.out = room.as_mut_ptr().cast();
        // SAFETY: the caller's.
        unsafe { (self.stage.emit)(self.level, self.stage.op, &emission) };
        let from = emission.out.cast_const();
        match self.stage.emitted.1 {
            // SAFETY: `count` elements of that size were emitted, each with a place of its own.
            1 => unsafe { put_apart::<u8>(from, count, to, way) },
            // SAFETY: the same.
            2 => unsafe { put_apart::<u16>(from, count, to, way) },
            // SAFETY: the same.
            4 => unsafe { put_apart::<u32>(from, count, to, way) },
            // SAFETY: the same.
            _ => unsafe { put_apart::<u64>(from, count, to, way) },
        }
    }

    /// What is the same for all planes.
    fn template(&self) -> Template {
        let mut emission = Emission {
            data: [std::ptr::null(); INPUTS],
            ways: [0; INPUTS],
            next: [0; INPUTS],
            results: std::ptr::null(),
            result_way: 0,
            next_result: 0,
            out: std::ptr::null_mut(),
            next_out: 0,
            count: 1,
            lines: 1,
            ahead: bytes_ahead(self.stage.needs.machine),
        };
        let sizes = self.stage.sizes;
        let mut out_way = 0;
        for (number, [line, plane]) in self.walk.innermost().enumerate() {
            (emission.count, emission.lines) = (line.size, plane.size);
            let bytes = |of: usize, axis: Axis| axis.stride.wrapping_mul(of.cast_signed());
            if number < self.stage.inputs {
                let size = self.stage.elements[number];
                emission.ways[number] = bytes(size, line);
                emission.next[number] = bytes(size, plane);
            } else if number == self.stage.inputs {
                emission.result_way = bytes(sizes.result, line);
                emission.next_result = bytes(sizes.result, plane);
            } else {
                out_way = bytes(self.stage.emitted.1, line);
                emission.next_out = bytes(self.stage.emitted.1, plane);
            }
        }
        Template { emission, out_way }
    }
}

/// What all planes have in common.
struct Template {
    emission: Emission,
    /// The way from one place of a line to the next.
    out_way: isize,
}

impl std::ops::Deref for Template {
    type Target = Emission;

    fn deref(&self) -> &Emission {
        &self.emission
    }
}

/// Puts numbers that lie one behind the other to places that lie apart.
///
/// # Safety
/// There are `count` numbers, and places for them.
unsafe fn put_apart<N: Copy>(from: *const u8, count: usize, mut to: *mut u8, way: isize) {
    // SAFETY: the caller's.
    let from = unsafe { std::slice::from_raw_parts(from.cast::<N>(), count) };
    for &number in from {
        // SAFETY: the caller's.
        unsafe { to.cast::<N>().write(number) };
        to = to.wrapping_offset(way);
    }
}

/// How far ahead of elements others are fetched while they are emitted, in bytes, and places of the
/// output; 0 if none are.
///
/// A CPU foresees less of groups than of a sequence, since each group is reduced before it is emitted.
/// This was measured on Emerald Rapids alone; others that look no further are taken for like it.
fn bytes_ahead(machine: Machine) -> usize {
    if machine.is_told() { FAR_AHEAD } else { 0 }
}
