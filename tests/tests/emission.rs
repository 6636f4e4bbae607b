//! Emission: every layout and level against plain loops, and the same bits with any
//! number of threads.

use std::num::Wrapping;
use std::sync::Arc;

use rayon::ThreadPoolBuilder;
use reduce_core::{
    Accumulator, Axes, Emit, Num, Ordered, Real, ReduceOp, Reduction, Threads, View, f16, reduce_op,
};
use reduce_tests::cases::{Case, addresses, available, path_cases, spelled};

/// Emits each element less the sum of its set.
#[derive(Clone, Copy, Debug, Default)]
struct LessSum;

#[reduce_op(dtypes = [i32])]
impl<A: Num> ReduceOp<A> for LessSum {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

// What it emits needs no rounding, so it is exact.
impl Emit<Wrapping<i32>> for LessSum {
    type Emitted = Wrapping<i32>;

    fn emit(&self, x: Wrapping<i32>, sum: &Wrapping<i32>) -> Wrapping<i32> {
        x - *sum
    }
}

/// Emits each element plus the largest one. Small integers stay exact in any order.
#[derive(Clone, Copy, Debug, Default)]
struct PlusMax;

#[reduce_op(dtypes = [f16 => f32, f32, f64])]
impl<A: Real + Ordered> ReduceOp<A> for PlusMax {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::NEG_INFINITY
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a.maximum(b)
    }

    fn finalize(&self, max: A, _count: usize) -> A {
        max
    }
}

impl<A: Real + Ordered> Emit<A> for PlusMax {
    type Emitted = A;

    fn emit(&self, x: A, max: &A) -> A {
        x + *max
    }
}

/// Emits each element less the smallest one.
#[derive(Clone, Copy, Debug, Default)]
struct LessMin;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Real + Ordered> ReduceOp<A> for LessMin {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::INFINITY
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a.minimum(b)
    }

    fn finalize(&self, min: A, _count: usize) -> A {
        min
    }
}

impl<A: Real + Ordered> Emit<A> for LessMin {
    type Emitted = A;

    fn emit(&self, x: A, min: &A) -> A {
        x - *min
    }
}

/// The shares of exponentials.
#[derive(Clone, Copy, Debug, Default)]
struct Softmax;

#[derive(Clone, Copy, Debug, Accumulator)]
struct MaxSum<A> {
    max: A,
    sum: A,
}

#[reduce_op(dtypes = [f16 => f32, f32, f64])]
impl<A: Real> ReduceOp<A> for Softmax {
    type Acc = MaxSum<A>;
    type Output = (A, A);

    fn identity(&self) -> MaxSum<A> {
        MaxSum { max: A::NEG_INFINITY, sum: A::ZERO }
    }

    fn map(&self, x: A) -> MaxSum<A> {
        MaxSum { max: x, sum: A::ONE }
    }

    fn combine(&self, a: MaxSum<A>, b: MaxSum<A>) -> MaxSum<A> {
        let (low, high) = if a.max > b.max { (b, a) } else { (a, b) };
        let apart = if low.max == high.max { A::ZERO } else { low.max - high.max };
        MaxSum { max: high.max, sum: high.sum + low.sum * apart.exp_nonpositive() }
    }

    fn finalize(&self, acc: MaxSum<A>, _count: usize) -> (A, A) {
        // A NaN is in one of the two: let it be in both. Infinity has no shares.
        let nan = (acc.max + acc.sum) * A::ZERO;
        (acc.max + nan, acc.sum + nan)
    }
}

impl<A: Real> Emit<A> for Softmax {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, &(max, sum): &(A, A)) -> A {
        (x - max).exp_nonpositive() / sum
    }
}

/// Emits the first input times the second, less the sum of those products.
#[derive(Clone, Copy, Debug, Default)]
struct LessDot;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Real> ReduceOp<(A, A)> for LessDot {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, y): (A, A)) -> A {
        x * y
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

impl<A: Real> Emit<(A, A)> for LessDot {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, (x, y): (A, A), sum: &A) -> A {
        x * y - *sum
    }
}

