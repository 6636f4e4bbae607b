//! Strands combined: each result has several lanes of a row of states.
//!
//! A few strands are combined one by one by a microkernel. If there are many, groups that fill the lanes of a state are
//! copied to states of their own, and merged as any other states. Either way strands are halved as [`halves`] says:
//! rows that lie side by side first, then the neighbours of each result.

use super::super::micro::{End, Filing, NoBlocks, StrandLanes, halves};
use super::super::read::{Lines, Scratch};
use super::Job;

impl Job<'_> {
    /// Combines the strands of each result, and stores the results.
    pub(super) fn combine_strands(&self, states: *mut u8, results: usize, out: *mut u8) {
        let (mut rows, neighbours) = (self.plan.side_by_side, self.plan.neighbours);
        let few = self.sizes.few_strands;
        let mut lines = Lines::uninit();
        let mut room = Scratch::on(&mut lines);
        let row = results * neighbours;
        if rows > 1 && rows * row > few {
            self.halve_rows(states, rows, row, &mut room);
            rows = 1;
        }
        if neighbours > few {
            return self.halve_neighbours(states, results, out, &mut room);
        }
        let (position, count) = (self.plan.first, self.plan.count);
        let strands = StrandLanes { rows, neighbours, results, position, count, out };
        self.sizes.assert_strands(states, &strands);
        // SAFETY: *operator* and *types*, which the caller of `with_inputs` keeps. *states*: `across` has written those
        // of all lanes. *places*: `Split` gives each unit its own.
        unsafe { (self.table.strands)(self.op, states, &strands) };
    }

    /// Combines `rows` rows of `row` lanes each into the first of them.
    fn halve_rows(&self, states: *mut u8, rows: usize, row: usize, room: &mut Scratch<'_>) {
        let (lanes, state) = (self.sizes.lanes, self.sizes.state);
        let room = room.bytes(2 * state);
        // Both states begin with nothing, since lanes behind the last strand are merged, too.
        self.file(room, (2, true), NOWHERE, 0);
        for (left, half) in halves(rows) {
            let (apart, count) = (half * row, (left - half) * row);
            for first in (0..count).step_by(lanes) {
                let some = lanes.min(count - first);
                self.copy(states, first, room, some);
                self.copy(states, first + apart, room.wrapping_add(state), some);
                self.merge(room, (2, 1), (std::ptr::null_mut(), 0));
                // The lanes behind them are strands that wait.
                self.copy(room, 0, states.wrapping_add(first / lanes * state), some);
            }
        }
    }

    /// Combines the neighbours of each result, and stores the results.
    fn halve_neighbours(
        &self,
        states: *mut u8,
        results: usize,
        mut out: *mut u8,
        room: &mut Scratch<'_>,
    ) {
        let (lanes, state) = (self.sizes.lanes, self.sizes.state);
        let (neighbours, count) = (self.plan.neighbours, self.plan.count);
        let groups = neighbours.div_ceil(lanes);
        let room = room.bytes(groups * state);
        // Lanes behind the last neighbour keep holding nothing: their state is merged into others, and none is merged
        // into it.
        self.file(room, (groups, true), NOWHERE, 0);
        for result in 0..results {
            for first in (0..neighbours).step_by(lanes) {
                let to = room.wrapping_add(first / lanes * state);
                let some = lanes.min(neighbours - first);
                self.copy(states, result * neighbours + first, to, some);
            }
            for (left, half) in halves(groups) {
                let filing = Filing { merges: 1, apart: half * state, ..NOWHERE };
                self.file(room.wrapping_add(half * state), (left - half, false), filing, 0);
            }
            let mut end = End { blocks: &mut NoBlocks, count, out };
            self.sizes.assert_end(room, &end);
            // SAFETY: *operator* and *types*, which the caller of `with_inputs` keeps. *states*: all lanes of the
            // result were merged into this one. *places*: there is one for each result.
            unsafe { (self.table.end)(self.op, room, &mut end) };
            out = out.wrapping_add(self.sizes.result);
        }
    }

    /// Copies `count` lanes of a row of states, from lane `first` on, into the first lanes of another state.
    fn copy(&self, states: *const u8, first: usize, to: *mut u8, count: usize) {
        // SAFETY: *states*: `file` or `across` has written those of all these lanes, and that which they are copied to.
        unsafe { (self.table.copy)(states, first, to, count) };
    }
}

/// States that are not filed anywhere.
const NOWHERE: Filing = Filing { merges: 0, apart: 0, out: std::ptr::null_mut(), count: 0 };
