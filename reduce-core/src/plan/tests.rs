use super::{Axis, Needs, Path, Places, Plan};
use crate::axes::Axes;
use crate::shape::Shape;
use crate::simd::{Cpu, Fetch, cpu};

/// A commutative operator on `f32`.
const SUM: Needs = Needs {
    lanes: 64,
    few: 16,
    short_rows: 56,
    short_rows_from_memory: 56,
    short_runs: 128,
    ordered: false,
    strand: Some(1),
    light: true,
    heavy: false,
    steps: 64,
    blocks: 1,
    element: 4,
};

fn plan_for(needs: Needs, shape: &[usize], strides: &[isize], axes: &[i64]) -> Plan {
    let lowest: isize = shape
        .iter()
        .zip(strides)
        .filter(|(_, stride)| **stride < 0)
        .map(|(&size, &stride)| (size.cast_signed() - 1) * stride)
        .sum();
    let shape = Shape::new(shape).expect("small");
    let axes = Axes::of(axes).resolve(shape.rank()).expect("valid");
    Plan::new(&shape, [(strides, lowest.unsigned_abs())], &axes, needs)
}

fn plan(shape: &[usize], strides: &[isize], axes: &[i64]) -> Plan {
    plan_for(SUM, shape, strides, axes)
}

/// The path over a contiguous tensor.
fn path(shape: &[usize], axes: &[i64]) -> Path {
    let strides = Shape::new(shape).expect("small").row_major_strides();
    plan(shape, &strides, axes).path()
}

#[test]
fn contiguous_reduced_axes_become_one_run() {
    assert_eq!(path(&[2, 30, 4], &[0, 1, 2]), Path::Lanes);
    assert_eq!(path(&[2, 30, 40], &[1, 2]), Path::Lanes);
    // Transposed, reversed, and with an axis of size 1 in between.
    assert_eq!(plan(&[40, 30], &[1, 40], &[0, 1]).path(), Path::Lanes);
    assert_eq!(plan(&[120], &[-1], &[0]).path(), Path::Lanes);
    assert_eq!(plan(&[20, 1, 40], &[40, 99, 1], &[0, 1, 2]).path(), Path::Lanes);
    // Of several runs, each long.
    assert_eq!(path(&[32, 64, 56, 56], &[0, 2, 3]), Path::Lanes);
    assert_eq!(plan(&[100, 300], &[400, 1], &[0, 1]).path(), Path::Lanes);
    // Long rows of a matrix, of a transposed one, and of a repeated one.
    assert_eq!(path(&[1024, 1024], &[1]), Path::Lanes);
    assert_eq!(plan(&[4096, 4096], &[1, 4096], &[0]).path(), Path::Lanes);
    assert_eq!(plan(&[10, 1000], &[0, 1], &[0, 1]).path(), Path::Lanes);
}

#[test]
fn neighbours_of_different_results_are_columns() {
    assert_eq!(path(&[1024, 1024], &[0]), Path::Columns);
    assert_eq!(path(&[64, 1_000_000], &[0]), Path::Columns);
    assert_eq!(path(&[64, 512, 128], &[1]), Path::Columns);
    assert_eq!(path(&[30, 50, 20, 50], &[0, 2]), Path::Columns);
    assert_eq!(plan(&[4096, 4096], &[1, 4096], &[1]).path(), Path::Columns);
    assert_eq!(plan(&[100, 300], &[300, -1], &[0]).path(), Path::Columns);
}

#[test]
fn narrow_columns_are_folded_side_by_side() {
    for width in 1..600 {
        let plan = plan(&[1_000_000, width], &[width.cast_signed(), 1], &[0]);
        if width == 1 {
            assert_eq!(plan.path(), Path::Lanes);
            continue;
        }
        assert_eq!(plan.path(), Path::Columns, "{width}");
        let used = plan.side_by_side * width;
        assert!(8 * used >= 7 * used.next_multiple_of(64), "{width}: {used} lanes");
    }
    // Only if strands pay: enough rows, also for as many as are side by side, and steps saved.
    let side_by_side = |needs: Needs, rows: usize, width: usize| {
        plan_for(needs, &[rows, width], &[width.cast_signed(), 1], &[0]).side_by_side
    };
    assert_eq!([31, 32].map(|rows| side_by_side(SUM, rows, 20)), [1, 3]);
    assert_eq!([35, 36].map(|rows| side_by_side(SUM, rows, 5)), [1, 12]);
    assert_eq!([74, 75].map(|rows| side_by_side(SUM, rows, 27)), [1, 7]);
    assert_eq!([539, 545].map(|rows| side_by_side(SUM, rows, 33)), [1, 7]);
    let moments = Needs { strand: Some(6), ..SUM };
    assert_eq!([75, 545, 4000].map(|rows| side_by_side(moments, rows, 27)), [1, 7, 7]);
    // Not where rows lie apart, or positions are counted.
    assert_eq!(plan(&[10_000, 40], &[50, 1], &[0]).side_by_side, 1);
    let counted = Needs { ordered: true, strand: None, ..SUM };
    assert_eq!(plan_for(counted, &[10_000, 40], &[40, 1], &[0]).side_by_side, 1);
}

