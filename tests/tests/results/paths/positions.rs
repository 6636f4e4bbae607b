//! Positions of elements are right on every path. One operator takes positions and selects nothing.
//! Another one is not commutative, and sees the order of the elements.

use reduce_core::{DType, Indexed, Num, Real, ReduceOp, Reduction, reduce_op};
use reduce_tests::cases::{Levels, Random, available, axes_of, found};
use reduce_tests::oracle::Values;

use super::layouts::layouts;

/// The sum of elements, each times its place among them, counted from 1.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weighted;

/// A sum that is exact for small integers, so that no order shows.
#[reduce_op(dtypes = [f64, f16 => f64, u8 => f64], output = f64)]
#[allow(clippy::cast_precision_loss, reason = "positions are small")]
impl<A: Real> ReduceOp<Indexed<A>> for Weighted {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: Indexed<A>) -> A {
        x.value * A::from_f64((x.index + 1) as f64)
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// Computes the same, two elements at once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InTwos;

/// The sum is as exact.
#[reduce_op(dtypes = [f64, f16 => f64, u8 => f64], output = f64)]
impl<A: Real> ReduceOp<Indexed<A>> for InTwos {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: Indexed<A>) -> A {
        Weighted.map(x)
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn push_two(&self, sum: A, x: Indexed<A>, y: Indexed<A>) -> A {
        sum + (self.map(x) + self.map(y))
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// The composition of the functions `y -> x * y + x + p`, at 0, where `p` is the place of
/// `x`, counted from 1: it depends on the order of all elements.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compose;

/// Affine functions, the last element's applied first.
#[reduce_op(dtypes = [i64], commutative = false)]
impl<A: Num> ReduceOp<Indexed<A>> for Compose {
    type Acc = (A, A);
    type Output = A;

    fn identity(&self) -> (A, A) {
        (A::ONE, A::ZERO)
    }

    fn map(&self, Indexed { value, index }: Indexed<A>) -> (A, A) {
        (value, value + A::from_int(i64::try_from(index + 1).unwrap_or(0)))
    }

    fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
        (a.0 * b.0, a.0 * b.1 + a.1)
    }

    fn finalize(&self, acc: (A, A), _count: usize) -> A {
        acc.1
    }
}

/// Small integers, and odd, so that their products never vanish.
fn numbers(count: usize, seed: u64) -> Vec<i64> {
    let mut random = Random::new(seed);
    (0..count).map(|_| 2 * i64::try_from(random.bits() % 20).expect("small") + 1).collect()
}

#[test]
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn every_element_knows_its_position() {
    let levels = Levels::new("positions");
    for (seed, layout) in (0..).zip(layouts().iter().filter(|layout| layout.has_elements())) {
        let (recipe, walk) = (&layout.case.recipe, &layout.walk);
        let numbers = numbers(recipe.count(), seed);
        let weighted = |set: &Vec<usize>| -> i64 {
            (1..).zip(set).map(|(position, &place)| position * numbers[place]).sum()
        };
        let expected: Vec<f64> = layout.sets.iter().map(|set| weighted(set) as f64).collect();
        let axes = axes_of(&layout.case.axes, walk.shape.len());
        for dtype in [DType::F64, DType::F16, DType::U8] {
            let values = match dtype {
                DType::U8 => Values::Ints(numbers.iter().map(|&x| x.into()).collect()),
                _ => Values::Floats(numbers.iter().map(|&x| x as f64).collect()),
            };
            let buffer = walk.buffer(dtype, &values);
            for level in available() {
                let view = recipe.any_view(&buffer);
                let one = Reduction::new(Weighted).axes(axes.clone()).level(level).run_any(&view);
                let two = Reduction::new(InTwos).axes(axes.clone()).level(level).run_any(&view);
                for result in [one, two] {
                    let result = found(&result.expect("elements"));
                    let Values::Floats(sums) = result.values else { panic!("not of f64") };
                    assert_eq!(sums, expected, "{dtype} {:?} at {level}", layout.case);
                    levels.ran(level, 1);
                }
            }
        }
    }
    levels.finish();
}

#[test]
fn order_is_kept_where_it_matters() {
    for (seed, layout) in (0..).zip(layouts().iter().filter(|layout| layout.has_elements())) {
        let numbers = numbers(layout.case.recipe.count(), seed);
        let step = |y: i64, (index, &place): (usize, &usize)| {
            let (x, index) = (numbers[place], i64::try_from(index).expect("small"));
            x.wrapping_mul(y).wrapping_add(x + index + 1)
        };
        let composed = |set: &Vec<usize>| set.iter().enumerate().rev().fold(0, step);
        let expected: Vec<i64> = layout.sets.iter().map(composed).collect();
        let view = layout.case.recipe.view(&numbers);
        let axes = axes_of(&layout.case.axes, layout.walk.shape.len());
        for level in available() {
            let result = Reduction::new(Compose).axes(axes.clone()).level(level).run(&view);
            let result = result.expect("elements");
            assert_eq!(result.data(), expected, "{:?} at {level}", layout.case);
        }
    }
}