/// The result to which each element belongs, in row-major order.
fn results_of(shape: &[usize], axes: &[usize]) -> Vec<usize> {
    let count = shape.iter().product();
    let result = |index: usize| {
        let (mut rest, mut step, mut result) = (index, 1, 0);
        for axis in (0..shape.len()).rev() {
            if !axes.contains(&axis) {
                result += rest % shape[axis] * step;
                step *= shape[axis];
            }
            rest /= shape[axis];
        }
        result
    };
    (0..count).map(result).collect()
}

#[test]
fn every_layout_and_level() {
    let mut cases = 0;
    for Case { recipe, axes } in path_cases() {
        let number_at = |index: usize| i32::try_from(index * 31 % 197).expect("small") - 90;
        let data: Vec<i32> = (0..recipe.count()).map(number_at).collect();
        let view = recipe.view(&data);
        let shape = view.shape().dims().to_vec();
        let values: Vec<i32> =
            addresses(&view.clone().into()).into_iter().map(|address| data[address]).collect();
        let results = results_of(&shape, &axes);
        let mut sums = vec![0i32; results.iter().max().map_or(0, |most| most + 1)];
        for (&result, &x) in results.iter().zip(&values) {
            sums[result] = sums[result].wrapping_add(x);
        }
        let expected = results.iter().zip(&values).map(|(&result, x)| x.wrapping_sub(sums[result]));
        let expected: Vec<i32> = expected.collect();
        let asked = match axes.as_slice() {
            [] => Axes::none(),
            axes => Axes::of(&spelled(axes, shape.len())),
        };
        for level in available() {
            let reduction = Reduction::new(LessSum).axes(asked.clone()).level(level);
            let found = reduction.emit(&view).expect("valid");
            assert_eq!(found.shape().dims(), shape);
            assert!(found.data() == expected, "{recipe:?} over {axes:?} at {level}");
            let mut buffer = vec![7; expected.len()];
            reduction.emit_into(&view, &mut buffer).expect("of that length");
            assert!(buffer == expected, "{recipe:?} over {axes:?} at {level}");
        }
        cases += 1;
    }
    assert!(cases > 150, "{cases}");
}

/// What two operators one after another emit, by plain loops.
fn plus_max_less_min(values: &[f64], results: &[usize]) -> Vec<f64> {
    let count = results.iter().max().map_or(0, |most| most + 1);
    let mut most = vec![f64::NEG_INFINITY; count];
    for (&result, &x) in results.iter().zip(values) {
        most[result] = most[result].max(x);
    }
    let raised = values.iter().zip(results).map(|(x, &result)| x + most[result]);
    let raised: Vec<f64> = raised.collect();
    let mut least = vec![f64::INFINITY; count];
    for (&result, &x) in results.iter().zip(&raised) {
        least[result] = least[result].min(x);
    }
    raised.iter().zip(results).map(|(x, &result)| x - least[result]).collect()
}

/// In place where elements are stored as they are computed, and through a buffer where
/// they are not, as halves.
#[test]
fn one_after_another_on_every_layout_and_level() {
    let mut cases = 0;
    for Case { recipe, axes } in path_cases() {
        let number_at = |index: usize| f32::from(u8::try_from(index * 31 % 197).expect("small"));
        let data: Vec<f32> = (0..recipe.count()).map(number_at).collect();
        let halves: Vec<f16> = data.iter().copied().map(f16::from_f32).collect();
        let view = recipe.view(&data);
        let shape = view.shape().dims().to_vec();
        let addresses = addresses(&view.clone().into());
        let values: Vec<f64> =
            addresses.into_iter().map(|address| f64::from(data[address])).collect();
        let expected = plus_max_less_min(&values, &results_of(&shape, &axes));
        let asked = match axes.as_slice() {
            [] => Axes::none(),
            axes => Axes::of(&spelled(axes, shape.len())),
        };
        for level in available() {
            let both = Reduction::new(PlusMax).then(LessMin).axes(asked.clone()).level(level);
            let found = both.emit(&view).expect("valid");
            assert_eq!(found.shape().dims(), shape);
            let found: Vec<f64> = found.data().iter().copied().map(f64::from).collect();
            assert!(found == expected, "{recipe:?} over {axes:?} at {level}");
            let found = both.emit(&recipe.view(&halves)).expect("valid");
            let found: Vec<f64> = found.data().iter().map(|x| x.to_f64()).collect();
            assert!(found == expected, "halves of {recipe:?} over {axes:?} at {level}");
        }
        cases += 1;
    }
    assert!(cases > 150, "{cases}");
}

