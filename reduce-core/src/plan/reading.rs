//! How rows of a panel are read: how many at a time, and whether what comes next is fetched.
//!
//! Which lines of a matrix the CPU fetches by itself depends on how many sequences are read at
//! once, how far apart they lie, and in which cache. All numbers here are measured, most on one
//! family of CPUs (`docs/kernels.md`); none changes a result.

use super::{Axis, Needs, Path, Plan};
use crate::machine::{FAR_AHEAD, FETCHED_BY_TRANSPOSITION};

/// Bytes of a row of a unit of a very wide matrix. Enough that the CPU foresees most of
/// each row's piece, few enough that accumulators stay in the second level of cache.
pub(super) const WIDE_ROW_BYTES: usize = 1 << 16;

/// Such pieces of a row from which on a matrix is very wide.
const VERY_WIDE: usize = 4;

/// Bytes between rows from which on few rows are read at a time: more would be
/// more streams than prefetching follows.
const FAR_APART: usize = 2048;

/// Rows that are read at a time then.
const FEW_ROWS: usize = 4;

/// Groups of lanes of the widest matrix whose rows are then read one after the other: its
/// accumulators are loaded and stored with each row, so they must leave room in the first level
/// of cache.
const IN_ORDER_GROUPS: usize = 48;

/// Rows of a wider one that are read at a time, from end to end: the accumulators are loaded
/// and stored once for all of them.
const ROWS_FROM_MEMORY: usize = 2 * FEW_ROWS;

/// How far ahead the shortest rows are fetched, in bytes, where the CPU looks far ahead.
const SHORT_ROWS_AHEAD: usize = 4096;

/// How far where it does not.
const SHORT_ROWS_FAR_AHEAD: usize = 12288;

/// Bytes after which lines take the same places in the first level of cache, and those of a
/// line. So far apart, rows would drive out what is fetched of the next.
const PAGE: usize = 4096;
const LINE: usize = 64;

/// Bytes of a run of few lines.
const FEW_LINES: usize = 4 * LINE;

/// How far to the right rows of a panel are fetched, in bytes, if there are more
/// panels.
const TO_THE_RIGHT: usize = 1024;

/// How far ahead short rows are fetched while others are packed; 0 if none are. What does little with them
/// loses by it, where they are long or the CPU looks far ahead by itself.
pub(super) fn packed_ahead(plan: &Plan, needs: Needs) -> usize {
    let Needs { light, element, machine, .. } = needs;
    let (bytes, row) = (plan.bytes(element), plan.count.saturating_mul(element));
    match machine.is_told() {
        _ if bytes < machine.beyond_second => 0,
        true if light && row > FETCHED_BY_TRANSPOSITION => 0,
        true => SHORT_ROWS_FAR_AHEAD,
        false if light => 0,
        false => SHORT_ROWS_AHEAD,
    }
}

/// Whether rows are read in long pieces.
pub(super) fn is_very_wide(plan: &Plan, element: usize) -> bool {
    let row = plan.row();
    row.stride == 1 && row.size.saturating_mul(element) >= VERY_WIDE * WIDE_ROW_BYTES
}

/// How many rows are read at a time, each from end to end, of a matrix that comes from memory.
/// That is fastest in the order in which it lies there: one row after the other, or, if the
/// accumulators of a row are many, a few of which each is long enough for the CPU to foresee
/// it. So it is if more is done with an element than to load and store its accumulator. None if
/// the matrix is in a cache, or is so wide that panels of it are no worse, or what is read of a
/// row is short and far from the next.
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

/// How many rows are read before the next group of lanes, and how far ahead others are fetched
/// meanwhile.
pub(super) fn rows_at_once_and_ahead(
    plan: &Plan,
    row: Axis,
    panels: usize,
    needs: Needs,
) -> (usize, usize) {
    if plan.path != Path::Columns {
        return (needs.steps, in_sequence(plan, needs));
    }
    columns_at_once_and_ahead(plan, row, panels, needs)
}

