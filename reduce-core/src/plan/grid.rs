//! The grid: a plan cut into units that are reduced on their own, and each unit
//! into blocks that are merged in a tree.
//!
//! A *unit* is a panel of results across the lanes, or a few results with lanes
//! along each. Its results are neighbours in the order of the plan. A *block* is
//! what lanes fold before their accumulators are merged with others: some steps
//! along one result, or some rows of a panel.

use std::ops::Range;

use super::reading::{
    WIDE_ROW_BYTES, is_very_wide, rows_at_once_and_ahead, rows_from_memory, short_rows_ahead,
};
use super::{Axis, Needs, Path, Places, Plan};
use crate::facts::order::STEPS;

/// A row of a unit has about this many bytes: few enough for accumulators to stay in the first level of cache.
const ROW_BYTES: usize = 8192;

/// A unit with lanes along each result has this many results, if these have one block.
const TOGETHER: usize = 16;

/// It has this many if runs of different results alternate in memory. The more results take turns, the longer
/// are the pieces in which memory is read.
const INTERLEAVED: usize = 64;

/// This many bytes of rows are packed at a time, and half of that if rows come from memory.
const PACKED: usize = 8192;
const PACKED_FROM_MEMORY: usize = PACKED / 2;

/// Units and blocks of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) units: usize,
    /// Units for each index of the outer axes.
    panels: usize,
    /// Results of a unit, but for the last of its panels.
    together: usize,
    /// Blocks of each unit.
    pub(crate) blocks: usize,
    /// Elements of a block with lanes along it.
    pub(crate) piece: usize,
    /// Blocks of each contiguous run.
    pub(crate) blocks_of_run: usize,
    /// Rows of a panel. Several that are folded side by side count as one, and the last of these may be
    /// incomplete.
    pub(crate) rows: usize,
    /// The innermost axis that leads from row to row, without an incomplete last one.
    pub(crate) row_axis: Axis,
    /// How many rows are read before the next group of lanes.
    pub(crate) rows_at_once: usize,
    /// How far ahead elements are fetched while others are read in place; 0 if none are.
    pub(crate) ahead: usize,
    /// Bytes of rows that are packed at a time, if they are more than one group of lanes.
    pub(crate) packed: usize,
    /// How far ahead others are fetched while short rows are packed; 0 if none are.
    pub(crate) packed_ahead: usize,
    /// How far ahead others are fetched while short rows are turned; 0 if none are.
    pub(crate) turned_ahead: usize,
}

impl Grid {
    /// The grid of a plan without elements.
    pub(super) const NONE: Grid = Grid {
        units: 0,
        panels: 1,
        together: 1,
        blocks: 0,
        piece: 1,
        blocks_of_run: 1,
        rows: 0,
        row_axis: Axis { size: 0, stride: 0 },
        rows_at_once: 1,
        ahead: 0,
        packed: PACKED,
        packed_ahead: 0,
        turned_ahead: 0,
    };

