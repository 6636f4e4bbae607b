//! Elements one after another: results over one element each, or over so few that lanes
//! do not pay.

use std::ops::Range;

use super::fold::Fold;
use super::inputs::Inputs;
use super::pass::{Job, Place};
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
        for (mut place, output) in self.rows_of_results(results, output) {
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
        let (ways, way) = (inputs.ways(), inputs.outer_way());
        for (mut start, output) in self.rows_of_results(results, output) {
            for result in output {
                let mut acc = F::first(self.op, inputs.element(start), self.plan.first);
                for (&way, position) in ways.iter().zip(self.plan.first + 1..) {
                    let x = inputs.element(<T::Inputs<'a>>::behind(start, way));
                    acc = F::next(self.op, acc, x, position);
                }
                *result = self.store(acc);
                start = <T::Inputs<'a>>::behind(start, way);
            }
        }
    }

    /// Some results along the innermost outer axis, for each index of the others, and the place
    /// of the first one's first element.
    #[inline(always)]
    fn rows_of_results<'o>(
        &self,
        results: Range<usize>,
        output: &'o mut [O],
    ) -> impl Iterator<Item = (Place<'a, T>, &'o mut [O])> {
        let inputs = self.inputs;
        let size = self.plan.outer.last().map_or(1, |inner| inner.size);
        let (row, mut first) = match results.start {
            0 => (0, 0),
            start => (start / size, start % size),
        };
        let mut rest = output;
        inputs.outer_rows(row).map_while(move |start| {
            let count = (size - first).min(rest.len());
            if count == 0 {
                return None;
            }
            let row;
            (row, rest) = std::mem::take(&mut rest).split_at_mut(count);
            let skipped = <T::Inputs<'a>>::times(inputs.outer_way(), first);
            first = 0;
            Some((<T::Inputs<'a>>::behind(start, skipped), row))
        })
    }
}
