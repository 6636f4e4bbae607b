//! Tuples of operators: one pass, and the results of each member alone.

use std::fmt::Debug;

use reduce_core::bounds::Written;
use reduce_core::{
    Accumulator, AnyTensor, Axes, Element, ErrorKind, Level, Num, OnePass, ReduceOp, Reduction,
    Tensor, Threads, View, reduce_op,
};
use reduce_specs::{
    ArgMax, ArgMin, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
    ReduceSumSquare,
};
use reduce_tests::cases::{Case, available, axes_of, path_cases, pool, same_bits};

use crate::numbers;

/// Asserts that two tensors have the same shape and equal elements.
fn same<T: Element>(alone: Tensor<T>, together: Tensor<T>, what: impl Debug) {
    let (alone, together) = (AnyTensor::from(alone), AnyTensor::from(together));
    same_bits(&alone, &together).unwrap_or_else(|error| panic!("{what:?}: {error}"));
}

/// Operators whose result does not depend on the order: exactly what each has alone,
/// on every layout and level.
#[test]
fn members_have_the_results_they_have_alone() {
    let mut layouts = 0;
    for Case { recipe, axes } in path_cases() {
        let data = numbers(recipe.count());
        let view = recipe.view(&data);
        let axes = axes_of(&axes, view.shape().rank());
        for level in available() {
            macro_rules! alone {
                ($op:expr) => {
                    Reduction::new($op).axes(axes.clone()).level(level).run(&view)
                };
            }
            let ops = (ReduceSum, (ReduceMax, ArgMax::default()), ReduceMean);
            let together = Reduction::new(ops).axes(axes.clone()).level(level).run(&view);
            let (Ok(arg_max), Ok(mean)) = (alone!(ArgMax::default()), alone!(ReduceMean)) else {
                assert!(together.is_err(), "{recipe:?}: a member has no value over no elements");
                continue;
            };
            let (sum, (max, found), average) = together.expect("all members have a value");
            let what = (&recipe, &axes, level);
            same(alone!(ReduceSum).expect("valid"), sum, what);
            same(alone!(ReduceMax).expect("valid"), max, what);
            same(arg_max, found, what);
            same(mean, average, what);
        }
        layouts += 1;
    }
    assert!(layouts > 150, "{layouts}");
}

/// Float sums may be grouped otherwise than alone, but in the same way at every level
/// and with any number of threads.
#[test]
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn the_same_bits_at_every_level_and_number_of_threads() {
    let pools = [2, 3].map(pool);
    for (shape, axes) in [
        (vec![300_001], vec![0]),
        (vec![3, 100_003], vec![1]),
        (vec![40_000, 7], vec![1]),
        (vec![60_001, 5], vec![0]),
        (vec![140, 2100], vec![0]),
        (vec![9, 21, 1100], vec![0, 2]),
    ] {
        let count: usize = shape.iter().product();
        let data: Vec<f32> = (0..count).map(|index| (index * 7 % 1009) as f32 * 0.01).collect();
        let view = View::new(&data, &shape).expect("its shape");
        let ops = (ReduceSum, ReduceLogSumExp, ReduceMin, ArgMin::default(), ReduceSumSquare);
        let reduction = Reduction::new(ops).axes(Axes::of(&axes)).threads(Threads::One);
        let one = reduction.run(&view).expect("elements");
        let others = available()
            .into_iter()
            .map(|level| reduction.clone().level(level))
            .chain(pools.iter().map(|pool| reduction.clone().threads(Threads::Pool(pool.clone()))));
        for other in others {
            let found = other.run(&view).expect("elements");
            same(one.0.clone(), found.0, (&shape, "sum"));
            same(one.1.clone(), found.1, (&shape, "log sum exp"));
            same(one.2.clone(), found.2, (&shape, "min"));
            same(one.3.clone(), found.3, (&shape, "arg min"));
            same(one.4.clone(), found.4, (&shape, "sum of squares"));
        }
        let alone = Reduction::new(ReduceSum).axes(Axes::of(&axes)).run(&view).expect("elements");
        for (alone, together) in alone.data().iter().zip(one.0.data()) {
            assert!((alone - together).abs() <= 1e-5 * alone.abs(), "{alone} {together}");
        }
    }
}

#[test]
fn up_to_eight_members() {
    let data = [3.0f32, 1.0, 2.0, 4.0];
    let view = View::new(&data, &[4]).expect("its shape");
    let ops = (
        ReduceSum,
        ReduceProd,
        ReduceMax,
        ReduceMin,
        ReduceMean,
        ReduceSumSquare,
        ArgMax::default(),
        (ArgMin::default(),),
    );
    let all = Reduction::new(ops).run(&view).expect("elements");
    assert_eq!(all.0.data(), [10.0]);
    assert_eq!(all.1.data(), [24.0]);
    assert_eq!(all.2.data(), [4.0]);
    assert_eq!(all.3.data(), [1.0]);
    assert_eq!(all.4.data(), [2.5]);
    assert_eq!(all.5.data(), [30.0]);
    assert_eq!(all.6.data(), [3]);
    assert_eq!(all.7.0.data(), [1]);
}

