//! What is emitted follows, to the last bit, from the results of `run`: at every level and with any
//! number of threads, though it is done in groups.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use reduce_core::bounds::Emits;
use reduce_core::{Axes, Element, Emit, Indexed, OpSpec, Reduction, Tensor, Threads, View, f16};
use reduce_tests::cases::{Case, Random, addresses, available, path_cases};

use super::ops::{LessAlternating, LessDot, LessSum, LessWeighted, PlusPlace, Softmax};
use super::results_of;

/// Rows around the lengths at which something changes: few elements, short rows, steps, blocks.
const ROWS: [usize; 26] = [
    2, 3, 7, 8, 9, 15, 16, 17, 25, 31, 32, 33, 41, 56, 57, 63, 64, 65, 129, 200, 257, 1000, 2047,
    2048, 2049, 20_000,
];

/// Shapes of several groups, and their reduced axes.
fn shapes() -> impl Iterator<Item = (Vec<usize>, Vec<usize>)> {
    let rows = ROWS.into_iter().map(|row| (vec![(50_000 / row).max(3), row], vec![1]));
    let others = [
        (vec![3, 1000, 33], vec![2]),
        (vec![2, 3, 5, 31, 101], vec![3, 4]),
        (vec![40, 100, 30], vec![1]),
        (vec![3000, 9, 3], vec![1]),
        (vec![70, 90, 4], vec![1]),
        (vec![700, 60], vec![0]),
        (vec![64, 20, 64], vec![0, 2]),
        (vec![9, 130, 129], vec![1]),
        (vec![150_001], vec![0]),
    ];
    rows.chain(others)
}

/// The views of some data that have a shape: as it lies, its first axis backwards, and its axes in
/// another order.
fn views<'a, T: Element>(data: &'a [T], shape: &[usize]) -> Vec<View<'a, T>> {
    let forward = View::new(data, shape).expect("its shape");
    let backward = forward.slice(0, 0, shape[0], -1).expect("within");
    let order: Vec<usize> = (0..shape.len()).rev().collect();
    let turned: Vec<usize> = shape.iter().rev().copied().collect();
    let turned = View::new(data, &turned).expect("its shape").permute(&order).expect("all axes");
    vec![forward, backward, turned]
}

/// Numbers of both signs whose sums depend on their order.
fn numbers(count: usize) -> Vec<f64> {
    let mut random = Random::new(count as u64);
    std::iter::repeat_with(|| random.between(-4.0, 5.0)).take(count).collect()
}

fn pools() -> Vec<Threads> {
    let pool = |threads| -> Arc<ThreadPool> {
        Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool"))
    };
    [2, 3].map(|threads| Threads::Pool(pool(threads))).into()
}

fn over(axes: &[usize]) -> Axes {
    let axes: Vec<i64> = axes.iter().map(|&axis| i64::try_from(axis).expect("small")).collect();
    if axes.is_empty() { Axes::none() } else { Axes::of(&axes) }
}

/// The elements of a view with the number of the result that each belongs to, in row-major order.
fn elements<T: Element>(view: &View<'_, T>, axes: &[usize]) -> Vec<(T, usize)> {
    let places = addresses(&view.clone().into());
    let results = results_of(view.shape().dims(), axes);
    places.into_iter().map(|place| view.data()[place]).zip(results).collect()
}

fn bits<T: Element>(data: &[T]) -> Vec<u64> {
    data.iter().map(|x| x.to_f64().to_bits()).collect()
}

/// That this is emitted, however it is done.
fn assert_emits<Op, T>(
    op: Op,
    view: &View<'_, T>,
    axes: &[usize],
    expected: &[T],
    pools: &[Threads],
) where
    Op: OpSpec + Emits<T> + Copy,
    T: Element,
{
    let alone = Reduction::new(op).axes(over(axes)).threads(Threads::One);
    let levels = available().into_iter().map(|level| alone.clone().level(level));
    let threads = pools.iter().map(|pool| alone.clone().threads(pool.clone()));
    for reduction in levels.chain(threads) {
        let found: Tensor<T> = reduction.emit(view).expect("elements");
        let (shape, strides) = (view.shape(), view.strides());
        assert!(bits(found.data()) == bits(expected), "{shape:?}, {strides:?} over {axes:?}");
    }
}

