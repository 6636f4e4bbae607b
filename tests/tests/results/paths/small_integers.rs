//! Small integers and truth values in wider compute types: sums, means and counts that no element type would hold.

use reduce_core::{DType, Num, ReduceOp, Reduction, reduce_op};
use reduce_tests::cases::{Levels, Random, available, axes_of, found};
use reduce_tests::oracle::Values;

use super::layouts::layouts;

/// The sum, in 32 bits, which wraps.
#[derive(Clone, Copy, Debug, Default)]
struct WideSum;

/// The sum of small integers, or the count of what is true.
#[reduce_op(
    dtypes = [i8 => i32, u8 => i32, i16 => i32, u16 => i32, bool => i32],
    output = i32
)]
impl<A: Num> ReduceOp<A> for WideSum {
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

/// The mean, summed in more bits than elements have, and stored as they are.
#[derive(Clone, Copy, Debug, Default)]
struct NarrowMean;

/// The mean of small integers, truncated toward zero.
#[reduce_op(dtypes = [i8 => i32, u8 => i32, i16 => i64, u16 => i64], empty = error)]
impl<A: Num> ReduceOp<A> for NarrowMean {
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

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count)
    }
}

/// Numbers of the whole range of a type, most of them near its ends.
fn numbers(dtype: DType, count: usize, seed: u64) -> Vec<i64> {
    let (least, greatest) = match dtype {
        DType::I8 => (i8::MIN.into(), i8::MAX.into()),
        DType::U8 => (0, u8::MAX.into()),
        DType::I16 => (i16::MIN.into(), i16::MAX.into()),
        DType::U16 => (0, u16::MAX.into()),
        _ => (0i64, 1),
    };
    let mut random = Random::new(seed);
    let mut next = || match random.bits() % 8 {
        0 => least,
        1..=5 => greatest,
        _ => least + i64::try_from(random.bits() >> 33).expect("small") % (greatest - least + 1),
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn small_integers_are_summed_in_wider_ones() {
    let levels = Levels::new("small integers");
    for (seed, layout) in (0..).zip(layouts().iter().filter(|layout| layout.has_elements())) {
        let (recipe, walk) = (&layout.case.recipe, &layout.walk);
        let axes = axes_of(&layout.case.axes, walk.shape.len());
        for dtype in [DType::I8, DType::U8, DType::I16, DType::U16, DType::Bool] {
            let numbers = numbers(dtype, recipe.count(), seed);
            let sum = |set: &Vec<usize>| set.iter().map(|&place| i128::from(numbers[place])).sum();
            let sums: Vec<i128> = layout.sets.iter().map(sum).collect();
            // Integers wrap.
            let wrap = |&sum: &i128| (sum + (1 << 31)).rem_euclid(1 << 32) - (1 << 31);
            let wrapped = Values::Ints(sums.iter().map(wrap).collect());
            let count = |set: &Vec<usize>| i128::try_from(set.len()).expect("in memory");
            let means = layout.sets.iter().map(count).zip(&sums).map(|(count, sum)| sum / count);
            let means = Values::Ints(means.collect());
            let buffer =
                walk.buffer(dtype, &Values::Ints(numbers.iter().map(|&x| x.into()).collect()));
            for level in available() {
                let view = recipe.any_view(&buffer);
                let told = || format!("{dtype} {:?} at {level}", layout.case);
                let found_sums =
                    Reduction::new(WideSum).axes(axes.clone()).level(level).run_any(&view);
                let found_sums = found(&found_sums.expect("a sum")).values;
                assert_eq!(found_sums, wrapped, "sums: {}", told());
                if dtype != DType::Bool {
                    let found_means =
                        Reduction::new(NarrowMean).axes(axes.clone()).level(level).run_any(&view);
                    assert_eq!(
                        found(&found_means.expect("elements")).values,
                        means,
                        "means: {}",
                        told()
                    );
                }
                levels.ran(level, 1);
            }
        }
    }
    levels.finish();
}