/// A polynomial of the elements: their order matters.
#[derive(Clone, Copy, Debug, Default)]
struct Hash;

#[derive(Clone, Copy, Debug, Accumulator)]
struct Polynomial<A> {
    value: A,
    power: A,
}

/// The elements as digits in base 31, wrapping.
#[reduce_op(dtypes = [i64], commutative = false)]
impl<A: Num> ReduceOp<A> for Hash {
    type Acc = Polynomial<A>;
    type Output = A;

    fn identity(&self) -> Polynomial<A> {
        Polynomial { value: A::ZERO, power: A::ONE }
    }

    fn map(&self, x: A) -> Polynomial<A> {
        // 31 = 2^5 - 1.
        let two = A::ONE + A::ONE;
        let power = two * two * two * two * two - A::ONE;
        Polynomial { value: x, power }
    }

    fn combine(&self, a: Polynomial<A>, b: Polynomial<A>) -> Polynomial<A> {
        Polynomial { value: a.value * b.power + b.value, power: a.power * b.power }
    }

    fn finalize(&self, acc: Polynomial<A>, _count: usize) -> A {
        acc.value
    }
}

/// With a member for which the order matters, in whatever place, elements are combined
/// in their order.
#[test]
fn a_member_may_want_the_elements_in_their_order() {
    let data: Vec<i64> = (0..5000).map(|index| index * index % 1013).collect();
    let view = View::new(&data, &[50, 100]).expect("its shape");
    for axes in [vec![0], vec![1], vec![0, 1]] {
        let axes = Axes::of(&axes);
        let alone = Reduction::new(Hash).axes(axes.clone()).run(&view).expect("elements");
        let (sum, hash) =
            Reduction::new((ReduceSum, Hash)).axes(axes.clone()).run(&view).expect("elements");
        let (again, _) =
            Reduction::new((Hash, ReduceSum)).axes(axes.clone()).run(&view).expect("elements");
        same(alone.clone(), hash, &axes);
        same(alone, again, &axes);
        same(
            Reduction::new(ReduceSum).axes(axes.clone()).run(&view).expect("elements"),
            sum,
            &axes,
        );
    }
    let expected = data.iter().fold(0i64, |hash, x| hash.wrapping_mul(31).wrapping_add(*x));
    let (_, hash) = Reduction::new((ReduceMax, Hash)).run(&view).expect("elements");
    assert_eq!(hash.data(), [expected]);
}

/// Into the caller's buffers, also planned; a wrong length is refused before anything
/// is written.
#[test]
fn results_go_into_buffers() {
    let data = [5, 1, 7, 2, 9, 4];
    let view = View::new(&data, &[2, 3]).expect("its shape");
    let reduction = Reduction::new((ReduceMax, ArgMax::default())).axes([1]);
    let (mut max, mut place) = ([0; 2], [0i64; 2]);
    reduction.run_into(&view, (&mut max[..], &mut place[..])).expect("of the right lengths");
    assert_eq!((max, place), ([7, 9], [2, 1]));
    let planned = reduction.planned(&view).expect("valid");
    let (mut max, mut place) = ([0; 2], [0i64; 2]);
    planned.run_into(&view, (&mut max[..], &mut place[..])).expect("of the right lengths");
    assert_eq!((max, place), ([7, 9], [2, 1]));

    let (mut max, mut short) = ([0; 2], [0i64; 1]);
    let error = reduction.run_into(&view, (&mut max[..], &mut short[..])).expect_err("too short");
    assert!(matches!(error.kind(), ErrorKind::LengthMismatch { expected: 2, found: 1, .. }));
    assert_eq!((max, short), ([0; 2], [0; 1]));
}

/// A function that is generic over what is computed in one pass.
#[test]
fn one_pass_is_a_bound() {
    fn run<Op: OnePass<f32>>(op: Op, data: &[f32]) -> <Op::Result as Written>::Tensors {
        let view = View::new(data, &[data.len()]).expect("a list");
        Reduction::new(op).level(Level::Scalar).run(&view).expect("elements")
    }
    assert_eq!(run(ReduceSum, &[1.0, 2.0]).data(), [3.0]);
    assert_eq!(run((ReduceSum, ReduceMax), &[1.0, 2.0]).1.data(), [2.0]);
}
