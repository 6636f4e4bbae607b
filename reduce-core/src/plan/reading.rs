//! How rows of a panel are read: how many at a time, and whether what comes next is fetched.
//!
//! A CPU *foresees* a line of the cache if it fetches it by itself, because the addresses before it
//! form a sequence. How well it does so depends on how many sequences are read at once, how far apart
//! they lie, and which level of cache they come from. All numbers here are measured, most on one
//! family of CPUs (`docs/log/kernels.md`). None changes a result.

use super::{Axis, Needs, Path, Plan};
use crate::facts::order::STEPS;
use crate::machine::{FAR_AHEAD, LINE};

/// A unit of a very wide matrix takes this many bytes of each row. That is enough for the CPU to foresee most
/// of such a piece, and little enough for accumulators to stay in the second level of cache.
pub(super) const WIDE_ROW_BYTES: usize = 1 << 16;

/// A matrix is very wide if each row is at least this many of these pieces long.
const VERY_WIDE: usize = 4;

/// Where rows lie at least this many bytes apart, few are read at a time. Each of them is a sequence of its
/// own, and a CPU foresees only a few.
const FAR_APART: usize = 2048;

/// This many rows are read at a time then.
const FEW_ROWS: usize = 4;

/// The widest matrix, in groups of lanes, whose rows are read one after the other if it comes from
/// memory. All accumulators are then loaded and stored with each row, so they must leave room in the
/// first level of cache.
const IN_ORDER_GROUPS: usize = 48;

/// How many rows of a wider matrix are read at a time, from end to end. Accumulators are loaded and
/// stored once for all of them.
const ROWS_FROM_MEMORY: usize = 2 * FEW_ROWS;

/// How far ahead short rows are fetched, in bytes, where the CPU looks far ahead by itself.
const SHORT_ROWS_AHEAD: usize = 4096;

/// How far ahead they are fetched, in bytes, where it does not.
const SHORT_ROWS_FAR_AHEAD: usize = 12288;

/// Bytes after which lines take the same places in the first level of cache. Rows that lie so far apart
/// drive out what is fetched of the rows after them.
const PAGE: usize = 4096;

/// Up to this many bytes, a run is only a few lines long.
const FEW_LINES: usize = 4 * LINE;

/// How far ahead within the same row elements of a panel are fetched, in bytes, if there are several
/// panels.
const TO_THE_RIGHT: usize = 1024;

/// Up to this many bytes from row to row, so little is done with a row that rows are fetched while others are turned.
/// Rows further apart are fetched while those before them are folded.
pub(crate) const FETCHED_BY_TURNING: usize = 128;

/// Rows share a piece if they lie less than this many bytes apart. They take long to turn.
const PIECE: usize = 16;

/// How far ahead short rows are fetched while others are packed, and while others are turned, in bytes; 0 if none are.
/// An operator that does little with an element loses by it if packed rows are long, or if the CPU looks far ahead by
/// itself. Of rows that are turned, those that share a piece are fetched. Others are where the CPU does not look far
/// ahead.
pub(super) fn short_rows_ahead(plan: &Plan, needs: Needs) -> (usize, usize) {
    let Needs { light, element, machine, .. } = needs;
    let (bytes, row) = (plan.bytes(element), plan.count.saturating_mul(element));
    let packed = match machine.is_told() {
        _ if bytes < machine.beyond_second => 0,
        true if light && row > FETCHED_BY_TURNING => 0,
        true => SHORT_ROWS_FAR_AHEAD,
        false if light => 0,
        false => SHORT_ROWS_AHEAD,
    };
    let turned = match plan.row().stride.unsigned_abs().saturating_mul(element) {
        ..PIECE => packed,
        ..=FETCHED_BY_TURNING if machine.is_told() => packed,
        _ => 0,
    };
    (packed, turned)
}

/// Whether a matrix is so wide that each unit takes a long piece of every row.
pub(super) fn is_very_wide(plan: &Plan, element: usize) -> bool {
    let row = plan.row();
    row.stride == 1 && row.size.saturating_mul(element) >= VERY_WIDE * WIDE_ROW_BYTES
}

/// How many rows of a matrix that comes from memory are read at a time, each from end to end. None if
/// they are better read in panels.
///
/// Memory is read fastest in its own order, which is one row after the other. But then accumulators are
/// loaded and stored with each row. Where these are many, a few rows at a time are faster, each long
/// enough for the CPU to foresee it. A few rows are faster, too, where more is done with an element
/// than to load and store its accumulator.
///
/// Panels are better if the matrix is in a cache. They are no worse if it is very wide, or if little of
/// each row is read and the next one lies far from it.
pub(super) fn rows_from_memory(
    plan: &Plan,
    Needs { element, lanes, light, machine, .. }: Needs,
) -> Option<usize> {
    let width = plan.lane.size * plan.strands();
    let is_from_memory = plan.path == Path::Columns
        && plan.row().stride == 1
        && plan.bytes(element) >= machine.beyond_last
        && !is_very_wide(plan, element);
    let are_close = plan.row_stride().unsigned_abs() <= width.saturating_mul(2);
    match width.div_ceil(lanes) {
        _ if !is_from_memory => None,
        ..=IN_ORDER_GROUPS if !are_close => None,
        ..=IN_ORDER_GROUPS if light => Some(1),
        _ => Some(ROWS_FROM_MEMORY),
    }
}

