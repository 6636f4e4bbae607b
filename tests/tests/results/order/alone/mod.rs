//! What `backend` says of a reduction is enough to repeat it. From an [`Order`] alone, plain loops over the steps of an
//! operator make results with the bits of [`Reduction::run`].

#![allow(
    clippy::cast_possible_truncation,
    trivial_numeric_casts,
    reason = "numbers are rounded to each type"
)]

mod fold;
mod found;
mod kinds;
mod operators;

use std::fmt::Debug;

use reduce_core::backend::Reader;
use reduce_core::backend::{Mending, Order};
use reduce_core::bounds::{Operators, Reduces, Store};
use reduce_core::{
    Axes, Element, Error, Masked, ReduceOp, Reduction, Shape, SkipNan, View, bf16, f16,
};
use reduce_specs::{
    ArgMax, ArgMin, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean,
    ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare,
};
use reduce_tests::cases::{Case, Random, Recipe, axes_of, path_cases};

use super::{Compose, SumInOrder};
use fold::folded;
use found::{Found, compare, mended, stored};
use kinds::{KINDS, Kinds, assert_kinds, note};
use operators::{Binned, Dot, InSixteen, Pushed};

/// The element that an operator reads of a stored one.
type ElementOf<Op, T> = <<Op as Reduces<T>>::Reader as Reader<T>>::Element;

/// Numbers of a type, made of some around 1.
fn numbers<T>(count: usize, round: fn(f64) -> T) -> Vec<T> {
    let mut random = Random::new(count as u64 + 1);
    (0..count).map(|_| round(random.between(0.9, 1.1))).collect()
}

/// An order and the results, unless both are refused for one reason.
fn ordered<R>(order: Result<Order, Error>, results: Result<R, Error>) -> Option<(Order, R)> {
    match (order, results) {
        (Ok(order), Ok(results)) => Some((order, results)),
        (Err(order), Err(results)) if order == results => None,
        (order, results) => panic!("{order:?}, and {:?} by `run`", results.err()),
    }
}

/// The reduction of an operator over the axes of a case.
fn reduction<Op: Operators>(op: Op, case: &Case, rank: usize) -> Reduction<Op> {
    Reduction::new(op).axes(axes_of(&case.axes, rank))
}

/// Every case over one operator and one storage type.
fn on_every_path<Op, T>(op: Op, round: fn(f64) -> T, kinds: &mut Kinds)
where
    Op: Reduces<T> + ReduceOp<ElementOf<Op, T>> + Copy + Debug,
    T: Element,
    <Op as Reduces<T>>::Output: Store<<Op as ReduceOp<ElementOf<Op, T>>>::Output>,
{
    for case in path_cases() {
        let buffer = numbers(case.recipe.count(), round);
        let view = case.recipe.view(&buffer);
        let reduction = reduction(op, &case, view.shape().rank());
        let Some((order, expected)) = ordered(reduction.order(&view), reduction.run(&view)) else {
            continue;
        };
        note(&order, kinds);
        let read = |places: &[usize], position: u64| {
            <<Op as Reduces<T>>::Reader as Reader<T>>::read(view.data()[places[0]], position)
        };
        let left = folded(&op, &order, read);
        let shape = reduction.parts().shape_of_results(view.shape()).expect("as it ran");
        let mending = Mending::new(&reduction, &view).expect("as it ran");
        let mend = |found: Found<_>| {
            mended(&mending, found.number, found.is_doubtful.into(), found.result, kinds)
        };
        let found = stored(&op, order.count, &left).into_iter().map(mend).collect();
        let what = (op, T::DTYPE, &case, &order);
        compare::<<Op as Reduces<T>>::Output>(&what, found, expected, &shape);
    }
}

#[test]
fn operators_of_one_input() {
    let mut kinds = Kinds::new();
    macro_rules! of_floats {
        ($($float:ident)*) => {$(
            on_every_path::<_, $float>(ReduceSum, |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ReduceMean, |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ReduceProd, |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ReduceL1, |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ReduceL2, |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ReduceSumSquare, |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ReduceLogSum, |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ReduceLogSumExp, |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ReduceMax, |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ReduceMin, |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ArgMax::default(), |x| x as $float, &mut kinds);
            on_every_path::<_, $float>(ArgMin::default(), |x| x as $float, &mut kinds);
        )*};
    }
    of_floats!(f32 f64);
    on_every_path(ReduceSum, f16::from_f64, &mut kinds);
    on_every_path(ReduceLogSumExp, bf16::from_f64, &mut kinds);
    on_every_path(ReduceMean, |x| (100.0 * x) as i32, &mut kinds);
    on_every_path(ReduceSumSquare, |x| (1e7 * x) as i64, &mut kinds);
    on_every_path(ReduceMax, |x| (100.0 * x) as i8, &mut kinds);
    on_every_path(ReduceMin, |x| x < 1.0, &mut kinds);
    on_every_path(ArgMax::default(), |x| (100.0 * x) as i8, &mut kinds);
    assert_kinds(&kinds, &KINDS);
}

