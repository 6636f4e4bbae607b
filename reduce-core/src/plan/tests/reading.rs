//! How what a plan reads is read: how many rows at a time, what is fetched, and from where on.

use super::{SUM, plan, plan_for};
use crate::machine::{FAR_AHEAD, Machine};
use crate::plan::Needs;

/// Needs on a machine that is told far ahead, and on one that is told of the next line.
const TOLD: Needs = on(Machine { ahead: FAR_AHEAD, ..Machine::UNKNOWN });
const NEXT_LINE: Needs = on(Machine { ahead: 64, ..Machine::UNKNOWN });

const fn on(machine: Machine) -> Needs {
    Needs { machine, ..SUM }
}

#[test]
fn matrices_from_memory_are_read_in_its_order() {
    // Rows at a time, and panels of them.
    let read = |needs: Needs, rows: usize, columns: usize, stride: usize| {
        let strides = [stride.cast_signed(), 1];
        let grid = plan_for(needs, &[rows, columns], &strides, &[0]).grid;
        (grid.rows_at_once, grid.units)
    };
    let more = Needs { light: false, ..SUM };
    assert_eq!(read(more, 40_000, 1000, 1000), (8, 1));
    assert_eq!(read(SUM, 40_000, 1000, 1000), (1, 1));
    assert_eq!(read(SUM, 40_000, 1000, 2000), (1, 1));
    assert_eq!(read(SUM, 4096, 4096, 4096), (8, 1));
    assert_eq!(read(SUM, 4096, 4096, 100_000), (8, 1));
    // With fewer lanes, as many columns have more accumulators.
    assert_eq!(read(Needs { lanes: 16, ..SUM }, 40_000, 1000, 1000), (8, 1));
    // Too far apart; too wide for one panel.
    assert_eq!(read(SUM, 40_000, 1000, 2001), (4, 1));
    assert_eq!(read(SUM, 100, 100_000, 100_000), (8, 7));
}

#[test]
fn rows_from_a_cache_are_so_few_that_they_stay() {
    let at_once = |needs: Needs, rows: usize, width: usize| {
        plan_for(needs, &[rows, width], &[width.cast_signed(), 1], &[0]).grid.rows_at_once
    };
    // Near rows are read all of a block at a time. Others are the fewer, the more compete for the same lines.
    assert_eq!([60, 100].map(|rows| at_once(SUM, rows, 400)), [64, 16]);
    assert_eq!([600, 512, 1024].map(|width| at_once(SUM, 100, width)), [16, 8, 4]);
    assert_eq!(at_once(Needs { light: false, ..SUM }, 100, 1024), 8);
    // More rows are read at a time with positions, which are loaded and stored, too.
    let ordered = Needs { light: false, ordered: true, ..SUM };
    assert_eq!(
        [(100, 1024), (300, 1024)].map(|(rows, width)| at_once(ordered, rows, width)),
        [64, 8]
    );
    // Rows come from the third level, or from memory: 20 MB may not be in that level.
    assert_eq!([1000, 6000].map(|rows| at_once(SUM, rows, 1000)), [4, 1]);
    // A machine whose second level holds them, and one whose last level does.
    let large = Machine { beyond_second: 8 << 20, beyond_last: 64 << 20, ..Machine::UNKNOWN };
    assert_eq!([1000, 6000].map(|rows| at_once(on(large), rows, 1000)), [16, 4]);
}

#[test]
fn columns_beyond_the_second_level_of_cache_are_fetched_ahead() {
    let is_fetched = |rows: usize, width: isize| {
        plan(&[rows, width.unsigned_abs()], &[width, 1], &[0]).grid.ahead != 0
    };
    assert_eq!([100, 1000, 10_000].map(|rows| is_fetched(rows, 300)), [false, true, true]);
    // Four rows would fill half of the first level; but memory is slower still.
    assert_eq!([900, 2500].map(|rows| is_fetched(rows, 1400)), [false, true]);
}

#[test]
fn longer_rows_are_packed_without_fetching_where_that_is_slower() {
    let is_fetched = |needs: Needs, width: usize| {
        let strides = [width.cast_signed(), 1];
        plan_for(needs, &[1_000_000, width], &strides, &[1]).grid.packed_ahead != 0
    };
    assert_eq!([20, 40].map(|width| is_fetched(TOLD, width)), [true, false]);
    assert_eq!([SUM, NEXT_LINE].map(|needs| is_fetched(needs, 20)), [false; 2]);
    // With more work for each element, there is time to fetch.
    let more = [SUM, NEXT_LINE, TOLD].map(|needs| Needs { light: false, ..needs });
    assert_eq!(more.map(|needs| is_fetched(needs, 40)), [true; 3]);
}

#[test]
fn sequences_beyond_the_second_level_of_cache_are_fetched_as_the_machine_likes_it() {
    let ahead = |needs: Needs, rows: usize, width: usize| {
        plan_for(needs, &[rows, width], &[width.cast_signed(), 1], &[1]).grid.ahead
    };
    let needs = [SUM, NEXT_LINE, TOLD];
    assert_eq!(needs.map(|needs| ahead(needs, 1, 1_000_000)), [0, 64, FAR_AHEAD]);
    assert_eq!(needs.map(|needs| ahead(needs, 1, 100_000)), [0; 3]);
    // To tell of the next line takes longer than it saves where runs are a few.
    assert_eq!(needs.map(|needs| ahead(needs, 5000, 100)), [0, 0, FAR_AHEAD]);
    assert_eq!(needs.map(|needs| ahead(needs, 100_000, 100)), [0, 64, FAR_AHEAD]);
}

#[test]
fn short_rows_from_memory_are_packed_in_small_parts() {
    let packed = |needs: Needs, rows: usize| {
        let grid = plan_for(needs, &[rows, 3], &[3, 1], &[1]).grid;
        (grid.packed, grid.packed_ahead != 0)
    };
    // More work leaves the time to fetch what comes next, if it is not near.
    let more = Needs { light: false, ..SUM };
    assert_eq!([packed(SUM, 1000), packed(SUM, 2_000_000)].map(|(bytes, _)| bytes), [8192, 4096]);
    assert_eq!([packed(more, 1000), packed(more, 2_000_000)], [(8192, false), (4096, true)]);
}