    /// The grid of a plan whose path is chosen.
    pub(super) fn new(plan: &Plan, needs: Needs) -> Self {
        let Needs { lanes, element, .. } = needs;
        let blocks = match plan.path {
            Path::Lanes => needs.blocks,
            _ => needs.packed_blocks(),
        };
        let piece = blocks * STEPS * lanes;
        let run = plan.run();
        let side_by_side = plan.side_by_side;
        let rows = (plan.count / plan.neighbours).div_ceil(side_by_side);
        let blocks_of_run = run.size.div_ceil(piece);
        let blocks = match plan.path {
            Path::Elements | Path::Few => 1,
            _ if plan.across => rows.div_ceil(STEPS),
            Path::Lanes => plan.count / run.size * blocks_of_run,
            _ => plan.count.div_ceil(piece),
        };
        let together = match (plan.path, plan.across) {
            (Path::Elements | Path::Few, _) => 1,
            (_, false) if plan.interleaved => INTERLEAVED,
            // The more blocks each result has, the fewer results, so that threads can share long ones.
            (_, false) => (TOGETHER / blocks).max(1),
            (_, true) if rows_from_memory(plan, needs).is_some() => plan.lane.size,
            (_, true) if side_by_side > 1 => plan.lane.size,
            (_, true) if plan.neighbours > 1 => (WIDE_ROW_BYTES / element / plan.neighbours).max(1),
            (_, true) => {
                let bytes = if is_very_wide(plan, element) { WIDE_ROW_BYTES } else { ROW_BYTES };
                (bytes / element).next_multiple_of(lanes)
            }
        };
        let row_axis = Axis { size: run.size / side_by_side, stride: plan.row_stride() };
        let panels = plan.lane.size.div_ceil(together);
        let outer: usize = plan.outer.iter().map(|axis| axis.size).product();
        let (rows_at_once, ahead) = rows_at_once_and_ahead(plan, row_axis, panels, needs);
        let (packed_ahead, turned_ahead) =
            if plan.across { short_rows_ahead(plan, needs) } else { (0, 0) };
        let is_from_memory = plan.bytes(element) >= needs.machine.beyond_last;
        Grid {
            units: outer * panels,
            panels,
            together,
            blocks,
            piece,
            blocks_of_run,
            rows,
            row_axis,
            rows_at_once,
            ahead,
            packed: if is_from_memory { PACKED_FROM_MEMORY } else { PACKED },
            packed_ahead,
            turned_ahead,
        }
    }
}

impl Plan {
    /// How many bytes are read.
    pub(super) fn bytes(&self, element: usize) -> usize {
        self.elements().saturating_mul(element)
    }

    /// How many results a unit has, but for the last of its panels.
    pub(crate) fn results_of_unit(&self) -> usize {
        self.grid.together
    }

    /// The results of a unit, counted in the order of the plan.
    pub(crate) fn results(&self, unit: usize) -> Range<usize> {
        let Grid { panels, together, .. } = self.grid;
        let size = self.lane.size;
        let (outer, panel) = (unit / panels, unit % panels);
        let first = panel * together;
        outer * size + first..outer * size + size.min(first + together)
    }

    /// Each unit from the `first` on: the place of its first element, and how many
    /// results it has.
    #[inline(always)]
    pub(crate) fn units_from(&self, first: usize) -> Units<'_> {
        let (outer, panel) = match first {
            0 => (0, 0),
            _ => (first / self.grid.panels, first % self.grid.panels),
        };
        let place = if outer == 0 { self.offset } else { self.outer_place(outer) };
        Units { plan: self, outer, places: None, place, panel }
    }

    /// The place of the first element for an index of the outer axes.
    #[inline(never)]
    fn outer_place(&self, outer: usize) -> usize {
        Places::from_index(&self.outer, self.offset, outer).next().unwrap_or(self.offset)
    }
}

/// A walk over units.
pub(crate) struct Units<'a> {
    plan: &'a Plan,
    /// The index of the outer axes.
    outer: usize,
    /// The places of all indices behind it, once one is asked for.
    places: Option<Places<'a>>,
    /// The first element of all panels of the outer index.
    place: usize,
    panel: usize,
}

impl Units<'_> {
    /// Goes on to the next index of the outer axes. It is seldom called, and not inlined, or each pass would
    /// have a copy.
    #[inline(never)]
    fn next_outer(&mut self) -> Option<usize> {
        let Plan { outer, offset, .. } = self.plan;
        let next = self.outer + 1;
        self.places.get_or_insert_with(|| Places::from_index(outer, *offset, next)).next()
    }
}

impl Units<'_> {
    /// The next units of one index of the outer axes, at most `units`: the place of their first element, and
    /// how many results they have.
    #[inline(always)]
    pub(crate) fn next_of(&mut self, units: usize) -> Option<(usize, usize)> {
        let Grid { panels, together, .. } = self.plan.grid;
        let lane = self.plan.lane;
        if self.panel == panels {
            self.panel = 0;
            self.place = self.next_outer()?;
        }
        let first = self.panel * together;
        self.panel += units.min(panels - self.panel);
        let way = first.cast_signed().wrapping_mul(lane.stride);
        let results = lane.size.min(self.panel * together) - first;
        Some((self.place.wrapping_add_signed(way), results))
    }
}
