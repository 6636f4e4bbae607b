//! Panels: rows of neighbouring results as lanes across them read them.
//!
//! Nothing here depends on the operator, so nothing is inlined into kernels.

use std::ops::Range;

use super::fold::STEPS;
use super::inputs::{Inputs, RowCount};
use super::stored::Stored;
use crate::plan::Plan;

/// Rows of neighbouring groups of lanes.
pub(super) struct Panel<'r, T: Stored> {
    pub(super) run: T::Run<'r>,
    pub(super) count: usize,
    /// The groups.
    pub(super) groups: Range<usize>,
    /// The lanes that have elements.
    pub(super) full: usize,
    /// Whether no row of the block comes before these.
    pub(super) fresh: bool,
    /// That of the first row.
    pub(super) position: u64,
}

/// The panels of a block, one row of panels after the other.
pub(super) struct Panels<'a, I: Inputs<'a>> {
    inputs: I,
    plan: &'a Plan,
    /// The first element of the first result.
    place: I::Place,
    /// All lanes, and how many are a group.
    lanes: usize,
    group: usize,
    /// The block's rows that are left, and its first.
    rows: Range<usize>,
    first: usize,
    /// Where the first of them lie, and how many of them make a row of panels.
    segment: Option<(I::Rows, RowCount)>,
    /// The lanes of that row of panels that were read.
    skipped: usize,
}

impl<'a, I: Inputs<'a>> Panels<'a, I> {
    /// The panels of a block of the results from a place on, in groups of so many lanes.
    #[inline(always)]
    pub(super) fn of(
        inputs: I,
        plan: &'a Plan,
        (place, results): (I::Place, usize),
        group: usize,
        block: usize,
    ) -> Self {
        let lanes = plan.strands() * results;
        let first = block * STEPS;
        let rows = first..plan.grid.rows.min(first + STEPS);
        Panels { inputs, plan, place, lanes, group, rows, first, segment: None, skipped: 0 }
    }

    /// The next panel, packed if need be.
    #[inline(never)]
    pub(super) fn next<'s>(&mut self, scratch: &'s mut I::Scratch) -> Option<Panel<'s, I::Stored>>
    where
        'a: 's,
    {
        if self.rows.is_empty() {
            return None;
        }
        let Panels { inputs, lanes, group, skipped, .. } = *self;
        let (rows, RowCount { count, full }) = match self.segment {
            Some(segment) => segment,
            None => self.next_segment(),
        };
        let at_once = inputs.lanes_at_once(count, group);
        let (left, row) = (lanes - skipped, self.rows.start);
        let taken = left.min(at_once);
        if taken == left {
            (self.segment, self.skipped) = (None, 0);
            self.rows.start += count;
        } else {
            self.segment = Some((rows, RowCount { count, full }));
            self.skipped += taken;
        }
        let behind = (skipped + taken).div_ceil(group);
        Some(Panel {
            run: inputs.rows(scratch, rows, skipped, taken, group),
            count,
            groups: skipped / group..behind,
            full: full.saturating_sub(skipped),
            fresh: row == self.first,
            position: self.plan.first + row as u64,
        })
    }

    /// The first of the rows that are left, as many as lie at one stride.
    fn next_segment(&self) -> (I::Rows, RowCount) {
        let Panels { inputs, place, lanes, group, .. } = *self;
        let (start, end) = (self.rows.start, self.rows.end);
        let (rows, of_rows) = inputs.segment(place, start..end);
        // That one alone will be packed.
        if inputs.is_last_cut_off(rows, lanes.next_multiple_of(group)) {
            let count = of_rows.count - 1;
            let (rows, _) = inputs.segment(place, start..start + count);
            return (rows, RowCount { count, ..of_rows });
        }
        (rows, of_rows)
    }
}