#[test]
fn runs_of_neighbours_are_folded_side_by_side() {
    let runs = |needs: Needs, shape: &[usize], strides: &[isize]| {
        let plan = plan_for(needs, shape, strides, &[0, 2]);
        (plan.neighbours > 1).then_some((plan.path, plan.neighbours, plan.count, plan.grid.rows))
    };
    let dense = |needs: Needs, rows: usize, run: usize| {
        let stride = run.cast_signed();
        runs(needs, &[rows, 64, run], &[64 * stride, stride, 1])
    };
    assert_eq!(dense(SUM, 16, 256), Some((Path::Columns, 256, 16 * 256, 16)));
    assert_eq!(dense(SUM, 100, 2), Some((Path::Columns, 2, 200, 100)));
    // Too few rows, for more work too; runs too long; a gap behind each; positions counted.
    assert_eq!([dense(SUM, 15, 100), dense(SUM, 100, 1025)], [None, None]);
    assert_eq!([47, 48].map(|rows| dense(SUM, rows, 257).is_some()), [false, true]);
    let more = Needs { light: false, ..SUM };
    assert_eq!([47, 48].map(|rows| dense(more, rows, 9).is_some()), [false, true]);
    assert_eq!(runs(SUM, &[100, 64, 9], &[640, 10, 1]), None);
    // Fewer rows, of results and runs that would fill no lanes; not if they are few elements.
    let small = |rows: usize, results: usize, run: usize| {
        let run = run.cast_signed();
        let strides = [results.cast_signed() * run, run, 1];
        runs(more, &[rows, results, run.unsigned_abs()], &strides).is_some()
    };
    assert_eq!([15, 16].map(|rows| small(rows, 63, 2)), [false, true]);
    assert_eq!([3, 4].map(|rows| small(rows, 15, 7)), [false, true]);
    assert_eq!([(16, 64, 2), (40, 9, 64), (4, 15, 4)].map(|(a, b, c)| small(a, b, c)), [false; 3]);
    assert_eq!(dense(Needs { strand: None, ..SUM }, 100, 9), None);
    // Too narrow for the lanes, but seven rows fill them.
    assert_eq!(runs(SUM, &[7 * 16, 3, 9], &[27, 9, 1]), Some((Path::Columns, 9, 112 * 9, 16)));
    assert_eq!(runs(SUM, &[7 * 16 - 1, 3, 9], &[27, 9, 1]), Some((Path::Columns, 9, 111 * 9, 111)));
}

#[test]
fn short_rows_are_transposed() {
    for size in 2..=56 {
        assert_eq!(path(&[100_000, size], &[1]), Path::ShortRows, "{size}");
    }
    assert_eq!(path(&[100_000, 57], &[1]), Path::Lanes);
    // Longer ones only if they fill a group of lanes.
    assert_eq!(
        [(16, 24), (64, 25)].map(|(rows, size)| path(&[rows, size], &[1])),
        [Path::ShortRows; 2]
    );
    assert_eq!(
        [(15, 24), (63, 25)].map(|(rows, size)| path(&[rows, size], &[1])),
        [Path::Lanes; 2]
    );
    // Those of a selection by where they come from.
    let selection = Needs { short_rows: 112, short_rows_from_memory: 80, ..SUM };
    let path_of = |rows: usize, size: usize| {
        plan_for(selection, &[rows, size], &[size.cast_signed(), 1], &[1]).path()
    };
    assert_eq!([112, 113].map(|size| path_of(10_000, size)), [Path::ShortRows, Path::Lanes]);
    assert_eq!([80, 81].map(|size| path_of(1_000_000, size)), [Path::ShortRows, Path::Lanes]);
    // With an outer reduced axis, and where axes alternate.
    assert_eq!(path(&[15, 2048, 7, 7], &[0, 2, 3]), Path::ShortRows);
    assert_eq!(path(&[100, 15, 100, 20], &[1, 3]), Path::ShortRows);
    assert_eq!(path(&[100, 15, 100, 100], &[1, 3]), Path::ShortRows);
    // Too few of them to fill lanes.
    assert_eq!(path(&[10, 100], &[1]), Path::Lanes);
}

