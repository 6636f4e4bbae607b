//! Results of few elements each, one after another.

use std::mem::MaybeUninit;

use super::super::micro::{Few, INPUTS, Ways};
use super::units::InputPlaces;
use super::{Job, Task};
use crate::plan::{Places as Walk, Plan};

/// Up to this many elements are taken one after another.
const MOST: usize = 32;

impl Job<'_> {
    /// Stores the results of some units. Each unit is one result.
    pub(super) fn few<const N: usize>(&self, task: Task<'_>) {
        let Task { units, output: mut out, .. } = task;
        let plan = self.plan;
        assert!(plan.count <= MOST, "few elements");
        // Where elements lie, from the first one on; the same for every result.
        let mut ways = [const { MaybeUninit::<Ways>::uninit() }; MOST];
        match self.first.plan().reduced.as_slice() {
            // A planned mean of 16 elements takes 57 ns so, and 74 ns by the general walk.
            [run] if N == 1 => {
                let apart = run.stride.wrapping_mul(self.sizes.elements[0].cast_signed());
                let mut way = [0; INPUTS];
                for element in &mut ways[..plan.count - 1] {
                    way[0] = apart.wrapping_add(way[0]);
                    element.write(way);
                }
            }
            _ => self.write_ways::<N>(&mut ways[..plan.count - 1]),
        }
        let size = plan.outer_row().size;
        // Divisions are slow, and most outputs are not split.
        let (row, mut skipped) = match units.start {
            0 => (0, 0),
            start => (start / size, start % size),
        };
        let mut starts = self.first.plan().outer_rows(row);
        let mut other_starts = self.other_walks::<N>(|plan| plan.outer_rows(row));
        let mut left = units.len();
        while left > 0 {
            let Some(start) = starts.next() else { return };
            let mut places = [0; N];
            places[0] = start;
            if N > 1 {
                for (place, start) in places[1..].iter_mut().zip(next_of(&mut other_starts)) {
                    *place = start.unwrap_or(0);
                }
            }
            let results = left.min(size - skipped);
            self.few_of_row(places, skipped, results, ways.as_ptr().cast(), out);
            out = out.wrapping_add(results * self.sizes.result);
            left -= results;
            skipped = 0;
        }
    }

    /// Writes the ways to all elements of a result but the first.
    #[inline(never)]
    fn write_ways<const N: usize>(&self, ways: &mut [MaybeUninit<Ways>]) {
        let mut way = [0; INPUTS];
        let mut places = Walk::new(&self.first.plan().reduced, 0);
        let mut others = self.other_walks::<N>(|plan| Walk::new(&plan.reduced, 0));
        places.next();
        next_of(&mut others);
        for element in ways {
            way[0] = in_bytes(places.next(), self.sizes.elements[0]);
            if N > 1 {
                for (input, place) in (1..).zip(next_of(&mut others)).take(others.len()) {
                    way[input] = in_bytes(place, self.sizes.elements[input]);
                }
            }
            element.write(way);
        }
    }

    /// Stores some results of a row, after the first `skipped` ones.
    #[inline(always)]
    fn few_of_row<const N: usize>(
        &self,
        places: InputPlaces<N>,
        skipped: usize,
        results: usize,
        ways: *const Ways,
        out: *mut u8,
    ) {
        let plan = self.plan;
        let mut few = Few {
            data: [std::ptr::null(); INPUTS],
            next: [0; INPUTS],
            results,
            ways,
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
        self.sizes.assert_few(&few);
        // SAFETY: *operator* and *types*, which the caller of `with_inputs` keeps. *elements*: places and ways are
        // those of the plan, which lie in the buffers. *places*: `Split` gives each unit its own.
        unsafe { (self.table.few)(self.op, &few) };
    }

    /// A walk through each input but the first.
    #[inline(always)]
    fn other_walks<'w, const N: usize>(
        &'w self,
        walk: impl Fn(&'w Plan) -> Walk<'w>,
    ) -> Vec<Walk<'w>> {
        match N {
            1 => Vec::new(),
            _ => self.others.iter().map(|source| walk(source.plan())).collect(),
        }
    }
}

/// The next place of each walk.
fn next_of(walks: &mut [Walk<'_>]) -> [Option<usize>; INPUTS] {
    let mut places = [None; INPUTS];
    for (place, walk) in places.iter_mut().zip(walks) {
        *place = walk.next();
    }
    places
}

/// A way from the first element, of elements of a size.
#[inline(always)]
fn in_bytes(place: Option<usize>, size: usize) -> isize {
    place.unwrap_or(0).wrapping_mul(size).cast_signed()
}
