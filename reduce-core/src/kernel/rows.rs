//! Rows: results of one block each, which is read in place.
//!
//! Nothing is merged, so a row's lanes are combined at once, and the next row is folded. Or
//! its last lanes wait for those of others: see [`abreast`](super::abreast).

use std::ops::Range;

use super::abreast::{FEW_ROWS, ROWS};
use super::ahead::Ahead;
use super::block::Block;
use super::fold::Fold;
use super::inputs::{Inputs, ResultBlocks};
use super::pair::{are_pairs_worthwhile, fold_pair};
use super::pass::{Job, Place, Scratch};
use super::stored::Stored;
use crate::element::Slot;
use crate::level::Code;
use crate::simd::barrier;

/// Bytes of rows before which as much is fetched in streams.
const FETCHED: usize = 2048;

/// Room that takes as long to make as a short row to fold.
trait Room<S> {
    /// The room; made, if it was not.
    fn get(&mut self, make: impl FnOnce() -> S) -> &mut S;
}

/// Made when it is needed, if it is.
impl<S> Room<S> for Option<S> {
    #[inline(always)]
    fn get(&mut self, make: impl FnOnce() -> S) -> &mut S {
        self.get_or_insert_with(make)
    }
}

/// Made where it stays: it would be copied into an option.
struct Made<S>(S);

impl<S> Room<S> for Made<S> {
    #[inline(always)]
    fn get(&mut self, _make: impl FnOnce() -> S) -> &mut S {
        &mut self.0
    }
}