/// Shares in single precision and in half, whose results are not rounded to it.
#[test]
#[allow(clippy::cast_possible_truncation, reason = "rounded to the type")]
fn of_two_coupled_results() {
    let pools = pools();
    for (shape, axes) in shapes() {
        let count = shape.iter().product();
        let halves: Vec<f16> = numbers(count).into_iter().map(f16::from_f64).collect();
        let data: Vec<f32> = halves.iter().map(|x| x.to_f32()).collect();
        for (view, halves) in views(&data, &shape).into_iter().zip(views(&halves, &shape)) {
            let results = Reduction::new(Softmax).axes(over(&axes)).run(&view).expect("elements");
            let (max, sum) = (results.0.data(), results.1.data());
            let share = |(x, result): (f32, usize)| Softmax.emit(x, &(max[result], sum[result]));
            let expected: Vec<f32> = elements(&view, &axes).into_iter().map(share).collect();
            assert_emits(Softmax, &view, &axes, &expected, &pools);
            let rounded: Vec<f16> = expected.into_iter().map(f16::from_f32).collect();
            assert_emits(Softmax, &halves, &axes, &rounded, &pools);
        }
    }
}

/// A sum, one in the order of the elements, one of products with positions, and a selection.
#[test]
fn of_every_kind_of_operator() {
    let pools = pools();
    for (shape, axes) in shapes() {
        let data = numbers(shape.iter().product());
        for view in views(&data, &shape) {
            let all = elements(&view, &axes);
            macro_rules! check {
                ($op:expr, |$x:ident| $element:expr) => {{
                    let results = Reduction::new($op).axes(over(&axes)).run(&view);
                    let results = results.expect("elements");
                    let emitted =
                        |&($x, result): &(f64, usize)| $op.emit($element, &results.data()[result]);
                    let expected: Vec<f64> = all.iter().map(emitted).collect();
                    assert_emits($op, &view, &axes, &expected, &pools);
                }};
            }
            check!(LessSum, |x| x);
            check!(LessAlternating, |x| x);
            check!(LessWeighted, |value| Indexed { value, index: 0 });
            check!(PlusPlace, |value| Indexed { value, index: 0 });
        }
    }
}

/// Every path of a plan, also of views with gaps and of broadcast ones.
#[test]
fn of_every_layout() {
    for Case { recipe, axes } in path_cases() {
        let data = numbers(recipe.count());
        let view = recipe.view(&data);
        if view.shape().count() == 0 {
            continue;
        }
        let sums = Reduction::new(LessSum).axes(over(&axes)).run(&view).expect("elements");
        let less = |(x, result): (f64, usize)| LessSum.emit(x, &sums.data()[result]);
        let expected: Vec<f64> = elements(&view, &axes).into_iter().map(less).collect();
        assert_emits(LessSum, &view, &axes, &expected, &[]);
    }
}

/// Each operator of a chain is run over what the one before it emits.
#[test]
fn one_after_another() {
    let pools = pools();
    for (shape, axes) in shapes() {
        let data = numbers(shape.iter().product());
        for view in views(&data, &shape) {
            let shares = Reduction::new(Softmax).axes(over(&axes)).emit(&view).expect("elements");
            let shares = View::new(shares.data(), &shape).expect("its shape");
            let expected = Reduction::new(LessSum).axes(over(&axes)).emit(&shares);
            let expected = expected.expect("elements");
            let both = Reduction::new(Softmax).then(LessSum).axes(over(&axes));
            for threads in [Threads::One].iter().chain(&pools) {
                let found = both.clone().threads(threads.clone()).emit(&view).expect("elements");
                assert!(bits(found.data()) == bits(expected.data()), "{shape:?} over {axes:?}");
            }
        }
    }
}

/// An operator of two inputs emits; the second input is repeated for each row.
#[test]
fn of_two_inputs() {
    for row in ROWS {
        let shape = [(50_000 / row).max(3), row];
        let (x, y) = (numbers(shape[0] * row), numbers(row));
        let x = View::new(&x, &shape).expect("its shape");
        let y = View::new(&y, &[row]).expect("its shape");
        let products = (x.clone(), y.clone());
        let sums = Reduction::new(LessDot).axes([1]).run(&products).expect("elements");
        let less = |index: usize| {
            LessDot.emit((x.data()[index], y.data()[index % row]), &sums.data()[index / row])
        };
        let expected: Vec<f64> = (0..shape[0] * row).map(less).collect();
        for level in available() {
            let found = Reduction::new(LessDot).axes([1]).level(level).emit(&products);
            let found = found.expect("elements");
            assert!(bits(found.data()) == bits(&expected), "rows of {row} at {level}");
        }
    }
}
