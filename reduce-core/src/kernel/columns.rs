//! Short rows are turned into columns, folded and finished a group of lanes at a time, so that what
//! is turned is at once in registers again, or else in the nearest memory.
//!
//! So the memory is read in its order and without pause, which is up to three times as fast as to
//! turn some kilobytes before they are folded. Bits are those of any other short rows.

use std::ops::Range;

use super::abreast::InLines;
use super::fold::Fold;
use super::inputs::Inputs;
use super::pass::{Job, Place};
use super::stored::Stored;
use crate::element::Slot;
use crate::level::Code;

/// The most lanes.
const MOST_LANES: usize = 64;

/// Elements of results for which there is room without an allocation: the more there is, the longer
/// it takes to fill.
const SMALL: usize = 28;

/// Bytes of the shortest vectors out of which columns are picked.
const VECTOR: usize = 64;

impl<'a, F, Op, T, O, const L: usize> Job<'a, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// Whether there may be very short rows, of these types.
    pub(super) const HAS_COLUMNS: bool =
        <T::Inputs<'_>>::HAS_COLUMNS && L <= MOST_LANES && L * size_of::<T>() >= VECTOR;

    /// Whether there may be short rows that are better off so than as any others are. Where more is
    /// done with an element than to combine it, that hides the pauses, and takes longer in a loop
    /// over each group.
    pub(super) const HAS_TRANSPOSED: bool = <T::Inputs<'_>>::HAS_COLUMNS && F::LIGHT_ROWS;

    /// The results of some units of very short rows.
    #[inline(always)]
    pub(super) fn columns<C: Code>(&self, code: C, units: Range<usize>, output: &mut [O]) {
        let mut rest = output;
        for (mut place, results) in self.inputs.units(units.start).take(units.len()) {
            let of_unit;
            (of_unit, rest) = rest.split_at_mut(results);
            for results in of_unit.chunks_mut(L) {
                // Asked for each group, so that what comes after it is there once.
                let state = match self.plan.count {
                    2 => self.group::<C, 2>(code, place, results.len()),
                    3 => self.group::<C, 3>(code, place, results.len()),
                    4 => self.group::<C, 4>(code, place, results.len()),
                    5 => self.group::<C, 5>(code, place, results.len()),
                    6 => self.group::<C, 6>(code, place, results.len()),
                    7 => self.group::<C, 7>(code, place, results.len()),
                    _ => self.group::<C, 8>(code, place, results.len()),
                };
                place = self.finish_some::<C>(&state, place, results);
            }
        }
    }

    /// The results of some units of short rows. The loop is that of [`Job::columns`]: as an iterator,
    /// or with what is folded as a closure, it takes 10 ns more for each group.
    #[inline(always)]
    pub(super) fn transposed<C: Code>(&self, code: C, units: Range<usize>, output: &mut [O]) {
        // Only one of them is made.
        let (mut small, mut large);
        let room = if self.plan.count <= SMALL {
            small = InLines([[T::First::default(); L]; SMALL]);
            &mut small.0[..]
        } else {
            large = filled::<T::First>((self.plan.count + 1) * L);
            in_lines(&mut large)
        };
        let mut rest = output;
        for (mut place, results) in self.inputs.units(units.start).take(units.len()) {
            let of_unit;
            (of_unit, rest) = rest.split_at_mut(results);
            for results in of_unit.chunks_mut(L) {
                let mut state = F::identity(self.op);
                if let Some(run) = self.inputs.transposed(room, place, results.len()) {
                    F::rows(code, self.op, &mut state, true, run, self.plan.first);
                }
                place = self.finish_some::<C>(&state, place, results);
            }
        }
    }

    /// Finishes a group of lanes from a place on, and says the place behind it.
    #[inline(always)]
    fn finish_some<C: Code>(
        &self,
        state: &F::State,
        place: Place<'a, T>,
        results: &mut [O],
    ) -> Place<'a, T> {
        match results.first_chunk_mut::<L>() {
            Some(all) => self.finish_group(state, all),
            None => self.finish_lanes::<C>(&[*state], results),
        }
        <T::Inputs<'_>>::behind(place, <T::Inputs<'_>>::times(self.inputs.lane_way(), L))
    }

    /// A group of rows of `N` elements, folded.
    #[inline(always)]
    fn group<C: Code, const N: usize>(
        &self,
        code: C,
        place: Place<'a, T>,
        results: usize,
    ) -> F::State {
        let mut state = F::identity(self.op);
        // Of its own, so that the compiler keeps it in registers; where it does not, vectors that
        // lie across lines would take twice as long to store and to load.
        let mut room = InLines([[T::First::default(); L]; N]);
        if let Some(run) = self.inputs.columns::<C, N, L>(code, &mut room.0, place, results) {
            F::rows(code, self.op, &mut state, true, run, self.plan.first);
        }
        state
    }
}

/// Room of some elements. Not inlined: the same for all operators.
#[inline(never)]
fn filled<T: Copy + Default>(elements: usize) -> Vec<T> {
    vec![T::default(); elements]
}

/// The steps of `L` lanes that fit in a room from the beginning of a line on.
fn in_lines<T, const L: usize>(room: &mut [T]) -> &mut [[T; L]] {
    let first = room.as_ptr().align_offset(align_of::<InLines<u8>>()).min(L);
    room[first..].as_chunks_mut().0
}