impl<'a, F, Op, T, O, const L: usize> Job<'a, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// The results of some units of rows.
    #[inline(always)]
    pub(super) fn rows<C: Code>(&self, code: C, units: Range<usize>, output: &mut [O]) {
        if let [result] = &mut *output
            && F::ABREAST
            && !F::SEARCHED
        {
            self.lone_row(code, units.start, result);
        } else if F::SEARCHED || !F::ABREAST {
            self.rows_with(code, units, output, None);
        } else {
            self.rows_with(code, units, output, Made(F::no_last(self.op)));
        }
    }

    /// The result of one row, for which room for those of others would take as long to make as
    /// it takes to fold.
    #[inline(always)]
    fn lone_row<C: Code>(&self, code: C, unit: usize, result: &mut O) {
        let Some((place, _)) = self.inputs.units(unit).next() else { return };
        let (ahead, in_streams) = self.ahead().apart();
        if in_streams {
            self.fetch_in_streams(place, 1);
        }
        let state = F::along(code, self.op, self.row::<C>(place, ahead));
        barrier();
        *result = self.store(self.combined(code, &mut Scratch::<T>::default(), place, &state));
    }

    /// The results of some units of rows, with room for last lanes.
    #[inline(always)]
    fn rows_with<C, R>(&self, code: C, units: Range<usize>, output: &mut [O], mut room: R)
    where
        C: Code,
        R: Room<F::Last>,
    {
        let mut scratch = Scratch::<T>::default();
        let mut turned = None;
        let mut rest = output;
        for (mut place, results) in self.inputs.units(units.start).take(units.len()) {
            let of_unit;
            (of_unit, rest) = rest.split_at_mut(results);
            for results in of_unit.chunks_mut(ROWS) {
                // To keep the lanes of a few rows takes longer than to search each at once.
                place = if F::ABREAST && !(F::SEARCHED && results.len() < FEW_ROWS) {
                    let last = room.get(|| F::no_last(self.op));
                    self.rows_abreast(code, place, (last, &mut turned), results)
                } else {
                    self.rows_in_turn(code, &mut scratch, place, results)
                };
            }
        }
    }

    /// The results of some rows, one after the other, and the place behind them.
    #[inline(always)]
    fn rows_in_turn<C: Code>(
        &self,
        code: C,
        scratch: &mut Scratch<'a, T>,
        mut place: Place<'a, T>,
        results: &mut [O],
    ) -> Place<'a, T> {
        let mut accs = [F::none(self.op); ROWS];
        let rows = 0..results.len().min(ROWS);
        let ahead = self.ahead().apart();
        for row in rows.clone() {
            let state = self.fold_row(code, place, ahead, row, &rows);
            accs[row] = self.combined(code, scratch, place, &state);
            place = self.next_row(place);
        }
        for (result, &acc) in results.iter_mut().zip(&accs) {
            *result = self.store(acc);
        }
        place
    }

    /// The results of some rows, whose last lanes wait for one another, and the place behind
    /// them.
    #[inline(always)]
    fn rows_abreast<C: Code>(
        &self,
        code: C,
        mut place: Place<'a, T>,
        (last, turned): (&mut F::Last, &mut Option<F::Last>),
        results: &mut [O],
    ) -> Place<'a, T> {
        let mut first = place;
        let mut row = 0;
        if are_pairs_worthwhile::<F, Op, T, O, C, L>() && self.plan.grid.is_near {
            while row + 1 < results.len() {
                barrier();
                let second = self.next_row(place);
                let pair =
                    [place, second].map(|place| self.row::<C>(place, self.ahead().apart().0));
                for state in fold_pair::<C, F, Op, T, O, L>(code, self.op, pair) {
                    F::keep_last(code, self.op, last, row, &state);
                    row += 1;
                }
                place = self.next_row(second);
            }
        }
        let rest = row..results.len();
        let ahead = self.ahead().apart();
        for row in rest.clone() {
            let state = self.fold_row(code, place, ahead, row, &rest);
            F::keep_last(code, self.op, last, row, &state);
            place = self.next_row(place);
        }
        if results.len() < FEW_ROWS {
            for (row, result) in results.iter_mut().enumerate() {
                barrier();
                *result = self.store(F::one_row(code, self.op, last, row));
            }
            return place;
        }
        let turned = turned.get_or_insert_with(|| F::no_last(self.op));
        F::all_rows(code, self.op, last, turned);
        if F::SEARCHED {
            for (row, result) in results.iter_mut().enumerate() {
                barrier();
                let acc = F::of_row(self.op, turned, row % ROWS);
                let block = self.row::<C>(first, Ahead::NONE);
                *result = self.store(F::searched(code, self.op, acc, last, row, block));
                first = self.next_row(first);
            }
        } else {
            self.store_rows(turned, results);
        }
        place
    }

    /// One of some rows folded. What is fetched in streams is fetched before some of them.
    ///
    /// Called in each loop: what a function with a loop was given to do with each row might not be
    /// compiled into it, and so not for the CPU's level.
    #[inline(always)]
    fn fold_row<C: Code>(
        &self,
        code: C,
        place: Place<'a, T>,
        (ahead, in_streams): (Ahead, bool),
        row: usize,
        rows: &Range<usize>,
    ) -> F::State {
        if in_streams {
            let together = self.rows_together();
            if (row - rows.start).is_multiple_of(together) {
                self.fetch_in_streams(place, together.min(rows.end - row));
            }
        }
        barrier();
        F::along(code, self.op, self.row::<C>(place, ahead))
    }

    /// Rows that are fetched at a time.
    fn rows_together(&self) -> usize {
        FETCHED.div_ceil(self.plan.count * size_of::<T>())
    }

    /// The results of rows whose last lanes were combined.
    #[inline(always)]
    fn store_rows(&self, turned: &F::Last, results: &mut [O]) {
        let result = |row| self.store(F::of_row(self.op, turned, row));
        match results.first_chunk_mut::<ROWS>() {
            Some(results) => {
                // Aside, where they cannot overlap with the lanes.
                let mut all = [O::default(); ROWS];
                for row in 0..ROWS {
                    all[row] = result(row);
                }
                *results = all;
            }
            None => {
                for (row, to) in results.iter_mut().enumerate() {
                    *to = result(row);
                }
            }
        }
    }

    /// Fetches in streams as much as some rows are. Not inlined: few are fetched so.
    #[cold]
    #[inline(never)]
    fn fetch_in_streams(&self, mut place: Place<'a, T>, rows: usize) {
        for _ in 0..rows {
            T::fetch_in_streams(self.inputs.neighbours(place, self.plan.count));
            place = self.next_row(place);
        }
    }

    #[inline(always)]
    fn row<C: Code>(&self, place: Place<'a, T>, ahead: Ahead) -> Block<'a, T> {
        let Job { plan, inputs, .. } = self;
        let (count, position, shift) = (plan.count, plan.first, self.shift_of_row::<C>(place));
        Block { position, shift, ahead, ..Block::of(inputs.from(place, count), count) }
    }

    /// How far the lanes along a row are shifted.
    #[inline(always)]
    fn shift_of_row<C: Code>(&self, place: Place<'a, T>) -> usize {
        if F::SHIFTED_ROWS { self.shift::<C>(place) } else { 0 }
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
        let Job { inputs, plan, .. } = *self;
        let shift = self.shift_of_row::<C>(place);
        let mut blocks = ResultBlocks { inputs, plan, scratch, place, shift };
        F::all_lanes(code, self.op, state, &mut blocks)
    }
}
