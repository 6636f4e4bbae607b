//! Elements are combined in the order that `docs/numerics.md` promises. Float sums and products are
//! held against it bit by bit. An operator that is not commutative combines in row-major order.

mod alone;
mod documented;
mod paths;
mod pieces;
mod scalars;

use reduce_core::bounds::Reduces;
use reduce_core::{
    Accumulator, AnyView, Axes, Element, Indexed, Num, Real, ReduceOp, Reduction, View, bf16, f16,
    reduce_op,
};
use reduce_specs::{ReduceL2, ReduceMean, ReduceProd, ReduceSum, ReduceSumSquare};
use reduce_tests::cases::{
    LENGTHS, Layout, Random, Stored, available, bits, found, spelled, subsets,
};
use reduce_tests::oracle::{Values, sets};

use documented::Documented;

/// What the document says of a list.
fn documented<A: Element>(xs: &[A], lanes: usize, identity: A, combine: fn(A, A) -> A) -> A {
    let view = View::new(xs, &[xs.len()]).expect("a list");
    if xs.is_empty() {
        return identity;
    }
    Documented { lanes, scalars: 1, ordered: false, identity, combine }.results(&view, &[0])[0]
}

/// Numbers whose sums and products stay in range, from arithmetic alone.
fn numbers(count: usize) -> impl Iterator<Item = f64> {
    let mut random = Random::new(count as u64);
    std::iter::repeat_with(move || random.between(0.8, 1.2)).take(count)
}

fn lengths() -> impl Iterator<Item = usize> {
    LENGTHS.into_iter().chain([3 * 2048, 7 * 2048 + 1, 12 * 2048 + 77, 50_021, 300_001])
}

/// What every level gives for a list.
fn results<Op, T, O>(op: Op, xs: &[T]) -> Vec<O>
where
    Op: Reduces<T, Output = O> + Copy,
    T: Element,
    O: Element,
{
    let view = View::new(xs, &[xs.len()]).expect("a list");
    let run = |level| Reduction::new(op).level(level).run(&view).expect("valid").data()[0];
    available().into_iter().map(run).collect()
}

/// Sum, mean, product, sum of squares and its root of each length, at every level.
macro_rules! documented_results {
    ($($float:ident, $lanes:expr;)*) => {$(
        for count in lengths() {
            let xs: Vec<$float> = numbers(count).map(|x| x as $float).collect();
            let sum = documented(&xs, $lanes, 0.0, |a, b| a + b);
            // An accumulator of a product is two numbers: how small it became is the other.
            let product = documented(&xs, $lanes / 2, 1.0, |a, b| a * b);
            let squares: Vec<$float> = xs.iter().map(|x| x * x).collect();
            let squares = documented(&squares, $lanes, 0.0, |a, b| a + b);
            for (expected, found) in [
                (sum, results(ReduceSum, &xs)),
                (sum / count as $float, results(ReduceMean, &xs)),
                (product, results(ReduceProd, &xs)),
                (squares, results(ReduceSumSquare, &xs)),
                (squares.sqrt(), results(ReduceL2, &xs)),
            ] {
                let same = |x: &$float| x.to_bits() == expected.to_bits();
                // Below the normal numbers a product is doubtful, and made again.
                if !expected.is_normal() && expected == product {
                    continue;
                }
                let nan = expected.is_nan() && found.iter().all(|x: &$float| x.is_nan());
                assert!(nan || found.iter().all(same), "{count}: {expected}, not {found:?}");
            }
        }
    )*};
}

#[test]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    trivial_numeric_casts,
    reason = "rounded to the type"
)]
fn floats_are_combined_as_documented() {
    // 256 bytes of accumulators.
    documented_results! { f32, 64; f64, 32; }
}

/// Halves are summed in f32, in its order, and rounded once.
#[test]
#[allow(clippy::cast_possible_truncation, reason = "rounded to the type")]
fn halves_are_combined_as_documented() {
    for count in lengths() {
        let narrow: Vec<f16> = numbers(count).map(|x| f16::from_f32(x as f32)).collect();
        let wide: Vec<f32> = narrow.iter().map(|x| x.to_f32()).collect();
        let sum = f16::from_f32(documented(&wide, 64, 0.0, |a, b| a + b));
        assert!(results(ReduceSum, &narrow).iter().all(|&x| x == sum), "{count} of f16");
        let narrow: Vec<bf16> = numbers(count).map(|x| bf16::from_f32(x as f32)).collect();
        let wide: Vec<f32> = narrow.iter().map(|x| x.to_f32()).collect();
        let sum = bf16::from_f32(documented(&wide, 64, 0.0, |a, b| a + b));
        assert!(results(ReduceSum, &narrow).iter().all(|&x| x == sum), "{count} of bf16");
    }
}

/// A sum that says its order matters.
#[derive(Clone, Copy, Debug, Default)]
struct SumInOrder;

