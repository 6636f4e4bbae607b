//! How what a plan reads is read: how many rows at a time, what is fetched, and from where on.

use super::{SUM, plan, plan_for};
use crate::plan::Needs;
use crate::simd::{Cpu, Fetch, cpu};

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
    // More accumulators of as many columns.
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
    // Near, all of a block; else fewer the more of them compete for the same lines.
    assert_eq!([60, 100].map(|rows| at_once(SUM, rows, 400)), [64, 16]);
    assert_eq!([600, 512, 1024].map(|width| at_once(SUM, 100, width)), [16, 8, 4]);
    assert_eq!(at_once(Needs { light: false, ..SUM }, 100, 1024), 8);
    // With positions, which are loaded and stored, too, more.
    let ordered = Needs { light: false, ordered: true, ..SUM };
    assert_eq!(
        [(100, 1024), (300, 1024)].map(|(rows, width)| at_once(ordered, rows, width)),
        [64, 8]
    );
    // Of the third level; 20 MB may not be there.
    let is_zen_4 = cpu() == Cpu::Zen4;
    assert_eq!(at_once(SUM, 1000, 1000), if is_zen_4 { 16 } else { 4 });
    assert_eq!(at_once(SUM, 6000, 1000), 1);
}

#[test]
fn columns_beyond_the_second_level_of_cache_are_fetched_ahead() {
    let is_fetched = |rows: usize, width: isize| {
        plan(&[rows, width.unsigned_abs()], &[width, 1], &[0]).grid.ahead != Fetch::Nothing
    };
    assert_eq!([100, 1000, 10_000].map(|rows| is_fetched(rows, 300)), [false, true, true]);
    // Zen 4 foresees where rows go on that are further apart.
    assert_eq!([1000, 8000].map(|rows| is_fetched(rows, 500)), [cpu() != Cpu::Zen4, true]);
    // Four rows would fill half of the first level; but memory is slower still.
    assert_eq!([900, 2500].map(|rows| is_fetched(rows, 1400)), [false, true]);
}

#[test]
fn what_no_cpu_foresees_is_fetched_into_the_second_level_from_memory() {
    let is_far = |fetch: Fetch| matches!(fetch, Fetch::Far(_));
    let is_zen_4 = cpu() == Cpu::Zen4;
    let columns = |rows: usize, width: usize| {
        is_far(plan(&[rows, width], &[width.cast_signed(), 1], &[0]).grid.ahead)
    };
    // From a cache, from memory; so wide that panels of rows are foreseen.
    assert_eq!([columns(10_000, 300), columns(100, 100_000)], [false; 2]);
    assert_eq!([columns(100_000, 100), columns(20_000, 300)], [is_zen_4; 2]);
    let rows =
        |rows: usize, apart: isize| is_far(plan(&[rows, 40], &[apart, 1], &[1]).grid.packed_ahead);
    // From a cache; with gaps; from memory.
    assert_eq!([rows(10_000, 40), rows(1_000_000, 41)], [false; 2]);
    assert_eq!(rows(1_000_000, 40), is_zen_4);
}

#[test]
fn long_sequences_beyond_the_second_level_of_cache_are_read_in_halves() {
    use crate::plan::InHalves::{Light, Nothing, Selections};
    let in_halves = |rows: usize, width: usize, axis: i64| {
        let strides = [width.cast_signed(), 1];
        plan(&[rows, width], &strides, &[axis]).grid.in_halves
    };
    let (from_cache, from_memory) = match cpu() {
        Cpu::Zen4 => (Light, Light),
        Cpu::SapphireRapids => (Nothing, Selections),
        Cpu::EmeraldRapids | Cpu::Zen3 | Cpu::Zen5 | Cpu::Other => (Nothing, Nothing),
    };
    assert_eq!([in_halves(1, 2_500_000, 1), in_halves(500, 2048, 1)], [from_cache; 2]);
    assert_eq!([in_halves(1, 10_000_000, 1), in_halves(5000, 2048, 1)], [from_memory; 2]);
    // Near; in lines; short; and columns.
    let others = [
        in_halves(1, 100_000, 1),
        in_halves(1, 1_000_000, 1),
        in_halves(10_000, 256, 1),
        in_halves(500, 2048, 0),
    ];
    assert_eq!(others, [Nothing; 4]);
}

