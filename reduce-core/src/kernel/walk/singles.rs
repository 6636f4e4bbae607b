//! Elements one after another: results over one element each, or over so few that lanes
//! do not pay.

use std::ops::Range;

use super::fold::Fold;
use super::inputs::{Inputs, Ways};
use super::output_rows::OutputRows;
use super::pass::Job;
use super::stored::Stored;
use crate::element::Slot;

impl<'a, F, Op, T, O, const L: usize> Job<'a, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// Results over one element each.
    #[inline(always)]
    pub(super) fn elements(&self, results: Range<usize>, output: &mut [O]) {
        let inputs = self.inputs;
        let way = inputs.outer_way();
        let rows = OutputRows::from(self.plan, results.start);
        let mut starts = inputs.outer_rows(rows.first);
        for ((skipped, output), start) in rows.cut(output).zip(&mut starts) {
            let mut place = <T::Inputs<'a>>::behind(start, <T::Inputs<'a>>::times(way, skipped));
            // As many at once as lie side by side.
            let together = if inputs.outer_is_dense() { output.len() } else { 1 };
            for neighbours in output.chunks_mut(together) {
                let values = inputs.neighbours(place, neighbours.len());
                for (result, x) in neighbours.iter_mut().zip(T::elements(values)) {
                    *result = self.store(F::first(self.op, x, self.plan.first));
                }
                place = <T::Inputs<'a>>::behind(place, way);
            }
        }
    }

    /// Results over few elements each, one after another.
    #[inline(always)]
    pub(super) fn few(&self, results: Range<usize>, output: &mut [O]) {
        let inputs = self.inputs;
        // Where elements lie, from the first one on; the same for every result.
        let mut ways = Ways::new();
        inputs.ways(&mut ways);
        let next = inputs.outer_way();
        let rows = OutputRows::from(self.plan, results.start);
        let mut starts = inputs.outer_rows(rows.first);
        for ((skipped, output), start) in rows.cut(output).zip(&mut starts) {
            let mut start = <T::Inputs<'a>>::behind(start, <T::Inputs<'a>>::times(next, skipped));
            for result in output {
                let mut acc = F::first(self.op, inputs.element(start), self.plan.first);
                for (&way, position) in ways.iter().zip(self.plan.first + 1..) {
                    let x = inputs.element(<T::Inputs<'a>>::behind(start, way));
                    acc = F::next(self.op, acc, x, position);
                }
                *result = self.store(acc);
                start = <T::Inputs<'a>>::behind(start, next);
            }
        }
    }
}
