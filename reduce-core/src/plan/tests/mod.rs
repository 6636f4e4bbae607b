//! Which path a plan takes, and in which order it walks.

mod like;
mod reading;

use super::{Axis, Needs, Path, Places, Plan};
use crate::facts::axes::Axes;
use crate::facts::shape::Shape;
use crate::machine::Machine;

/// A commutative operator on `f32`.
const SUM: Needs = Needs {
    lanes: 64,
    few: 16,
    short: 56,
    short_from_memory: 56,
    ordered: false,
    in_parts: false,
    any_order: false,
    spreads: true,
    light: true,
    blocks: 1,
    element: 4,
    machine: Machine::UNKNOWN,
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
    Plan::new(&shape, &[(strides, lowest.unsigned_abs())], &axes, needs)
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
        let eighths = if plan.side_by_side == 1 { 6 } else { 7 };
        assert!(8 * used >= eighths * used.next_multiple_of(64), "{width}: {used} lanes");
    }
    // Only if there are eight times as many rows as are side by side.
    let side_by_side = |needs: Needs, rows: usize, width: usize| {
        plan_for(needs, &[rows, width], &[width.cast_signed(), 1], &[0]).side_by_side
    };
    assert_eq!([23, 24].map(|rows| side_by_side(SUM, rows, 20)), [1, 3]);
    assert_eq!([95, 96].map(|rows| side_by_side(SUM, rows, 5)), [1, 12]);
    assert_eq!([55, 56].map(|rows| side_by_side(SUM, rows, 33)), [1, 7]);
    // Not if one row fills three quarters of the lanes.
    assert_eq!([47, 48].map(|width| side_by_side(SUM, 1000, width)), [4, 1]);
    // Not where rows lie apart, or positions are counted.
    assert_eq!(plan(&[10_000, 40], &[50, 1], &[0]).side_by_side, 1);
    let counted = Needs { ordered: true, spreads: false, ..SUM };
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
    // Too few rows; runs too long; a gap behind each; positions counted.
    assert_eq!([15, 16].map(|rows| dense(SUM, rows, 100).is_some()), [false, true]);
    assert_eq!([1024, 1025].map(|run| dense(SUM, 100, run).is_some()), [true, false]);
    assert_eq!(runs(SUM, &[100, 64, 9], &[640, 10, 1]), None);
    assert_eq!(dense(Needs { spreads: false, ..SUM }, 100, 9), None);
    // Fewer rows do where runs are neither short nor fill the lanes, but not where there are few elements.
    let small = |rows: usize, results: usize, run: usize| {
        let run = run.cast_signed();
        let strides = [results.cast_signed() * run, run, 1];
        runs(SUM, &[rows, results, run.unsigned_abs()], &strides).is_some()
    };
    assert_eq!([3, 4].map(|rows| small(rows, 15, 63)), [false, true]);
    assert_eq!(
        [(15, 16, 63), (15, 15, 64), (4, 15, 4)].map(|(a, b, c)| small(a, b, c)),
        [false; 3]
    );
    // Selections, whose strands are combined one by one, want more.
    let selection = Needs { any_order: true, ..SUM };
    assert_eq!([47, 48].map(|rows| dense(selection, rows, 9).is_some()), [false, true]);
    // Too narrow for the lanes, but seven rows fill them.
    assert_eq!(runs(SUM, &[7 * 8, 3, 9], &[27, 9, 1]), Some((Path::Columns, 9, 56 * 9, 8)));
    assert_eq!(runs(SUM, &[7 * 8 - 1, 3, 9], &[27, 9, 1]), Some((Path::Columns, 9, 55 * 9, 55)));
}

#[test]
fn short_rows_are_transposed() {
    for size in 2..=56 {
        assert_eq!(path(&[100_000, size], &[1]), Path::ShortRows, "{size}");
    }
    assert_eq!(path(&[100_000, 57], &[1]), Path::Lanes);
    // Only if they fill a group of lanes, or much is done with each element.
    let more = Needs { light: false, ..SUM };
    let of = |needs: Needs, rows: usize| plan_for(needs, &[rows, 40], &[40, 1], &[1]).path();
    assert_eq!([63, 64].map(|rows| of(SUM, rows)), [Path::Lanes, Path::ShortRows]);
    assert_eq!([15, 16].map(|rows| of(more, rows)), [Path::Lanes, Path::ShortRows]);
    // In a selection, it depends on where rows come from.
    let selection = Needs { short: 112, short_from_memory: 80, any_order: true, ..SUM };
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

/// A thread that shares a buffer with others is given its own elements alone.
#[test]
fn a_part_may_have_its_elements_alone() {
    let whole = plan(&[8, 100], &[100, 1], &[1]);
    let mut part = whole.part(2..4, SUM).expect("rows");
    let places = |part: &Plan| (part.offset, part.place(1), part.outputs);
    part.move_to(&whole, 4, 0);
    assert_eq!(places(&part), (400, 500, 2));
    part.move_to(&whole, 4, 400);
    assert_eq!(places(&part), (0, 100, 2));
    // Of several inputs, the others are whole.
    let (shape, axes) = (Shape::new(&[8, 100]).expect("small"), Axes::of(&[1]));
    let inputs: [(&[isize], usize); 2] = [(&[100, 1], 0), (&[0, 1], 7)];
    let whole = Plan::new(&shape, &inputs, &axes.resolve(2).expect("valid"), SUM);
    let mut part = whole.part(2..4, SUM).expect("rows");
    part.move_to(&whole, 4, 400);
    assert_eq!(
        [&part.inputs[0], &part.inputs[1]].map(|part| (part.offset, part.place(1))),
        [(0, 100), (7, 7)]
    );
}