/// Groups along an inner axis for each index of the outer ones, the last of them smaller;
/// by threads and without.
#[test]
fn groups_of_inner_axes() {
    for (shape, axes) in [
        (vec![3, 1000, 97], vec![2]),
        (vec![2, 3, 5, 31, 301], vec![3, 4]),
        (vec![2, 1, 700, 3, 40], vec![3, 4]),
        (vec![1, 7, 60_000], vec![0, 2]),
    ] {
        let count: usize = shape.iter().product();
        let results = results_of(&shape, &axes);
        let number_at = |index: usize| f32::from(u8::try_from(index * 31 % 197).expect("small"));
        let data: Vec<f32> = (0..count).map(number_at).collect();
        let forward = View::new(&data, &shape).expect("its shape");
        let backward = forward.slice(1, 0, shape[1], -1).expect("within");
        let axes: Vec<i64> = axes.iter().map(|&axis| i64::try_from(axis).expect("small")).collect();
        for view in [forward, backward] {
            let addresses = addresses(&view.clone().into());
            let values: Vec<f64> =
                addresses.into_iter().map(|address| f64::from(data[address])).collect();
            let expected = plus_max_less_min(&values, &results);
            for threads in [Threads::One, Threads::Shared] {
                let both = Reduction::new(PlusMax).then(LessMin).axes(Axes::of(&axes));
                let found = both.threads(threads).emit(&view).expect("valid");
                let found: Vec<f64> = found.data().iter().copied().map(f64::from).collect();
                assert!(
                    found == expected,
                    "{shape:?}, strides {:?}, over {axes:?}",
                    view.strides()
                );
            }
        }
    }
}

#[test]
fn three_one_after_another() {
    let data = [1.0f32, 2.0, 4.0, 5.0, 6.0, 9.0];
    let view = View::new(&data, &[2, 3]).expect("its shape");
    let all = Reduction::new(PlusMax).then(LessMin).then(PlusMax).axes([1]);
    assert_eq!(all.emit(&view).expect("elements").data(), [3.0, 4.0, 6.0, 4.0, 5.0, 8.0]);
    let nothing = View::new(&[0f32; 0], &[0, 3]).expect("its shape");
    assert_eq!(all.emit(&nothing).expect("nothing to emit").shape().dims(), [0, 3]);
    let error = all.emit_into(&view, &mut [0.0; 5]).expect_err("too short");
    assert_eq!(error.to_string(), "the output has 5 elements; the shape has 6");
}