#[test]
fn operators_with_steps_and_lanes_of_their_own() {
    let mut kinds = Kinds::new();
    on_every_path::<_, f32>(Pushed, |x| x as f32, &mut kinds);
    assert_kinds(&kinds, &KINDS);
    let mut kinds = Kinds::new();
    on_every_path::<_, f32>(InSixteen, |x| x as f32, &mut kinds);
    on_every_path::<_, f64>(InSixteen, |x| x, &mut kinds);
    assert_kinds(&kinds, &KINDS);
    let mut kinds = Kinds::new();
    on_every_path::<_, f32>(Binned, |x| x as f32, &mut kinds);
    assert_kinds(
        &kinds,
        &["from the first", "one strand", "strands", "blocks", "runs", "scattered"],
    );
    let mut kinds = Kinds::new();
    on_every_path(SumInOrder, |x| x as f32, &mut kinds);
    on_every_path(Compose, |x| (1e7 * x) as i64, &mut kinds);
    assert_kinds(&kinds, &["from the first", "one strand", "blocks", "scattered"]);
    assert_eq!((kinds["strands"], kinds["runs"]), (0, 0));
}

/// Two inputs that lie alike, or each in its own way.
#[test]
fn operators_of_two_inputs() {
    let mut kinds = Kinds::new();
    for case in path_cases() {
        let shape = case.recipe.walk().shape;
        let row =
            [&vec![1; shape.len().saturating_sub(1)][..], &shape[shape.len().saturating_sub(1)..]];
        let row = Recipe::of(&row.concat()).broadcast(&shape);
        let xs = numbers(case.recipe.count(), |x| x as f32);
        for other in [case.recipe.clone(), Recipe::of(&shape), row] {
            let ys = numbers(other.count() + 1, |y| y as f32);
            let inputs = (case.recipe.view(&xs), other.view(&ys[1..]));
            for inputs in [inputs.clone(), (inputs.1, inputs.0)] {
                let reduction = reduction(Dot, &case, shape.len());
                let Some((order, expected)) =
                    ordered(reduction.order(&inputs), reduction.run(&inputs))
                else {
                    continue;
                };
                note(&order, &mut kinds);
                let read = |places: &[usize], _: u64| {
                    (inputs.0.data()[places[0]], inputs.1.data()[places[1]])
                };
                let found = stored(&Dot, order.count, &folded(&Dot, &order, read));
                let found = found.into_iter().map(|found| found.result).collect();
                let shape =
                    Shape::new(&shape).and_then(|shape| reduction.parts().shape_of_results(&shape));
                compare::<f32>(&(&case, &order), found, expected, &shape.expect("as it ran"));
            }
        }
    }
    assert_kinds(&kinds, &[&KINDS[..], &["joint axes"]].concat());
}

/// Each member of a tuple has the order that all have in common.
macro_rules! as_tuple {
    ($members:expr, $round:expr, $kinds:expr; $($index:tt: $Op:ty),+) => {
        for case in path_cases() {
            let members = $members;
            let buffer = numbers(case.recipe.count(), $round);
            let view = case.recipe.view(&buffer);
            let reduction = reduction(members, &case, view.shape().rank());
            let Some((order, expected)) = ordered(reduction.order(&view), reduction.run(&view)) else {
                continue;
            };
            note(&order, &mut $kinds);
            let each = ($({
                let read = |places: &[usize], position: u64| {
                    <<$Op as Reduces<f32>>::Reader as Reader<f32>>::read(view.data()[places[0]], position)
                };
                stored(&members.$index, order.count, &folded(&members.$index, &order, read))
            },)+);
            let mending = Mending::new(&reduction, &view).expect("as it ran");
            let found = (0..order.results).map(|place| {
                let doubts = 0 $(| u32::from(each.$index[place].is_doubtful) << $index)+;
                let number = each.0[place].number;
                mended(&mending, number, doubts, ($(each.$index[place].result,)+), &mut $kinds)
            });
            let shape = reduction.parts().shape_of_results(view.shape()).expect("as it ran");
            let what = (&case, &order);
            compare::<($(<$Op as Reduces<f32>>::Output,)+)>(&what, found.collect(), expected, &shape);
        }
    };
}

