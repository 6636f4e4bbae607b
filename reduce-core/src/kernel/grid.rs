//! The grid: a plan cut into units that are reduced on their own, and each unit
//! into blocks that are merged in a tree.
//!
//! A *unit* is a panel of results across the lanes, or one result with lanes along
//! it, or a few such results. Its results are neighbours in the order of the plan.

use std::ops::Range;

use super::fold::STEPS;
use crate::plan::{Axis, Path, Places, Plan};

/// Bytes of a row of a unit. Enough that rows of a wide matrix are read in long
/// pieces, few enough that their accumulators stay near.
const ROW_BYTES: usize = 8192;

/// Results of a unit with lanes along each.
const TOGETHER: usize = 16;

/// Bytes between rows from which on few rows are read at a time: more would be
/// more streams than prefetching follows.
const FAR_APART: usize = 2048;

/// A plan, seen by a kernel of `lanes` lanes.
#[derive(Clone, Copy)]
pub(super) struct Grid<'a> {
    pub(super) plan: &'a Plan,
    lanes: usize,
    /// Elements of a contiguous run that are folded as one.
    piece: usize,
    /// Bytes of an element.
    element: usize,
}

impl<'a> Grid<'a> {
    #[inline(always)]
    pub(super) fn new(plan: &'a Plan, lanes: usize, blocks: usize, element: usize) -> Self {
        // Packed elements have to stay near.
        let blocks = if plan.path == Path::Lanes { blocks } else { 1 };
        Grid { plan, lanes, piece: blocks * STEPS * lanes, element }
    }

    /// The number of units.
    pub(super) fn units(self) -> usize {
        let outer: usize = self.plan.outer.iter().map(|axis| axis.size).product();
        outer * self.panels()
    }

    /// The results of a unit, counted in the order of the plan.
    pub(super) fn results(self, unit: usize) -> Range<usize> {
        if self.is_single() {
            return unit..unit + 1;
        }
        let (outer, panel) = self.split(unit);
        let size = self.plan.lane.size;
        let first = panel * self.panel_lanes();
        let last = size.min(first + self.panel_lanes());
        outer * size + first..outer * size + last
    }

    /// The place of the first element of a unit, which may have several results.
    #[inline(never)]
    pub(super) fn place(self, unit: usize) -> usize {
        let (outer, panel) = self.split(unit);
        let mut place = self.plan.offset;
        if outer > 0 {
            place = Places::from_index(&self.plan.outer, place, outer).next().unwrap_or(place);
        }
        let lanes = (panel * self.panel_lanes()).cast_signed();
        place.wrapping_add_signed(lanes.wrapping_mul(self.plan.lane.stride))
    }

    /// The number of blocks of each unit.
    pub(super) fn blocks(self) -> usize {
        if self.plan.across {
            return self.rows().div_ceil(STEPS);
        }
        match self.plan.path {
            Path::Lanes => self.runs() * self.plan.run().size.div_ceil(self.piece),
            _ => self.plan.count.div_ceil(self.piece),
        }
    }

    /// Elements of a result, with lanes along it, that are folded as one.
    pub(super) fn piece(self) -> usize {
        self.piece
    }

    /// Groups of lanes of a unit with so many results.
    pub(super) fn groups(self, results: usize) -> usize {
        match self.plan.across {
            true => (results * self.plan.side_by_side).div_ceil(self.lanes),
            false => results,
        }
    }

    /// Whether units have one result, with lanes along it.
    #[inline(always)]
    pub(super) fn is_single(self) -> bool {
        !self.plan.across && self.plan.lane.size == 1
    }

    /// Rows of a unit, the last of which may be a part of several side by side.
    #[inline(always)]
    pub(super) fn rows(self) -> usize {
        self.plan.count.div_ceil(self.plan.side_by_side)
    }

    /// The innermost axis of rows: whole rows only.
    #[inline(always)]
    pub(super) fn row_axis(self) -> Axis {
        let run = self.plan.run();
        let rows = self.plan.side_by_side;
        Axis { size: run.size / rows, stride: run.stride.wrapping_mul(rows.cast_signed()) }
    }

    /// How many rows are read before the next group of lanes.
    pub(super) fn rows_at_once(self) -> usize {
        let distance = self.row_axis().stride.unsigned_abs().saturating_mul(self.element);
        if self.plan.path == Path::Columns && distance >= FAR_APART { 8 } else { STEPS }
    }

    /// Contiguous runs of each result.
    fn runs(self) -> usize {
        let axes = &self.plan.reduced;
        axes[..axes.len().saturating_sub(1)].iter().map(|axis| axis.size).product()
    }

    /// Results of a whole panel.
    fn panel_lanes(self) -> usize {
        match self.plan.across {
            false => TOGETHER,
            true if self.plan.side_by_side > 1 => self.plan.lane.size,
            true => (ROW_BYTES / self.element).next_multiple_of(self.lanes),
        }
    }

    fn panels(self) -> usize {
        self.plan.lane.size.div_ceil(self.panel_lanes())
    }

    /// The outer index and the panel of a unit.
    fn split(self, unit: usize) -> (usize, usize) {
        let panels = self.panels();
        (unit / panels, unit % panels)
    }
}