/// The sum, in order.
#[reduce_op(dtypes = [f32], commutative = false)]
impl<A: Num> ReduceOp<A> for SumInOrder {
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

/// Alone and, since a tuple with such a member has one lane, beside another operator.
#[test]
#[allow(clippy::cast_possible_truncation, reason = "rounded to the type")]
fn floats_in_order_are_combined_as_documented() {
    for count in lengths() {
        let xs: Vec<f32> = numbers(count).map(|x| x as f32).collect();
        let expected = documented(&xs, 1, 0.0, |a, b| a + b);
        let same = |x: &f32| x.to_bits() == expected.to_bits();
        assert!(results(SumInOrder, &xs).iter().all(same), "{count}");
        let view = View::new(&xs, &[count]).expect("a list");
        for level in available() {
            let both = Reduction::new((ReduceSum, SumInOrder)).level(level).run(&view);
            let (sum, in_order) = both.expect("valid");
            assert!(same(&sum.data()[0]) && same(&in_order.data()[0]), "{count} at {level}");
        }
    }
}

/// The composition of the functions `y -> x * y + x + 1`, at 0: it depends on
/// the order of all elements.
#[derive(Clone, Copy, Debug, Default)]
struct Compose;

/// Affine functions, the last element's applied first.
#[reduce_op(dtypes = [i64], commutative = false)]
impl<A: Num> ReduceOp<A> for Compose {
    type Acc = (A, A);
    type Output = A;

    fn identity(&self) -> (A, A) {
        (A::ONE, A::ZERO)
    }

    fn map(&self, x: A) -> (A, A) {
        (x, x + A::ONE)
    }

    fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
        (a.0 * b.0, a.0 * b.1 + a.1)
    }

    fn finalize(&self, acc: (A, A), _count: usize) -> A {
        acc.1
    }
}

/// Applies the same functions, one after the other.
fn composed(xs: &[i128]) -> i64 {
    let step = |y: i64, &x: &i128| {
        let x = i64::try_from(x).expect("an i64");
        x.wrapping_mul(y).wrapping_add(x).wrapping_add(1)
    };
    xs.iter().rev().fold(0, step)
}

/// The last element less the first. It doubts each result, so that each is computed again, with positions.
#[derive(Clone, Copy, Debug, Default)]
struct Rise;

/// The first and the last element, and whether there is one.
#[derive(Clone, Copy, Debug, Accumulator)]
struct Ends<A> {
    first: A,
    last: A,
    count: A,
}

#[reduce_op(dtypes = [f32], commutative = false, nan = unspecified)]
impl<A: Real> ReduceOp<Indexed<A>> for Rise {
    type Acc = Ends<A>;
    type Output = A;

    fn identity(&self) -> Ends<A> {
        Ends { first: A::ZERO, last: A::ZERO, count: A::ZERO }
    }

    fn map(&self, x: Indexed<A>) -> Ends<A> {
        Ends { first: x.value, last: x.value, count: A::ONE }
    }

    fn combine(&self, a: Ends<A>, b: Ends<A>) -> Ends<A> {
        Ends {
            first: if a.count > A::ZERO { a.first } else { b.first },
            last: if b.count > A::ZERO { b.last } else { a.last },
            count: a.count + b.count,
        }
    }

    fn finalize(&self, ends: Ends<A>, _count: usize) -> A {
        ends.last - ends.first
    }

    fn doubts(&self, _ends: &Ends<A>, _count: usize) -> bool {
        true
    }
}

#[test]
fn doubtful_results_are_computed_again_in_order() {
    for count in lengths().filter(|&count| count > 0) {
        let xs: Vec<f32> = (0..2 * count).map(|at| at as f32 + 1.0).collect();
        for (shape, axis, expected) in [([2, count], 1, 1.0), ([count, 2], 0, 2.0)] {
            let view = View::new(&xs, &shape).expect("its shape");
            for level in available() {
                let rises = Reduction::new(Rise).axes([axis]).level(level).run(&view);
                let expected = expected * (count - 1) as f32;
                assert_eq!(rises.expect("valid").data(), [expected; 2], "{shape:?} at {level}");
            }
        }
    }
}

#[test]
fn row_major_where_the_order_matters() {
    let vectors = lengths().map(|n| vec![n]);
    let others = [vec![3, 65], vec![130, 4], vec![2, 33, 3], vec![3, 2, 5, 7], vec![2, 1, 90]];
    for shape in vectors.chain(others) {
        let mut random = Random::new(1);
        // Odd factors: their product never vanishes.
        let odd = |_| i128::from((random.bits() | 1).cast_signed());
        let values = Values::Ints((0..shape.iter().product()).map(odd).collect());
        for layout in Layout::ALL {
            let stored = Stored::new(layout, reduce_core::DType::I64, &shape, &values);
            let AnyView::I64(view) = stored.view() else { unreachable!("stored as i64") };
            for reduced in subsets(shape.len()) {
                let axes = Axes::of(&spelled(&reduced, shape.len()));
                let lists = sets(&shape, &reduced);
                let expected: Vec<i64> = lists.into_iter().map(|set| list(&stored, set)).collect();
                for level in available() {
                    let result = Reduction::new(Compose).axes(axes.clone()).level(level).run(&view);
                    let result = result.expect("valid");
                    assert_eq!(result.data(), expected, "{shape:?} {layout:?} {reduced:?}");
                }
            }
        }
    }
}

fn list(stored: &Stored, set: Vec<usize>) -> i64 {
    let Values::Ints(xs) = stored.values.select(set) else { unreachable!("integers") };
    composed(&xs)
}

/// One element is not combined with the identity: a sum copies the sign of a zero.
#[test]
fn one_element_is_copied() {
    let zeros = reduce_core::Tensor::new(vec![-0.0f32, 0.0, -0.0], &[3, 1]).expect("three");
    let sum = Reduction::new(ReduceSum).axes([1]).keepdims(true).run(&zeros.view());
    let sum = sum.expect("valid").into();
    assert_eq!(bits(&sum), bits(&zeros.clone().into()), "{:?}", found(&sum));
}