/// How many rows are read before the next group of lanes, and how far ahead of them others are fetched,
/// in bytes.
///
/// Where a CPU is told of the next line alone, short runs are left to it: to tell it takes longer than it saves. Out of
/// a cache it saves less, so that runs twice as long are still short.
pub(super) fn rows_at_once_and_ahead(
    plan: &Plan,
    row: Axis,
    panels: usize,
    needs: Needs,
) -> (usize, usize) {
    if plan.path == Path::Columns {
        return columns_at_once_and_ahead(plan, row, panels, needs);
    }
    let Needs { element, machine, .. } = needs;
    let (bytes, run) = (plan.bytes(element), plan.run().size.saturating_mul(element));
    let few = if bytes >= machine.beyond_last { FEW_LINES } else { 2 * FEW_LINES };
    let ahead = match machine.ahead {
        _ if bytes < machine.beyond_second => 0,
        LINE if run <= few => 0,
        distance => distance,
    };
    (STEPS, ahead)
}

/// As [`rows_at_once_and_ahead`], but for columns, which are read where they lie.
fn columns_at_once_and_ahead(
    plan: &Plan,
    row: Axis,
    panels: usize,
    needs: Needs,
) -> (usize, usize) {
    let Needs { lanes, element, machine, .. } = needs;
    let bytes = plan.bytes(element);
    let is_far = bytes >= machine.beyond_second;
    // No CPU foresees where a panel goes on in the next row, unless it takes a long piece of each. Nor
    // does any where a matrix of one panel goes on in the next group of lanes.
    let is_panel = panels > 1;
    let is_foreseen = is_panel && is_very_wide(plan, element);
    let is_one_group = plan.lane.size * plan.strands() <= lanes;
    let distance = row.stride.unsigned_abs().saturating_mul(element);
    // In the second level of cache, the CPU foresees the next lines of several rows if they are read in
    // turn, only a little of each at a time.
    if !is_one_group && !is_far && bytes >= machine.beyond_first {
        return (rows_that_stay(distance, needs), 0);
    }
    let collide = collide(distance, PAGE);
    let pays = !is_foreseen && (is_panel || machine.is_told() || !collide && !is_one_group);
    let ahead = if is_far && pays { FAR_AHEAD } else { 0 };
    if !is_one_group && let Some(rows) = rows_from_memory(plan, needs) {
        let ahead = match rows {
            1 => FAR_AHEAD,
            _ if needs.light => 0,
            _ => rows.saturating_mul(distance),
        };
        return (rows, ahead);
    }
    let rows = match distance {
        _ if is_one_group => STEPS,
        FAR_APART.. if panels > 1 || needs.ordered => 2 * FEW_ROWS,
        FAR_APART.. => FEW_ROWS,
        _ if ahead == 0 => STEPS,
        // So few that what is fetched meanwhile has room in the first level of cache.
        _ => (FAR_AHEAD / distance.max(1)).clamp(FEW_ROWS, STEPS),
    };
    // From `partly` bytes on, much of the matrix comes from memory. To fetch nothing is then slower than
    // to fetch too far ahead.
    let partly = machine.beyond_last / 5 * 3;
    let ahead = match ahead {
        0 => 0,
        _ if panels > 1 => TO_THE_RIGHT,
        // Out of a cache: what is fetched so far ahead would be driven out before it is read.
        _ if rows.saturating_mul(distance) > 2 * FAR_AHEAD && bytes < partly => 0,
        _ if rows.saturating_mul(distance) > 4 * FAR_AHEAD => TO_THE_RIGHT,
        _ => FAR_AHEAD.max(rows.saturating_mul(distance)),
    };
    (rows, ahead)
}

/// As many rows as have room in the first level of cache with a line of each and what is read next of
/// it. All rows of a block, if positions are loaded and stored with the accumulators.
fn rows_that_stay(distance: usize, Needs { light, ordered, .. }: Needs) -> usize {
    match () {
        () if ordered => STEPS,
        () if collide(distance, PAGE) && light => FEW_ROWS,
        () if collide(distance, PAGE / 2) => 2 * FEW_ROWS,
        () => 4 * FEW_ROWS,
    }
}

/// True if rows compete for the same places of a cache: the distance from one to the next is a multiple of
/// `bytes`, or less than a line from one.
fn collide(distance: usize, bytes: usize) -> bool {
    distance % bytes < LINE || distance % bytes > bytes - LINE
}
