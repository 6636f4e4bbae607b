//! Rows: results of one block each, whose inputs are all read in place.

use super::super::micro::{INPUTS, Rows};
use super::super::read::{Lines, Scratch};
use super::along::{BlockRooms, InTurn};
use super::units::{InputPlaces, next_of};
use super::{Job, Task};

/// From this many rows on, rows are folded abreast even if each has to be searched.
const SEARCHED_FROM: usize = 8;

impl Job<'_> {
    /// Whether the results of a task are such rows.
    pub(super) fn has_rows(&self, task: &Task<'_>) -> bool {
        let least = if self.sizes.searched { SEARCHED_FROM } else { 2 };
        self.plan.grid.blocks == 1
            && self.table.rows.is_some()
            && self.plan.lane.size >= least
            && !task.output.is_null()
            && task.tree.is_none()
            && self.is_in_place()
    }

    /// The results of some units of rows.
    pub(super) fn rows<const N: usize>(&self, task: &Task<'_>) {
        let mut units = task.units.clone();
        let mut walk = self.first.plan().units_from(units.start);
        let mut others = self.other_units::<N>(units.start);
        let mut out = task.output;
        let mut steps = Lines::uninit();
        let mut rooms = BlockRooms::on(&mut steps);
        let mut state = Lines::uninit();
        let mut state = Scratch::on(&mut state);
        while !units.is_empty() {
            let next = next_of::<N>(&mut walk, &mut others, units.len());
            let Some((places, results)) = next else { return };
            // All units but the last are whole panels.
            units.start += results.div_ceil(self.plan.results_of_unit());
            let whole = self.readable_rows(places, results);
            if whole > 0 {
                self.fold_whole_rows(places, whole, out);
            }
            // The last steps of the other rows are not there as a whole.
            for row in whole..results {
                let places = self.results_on(places, row);
                let stack = state.bytes(self.sizes.state);
                let out = out.wrapping_add(row * self.sizes.result);
                self.fold_together(&mut rooms, InTurn { places, results: 1, stack, out }, 0..1);
            }
            out = out.wrapping_add(results * self.sizes.result);
        }
    }

    /// How many of the first of some rows may be read in whole steps.
    fn readable_rows<const N: usize>(&self, places: InputPlaces<N>, rows: usize) -> usize {
        let reach = self.plan.count.next_multiple_of(self.sizes.lanes);
        let of_input = |input: usize| {
            let source = self.source(input);
            let Some(further) = source.left(places[input]).checked_sub(reach) else { return 0 };
            match usize::try_from(source.plan().lane.stride) {
                Ok(0) | Err(_) => rows,
                Ok(stride) => rows.min(further / stride + 1),
            }
        };
        (0..self.inputs::<N>()).map(of_input).min().unwrap_or(0)
    }

    /// Folds some rows, whose steps may all be read as a whole.
    fn fold_whole_rows<const N: usize>(&self, places: InputPlaces<N>, rows: usize, out: *mut u8) {
        let Some(fold) = self.table.rows else { return };
        let plan = self.plan;
        let mut all = Rows {
            data: [std::ptr::null(); INPUTS],
            next: [0; INPUTS],
            rows,
            count: plan.count,
            position: plan.first,
            ahead: plan.grid.ahead,
            out,
        };
        for input in 0..self.inputs::<N>() {
            let source = self.source(input);
            let stride = source.plan().lane.stride;
            all.data[input] = source.at(places[input], plan.count);
            all.next[input] = stride.wrapping_mul(source.size().cast_signed());
        }
        self.sizes.assert_rows(&all);
        // SAFETY: *operator* and *types*, which the caller of `with_inputs` keeps. *steps*: `readable_rows` counted the
        // rows that have them. *places*: `Split` gives each unit its own.
        unsafe { fold(self.op, &all) };
    }
}
