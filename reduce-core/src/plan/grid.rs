//! The grid: a plan cut into units that are reduced on their own, and each unit
//! into blocks that are merged in a tree.
//!
//! A *unit* is a panel of results across the lanes, or a few results with lanes
//! along each. Its results are neighbours in the order of the plan. A *block* is
//! what lanes fold before their accumulators are merged with others: some steps
//! along one result, or some rows of a panel.

use std::ops::Range;

use super::{Axis, Needs, Path, Places, Plan};
use crate::simd::{Cpu, FAR_AHEAD, cpu, prefetch_distance};

/// Bytes of a row of a unit. Few enough that accumulators stay in the first level of
/// cache.
const ROW_BYTES: usize = 8192;

/// Bytes of a row of a unit of a very wide matrix. Enough that the CPU foresees most of
/// each row's piece, few enough that accumulators stay in the second level of cache.
const WIDE_ROW_BYTES: usize = 8 * ROW_BYTES;

/// Such pieces of a row from which on a matrix is very wide.
const VERY_WIDE: usize = 4;

/// Results of a unit with lanes along each.
const TOGETHER: usize = 16;

/// The same if their runs lie between one another: the more of them, the longer the pieces in
/// which memory is read.
const INTERLEAVED: usize = 64;

/// Bytes between rows from which on few rows are read at a time: more would be
/// more streams than prefetching follows.
const FAR_APART: usize = 2048;

/// Rows that are read at a time then.
const FEW_ROWS: usize = 4;

/// Bytes from which on elements are fetched before they are read: they come from
/// beyond the second level of cache.
const FAR: usize = 1 << 20;

/// Bytes of a sequence from which on Zen 4 reads it faster in vectors of half a register: from
/// memory by up to a tenth, from the third level of cache by a twentieth. There are then two loads
/// for each line, and fewer of them go across two.
const LONG_RUN: usize = 2048;

/// Bytes from which on elements come from memory.
const FROM_MEMORY: usize = 20 << 20;

/// Bytes from which on some of them do: the last level of cache is shared.
const PARTLY_FROM_MEMORY: usize = 12 << 20;

/// Groups of lanes of the widest matrix whose rows are then read one after the other: its
/// accumulators are loaded and stored with each row, so they must leave room in the first level
/// of cache.
const IN_ORDER_GROUPS: usize = 48;

/// Rows of a wider one that are read at a time, from end to end: the accumulators are loaded
/// and stored once for all of them.
const ROWS_FROM_MEMORY: usize = 2 * FEW_ROWS;

/// Bytes of rows that are packed at a time, and of rows that come from memory.
const PACKED: usize = 8192;
const PACKED_FROM_MEMORY: usize = PACKED / 2;

/// How far ahead the shortest rows are fetched, in bytes, where the CPU looks far ahead.
const SHORT_ROWS_AHEAD: usize = 4096;

/// How far where it does not.
const SHORT_ROWS_FAR_AHEAD: usize = 12288;

/// Bytes after which lines take the same places in the first level of cache, and those of a
/// line. So far apart, rows would drive out what is fetched of the next.
const PAGE: usize = 4096;
const LINE: usize = 64;

/// How far to the right rows of a panel are fetched, in bytes, if there are more
/// panels.
const TO_THE_RIGHT: usize = 1024;

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
    /// Rows of a panel, the last of which may be a part of several side by side.
    pub(crate) rows: usize,
    /// The innermost axis of rows: whole rows only.
    pub(crate) row_axis: Axis,
    /// How many rows are read before the next group of lanes.
    pub(crate) rows_at_once: usize,
    /// How far ahead what lies in place is fetched, in bytes; 0 if not.
    pub(crate) ahead: usize,
    /// Bytes of rows that are packed at a time, if they are more than one group of lanes.
    pub(crate) packed: usize,
    /// How far ahead the shortest rows are fetched while others are packed, in bytes; 0 if not.
    pub(crate) packed_ahead: usize,
    /// Whether all that is read fits in the second level of cache, where blocks may be read in
    /// turn: from memory the CPU foresees one sequence of addresses, not two that alternate.
    pub(crate) is_near: bool,
    /// Whether what is read is in no cache.
    pub(crate) is_from_memory: bool,
    /// Whether vectors of half a register read it faster, if little is done with them.
    pub(crate) in_halves: bool,
}

impl Grid {
    /// Of a plan without elements.
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
        is_near: true,
        is_from_memory: false,
        in_halves: false,
    };

    /// Of a plan whose path is chosen.
    pub(super) fn new(plan: &Plan, needs: Needs) -> Self {
        let Needs { lanes, steps, element, .. } = needs;
        // Packed elements have to stay near.
        let blocks = if plan.path == Path::Lanes { needs.blocks } else { 1 };
        let piece = blocks * steps * lanes;
        let run = plan.run();
        let side_by_side = plan.side_by_side;
        let rows = (plan.count / plan.neighbours).div_ceil(side_by_side);
        let blocks_of_run = run.size.div_ceil(piece);
        let blocks = match plan.path {
            Path::Elements | Path::Few => 1,
            _ if plan.across => rows.div_ceil(steps),
            Path::Lanes => plan.count / run.size * blocks_of_run,
            _ => plan.count.div_ceil(piece),
        };
        let together = match (plan.path, plan.across) {
            (Path::Elements | Path::Few, _) => 1,
            (_, false) if plan.interleaved => INTERLEAVED,
            // Few blocks in all, so that threads can share long results.
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
        let is_from_memory = is_from_memory(plan.bytes(element));
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
            packed_ahead: packed_ahead(plan, needs),
            is_near: plan.bytes(element) < FAR,
            is_from_memory,
            in_halves: plan.bytes(element) >= FAR
                && !plan.across
                && run.stride == 1
                && run.size * element >= LONG_RUN
                && cpu() == Cpu::Zen4,
        }
    }
}

