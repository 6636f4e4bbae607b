//! Lanes across results: each lane folds one result of a panel of neighbours.

use std::ops::Range;

use super::super::micro::{EvenRows, Filing, INPUTS, Panel};
use super::super::read::{Lines, Room, Scratch, Segment};
use super::tree::{Counter, depth};
use super::units::{InputPlaces, next_of};
use super::{Job, Task};
use crate::facts::order::STEPS;

/// Room for packed rows of each input.
type PackedRows = [Room; INPUTS];

/// Rows of one block of a unit.
struct PanelRows<const N: usize> {
    /// The places of the first element of the unit.
    places: InputPlaces<N>,
    results: usize,
    /// The rows of the block, among all rows of the unit.
    rows: Range<usize>,
    /// Where the states of the block go.
    states: *mut u8,
    filing: Filing,
}

impl Job<'_> {
    /// Stores the results of some units, or merges some blocks of one unit into a tree.
    pub(super) fn across<const N: usize>(&self, task: Task<'_>) {
        let Task { units, blocks, mut tree, output: mut out } = task;
        let mut rooms = [const { Room::new() }; INPUTS];
        let mut states = Lines::uninit();
        let mut states = Scratch::on(&mut states);
        let mut walk = self.first.plan().units_from(units.start);
        let mut others = self.other_units::<N>(units.start);
        for _ in units {
            let Some((places, results)) = next_of::<N>(&mut walk, &mut others, 1) else { return };
            let groups = (results * self.plan.strands()).div_ceil(self.sizes.lanes);
            let entry = groups * self.sizes.state;
            let bytes = depth(blocks.len()) * entry;
            let stack = match &mut tree {
                Some(tree) if blocks.is_empty() => tree.merged(self, groups),
                Some(tree) => tree.stack(entry, bytes),
                None => states.bytes(bytes),
            };
            let finishes = self.plan.strands() == 1 && !out.is_null();
            let mut counter = Counter::default();
            for number in blocks.clone() {
                let is_last = number + 1 == blocks.end;
                let states = stack.wrapping_add(counter.newest() * entry);
                let merges = counter.merges(is_last);
                let out = if is_last && finishes { out } else { std::ptr::null_mut() };
                let filing = Filing { merges, apart: entry, out, count: self.plan.count };
                let rows = number * STEPS..self.plan.grid.rows.min((number + 1) * STEPS);
                self.fold_rows(&mut rooms, PanelRows { places, results, rows, states, filing });
            }
            if finishes && blocks.is_empty() {
                self.finish(stack, groups, results, out);
            }
            if !out.is_null() {
                if self.plan.strands() > 1 {
                    self.combine_strands(stack, results, out);
                }
                out = out.wrapping_add(results * self.sizes.result);
            }
        }
    }

    /// Folds the rows of a block, one segment after the other. The rows of a segment lie at one stride.
    fn fold_rows<const N: usize>(&self, rooms: &mut PackedRows, rows: PanelRows<N>) {
        let PanelRows { places, results, rows, states, filing } = rows;
        let Job { plan, .. } = self;
        let (group, lanes) = (self.sizes.lanes, plan.strands() * results);
        let width = lanes.next_multiple_of(group);
        let mut row = rows.start;
        while row < rows.end {
            let (segments, count) = self.segments(places, row..rows.end, width);
            let full = segments[0].full;
            let is_last = row + count == rows.end;
            let at_once = |input| self.source(input).lanes_at_once(count, group);
            let at_once = (0..self.inputs::<N>()).map(at_once).min().unwrap_or(group);
            let mut skipped = 0;
            while skipped < width {
                let some = at_once.min(lanes - skipped);
                let mut even = EvenRows {
                    data: [std::ptr::null(); INPUTS],
                    ways: [0; INPUTS],
                    count,
                    ahead: 0,
                };
                for input in 0..self.inputs::<N>() {
                    let (source, room) = (self.source(input), &mut rooms[input]);
                    let across = source.across(room, segments[input], (skipped, some), group);
                    (even.data[input], even.ways[input]) = (across.data, across.way);
                    if input == 0 {
                        even.ahead = across.ahead;
                    }
                }
                let first = skipped / group;
                let out = if is_last { filing.out } else { std::ptr::null_mut() };
                let merges = if is_last { filing.merges } else { 0 };
                let done = if out.is_null() { 0 } else { skipped * self.sizes.result };
                let panel = Panel {
                    rows: even,
                    groups: some.div_ceil(group),
                    full: full.saturating_sub(skipped),
                    fresh: row == rows.start,
                    position: plan.first + row as u64,
                    filing: Filing { merges, out: out.wrapping_add(done), ..filing },
                    results: some,
                };
                self.fold_panel(states.wrapping_add(first * self.sizes.state), panel);
                skipped += some.next_multiple_of(group);
            }
            row += count;
        }
    }

    /// The first of some rows of each input, as many as lie at one stride in all of them.
    fn segments<const N: usize>(
        &self,
        places: InputPlaces<N>,
        rows: Range<usize>,
        width: usize,
    ) -> ([Segment; N], usize) {
        let of = |rows: &Range<usize>| {
            let input = |input: usize| {
                let input = input.min(self.inputs::<N>() - 1);
                self.source(input).segment(places[input], rows.clone())
            };
            std::array::from_fn(input)
        };
        let segments: [Segment; N] = of(&rows);
        let count = segments[0].count;
        let is_cut_off = |input| self.source(input).is_last_cut_off(segments[input], width);
        // That last row alone will be packed.
        if (0..self.inputs::<N>()).any(is_cut_off) {
            return (of(&(rows.start..rows.start + count - 1)), count - 1);
        }
        (segments, count)
    }

    /// Folds the rows of a panel, some at a time.
    fn fold_panel(&self, states: *mut u8, panel: Panel) {
        let count = panel.rows.count;
        let at_once = self.plan.grid.rows_at_once;
        let mut above = 0;
        while above < count {
            let some = at_once.min(count - above);
            let mut part = panel;
            part.rows.count = some;
            for (data, way) in part.rows.data.iter_mut().zip(panel.rows.ways) {
                *data = data.wrapping_offset(way.wrapping_mul(above.cast_signed()));
            }
            part.fresh = panel.fresh && above == 0;
            part.position += above as u64;
            above += some;
            if above < count {
                part.filing = Filing { merges: 0, out: std::ptr::null_mut(), ..panel.filing };
            }
            self.sizes.assert_panel(states, &part);
            // SAFETY: *operator* and *types*, which the caller of `with_inputs` keeps. *steps*: `Source::across` found
            // them in the buffer, or packed them. *states*: there is one for each group, and the first rows begin it.
            // *places*: `Split` gives each unit its own.
            unsafe { (self.table.across)(self.op, states, &part) };
        }
    }

    /// Merges `entries` entries of states into the first. The newest is the last of them. If `out` is not null, a
    /// result is stored for each lane.
    pub(super) fn merge(
        &self,
        first: *mut u8,
        (entries, groups): (usize, usize),
        (out, results): (*mut u8, usize),
    ) {
        let (merges, apart) = (entries - 1, groups * self.sizes.state);
        let filing = Filing { merges, apart, out, count: self.plan.count };
        self.file(first.wrapping_add(merges * apart), (groups, false), filing, results);
    }

    /// Files the states of groups of lanes without another step. If they are `fresh`, they are made states of nothing
    /// before.
    pub(super) fn file(
        &self,
        states: *mut u8,
        (groups, fresh): (usize, bool),
        filing: Filing,
        results: usize,
    ) {
        let rows =
            EvenRows { data: [std::ptr::null(); INPUTS], ways: [0; INPUTS], count: 0, ahead: 0 };
        let panel = Panel { rows, groups, full: usize::MAX, fresh, position: 0, filing, results };
        self.sizes.assert_panel(states, &panel);
        // SAFETY: *operator* and *types*, which the caller of `with_inputs` keeps. *states*: they were written, or are
        // now, and so were those that they are merged with. *steps*: there are no rows.
        unsafe { (self.table.across)(self.op, states, &panel) };
    }

    /// Stores the results of groups of lanes.
    fn finish(&self, states: *mut u8, groups: usize, results: usize, out: *mut u8) {
        self.merge(states, (1, groups), (out, results));
    }
}