/// Within a few roundings of the shares in `f64`; and in half precision within one.
#[test]
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "small numbers")]
fn shares_are_accurate() {
    for (shape, axis) in
        [(vec![5, 1000], 1), (vec![1000, 5], 0), (vec![20_000, 8], 1), (vec![7, 40, 33], 1)]
    {
        let count: usize = shape.iter().product();
        let data: Vec<f32> =
            (0..count).map(|index| (index * 7919 % 1009) as f32 * 0.02 - 9.0).collect();
        let halves: Vec<f16> = data.iter().copied().map(f16::from_f32).collect();
        let results = results_of(&shape, &[axis]);
        let shares = |data: &[f64]| {
            let mut sums = vec![0f64; count / shape[axis]];
            for (&result, x) in results.iter().zip(data) {
                sums[result] += x.exp();
            }
            results.iter().zip(data).map(|(&result, x)| x.exp() / sums[result]).collect()
        };
        let softmax = Reduction::new(Softmax).axes([i64::try_from(axis).expect("small")]);

        let wide: Vec<f64> = data.iter().copied().map(f64::from).collect();
        let expected: Vec<f64> = shares(&wide);
        let found = softmax.emit(&View::new(&data, &shape).expect("its shape")).expect("elements");
        for (&found, expected) in found.data().iter().zip(&expected) {
            assert!((f64::from(found) - expected).abs() < 2e-6 * expected, "{found} {expected}");
        }

        let wide: Vec<f64> = halves.iter().map(|x| x.to_f64()).collect();
        let expected: Vec<f64> = shares(&wide);
        let view = View::new(&halves, &shape).expect("its shape");
        let found = softmax.emit(&view).expect("elements");
        for (found, expected) in found.data().iter().zip(&expected) {
            let spacing = f64::max(*expected, 6.2e-5) / 1024.0;
            assert!((found.to_f64() - expected).abs() < spacing, "{found} {expected}");
        }
    }
}

#[test]
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn the_same_bits_at_every_level_and_number_of_threads() {
    let pools = [2, 3].map(|threads| {
        Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool"))
    });
    for (shape, axes) in [
        (vec![300_001], vec![0]),
        (vec![3, 100_003], vec![1]),
        (vec![40_000, 7], vec![1]),
        (vec![601, 500], vec![0]),
        (vec![10, 30, 700], vec![0, 2]),
    ] {
        let count: usize = shape.iter().product();
        let data: Vec<f32> = (0..count).map(|index| (index * 7 % 1009) as f32 * 0.01).collect();
        let view = View::new(&data, &shape).expect("its shape");
        let reduction = Reduction::new(Softmax).axes(Axes::of(&axes)).threads(Threads::One);
        let one = reduction.emit(&view).expect("elements");
        let others = available()
            .into_iter()
            .map(|level| reduction.clone().level(level))
            .chain(pools.iter().map(|pool| reduction.clone().threads(Threads::Pool(pool.clone()))));
        for other in others {
            let found = other.emit(&view).expect("elements");
            let bits = |data: &[f32]| data.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert!(bits(one.data()) == bits(found.data()), "{shape:?} over {axes:?}");
        }
    }
}

#[test]
fn of_several_inputs() {
    let (x, y) = ([1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0], [10.0f64, 1.0, 0.5]);
    let views =
        (View::new(&x, &[2, 3]).expect("its shape"), View::new(&y, &[3]).expect("its shape"));
    let rows = Reduction::new(LessDot).axes([1]).emit(&views).expect("elements");
    assert_eq!(rows.data(), [-3.5, -11.5, -12.0, -8.0, -43.0, -45.0]);
    let columns = Reduction::new(LessDot).axes([0]).emit(&views).expect("elements");
    assert_eq!(columns.data(), [-40.0, -5.0, -3.0, -10.0, -2.0, -1.5]);
}

#[test]
fn what_cannot_be_emitted() {
    let view = View::new(&[1i32, 2, 3], &[3]).expect("its shape");
    let reduction = Reduction::new(LessSum);
    let error = reduction.emit_into(&view, &mut [0; 2]).expect_err("too short");
    assert_eq!(error.to_string(), "the output has 2 elements; the shape has 3");
    let error = reduction.axes([1]).emit(&view).expect_err("no such axis");
    assert_eq!(error.code(), "axis-out-of-range");
    let nothing = View::new(&[0i32; 0], &[0, 3]).expect("its shape");
    let emitted = Reduction::new(LessSum).emit(&nothing).expect("nothing to emit");
    assert_eq!(emitted.shape().dims(), [0, 3]);
}
