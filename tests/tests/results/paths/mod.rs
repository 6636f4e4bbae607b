//! Every path of a plan, and every branch on it: against the oracle, with special
//! values at every place, and with ties.

mod alignment;
mod lanes;
mod large;
mod layouts;
mod positions;
mod second;
mod small_integers;
mod special;
mod ties;
mod twos;

use std::collections::BTreeMap;

use reduce_core::bounds::Reduces;
use reduce_core::planning::Plan;
use reduce_core::{AnyView, DType, Element, Error, ErrorKind, Reduction};
use reduce_specs::{ArgMax, ReduceMax, ReduceMean, ReduceSum};
use reduce_tests::cases::{
    Case, Levels, Request, Row, addresses, available, found, ordinary, path_cases, spelled,
};
use reduce_tests::compare;
use reduce_tests::oracle;

use layouts::{Layout, layouts};

/// What a plan does, by names.
fn names(plan: &Plan) -> Vec<String> {
    // Whether lanes go across results and what is scattered is no one's business
    // but a kernel's; `Debug` shows it all the same.
    let text = format!("{plan:?}");
    let pieces = text.split_once(" reduced: [").expect("a list").1;
    let pieces = pieces.split_once(']').expect("its end").0.matches("Axis").count();
    let path = format!("{:?}", plan.path());
    let path = match (path.as_str(), text.contains("across: true")) {
        ("Gather", true) => "Gather across",
        ("Gather", false) => "Gather along",
        (path, _) => path,
    };
    let in_runs = !text.contains("neighbours: 1,");
    let is_narrow = !text.contains("side_by_side: 1,") && !in_runs;
    let is_scattered = text.contains("scatter: Some");
    let mut names = vec![path.to_owned()];
    names.extend(is_narrow.then(|| format!("{path}, narrow")));
    names.extend(in_runs.then(|| format!("{path}, runs")));
    let is_together = !text.contains("across: true") && !text.contains("lane: Axis { size: 1,");
    names.extend(is_together.then(|| format!("{path}, together")));
    let is_block = path == "Lanes" && text.contains(" blocks: 1,");
    names.extend(is_block.then(|| format!("{path}, one block each")));
    names.extend((pieces > 1).then(|| format!("{path}, pieces")));
    names.extend(is_scattered.then(|| format!("{path}, scattered")));
    names
}

fn reached<Op: Reduces<T>, T: Element>(what: &str) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for Case { recipe, axes } in path_cases() {
        let buffer = vec![T::default(); recipe.count()];
        let view = recipe.view(&buffer);
        let axes = spelled(&axes, view.shape().rank());
        let plan = Reduction::new(Op::default()).axes(axes).plan(&view).expect("valid axes");
        if plan.count() > 0 && plan.outputs() > 0 {
            names(&plan).into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
        } else {
            *counts.entry("empty".to_owned()).or_default() += 1;
        }
    }
    println!("{what}: {counts:?}");
    let is_ordered = Op::SCHEMA.dtypes.iter().all(|row| row.output == DType::I64);
    for (name, least) in [
        ("Elements", 8),
        ("Few", 20),
        ("Lanes", 15),
        ("Lanes, one block each", 10),
        ("Lanes, pieces", 5),
        ("Lanes, scattered", 2),
        ("Lanes, together", 5),
        ("Columns", 40),
        ("Columns, narrow", if is_ordered { 20 } else { 15 }),
        ("Columns, runs", 8),
        ("Columns, pieces", 4),
        ("Columns, scattered", 8),
        ("ShortRows", 25),
        ("ShortRows, pieces", 3),
        ("ShortRows, scattered", 3),
        ("Gather along", 8),
        ("Gather along, pieces", 3),
        ("Gather across", 12),
        ("Gather across, pieces", 2),
        ("Gather across, scattered", 3),
        ("empty", 8),
    ] {
        let count = counts.get(name).copied().unwrap_or(0);
        assert!(count >= least, "{what}: {count} cases of {name}, not {least}");
    }
}

/// The list is not hollow, whatever the number of lanes.
#[test]
fn every_path_is_reached() {
    reached::<ReduceMean, i32>("16 lanes");
    reached::<ReduceSum, f64>("32 lanes");
    reached::<ReduceSum, f32>("64 lanes");
    reached::<ReduceMax, u8>("256 lanes");
    reached::<ArgMax, f32>("64 lanes of a selection");
    reached::<ArgMax, u8>("256 lanes of a selection");
}

/// The views are those that were meant.
#[test]
fn views_read_what_was_meant() {
    for case in path_cases() {
        let buffer = vec![0u8; case.recipe.count()];
        let view = case.recipe.view(&buffer);
        let walk = case.recipe.walk();
        assert_eq!(view.shape().dims(), walk.shape, "{case:?}");
        assert_eq!(addresses(&view.into()), walk.places, "{case:?}");
    }
}

/// Types that are asked for everything; the others, for what is small.
const TYPES: [&str; 8] = ["f16", "bf16", "f32", "f64", "bool", "i32", "i64", "u8"];

#[test]
fn every_operator_on_every_path() {
    let levels = Levels::new("paths");
    let layouts = layouts();
    Row::for_each(|row| {
        let mut runs = 0;
        let fits = |layout: &&Layout| layout.small() || TYPES.contains(&row.dtype.name());
        for (seed, layout) in (0..).zip(layouts.iter().filter(fits)) {
            runs += usize::from(run(row, layout, seed));
        }
        assert!(runs > 50, "{}: {runs} layouts", row.name());
        available().into_iter().for_each(|level| levels.ran(level, runs));
    });
    levels.finish();
}

/// Whether the operator can be asked for it.
fn run(row: &Row, layout: &Layout, seed: u64) -> bool {
    let Layout { case, walk, .. } = layout;
    let noop = case.axes.is_empty() && !walk.shape.is_empty();
    if (row.takes_one_axis() && case.axes.len() != 1)
        || (noop && !row.has(row.newest(), "noop_with_empty_axes"))
    {
        return false;
    }
    let axes = spelled(&case.axes, walk.shape.len());
    let request = Request {
        axes: Some(&axes),
        keepdims: Some(false),
        noop: noop.then_some(true),
        ..Request::default()
    };
    let values = ordinary(row.op, row.ty, case.recipe.count(), seed);
    let buffer = walk.buffer(row.dtype, &values);
    let expected = layout.expected(row.op, row.ty, &values);
    let view = case.recipe.any_view(&buffer);
    check(row, &request, &view, expected.as_ref())
        .unwrap_or_else(|error| panic!("{} of {case:?}: {error}", row.name()));
    true
}

/// The result of every level against the oracle.
fn check(
    row: &Row,
    request: &Request<'_>,
    view: &AnyView<'_>,
    expected: Option<&oracle::Expected>,
) -> Result<(), String> {
    let is_empty = |error: &Error| matches!(error.kind(), ErrorKind::EmptySet { .. });
    match (row.run(row.newest(), view, request), expected) {
        (Ok(result), Some(expected)) => compare::check(expected, &found(&result)),
        (Err(error), None) if is_empty(&error) => Ok(()),
        (result, expected) => Err(format!("{result:?}, not {expected:?}")),
    }
}