#[test]
fn what_lies_apart_is_gathered() {
    assert_eq!(plan(&[1000], &[2], &[0]).path(), Path::Gather);
    assert_eq!(plan(&[1000], &[0], &[0]).path(), Path::Gather);
    // Few elements per run.
    assert_eq!(plan(&[1000, 3], &[10, 1], &[0, 1]).path(), Path::Gather);
    // Every second column; a few columns of many matrices.
    let columns = plan(&[1000, 500], &[1000, 2], &[0]);
    assert_eq!((columns.path(), columns.lane.size), (Path::Gather, 500));
    let matrices = plan(&[100_000, 4, 3], &[12, 3, 1], &[1]);
    assert_eq!((matrices.path(), matrices.lane.size), (Path::Gather, 100_000));
}

#[test]
fn few_elements_are_taken_one_after_another() {
    assert_eq!(path(&[2, 3, 4], &[1]), Path::Few);
    assert_eq!(plan(&[5], &[3], &[0]).path(), Path::Few);
    assert_eq!(path(&[3, 16], &[1]), Path::Few);
    assert_eq!(path(&[3, 17], &[1]), Path::Lanes);
    // So are those of all results together, unless much is done with each.
    assert_eq!(path(&[8, 8], &[0]), Path::Few);
    assert_eq!(path(&[16, 4], &[1]), Path::Few);
    assert_eq!(path(&[5, 13], &[0]), Path::Columns);
    let more = Needs { light: false, ..SUM };
    assert_eq!(plan_for(more, &[8, 8], &[8, 1], &[0]).path(), Path::Columns);
}

#[test]
fn single_elements_are_not_combined() {
    assert_eq!(plan(&[2, 3], &[3, 1], &[]).path(), Path::Elements);
    assert_eq!(plan(&[2, 1], &[1, 1], &[1]).path(), Path::Elements);
    assert_eq!(plan(&[], &[], &[]).path(), Path::Elements);
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
    // In sequence.
    assert!(!is_far(plan(&[100_000_000], &[1], &[0]).grid.ahead));
}

#[test]
fn long_sequences_beyond_the_second_level_of_cache_are_read_in_halves() {
    use super::InHalves::{Light, Nothing, Selections};
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

#[test]
fn an_ordered_plan_keeps_the_order_of_the_axes() {
    let ordered = Needs { lanes: 1, ordered: true, ..SUM };
    let plan = plan_for(ordered, &[4, 30], &[1, 4], &[0, 1]);
    let axes = [Axis { size: 4, stride: 1 }, Axis { size: 30, stride: 4 }];
    assert_eq!(plan.reduced.as_slice(), axes);
}

#[test]
fn results_are_put_in_order_only_if_they_are_not() {
    assert_eq!(plan(&[100, 50, 200], &[10_000, 200, 1], &[1]).scatter, None);
    // Two kept axes transposed; one reversed.
    let transposed = plan(&[200, 50, 100], &[1, 200, 10_000], &[1]);
    let axes = [Axis { size: 100, stride: 1 }, Axis { size: 200, stride: 100 }];
    assert_eq!(transposed.scatter.expect("transposed").axes.as_slice(), axes);
    let reversed = plan(&[200, 50], &[-50, 1], &[1]).scatter.expect("reversed");
    assert_eq!((reversed.start, reversed.axes[0].stride), (199, -1));
}

#[test]
fn places_are_visited_in_row_major_order() {
    let axes =
        [Axis { size: 2, stride: -10 }, Axis { size: 1, stride: 5 }, Axis { size: 3, stride: 2 }];
    let places: Vec<usize> = Places::new(&axes, 20).collect();
    assert_eq!(places, [20, 22, 24, 10, 12, 14]);
    for first in 0..=places.len() {
        let rest: Vec<usize> = Places::from_index(&axes, 20, first).collect();
        assert_eq!(rest, places[first..]);
    }
    assert_eq!(Places::new(&[], 7).collect::<Vec<_>>(), [7]);
    assert_eq!(Places::from_index(&[], 7, 1).next(), None);
    assert_eq!(Places::new(&[Axis { size: 0, stride: 1 }], 0).next(), None);
}
