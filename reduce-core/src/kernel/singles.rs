//! Elements one after another: results over one element each, or over so few that lanes
//! do not pay.

use std::ops::Range;

use super::fold::Fold;
use super::inputs::Inputs;
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
        let size = self.plan.outer.last().map_or(1, |inner| inner.size);
        let way = inputs.outer_way();
        let (row, mut first) = (results.start / size, results.start % size);
        let mut rest = output;
        for start in inputs.outer_rows(row) {
            let count = (size - first).min(rest.len());
            if count == 0 {
                break;
            }
            let output;
            (output, rest) = rest.split_at_mut(count);
            let mut place = <T::Inputs<'a>>::behind(start, <T::Inputs<'a>>::times(way, first));
            // As many at once as lie side by side.
            for neighbours in output.chunks_mut(if inputs.outer_is_dense() { count } else { 1 }) {
                let values = inputs.neighbours(place, neighbours.len());
                for (result, x) in neighbours.iter_mut().zip(T::elements(values)) {
                    *result = self.store(F::first(self.op, x, self.plan.first));
                }
                place = <T::Inputs<'a>>::behind(place, way);
            }
            first = 0;
        }
    }

    /// Results over few elements each, one after another.
    #[inline(always)]
    pub(super) fn few(&self, results: Range<usize>, output: &mut [O]) {
        let inputs = self.inputs;
        // Where elements lie, from the first one on; the same for every result.
        let ways = inputs.ways();
        for (result, start) in output.iter_mut().zip(inputs.outer(results.start)) {
            let mut acc = F::first(self.op, inputs.element(start), self.plan.first);
            for (&way, position) in ways.iter().zip(self.plan.first + 1..) {
                let x = inputs.element(<T::Inputs<'a>>::behind(start, way));
                acc = F::next(self.op, acc, x, position);
            }
            *result = self.store(acc);
        }
    }
}
