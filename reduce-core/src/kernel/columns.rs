//! Very short rows that lie one behind the other: they are turned into columns, folded and
//! finished a group of lanes at a time, so that what is turned is at once in registers again.
//!
//! So the memory is read in its order and without pause, which is up to three times as fast as to
//! turn some kilobytes before they are folded. Bits are those of any other short rows.

use std::ops::Range;

use super::abreast::InLines;
use super::fold::Fold;
use super::inputs::Inputs;
use super::pass::Job;
use super::stored::Stored;
use crate::element::Slot;
use crate::level::Code;

/// Lanes for which there is room.
const MOST_LANES: usize = 64;

/// Bytes of the shortest vectors out of which columns are picked.
const VECTOR: usize = 64;

impl<F, Op, T, O, const L: usize> Job<'_, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// Whether there may be such rows, of these types.
    pub(super) const HAS_COLUMNS: bool =
        <T::Inputs<'_>>::HAS_COLUMNS && L <= MOST_LANES && L * size_of::<T>() >= VECTOR;

    /// The results of some units of rows of `N` elements.
    #[inline(always)]
    pub(super) fn columns<C: Code, const N: usize>(
        &self,
        code: C,
        units: Range<usize>,
        output: &mut [O],
    ) {
        // Vectors that lie across lines would take twice as long to store and to load.
        let mut room = InLines([[T::First::default(); MOST_LANES]; N]);
        let room = &mut room.0.as_flattened_mut()[..L * N];
        let (way, identity) = (self.inputs.lane_way(), F::identity(self.op));
        let mut rest = output;
        for (mut place, results) in self.inputs.units(units.start).take(units.len()) {
            let of_unit;
            (of_unit, rest) = rest.split_at_mut(results);
            for results in of_unit.chunks_mut(L) {
                let inputs = self.inputs;
                let run = inputs.columns::<C, N>(code, room, place, results.len(), L);
                let Some(run) = run else { return };
                let state = F::rows(code, self.op, identity, true, run, self.plan.first);
                self.finish_lanes::<C>(&[state], results);
                place = <T::Inputs<'_>>::behind(place, <T::Inputs<'_>>::times(way, L));
            }
        }
    }
}