#[test]
fn what_is_beyond_all_caches_is_fetched_into_the_second_level() {
    let ahead = |needs: Needs, count: usize| plan_for(needs, &[count], &[1], &[0]).grid.ahead;
    let is_far = |needs: Needs, count: usize| matches!(ahead(needs, count), Fetch::Far(_));
    assert_eq!(is_far(SUM, 100_000_000), cpu() == Cpu::EmeraldRapids);
    // Out of the third level of cache; and where much is done with each element.
    let heavy = Needs { light: false, heavy: true, ..SUM };
    assert_eq!([is_far(SUM, 10_000_000), is_far(heavy, 100_000_000)], [false; 2]);
}

#[test]
fn rows_without_gaps_are_fetched_in_streams() {
    let in_streams = |rows: usize, apart: isize, axis: i64| {
        plan(&[rows, 1000], &[apart, 1], &[axis]).grid.ahead == Fetch::InStreams
    };
    assert_eq!(
        [in_streams(10_000, 1000, 1), in_streams(10_000, -1000, 1)],
        [cpu() == Cpu::Zen3; 2]
    );
    // Out of the third level of cache; with gaps; and columns.
    let others =
        [in_streams(2000, 1000, 1), in_streams(10_000, 1001, 1), in_streams(10_000, 1000, 0)];
    assert_eq!(others, [false; 3]);
}

#[test]
fn long_rows_that_are_fetched_in_streams_are_read_in_parts() {
    let in_parts = |rows: usize, width: usize| {
        let plan = plan(&[rows, width], &[width.cast_signed(), 1], &[1]);
        assert!(plan.has_single_blocks());
        !plan.has_whole_rows()
    };
    assert_eq!([in_parts(4000, 1024), in_parts(2048, 3136)], [cpu() == Cpu::Zen3; 2]);
    // Shorter rows, and such as lie in a cache.
    assert_eq!([in_parts(4100, 1000), in_parts(1000, 1024)], [false; 2]);
}

#[test]
fn long_runs_from_a_cache_are_read_in_lines() {
    let in_lines =
        |shape: &[usize], strides: &[isize], axes: &[i64]| plan(shape, strides, axes).grid.in_lines;
    let runs = |row: isize| in_lines(&[10, 5, 5000], &[50_000, row, 1], &[0, 2]);
    let pays = cpu() != Cpu::Zen3;
    assert_eq!([in_lines(&[100_000], &[1], &[0]), runs(8000)], [pays; 2]);
    // Runs that begin at other places of a line; runs of one block; columns; from memory.
    let others = [
        in_lines(&[10, 5, 5000], &[50_008, 8000, 1], &[0, 2]),
        in_lines(&[10, 5, 4000], &[50_000, 8000, 1], &[0, 2]),
        in_lines(&[4096], &[1], &[0]),
        in_lines(&[5000, 64], &[64, 1], &[0]),
        in_lines(&[10_000_000], &[1], &[0]),
    ];
    assert_eq!(others, [false; 5]);
    // Of a selection, runs of one block, too: of more than eight steps, and not from afar.
    let selection = Needs { ordered: true, blocks: 4, ..SUM };
    let rows = |rows: usize, width: usize| {
        plan_for(selection, &[rows, width], &[width.cast_signed(), 1], &[1]).grid.in_lines
    };
    assert_eq!([rows(1, 513), rows(500, 1000), rows(100, 4096)], [pays; 3]);
    assert_eq!([rows(1, 512), rows(600, 1000)], [false; 2]);
}

#[test]
fn longer_rows_are_packed_without_fetching_where_that_is_slower() {
    let is_fetched = |needs: Needs, width: usize| {
        let grid = plan_for(needs, &[1_000_000, width], &[width.cast_signed(), 1], &[1]).grid;
        grid.packed_ahead != Fetch::Nothing
    };
    let expected = match cpu() {
        Cpu::Zen3 | Cpu::Zen4 | Cpu::Zen5 => [true, true],
        Cpu::EmeraldRapids => [true, false],
        Cpu::SapphireRapids | Cpu::Other => [false, false],
    };
    assert_eq!([20, 40].map(|width| is_fetched(SUM, width)), expected);
    let more = Needs { light: false, ..SUM };
    assert!(is_fetched(more, 40));
}

#[test]
fn short_rows_from_memory_are_packed_in_small_parts() {
    let packed = |needs: Needs, rows: usize| {
        let grid = plan_for(needs, &[rows, 3], &[3, 1], &[1]).grid;
        (grid.packed, grid.packed_ahead != Fetch::Nothing)
    };
    // More work leaves the time to fetch what comes next, if it is not near.
    let more = Needs { light: false, ..SUM };
    assert_eq!([packed(SUM, 1000), packed(SUM, 2_000_000)].map(|(bytes, _)| bytes), [8192, 4096]);
    assert_eq!([packed(more, 1000), packed(more, 2_000_000)], [(8192, false), (4096, true)]);
}
