//! Every path with other numbers of lanes than those that the registry's operators
//! have: a spec may name one, and large accumulators have few.

use reduce_core::bounds::Reduces;
use reduce_core::{Indexed, Num, Ordered, ReduceOp, Reduction, reduce_op};
use reduce_tests::cases::{Levels, Random, available, axes_of};

use super::layouts::{Layout, layouts};

/// Writes a sum and a selection for each number of lanes.
macro_rules! operators {
    ($($sum:ident, $best:ident: $lanes:tt;)*) => {$(
        /// A sum.
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct $sum;

        /// The sum has this number of lanes.
        #[reduce_op(dtypes = [i64], lanes = $lanes)]
        impl<A: Num> ReduceOp<A> for $sum {
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

        /// The position of the largest.
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct $best;

        /// The position of the largest element, the first of equal ones.
        #[reduce_op(dtypes = [i64], output = i64, empty = error, lanes = $lanes)]
        impl<A: Ordered> ReduceOp<Indexed<A>> for $best {
            type Acc = Indexed<A>;
            type Output = i64;

            fn identity(&self) -> Indexed<A> {
                Indexed { value: A::LOWEST, index: u64::MAX }
            }

            fn map(&self, x: Indexed<A>) -> Indexed<A> {
                x
            }

            fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
                let wins = (b.value > a.value) | ((b.value == a.value) & (b.index < a.index));
                if wins { b } else { a }
            }

            fn finalize(&self, best: Indexed<A>, _count: usize) -> i64 {
                best.index.cast_signed()
            }
        }
    )*};
}

operators! {
    Sum1, Best1: 1;
    Sum2, Best2: 2;
    Sum4, Best4: 4;
    Sum8, Best8: 8;
    Sum16, Best16: 16;
    Sum256, Best256: 256;
}

fn numbers(count: usize, seed: u64) -> Vec<i64> {
    let mut random = Random::new(seed);
    (0..count).map(|_| i64::try_from(random.bits() % 50).expect("small") - 20).collect()
}

/// Runs an operator over every layout and holds it against what a plain loop says.
fn check<Op: Reduces<i64, Output = i64>>(
    layouts: &[Layout],
    levels: &Levels,
    reduce: impl Fn(&mut dyn Iterator<Item = i64>) -> i64,
) {
    for (seed, layout) in (0..).zip(layouts.iter().filter(|layout| layout.has_elements())) {
        let numbers = numbers(layout.case.recipe.count(), seed);
        let result = |set: &Vec<usize>| reduce(&mut set.iter().map(|&place| numbers[place]));
        let expected: Vec<i64> = layout.sets.iter().map(result).collect();
        let view = layout.case.recipe.view(&numbers);
        let axes = axes_of(&layout.case.axes, layout.walk.shape.len());
        for level in available() {
            let reduction = Reduction::new(Op::default()).axes(axes.clone()).level(level);
            let found = reduction.run(&view).expect("elements");
            let wrong = expected.iter().zip(found.data()).position(|(a, b)| a != b);
            let name = Op::SCHEMA.name;
            assert_eq!(wrong, None, "{name}, {:?} at {level}", layout.case);
            levels.ran(level, 1);
        }
    }
}

fn position_of_largest(xs: &mut dyn Iterator<Item = i64>) -> i64 {
    let (position, _) = (0..).zip(xs).reduce(|a, b| if b.1 > a.1 { b } else { a }).expect("some");
    position
}

#[test]
fn any_number_of_lanes_will_do() {
    let levels = Levels::new("numbers of lanes");
    let layouts = layouts();
    macro_rules! every {
        ($($sum:ident, $best:ident;)*) => {$(
            check::<$sum>(&layouts, &levels, |xs| xs.sum());
            check::<$best>(&layouts, &levels, position_of_largest);
        )*};
    }
    every! { Sum1, Best1; Sum2, Best2; Sum4, Best4; Sum8, Best8; Sum16, Best16; Sum256, Best256; }
    levels.finish();
}
