//! Results of few elements each, one after another.

use smallvec::SmallVec;

use super::super::micro::{Few, INPUTS, Ways};
use super::{Job, Task};
use super::units::Places;
use crate::plan::Places as Walk;

impl Job<'_> {
    /// Results of some units, each of which is one.
    pub(super) fn few<const N: usize>(&self, task: Task<'_>) {
        let plan = self.plan;
        // Where elements lie, from the first one on; the same for every result.
        let mut ways = SmallVec::<[Ways; 32]>::new();
        ways.resize(plan.count - 1, [0; INPUTS]);
        for input in 0..self.inputs::<N>() {
            let source = self.source(input);
            let places = Walk::new(&source.plan().reduced, 0);
            for (way, place) in ways.iter_mut().zip(places.skip(1)) {
                way[input] = place.wrapping_mul(source.size()).cast_signed();
            }
        }
        let size = plan.outer_row().size;
        // Divisions are slow, and most outputs are not split.
        let (row, mut skipped) = match task.units.start {
            0 => (0, 0),
            start => (start / size, start % size),
        };
        let mut starts = Starts::<N>::new(self, row);
        let (mut left, mut out) = (task.units.len(), task.output);
        while left > 0 {
            let Some(places) = starts.next() else { return };
            let results = left.min(size - skipped);
            self.few_of_row(places, skipped, results, &ways, out);
            out = out.wrapping_add(results * self.sizes.result);
            left -= results;
            skipped = 0;
        }
    }

    /// Some results of a row, after the first ones.
    fn few_of_row<const N: usize>(
        &self,
        places: Places<N>,
        skipped: usize,
        results: usize,
        ways: &[Ways],
        out: *mut u8,
    ) {
        let plan = self.plan;
        let mut few = Few {
            data: [std::ptr::null(); INPUTS],
            next: [0; INPUTS],
            results,
            ways: ways.as_ptr(),
            elements: plan.count,
            position: plan.first,
            out,
        };
        for input in 0..self.inputs::<N>() {
            let source = self.source(input);
            let stride = source.plan().outer_row().stride;
            let way = stride.wrapping_mul(skipped.cast_signed());
            few.data[input] = source.at(places[input].wrapping_add_signed(way), 1);
            few.next[input] = stride.wrapping_mul(source.size().cast_signed());
        }
        // SAFETY: elements of views, which lie in their buffers; there is room for the results.
        unsafe { (self.table.few)(self.op, &few) };
    }
}

/// Where rows of results start, in each input.
struct Starts<'a, const N: usize> {
    first: Walk<'a>,
    /// Of the other inputs.
    others: Vec<Walk<'a>>,
}

impl<'a, const N: usize> Starts<'a, N> {
    #[inline(always)]
    fn new(job: &Job<'a>, row: usize) -> Self {
        let of = |input: usize| job.source(input).plan().outer_rows(row);
        let others = match N {
            1 => Vec::new(),
            _ => (1..job.inputs::<N>()).map(of).collect(),
        };
        Starts { first: of(0), others }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<Places<N>> {
        let mut places = [0; N];
        places[0] = self.first.next()?;
        if N > 1 {
            for (walk, place) in self.others.iter_mut().zip(&mut places[1..]) {
                *place = walk.next()?;
            }
        }
        Some(places)
    }
}