#[test]
fn tuples_of_operators() {
    let around_one = |x| x as f32;
    let mut kinds = Kinds::new();
    as_tuple! { (ReduceSum, Pushed, ReduceLogSumExp), around_one, kinds;
    0: ReduceSum, 1: Pushed, 2: ReduceLogSumExp }
    as_tuple! { (ReduceMean, ReduceProd), around_one, kinds; 0: ReduceMean, 1: ReduceProd }
    assert_kinds(&kinds, &KINDS);
    let mut kinds = Kinds::new();
    as_tuple! { (ReduceMean, ArgMax::default()), around_one, kinds; 0: ReduceMean, 1: ArgMax }
    as_tuple! { (Binned, ReduceSum), around_one, kinds; 0: Binned, 1: ReduceSum }
    as_tuple! { (SumInOrder, ReduceSum), around_one, kinds; 0: SumInOrder, 1: ReduceSum }
    assert_kinds(
        &kinds,
        &["from the first", "one strand", "strands", "blocks", "runs", "scattered"],
    );
}

/// Numbers of all magnitudes; few are infinite, zero, or no number.
fn wild(x: f64) -> f32 {
    let number = (x * 1e7) as i32;
    match number % 2003 {
        0 => f32::INFINITY,
        1 => f32::NAN,
        2 => 0.0,
        _ => (x * 10f64.powi(number % 75 - 37)) as f32,
    }
}

#[test]
fn doubtful_results_are_mended() {
    let large = |x| (1e38 * x) as f32;
    let small = |x| (1e-30 * x) as f32;
    let mut kinds = Kinds::new();
    for round in [large, small, wild as fn(f64) -> f32] {
        on_every_path(ReduceProd, round, &mut kinds);
        on_every_path(ReduceL2, round, &mut kinds);
        on_every_path(ReduceMean, round, &mut kinds);
        on_every_path(ReduceLogSum, round, &mut kinds);
        on_every_path(ReduceLogSumExp, round, &mut kinds);
        as_tuple! { (ReduceSum, ReduceL2, ReduceMax, ReduceProd), round, kinds;
        0: ReduceSum, 1: ReduceL2, 2: ReduceMax, 3: ReduceProd }
    }
    on_every_path(ReduceL2, |x| 1e300 * x, &mut kinds);
    assert_kinds(&kinds, &[&KINDS[..], &["mended", "stands"]].concat());
}

/// What need not be in memory has the order of a tensor that is.
#[test]
fn tensors_in_rows_have_the_order_of_their_views() {
    for shape in [&[][..], &[300], &[40, 30], &[30, 40, 7], &[0, 3], &[3, 0]] {
        let shape = Shape::new(shape).expect("small");
        let data = vec![1.0f32; shape.count()];
        let view = View::new(&data, &shape).expect("as many");
        for axes in [Axes::all(), Axes::none(), Axes::from([0]), Axes::from([-1])] {
            let sums = Reduction::new(ReduceSum).axes(axes.clone());
            assert_eq!(sums.order_in_rows::<f32>(&shape), sums.order(&view));
            let dots = Reduction::new(Dot).axes(axes.clone());
            let both = (view.clone(), view.clone());
            assert_eq!(dots.order_in_rows::<(f32, f32)>(&shape), dots.order(&both));
            let places = Reduction::new(ArgMax::default()).axes(axes);
            assert_eq!(places.order_in_rows::<f32>(&shape), places.order(&view));
        }
    }
    let empty = Shape::new(&[0]).expect("small");
    let refused = Reduction::new(ArgMax::default()).order_in_rows::<f32>(&empty);
    assert_eq!(refused.expect_err("no largest element").code(), "empty-set");
}

/// Which elements count is found when they are read.
#[test]
fn elements_that_are_chosen_have_no_order() {
    let list = View::new(&[1.0f32, 2.0], &[2]).expect("a list");
    let mask = View::new(&[true, false], &[2]).expect("a list");
    let skipping = Reduction::new((ReduceMax, SkipNan(ReduceSum))).order(&list);
    let in_rows = Reduction::new(SkipNan(ReduceSum)).order_in_rows::<f32>(list.shape());
    for error in [Reduction::new(Masked(ReduceSum)).order(&(list.clone(), mask)), skipping, in_rows]
    {
        assert_eq!(error.expect_err("no order").code(), "no-order");
    }
}
