//! Short rows: results of a few contiguous elements each, turned so that lanes go across them.
//!
//! Rows are turned and folded a tile at a time, which stays in the first level of cache meanwhile.

use super::super::micro::{EvenRows, Filing, INPUTS, Panel};
use super::super::read::{Lines, Room, Scratch};
use super::{Job, Task};
use crate::plan::{Axis, Path};

impl Job<'_> {
    /// Whether the results of a task are short rows, of one block and one input each.
    pub(super) fn has_short_rows(&self, task: &Task<'_>) -> bool {
        let plan = self.plan;
        plan.path == Path::ShortRows
            && self.sizes.inputs == 1
            && plan.run() == (Axis { size: plan.count, stride: 1 })
            && plan.strands() == 1
            && plan.grid.blocks == 1
            && plan.lane.stride > 1
            && task.tree.is_none()
    }

    /// The results of some units of short rows.
    pub(super) fn short_rows(&self, task: Task<'_>) {
        let Task { mut units, output: mut out, .. } = task;
        let mut walk = self.first.plan().units_from(units.start);
        let mut room = Room::new();
        let mut states = Lines::uninit();
        let mut states = Scratch::on(&mut states);
        let tile = self.first.lanes_at_once(self.plan.count, self.sizes.lanes);
        let states = states.bytes(tile / self.sizes.lanes * self.sizes.state);
        while !units.is_empty() {
            let Some((place, results)) = walk.next_of(units.len()) else { return };
            // All units but the last are whole panels.
            units.start += results.div_ceil(self.plan.results_of_unit());
            self.turn_and_fold(&mut room, states, place, (results, tile), out);
            out = out.wrapping_add(results * self.sizes.result);
        }
    }

    /// Stores the results of some short rows from a place on, `tile` rows at a time.
    fn turn_and_fold(
        &self,
        room: &mut Room,
        states: *mut u8,
        place: usize,
        (results, tile): (usize, usize),
        out: *mut u8,
    ) {
        let (plan, lanes) = (self.plan, self.sizes.lanes);
        let at_once = tile.min(results);
        let mut panel = Panel {
            rows: EvenRows {
                data: [std::ptr::null(); INPUTS],
                ways: [0; INPUTS],
                count: plan.count,
                ahead: 0,
            },
            groups: 0,
            full: usize::MAX,
            fresh: true,
            position: plan.first,
            filing: Filing { merges: 0, apart: 0, out, count: plan.count },
            results: 0,
        };
        let mut first = 0;
        while first < results {
            let rows = at_once.min(results - first);
            let place = place + first * plan.lane.stride.unsigned_abs();
            let (data, way, ahead) = self.first.turned(room, place, rows, lanes);
            (panel.rows.data[0], panel.rows.ways[0], panel.rows.ahead) = (data, way, ahead);
            let whole = if self.table.columns.is_some() { rows / lanes } else { 0 };
            if let Some(columns) = self.table.columns
                && whole > 0
            {
                panel.groups = whole;
                self.sizes.assert_columns(&panel);
                // SAFETY: *operator* and *types*, which the caller of `with_inputs` keeps. *steps*: `Source::turned`
                // packed whole ones. *places*: these are the first `whole` groups of the rows' own.
                unsafe { columns(self.op, &panel) };
                panel.filing.out = panel.filing.out.wrapping_add(whole * lanes * self.sizes.result);
            }
            let rest = rows - whole * lanes;
            if rest > 0 {
                panel.groups = rest.div_ceil(lanes);
                panel.results = rest;
                let done = whole * lanes * self.sizes.elements[0];
                panel.rows.data[0] = panel.rows.data[0].wrapping_add(done);
                self.sizes.assert_panel(states, &panel);
                // SAFETY: as above, for the groups behind them. *states*: there is room for those of a tile, which the
                // panel begins.
                unsafe { (self.table.across)(self.op, states, &panel) };
                panel.filing.out = panel.filing.out.wrapping_add(rest * self.sizes.result);
            }
            first += rows;
        }
    }
}