/// How far ahead others are fetched while runs are read. To tell a CPU of the next line takes longer
/// than it saves if runs are but a few lines, and, out of a cache, some more.
fn in_sequence(plan: &Plan, Needs { element, machine, .. }: Needs) -> usize {
    let (bytes, run) = (plan.bytes(element), plan.run().size.saturating_mul(element));
    let few = if bytes >= machine.beyond_last { FEW_LINES } else { 2 * FEW_LINES };
    match machine.ahead {
        _ if bytes < machine.beyond_second => 0,
        LINE if run <= few => 0,
        distance => distance,
    }
}

/// How many rows of columns are read before the next group of lanes, and how far ahead elements
/// are fetched.
fn columns_at_once_and_ahead(
    plan: &Plan,
    row: Axis,
    panels: usize,
    needs: Needs,
) -> (usize, usize) {
    let Needs { lanes, steps, element, machine, .. } = needs;
    let bytes = plan.bytes(element);
    let is_far = bytes >= machine.beyond_second;
    // No CPU foresees where the next row of a narrow panel is, nor, from group to group, that of
    // a narrow matrix.
    let is_panel = panels > 1;
    let is_foreseen = is_panel && is_very_wide(plan, element);
    let is_one_group = plan.lane.size * plan.strands() <= lanes;
    let distance = row.stride.unsigned_abs().saturating_mul(element);
    // Of a matrix in the second level, the CPU foresees the next lines of several rows, if each is read only a
    // little further before the others.
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
        _ if is_one_group => steps,
        FAR_APART.. if panels > 1 || needs.ordered => 2 * FEW_ROWS,
        FAR_APART.. => FEW_ROWS,
        _ if ahead == 0 => steps,
        // What is fetched meanwhile has room in the first level of cache.
        _ => (FAR_AHEAD / distance.max(1)).clamp(FEW_ROWS, steps),
    };
    // So much of it comes from memory that this is slower still.
    let partly = machine.beyond_last / 5 * 3;
    let ahead = match ahead {
        0 => 0,
        _ if panels > 1 => TO_THE_RIGHT,
        // From a cache: what is fetched so far ahead is driven out before it is read.
        _ if rows.saturating_mul(distance) > 2 * FAR_AHEAD && bytes < partly => 0,
        _ if rows.saturating_mul(distance) > 4 * FAR_AHEAD => TO_THE_RIGHT,
        _ => FAR_AHEAD.max(rows.saturating_mul(distance)),
    };
    (rows, ahead)
}

/// Steps of one block that is not read from the beginnings of lines on if they are no more: two would be
/// incomplete.
const FEW_STEPS: usize = 8;

/// Whether the blocks of contiguous runs of several, of `piece` elements each, are better read from the
/// beginnings of lines on, which those of all runs of a result must then have in common. Not from
/// memory, which is slower than accesses are.
pub(super) fn are_read_in_lines(
    plan: &Plan,
    piece: usize,
    Needs { element, lanes, ordered, machine, .. }: Needs,
) -> bool {
    if plan.path != Path::Lanes || plan.run().stride != 1 {
        return false;
    }
    let (run, bytes) = (plan.run().size, plan.bytes(element));
    let outer = &plan.reduced[..plan.reduced.len().saturating_sub(1)];
    let is_alike = |axis: &Axis| axis.stride.unsigned_abs().is_multiple_of(LINE / element);
    // Where nothing has to be put back, a single result of one block, too.
    let is_long = run > piece || ordered && plan.outputs == 1 && run > FEW_STEPS * lanes;
    is_long && outer.iter().all(is_alike) && bytes < machine.beyond_last
}

/// So many rows that a line of each, and what is read next of it, has room in the first level of
/// cache; or all of a block, if positions are loaded and stored with the accumulators.
fn rows_that_stay(distance: usize, Needs { light, ordered, steps, .. }: Needs) -> usize {
    match () {
        () if ordered => steps,
        () if collide(distance, PAGE) && light => FEW_ROWS,
        () if collide(distance, PAGE / 2) => 2 * FEW_ROWS,
        () => 4 * FEW_ROWS,
    }
}

/// Whether rows so far apart come to the same place after a multiple of so many bytes.
fn collide(distance: usize, bytes: usize) -> bool {
    distance % bytes < LINE || distance % bytes > bytes - LINE
}
