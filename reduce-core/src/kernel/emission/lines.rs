//! Lines: the walk of an emission through inputs, results and output.
//!
//! The output is written in its own order. Its *lines* are as long as all of these can be walked at one
//! stride each; *planes* are lines that lie at one distance from one another.

#![allow(unsafe_code, reason = "a microkernel is called with pointers")]

use std::ops::Range;

use smallvec::SmallVec;

use super::super::GRAIN;
use super::super::micro::{Data, Emission, INPUTS};
use super::stage::Stage;
use crate::machine::level::Available;
use crate::machine::team::Team;
use crate::machine::{FAR_AHEAD, Machine};
use crate::plan::{Axis, InOrder, Places};

/// An emission over some elements.
pub(super) struct LineWalk<'a> {
    pub(super) stage: &'a Stage,
    /// The walk over all inputs and, behind them, the results.
    pub(super) walk: &'a InOrder,
    pub(super) level: Available,
    /// Where all elements, all results and all that is emitted would begin, of which those of the
    /// emission are there.
    pub(super) data: Data,
    pub(super) results: *const u8,
    pub(super) out: *mut u8,
}

// SAFETY: an operator, elements and results that threads may share, and places that are written once.
unsafe impl Sync for LineWalk<'_> {}

/// The places of the first element of a plane in each input, and that of its result.
type First = SmallVec<[usize; INPUTS + 1]>;

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
        let mut out = elements.start;
        while left > 0 {
            let places: First = walks.iter_mut().filter_map(Iterator::next).collect();
            let some = left.min(plane - first);
            // SAFETY: the caller's.
            unsafe { self.emit_of_plane(template, &places, first..first + some, out) };
            (out, left, first) = (out + some, left - some, 0);
        }
    }

    /// Emits over some elements of a plane, the first of which is the `number`th of the output.
    ///
    /// # Safety
    /// As [`LineWalk::split`].
    unsafe fn emit_of_plane(
        &self,
        template: Emission,
        places: &First,
        mut elements: Range<usize>,
        mut number: usize,
    ) {
        let size = template.count;
        while !elements.is_empty() {
            let (line, skipped) = (elements.start / size, elements.start % size);
            let (count, lines) = match elements.len() {
                some if skipped > 0 || some < size => (some.min(size - skipped), 1),
                some => (size, some / size),
            };
            let mut emission = Emission { count, lines, ..template };
            let [of_inputs @ .., of_results] = places.as_slice() else { return };
            let on = |way: isize, next: isize| {
                let way = way.wrapping_mul(skipped.cast_signed());
                way.wrapping_add(next.wrapping_mul(line.cast_signed()))
            };
            for (input, &place) in of_inputs.iter().enumerate() {
                let first = self.data[input].wrapping_add(place * self.stage.sizes.elements[input]);
                emission.data[input] =
                    first.wrapping_offset(on(template.ways[input], template.next[input]));
            }
            let first = self.results.wrapping_add(of_results * self.stage.sizes.result);
            emission.results = first.wrapping_offset(on(template.result_way, template.next_result));
            emission.out = self.out.wrapping_add(number * self.stage.emitted.1);
            // SAFETY: the caller's.
            unsafe { (self.stage.emit)(self.level, self.stage.op, &emission) };
            number += count * lines;
            elements.start += count * lines;
        }
    }

    /// What is the same for all planes.
    fn template(&self) -> Emission {
        let mut template = Emission {
            data: [std::ptr::null(); INPUTS],
            ways: [0; INPUTS],
            next: [0; INPUTS],
            results: std::ptr::null(),
            result_way: 0,
            next_result: 0,
            out: std::ptr::null_mut(),
            count: 1,
            lines: 1,
            ahead: bytes_ahead(),
        };
        let sizes = self.stage.sizes;
        for (number, [line, plane]) in self.walk.innermost().enumerate() {
            (template.count, template.lines) = (line.size, plane.size);
            let bytes = |of: usize, axis: Axis| axis.stride.wrapping_mul(of.cast_signed());
            if number < sizes.inputs {
                let size = sizes.elements[number];
                template.ways[number] = bytes(size, line);
                template.next[number] = bytes(size, plane);
            } else {
                template.result_way = bytes(sizes.result, line);
                template.next_result = bytes(sizes.result, plane);
            }
        }
        template
    }
}

/// How far ahead of elements others are fetched while they are emitted, in bytes, and places of the
/// output; 0 if none are.
///
/// A CPU foresees less of groups, of which each is reduced before it is emitted, than of a sequence.
/// Measured on Emerald Rapids alone; others that look no further are taken for like it.
fn bytes_ahead() -> usize {
    if Machine::this().is_told() { FAR_AHEAD } else { 0 }
}
