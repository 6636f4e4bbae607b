//! Blocks of rows of a panel of results, lanes across them.

use super::fold::{Fold, STEPS};
use super::inputs::{Inputs, RowCount};
use super::pass::{Job, Place, Scratch};
use super::stored::Stored;
use crate::element::Slot;
use crate::level::{Code, Work};

impl<'a, F, Op, T, O, const L: usize> Job<'a, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// A block of rows of a panel of results.
    #[inline(always)]
    pub(super) fn fold_across(
        &self,
        code: impl Code,
        scratch: &mut Scratch<'a, T>,
        place: Place<'a, T>,
        results: usize,
        number: usize,
        newest: &mut [F::State],
    ) {
        let plan = self.plan;
        let lanes = plan.strands() * results;
        let first = number * STEPS;
        let end = plan.grid.rows.min(first + STEPS);
        let mut row = first;
        while row < end {
            let position = plan.first + row as u64;
            let (mut rows, RowCount { mut count, full }) = self.inputs.segment(place, row..end);
            // That one alone will be packed.
            if self.inputs.is_last_cut_off(rows, lanes.next_multiple_of(L)) {
                count -= 1;
                (rows, _) = self.inputs.segment(place, row..row + count);
            }
            let at_once = self.inputs.lanes_at_once(count, L);
            for (chunk, states) in newest.chunks_mut(at_once / L).enumerate() {
                let skipped = chunk * at_once;
                let lanes = (lanes - skipped).min(at_once);
                let run = self.inputs.rows(scratch, rows, skipped, lanes, L);
                let full = full.saturating_sub(skipped);
                let fresh = row == first;
                let panel = &mut Panel::<F, Op, T, O, L> {
                    job: *self,
                    run,
                    count,
                    full,
                    fresh,
                    position,
                    states,
                };
                // A light fold has no constants, and the call would cost more than it.
                if F::LIGHT {
                    panel.run(code);
                } else {
                    code.apart(panel);
                }
            }
            row += count;
        }
    }
}

/// Rows of neighbouring groups of lanes.
struct Panel<'a, 'r, 's, F, Op, T, O, const L: usize>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    job: Job<'a, F, Op, T, O, L>,
    run: T::Run<'r>,
    count: usize,
    /// The lanes that have elements.
    full: usize,
    /// Whether the states hold none yet.
    fresh: bool,
    position: u64,
    states: &'s mut [F::State],
}

impl<F, Op, T, O, const L: usize> Work for &mut Panel<'_, '_, '_, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// Some rows at a time.
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let mut above = 0;
        while above < self.count {
            let some = self.job.plan.grid.rows_at_once.min(self.count - above);
            self.fold_some(code, above, some);
            above += some;
        }
    }
}

impl<F, Op, T, O, const L: usize> Panel<'_, '_, '_, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// Some rows, one group of lanes after the other.
    #[inline(always)]
    fn fold_some(&mut self, code: impl Code, above: usize, count: usize) {
        let op = self.job.op;
        let fresh = self.fresh && above == 0;
        let position = self.position + above as u64;
        let mut run = T::below(self.run, above, count);
        let (whole, rest) = self.states.split_at_mut((self.full / L).min(self.states.len()));
        for state in whole {
            if fresh {
                *state = F::identity(op);
            }
            F::rows(code, op, state, fresh, run, position);
            run = T::right(run, L);
        }
        // Of a row that ends in a group of lanes, one lane after the other.
        for (group, state) in rest.iter_mut().enumerate() {
            if fresh {
                *state = F::identity(op);
            }
            let lanes = if group == 0 { self.full % L } else { 0 };
            for step in T::rows::<L>(run).take(1) {
                for lane in 0..lanes {
                    let x = T::lane(step, lane);
                    F::element(op, state, lane, x, position);
                }
            }
            run = T::right(run, L);
        }
    }
}
