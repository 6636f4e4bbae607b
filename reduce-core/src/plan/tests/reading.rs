//! How what a plan reads is read: how many rows at a time, what is fetched, and from where on.

use super::{SUM, plan, plan_for};
use crate::plan::Needs;
use crate::simd::{Cpu, cpu};

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
        plan(&[rows, width.unsigned_abs()], &[width, 1], &[0]).grid.ahead != 0
    };
    assert_eq!([100, 1000, 10_000].map(|rows| is_fetched(rows, 300)), [false, true, true]);
    // Zen 4 foresees where rows go on that are further apart.
    assert_eq!([1000, 8000].map(|rows| is_fetched(rows, 500)), [cpu() != Cpu::Zen4, true]);
    // Four rows would fill half of the first level; but memory is slower still.
    assert_eq!([900, 2500].map(|rows| is_fetched(rows, 1400)), [false, true]);
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
}

#[test]
fn longer_rows_are_packed_without_fetching_where_that_is_slower() {
    let is_fetched = |needs: Needs, width: usize| {
        let grid = plan_for(needs, &[1_000_000, width], &[width.cast_signed(), 1], &[1]).grid;
        grid.packed_ahead != 0
    };
    let expected = match cpu() {
        Cpu::Zen5 => [true, true],
        Cpu::EmeraldRapids => [true, false],
        Cpu::Zen3 | Cpu::Zen4 | Cpu::SapphireRapids | Cpu::Other => [false, false],
    };
    assert_eq!([20, 40].map(|width| is_fetched(SUM, width)), expected);
    let more = Needs { light: false, ..SUM };
    assert!(is_fetched(more, 40));
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
