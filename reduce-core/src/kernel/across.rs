//! Blocks of rows of a panel of results, lanes across them.

use super::fold::Fold;
use super::panels::{Panel, Panels};
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
        let (inputs, plan) = (self.inputs, self.plan);
        let mut panels = Panels::of(inputs, plan, (place, results), L, number);
        while let Some(panel) = panels.next(scratch) {
            let states = &mut newest[panel.groups.clone()];
            let folded = &mut Folded::<F, Op, T, O, L> { job: *self, panel, states };
            // A light fold has no constants, and the call would cost more than it.
            if F::LIGHT {
                folded.run(code);
            } else {
                code.apart(folded);
            }
        }
    }
}

/// A panel, to be folded into the states of its groups.
struct Folded<'a, 'r, 's, F, Op, T, O, const L: usize>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    job: Job<'a, F, Op, T, O, L>,
    panel: Panel<'r, T>,
    states: &'s mut [F::State],
}

impl<F, Op, T, O, const L: usize> Work for &mut Folded<'_, '_, '_, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// Some rows at a time.
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let mut above = 0;
        while above < self.panel.count {
            let some = self.job.plan.grid.rows_at_once.min(self.panel.count - above);
            self.fold_some(code, above, some);
            above += some;
        }
    }
}

impl<F, Op, T, O, const L: usize> Folded<'_, '_, '_, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// Some rows, one group of lanes after the other.
    #[inline(always)]
    fn fold_some(&mut self, code: impl Code, above: usize, count: usize) {
        let op = self.job.op;
        let Panel { run, full, fresh, position, .. } = self.panel;
        let (fresh, position) = (fresh && above == 0, position + above as u64);
        let mut run = T::below(run, above, count);
        let (whole, rest) = self.states.split_at_mut((full / L).min(self.states.len()));
        for state in whole {
            let before = if fresh { F::identity(op) } else { *state };
            *state = F::rows(code, op, before, fresh, run, position);
            run = T::right(run, L);
        }
        // Of a row that ends in a group of lanes, one lane after the other.
        for (group, state) in rest.iter_mut().enumerate() {
            if fresh {
                *state = F::identity(op);
            }
            let lanes = if group == 0 { full % L } else { 0 };
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
