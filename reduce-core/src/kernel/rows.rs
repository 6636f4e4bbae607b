//! Rows: results of one block each, which is read in place.
//!
//! Nothing is merged, so a row's lanes are combined at once, and the next row is folded. Or
//! its last lanes wait for those of others: see [`abreast`](super::abreast).

use std::ops::Range;

use super::abreast::{ROWS, VECTOR};
use super::fold::{Block, Fold};
use super::inputs::{Inputs, ResultBlocks};
use super::lanes::Ahead;
use super::pass::{Job, Place, Scratch};
use super::stored::Stored;
use crate::element::Slot;
use crate::level::Code;
use crate::simd::barrier;

/// Fewer rows are not worth waiting for: sixteen are turned, however many there are.
const FEW_ROWS: usize = ROWS / 2;

impl<'a, F, Op, T, O, const L: usize> Job<'a, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// The results of some units of rows.
    #[inline(always)]
    pub(super) fn rows<C: Code>(&self, code: C, units: Range<usize>, output: &mut [O]) {
        if F::ABREAST && self.plan.results(units.start).len() >= FEW_ROWS {
            self.rows_abreast(code, units, output);
        } else {
            self.rows_in_turn(code, units, output);
        }
    }

    #[inline(always)]
    fn rows_in_turn<C: Code>(&self, code: C, units: Range<usize>, output: &mut [O]) {
        let mut scratch = Scratch::<T>::default();
        let mut rest = output;
        for (mut place, results) in self.inputs.units(units.start).take(units.len()) {
            let of_unit;
            (of_unit, rest) = rest.split_at_mut(results);
            for results in of_unit.chunks_mut(ROWS) {
                let mut accs = [F::none(self.op); ROWS];
                let accs = &mut accs[..results.len()];
                for acc in &mut *accs {
                    let state = F::along(code, self.op, self.row(place));
                    *acc = self.combined(code, &mut scratch, place, &state);
                    place = self.next_row(place);
                }
                for (result, &acc) in results.iter_mut().zip(&*accs) {
                    *result = self.store(acc);
                }
            }
        }
    }

    #[inline(always)]
    fn rows_abreast<C: Code>(&self, code: C, units: Range<usize>, output: &mut [O]) {
        let mut last = F::no_last(self.op);
        let mut turned = last;
        let mut rest = output;
        for (mut place, results) in self.inputs.units(units.start).take(units.len()) {
            let of_unit;
            (of_unit, rest) = rest.split_at_mut(results);
            for results in of_unit.chunks_mut(ROWS) {
                for row in 0..results.len() {
                    barrier();
                    let state = F::along(code, self.op, self.row(place));
                    F::keep_last(code, self.op, &mut last, row, &state);
                    place = self.next_row(place);
                }
                F::combine_last(code, self.level, self.op, &last, &mut turned);
                self.store_rows(&turned, results);
            }
        }
    }

    /// The results of rows whose last lanes were combined.
    #[inline(always)]
    fn store_rows(&self, turned: &F::Last, results: &mut [O]) {
        let result = |row: usize| self.store(F::of_row(self.op, turned, row % ROWS));
        for (part, results) in results.chunks_mut(VECTOR).enumerate() {
            barrier();
            let first = part * VECTOR;
            match results.first_chunk_mut::<VECTOR>() {
                Some(results) => {
                    // Aside, where they cannot overlap with the lanes.
                    let mut all = [O::default(); VECTOR];
                    for row in 0..VECTOR {
                        all[row] = result(first + row);
                    }
                    *results = all;
                }
                None => {
                    for (row, to) in results.iter_mut().enumerate() {
                        *to = result(first + row);
                    }
                }
            }
        }
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
