//! Rows: results of one block each, which is read in place.
//!
//! Nothing is merged, so a row's lanes are combined at once, and the next row is folded. Or
//! the lanes of a few rows wait in memory, and are combined in a loop of their own: that
//! is faster where the compiler would form them as their end wants
//! ([`Fold::LANES_REST`]), and combines those of several rows side by side.

use std::ops::Range;

use super::fold::{Block, Fold};
use super::inputs::{Inputs, ResultBlocks};
use super::lanes::Ahead;
use super::pass::{Job, PART, Place, Scratch};
use super::stored::Stored;
use crate::element::Slot;
use crate::level::Code;
use crate::simd::barrier;

/// Rows whose lanes wait at a time.
const WAITING: usize = 8;

impl<'a, F, Op, T, O, const L: usize> Job<'a, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// Whether lanes wait. Measured: rows of 1024 sums of f64 take 100 ns then, and 270 if
    /// not, `LogSumExp` of f32 up to a third less; smaller and larger accumulators lose.
    const WAIT: bool = size_of::<F::Acc>() == 8;

    /// The results of some units of rows.
    #[inline(always)]
    pub(super) fn rows<C: Code>(&self, code: C, units: Range<usize>, output: &mut [O]) {
        let mut scratch = Scratch::<T>::default();
        let mut waiting = [F::identity(self.op); WAITING];
        let mut rest = output;
        for (mut place, results) in self.inputs.units(units.start).take(units.len()) {
            let of_unit;
            (of_unit, rest) = rest.split_at_mut(results);
            for results in of_unit.chunks_mut(if Self::WAIT { WAITING } else { PART }) {
                let mut accs = [F::none(self.op); PART];
                let accs = &mut accs[..results.len()];
                if Self::WAIT {
                    place = self.fold_apart(code, &mut scratch, place, &mut waiting, accs);
                } else {
                    place = self.fold_in_turn(code, &mut scratch, place, accs);
                }
                for (result, &acc) in results.iter_mut().zip(&*accs) {
                    *result = self.store(acc);
                }
            }
        }
    }

    /// The accumulators of rows, one row after the other, and the place behind them.
    #[inline(always)]
    fn fold_in_turn<C: Code>(
        &self,
        code: C,
        scratch: &mut Scratch<'a, T>,
        mut place: Place<'a, T>,
        accs: &mut [F::Acc],
    ) -> Place<'a, T> {
        for acc in accs {
            let state = F::along(code, self.op, self.row(place));
            *acc = self.combined(code, scratch, place, &state);
            place = self.next_row(place);
        }
        place
    }

    /// The same, all rows before the lanes of the first are combined.
    #[inline(always)]
    fn fold_apart<C: Code>(
        &self,
        code: C,
        scratch: &mut Scratch<'a, T>,
        first: Place<'a, T>,
        waiting: &mut [F::State; WAITING],
        accs: &mut [F::Acc],
    ) -> Place<'a, T> {
        let mut place = first;
        for state in &mut waiting[..accs.len()] {
            barrier();
            *state = F::along(code, self.op, self.row(place));
            place = self.next_row(place);
        }
        let mut place = first;
        for (acc, state) in accs.iter_mut().zip(&*waiting) {
            barrier();
            *acc = self.combined(code, scratch, place, state);
            place = self.next_row(place);
        }
        place
    }

    #[inline(always)]
    fn row(&self, place: Place<'a, T>) -> Block<'a, T> {
        let Job { plan, inputs, .. } = self;
        let ahead = Ahead::of(plan.grid.ahead);
        let (count, position) = (plan.count, plan.first);
        Block { data: inputs.from(place, count), count, number: 0, position, ahead }
    }

    #[inline(always)]
    fn next_row(&self, place: Place<'a, T>) -> Place<'a, T> {
        <T::Inputs<'a>>::behind(place, self.inputs.lane_way())
    }

    #[inline(always)]
    fn combined<C: Code>(
        &self,
        code: C,
        scratch: &mut Scratch<'a, T>,
        place: Place<'a, T>,
        state: &F::State,
    ) -> F::Acc {
        let mut blocks = ResultBlocks { inputs: self.inputs, plan: self.plan, scratch, place };
        F::all_lanes(code, self.op, state, &mut blocks)
    }
}
