//! The contract of microkernels, as far as numbers tell it: what debug builds assert before each call.
//!
//! No number tells whether memory is what a driver says it is. For that the tests run all microkernels under valgrind
//! (`tests/tests/results/memory.rs`).

use super::{Block, End, Few, Filing, Panel, Rows, Sizes, StrandLanes};
use crate::machine::LINE;

impl Sizes {
    /// Before [`Table::along`](super::Table::along).
    #[inline(always)]
    pub(crate) fn assert_block(&self, top: *const u8, block: &Block, filing: &Filing) {
        let is_whole = block.steps * self.lanes + block.last_lanes == block.count;
        debug_assert!(is_whole && block.last_lanes < self.lanes, "{block:?}");
        for input in 0..self.inputs {
            debug_assert!(block.steps == 0 || !block.data[input].is_null(), "{block:?}");
            debug_assert!(block.last_lanes == 0 || !block.last[input].is_null(), "{block:?}");
        }
        self.assert_filing(top, filing);
    }

    /// Before [`Table::across`](super::Table::across).
    #[inline(always)]
    pub(crate) fn assert_panel(&self, states: *const u8, panel: &Panel) {
        let Panel { rows, groups, full, filing, results, .. } = panel;
        debug_assert!(rows.count == 0 || !rows.data[0].is_null(), "{panel:?}");
        debug_assert!(*full >= groups * self.lanes || rows.count <= 1, "{panel:?}");
        let fill_groups = results.div_ceil(self.lanes) == *groups;
        debug_assert!(filing.out.is_null() || fill_groups, "{panel:?}");
        self.assert_filing(states, filing);
    }

    /// Before [`Table::columns`](super::Table::columns), which stores a result for each lane.
    #[inline(always)]
    pub(crate) fn assert_columns(&self, panel: &Panel) {
        let Panel { rows, filing, full, fresh, .. } = panel;
        debug_assert!(!rows.data[0].is_null() && !filing.out.is_null(), "{panel:?}");
        debug_assert!(*full == usize::MAX && *fresh && filing.merges == 0, "{panel:?}");
    }

    /// Before [`Table::rows`](super::Table::rows).
    #[inline(always)]
    pub(crate) fn assert_rows(&self, rows: &Rows) {
        debug_assert!(rows.rows > 0 && rows.count > 0 && !rows.out.is_null(), "{rows:?}");
        debug_assert!(rows.data[..self.inputs].iter().all(|data| !data.is_null()), "{rows:?}");
    }

    /// Before [`Table::few`](super::Table::few).
    #[inline(always)]
    pub(crate) fn assert_few(&self, few: &Few) {
        debug_assert!(few.elements < 2 || !few.ways.is_null(), "{few:?}");
        debug_assert!(few.results == 0 || !few.out.is_null(), "{few:?}");
    }

    /// Before [`Table::end`](super::Table::end).
    #[inline(always)]
    pub(crate) fn assert_end(&self, state: *const u8, end: &End<'_>) {
        debug_assert!(!end.out.is_null(), "no room for a result");
        debug_assert!(is_place_of_state(state), "a state at {state:?}");
    }

    /// Before [`Table::strands`](super::Table::strands).
    #[inline(always)]
    pub(crate) fn assert_strands(&self, states: *const u8, strands: &StrandLanes) {
        let StrandLanes { rows, neighbours, results, out, .. } = strands;
        debug_assert!(rows * neighbours * results > 0 && !out.is_null(), "{strands:?}");
        debug_assert!(is_place_of_state(states), "states at {states:?}");
    }

    fn assert_filing(&self, newest: *const u8, filing: &Filing) {
        debug_assert!(is_place_of_state(newest), "a state at {newest:?}");
        let is_apart = filing.apart >= self.state && filing.apart.is_multiple_of(LINE);
        debug_assert!(filing.merges == 0 || is_apart, "{filing:?} of {} bytes", self.state);
    }
}

/// Whether a state may lie there: it begins with a line of the cache.
fn is_place_of_state(state: *const u8) -> bool {
    !state.is_null() && state.addr().is_multiple_of(LINE)
}
