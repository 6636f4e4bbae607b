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
use super::stage_plan::StagePlan;
use super::template::{First, Template};
use crate::facts::progress::Stopped;
use crate::machine::level::Available;
use crate::machine::team::{GRAIN, Team};
use crate::plan::Places;

/// An emission over some elements.
pub(super) struct LineWalk<'a> {
    pub(super) op: *const (),
    pub(super) plan: &'a StagePlan,
    pub(super) level: Available,
    /// Where all elements, all results and all that is emitted would begin. Those of this emission are there.
    pub(super) data: Data,
    pub(super) results: *const u8,
    pub(super) out: *mut u8,
}

// SAFETY: *sharing* and *places*, which the caller of `split` keeps: each thread writes what its own elements become.
unsafe impl Sync for LineWalk<'_> {}

/// Bytes of the room for what is emitted to places that lie apart.
const APART_BYTES: usize = 4096;

/// A room of [`APART_BYTES`], as numbers of the largest size.
type ApartRoom = MaybeUninit<[u64; APART_BYTES / 8]>;

impl LineWalk<'_> {
    /// Emits over some elements, counted in the order of the output, split among a team.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// *operator*, *elements*, *sharing* and *places*: the elements and their results lie as the plan has them, of the
    /// types of the stage, and there is a place for what each becomes.
    pub(super) unsafe fn split(
        &self,
        elements: Range<usize>,
        team: Team<'_>,
    ) -> Result<(), Stopped> {
        team.check()?;
        if team.is_unwatched_one() || elements.len() <= GRAIN {
            // SAFETY: *elements* and *places*, which the caller keeps: all of them are emitted here.
            unsafe { self.emit(elements) };
            return Ok(());
        }
        let end = elements.end;
        let together = GRAIN.max(self.plan.template.least_together());
        let parts = elements.step_by(together).map(|first| first..end.min(first + together));
        // SAFETY: *elements* and *places*, which the caller keeps; no two parts have an element in common, and so no
        // place.
        team.each_unless_stopped(parts.collect(), |part| unsafe { self.emit(part) })
    }

    /// Emits over some elements.
    ///
    /// # Safety
    /// As [`LineWalk::split`].
    unsafe fn emit(&self, elements: Range<usize>) {
        let StagePlan { walk, template, .. } = self.plan;
        if let Some(places) = &template.only {
            // SAFETY: *elements* and *places*, which the caller keeps: the only plane has all of them.
            return unsafe { self.emit_of_plane(places, elements) };
        }
        let plane = template.count * template.lines;
        // Divisions are slow, and most outputs are not split.
        let (number, mut first) = match elements.start {
            0 => (0, 0),
            start => (start / plane, start % plane),
        };
        let mut walks: SmallVec<[Places<'_>; INPUTS + 2]> = walk.outside(2, number).collect();
        let mut left = elements.len();
        while left > 0 {
            let mut places: First = [0; INPUTS + 2];
            for (place, next) in places.iter_mut().zip(walks.iter_mut().map(Iterator::next)) {
                *place = next.unwrap_or(0);
            }
            let some = left.min(plane - first);
            // SAFETY: *elements* and *places*, which the caller keeps: these are some of the plane that the walks have
            // come to.
            unsafe { self.emit_of_plane(&places, first..first + some) };
            (left, first) = (left - some, 0);
        }
    }

    /// Emits over some elements of a plane.
    ///
    /// # Safety
    /// As [`LineWalk::split`], for elements of the plane that begins at these places.
    unsafe fn emit_of_plane(&self, places: &First, mut elements: Range<usize>) {
        let StagePlan { stage, template, .. } = self.plan;
        let size = template.count;
        let is_apart = template.out_way != stage.emitted.1.cast_signed() && size > 1;
        if !is_apart && elements == (0..size * template.lines) {
            let emission = self.emission(places, (0, 0), (size, template.lines));
            // SAFETY: *operator*, *elements* and *places*, which the caller keeps for each line of the plane.
            return unsafe { self.emit_lines(&emission) };
        }
        while !elements.is_empty() {
            let (line, skipped) = (elements.start / size, elements.start % size);
            let (count, lines) = match elements.len() {
                some if is_apart => {
                    (some.min(size - skipped).min(APART_BYTES / stage.emitted.1), 1)
                }
                some if skipped > 0 || some < size => (some.min(size - skipped), 1),
                some => (size, some / size),
            };
            let emission = self.emission(places, (line, skipped), (count, lines));
            if is_apart {
                // SAFETY: *operator*, *elements* and *places*, which the caller keeps. *room*: one line of at most
                // `APART_BYTES`.
                unsafe { self.emit_apart(emission, template.out_way) };
            } else {
                // SAFETY: *operator*, *elements* and *places*, which the caller keeps for these lines.
                unsafe { self.emit_lines(&emission) };
            }
            elements.start += count * lines;
        }
    }

    /// Emits over lines of a plane.
    ///
    /// # Safety
    /// As [`LineWalk::split`], for these lines.
    unsafe fn emit_lines(&self, emission: &Emission) {
        let StagePlan { stage, template, .. } = self.plan;
        match template.turned {
            // SAFETY: *operator*, *elements* and *places*, which the caller keeps for these lines.
            None => unsafe { (stage.emit)(self.level, self.op, emission) },
            // SAFETY: *operator*, *elements* and *places*, as above. Lines lie as the template has them.
            Some(turned) => unsafe { turned.emit(stage, (self.level, self.op), emission) },
        }
    }

    /// The emission over `lines` lines of `count` elements of a plane, from a line on, behind some of its elements.
    fn emission(
        &self,
        places: &First,
        (line, skipped): (usize, usize),
        (count, lines): (usize, usize),
    ) -> Emission {
        let StagePlan { stage, template, .. } = self.plan;
        let Template { ways, next, result_way, next_result, next_out, ahead, .. } = *template;
        let on = |way: isize, next: isize| {
            let way = way.wrapping_mul(skipped.cast_signed());
            way.wrapping_add(next.wrapping_mul(line.cast_signed()))
        };
        let mut data = [std::ptr::null(); INPUTS];
        for input in 0..stage.inputs {
            let first = self.data[input].wrapping_add(places[input] * stage.elements[input]);
            data[input] = first.wrapping_offset(on(ways[input], next[input]));
        }
        let results = self.results.wrapping_add(places[stage.inputs] * stage.sizes.result);
        let results = results.wrapping_offset(on(result_way, next_result));
        let out = self.out.wrapping_add(places[stage.inputs + 1] * stage.emitted.1);
        let out = out.wrapping_offset(on(template.out_way, next_out));
        Emission {
            data,
            ways,
            next,
            results,
            result_way,
            next_result,
            out,
            next_out,
            count,
            lines,
            ahead,
        }
    }

    /// Emits over a line to places that lie apart.
    ///
    /// # Safety
    /// As [`LineWalk::split`]; the emission is of one line of at most [`APART_BYTES`].
    unsafe fn emit_apart(&self, mut emission: Emission, way: isize) {
        let mut room = ApartRoom::uninit();
        let (to, count) = (emission.out, emission.count);
        emission.out = room.as_mut_ptr().cast();
        // SAFETY: *operator* and *elements*, which the caller keeps; and *room* for one line, as the caller says.
        unsafe { (self.plan.stage.emit)(self.level, self.op, &emission) };
        let from = emission.out.cast_const();
        match self.plan.stage.emitted.1 {
            // SAFETY: *written*: `count` elements of a byte were just emitted. *places*: the caller keeps one for each.
            1 => unsafe { put_apart::<u8>(from, count, to, way) },
            // SAFETY: *written* and *places*, as above, of two bytes.
            2 => unsafe { put_apart::<u16>(from, count, to, way) },
            // SAFETY: *written* and *places*, as above, of four bytes.
            4 => unsafe { put_apart::<u32>(from, count, to, way) },
            // SAFETY: *written* and *places*, as above, of eight bytes: there is no other size.
            _ => unsafe { put_apart::<u64>(from, count, to, way) },
        }
    }
}

/// Puts numbers that lie one behind the other to places that lie apart.
///
/// # Safety
/// *written*: there are `count` numbers one behind the other. *places*: there is one for each, `way` bytes apart.
unsafe fn put_apart<N: Copy>(from: *const u8, count: usize, mut to: *mut u8, way: isize) {
    // SAFETY: *written*, which the caller keeps: there are `count` numbers.
    let from = unsafe { std::slice::from_raw_parts(from.cast::<N>(), count) };
    for &number in from {
        // SAFETY: *places*, which the caller keeps: there is one for each number.
        unsafe { to.cast::<N>().write(number) };
        to = to.wrapping_offset(way);
    }
}