/// Whether so many bytes are not in any cache.
pub(super) fn is_from_memory(bytes: usize) -> bool {
    bytes >= FROM_MEMORY
}

/// How far ahead the shortest rows are fetched while others are packed.
fn packed_ahead(plan: &Plan, Needs { light, element, .. }: Needs) -> usize {
    match prefetch_distance() {
        _ if plan.bytes(element) < FAR => 0,
        FAR_AHEAD => SHORT_ROWS_FAR_AHEAD,
        _ if light => 0,
        _ => SHORT_ROWS_AHEAD,
    }
}

/// Whether rows are read in long pieces.
fn is_very_wide(plan: &Plan, element: usize) -> bool {
    let row = plan.row();
    row.stride == 1 && row.size * element >= VERY_WIDE * WIDE_ROW_BYTES
}

/// How many rows are read at a time, each from end to end, of a matrix that comes from memory.
/// That is fastest in the order in which it lies there: one row after the other, or, if the
/// accumulators of a row are many, a few of which each is long enough for the CPU to foresee
/// it. So it is if more is done with an element than to load and store its accumulator. None if
/// the matrix is in a cache, or is so wide that panels of it are no worse, or what is read of a
/// row is short and far from the next.
fn rows_from_memory(plan: &Plan, Needs { element, lanes, light, .. }: Needs) -> Option<usize> {
    let width = plan.lane.size * plan.strands();
    let is_from_memory = plan.path == Path::Columns
        && plan.row().stride == 1
        && is_from_memory(plan.bytes(element))
        && !is_very_wide(plan, element);
    let are_close = plan.row_stride().unsigned_abs() <= 2 * width;
    match width.div_ceil(lanes) {
        _ if !is_from_memory => None,
        ..=IN_ORDER_GROUPS if !are_close => None,
        ..=IN_ORDER_GROUPS if light => Some(1),
        _ => Some(ROWS_FROM_MEMORY),
    }
}

/// How many rows are read before the next group of lanes, and how far ahead elements
/// are fetched.
fn rows_at_once_and_ahead(plan: &Plan, row: Axis, panels: usize, needs: Needs) -> (usize, usize) {
    let Needs { lanes, steps, element, .. } = needs;
    let bytes = plan.bytes(element);
    let in_sequence = if bytes >= FAR { prefetch_distance() } else { 0 };
    if plan.path != Path::Columns {
        return (steps, in_sequence);
    }
    // No CPU foresees where the next row of a narrow panel is, nor, from group to group, that of
    // a narrow matrix.
    let is_panel = panels > 1;
    let is_foreseen = is_panel && is_very_wide(plan, element);
    let is_one_group = plan.lane.size * plan.strands() <= lanes;
    let distance = row.stride.unsigned_abs().saturating_mul(element);
    let collide = distance % PAGE < LINE || distance % PAGE > PAGE - LINE;
    let pays = !is_foreseen && (is_panel || in_sequence == FAR_AHEAD || !collide && !is_one_group);
    let ahead = if bytes >= FAR && pays { FAR_AHEAD } else { 0 };
    if !is_one_group && let Some(rows) = rows_from_memory(plan, needs) {
        let ahead = match rows {
            1 => FAR_AHEAD,
            _ if needs.light => 0,
            _ => rows * distance,
        };
        return (rows, ahead);
    }
    let rows = match distance {
        _ if is_one_group => steps,
        FAR_APART.. if panels > 1 => 2 * FEW_ROWS,
        FAR_APART.. => FEW_ROWS,
        _ if ahead == 0 => steps,
        // What is fetched meanwhile has room in the first level of cache.
        _ => (FAR_AHEAD / distance.max(1)).clamp(FEW_ROWS, steps),
    };
    let ahead = match ahead {
        0 => 0,
        _ if panels > 1 => TO_THE_RIGHT,
        // From a cache: what is fetched so far ahead is driven out before it is read.
        _ if rows.saturating_mul(distance) > 2 * FAR_AHEAD && bytes < PARTLY_FROM_MEMORY => 0,
        _ if rows.saturating_mul(distance) > 4 * FAR_AHEAD => TO_THE_RIGHT,
        _ => FAR_AHEAD.max(rows * distance),
    };
    (rows, ahead)
}

impl Plan {
    /// How many bytes are read.
    fn bytes(&self, element: usize) -> usize {
        self.count.saturating_mul(self.outputs).saturating_mul(element)
    }

    /// Whether each result is over one block.
    pub(crate) fn has_single_blocks(&self) -> bool {
        self.grid.blocks == 1
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
    /// Goes on to the next index of the outer axes. Not inlined, or each pass would have a
    /// copy, and seldom called.
    #[inline(never)]
    fn next_outer(&mut self) -> Option<usize> {
        let Plan { outer, offset, .. } = self.plan;
        let next = self.outer + 1;
        self.places.get_or_insert_with(|| Places::from_index(outer, *offset, next)).next()
    }
}

impl Iterator for Units<'_> {
    type Item = (usize, usize);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        let Grid { panels, together, .. } = self.plan.grid;
        let lane = self.plan.lane;
        if self.panel == panels {
            self.panel = 0;
            self.place = self.next_outer()?;
        }
        let first = self.panel * together;
        self.panel += 1;
        let way = first.cast_signed().wrapping_mul(lane.stride);
        Some((self.place.wrapping_add_signed(way), together.min(lane.size - first)))
    }
}
