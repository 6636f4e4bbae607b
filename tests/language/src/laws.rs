//! The law tests bite: each kind of broken operator is found, by name, storage
//! type, law and counter-example; sound ones pass.
//!
//! The operators stand in functions, where their own law tests are not run.
#![allow(unnameable_test_items, reason = "the law test of a broken operator must not run")]

use std::panic::catch_unwind;

use reduce_core::__private::{check_laws, check_selection};
use reduce_core::{Indexed, Num, OpSpec, Ordered, Real, ReduceOp, f16, reduce_op};

/// An operator, in short.
macro_rules! operator {
    (
        $name:ident($($spec:tt)*) for $bound:ident $(+ $more:ident)?, $acc:ty:
        $identity:expr, |$x:ident| $map:expr, |$a:ident, $b:ident| $combine:expr, |$all:ident| $result:expr
    ) => {
        #[derive(Default)]
        struct $name;

        #[reduce_op($($spec)*)]
        impl<A: $bound $(+ $more)?> ReduceOp<A> for $name {
            type Acc = $acc;
            type Output = A;

            fn identity(&self) -> $acc {
                $identity
            }

            fn map(&self, $x: A) -> $acc {
                $map
            }

            fn combine(&self, $a: $acc, $b: $acc) -> $acc {
                $combine
            }

            fn finalize(&self, $all: $acc, _count: usize) -> A {
                $result
            }
        }
    };
}

/// Asserts that the check of a row finds fault, in these words.
macro_rules! assert_broken {
    ($op:ident, $storage:ty: $($words:literal),+) => {{
        let check = || check_laws::<$op, $storage>();
        let payload = catch_unwind(check).expect_err("a law that does not hold");
        let message = payload.downcast::<String>().expect("a message");
        let place = format!("{} on {}: ", <$op as OpSpec>::SCHEMA.name, stringify!($storage));
        assert!(message.starts_with(&place), "{message}");
        $(assert!(message.contains($words), "{message}");)+
    }};
}

mod pushes;
mod removes;

#[test]
fn zero_is_no_identity_of_products() {
    operator!(Product(dtypes = [f32, f16 => f32, i32]) for Num, A:
        A::ZERO, |x| x, |a, b| a * b, |product| product);
    assert_broken!(Product, f32:
        "the identity is none", "finalize(combine(identity(), map(x))) gives", "for x = inf");
    assert_broken!(Product, f16: "the identity is none", "for x = inf");
    assert_broken!(Product, i32:
        "the identity is none", "gives 0 for x = -2147483648", "finalize(map(x)) gives -2147483648");
}

#[test]
fn the_least_finite_number_is_no_identity_of_maxima() {
    operator!(Max(dtypes = [f32], nan = unspecified) for Real, A:
        A::from_f64(f64::from(f32::MIN)), |x| x, |a, b| if a > b { a } else { b }, |max| max);
    assert_broken!(Max, f32: "the identity is none", "gives -3.4028235e38 for x = -inf");
}

#[test]
fn an_identity_on_one_side_is_none() {
    operator!(Difference(dtypes = [f64]) for Num, A: A::ZERO, |x| x, |a, b| a - b, |rest| rest);
    assert_broken!(Difference, f64: "the identity is none", "combine(identity(), map(x))");
    operator!(Reverse(dtypes = [i64]) for Num, A: A::ZERO, |x| x, |a, b| b - a, |rest| rest);
    assert_broken!(Reverse, i64: "combine(map(x), identity())", "for x = ");
}

/// The message says what to write.
#[test]
fn the_reciprocal_of_a_sum_has_two_zeros() {
    operator!(Resistance(dtypes = [f32]) for Real, A:
        A::ZERO, |x| x, |a, b| a + b, |sum| A::ONE / sum);
    assert_broken!(Resistance, f32: "the identity is none", "for x = -0.0", "write `sum + A::ZERO`");
    operator!(Parallel(dtypes = [f32]) for Real, A:
        A::ZERO, |x| x, |a, b| a + b, |sum| A::ONE / (sum + A::ZERO));
    check_laws::<Parallel, f32>();
}

#[test]
fn a_mean_of_means_is_not_associative() {
    operator!(Mean(dtypes = [f64]) for Real, (A, bool): (A::ZERO, false), |x| (x, true),
        |a, b| if !a.1 { b } else if !b.1 { a } else { ((a.0 + b.0) / (A::ONE + A::ONE), true) },
        |mean| mean.0);
    assert_broken!(Mean, f64:
        "combine is not associative", "the halves [-1.5] and [2.0, 0.25]", "one element after the other");
}

#[test]
fn what_a_combine_loses_is_missed() {
    operator!(Total(dtypes = [f32]) for Num, (A, A): (A::ZERO, A::ZERO), |x| (A::ONE, x),
        |a, b| if a.0 == A::ZERO { b } else { (a.0 + b.0, a.1) }, |total| total.1);
    assert_broken!(Total, f32: "combine is not commutative", "[2.0] before [-1.5] gives 2.0");
    operator!(Count(dtypes = [f32], nan = unspecified) for Num, (A, A): (A::ZERO, A::ZERO), |x| (A::ONE, x),
        |a, b| (a.0, a.1 + b.1), |total| total.1 * total.0);
    assert_broken!(Count, f32: "the identity is none", "combine(identity(), map(x))");
}

/// What `finalize` does not show is what the next `combine` asks for.
#[test]
fn an_identity_that_is_seen_later_is_none() {
    operator!(First(dtypes = [i32, f32], commutative = false) for Num, (A, bool):
        (A::ZERO, false), |x| (x, true), |a, b| (if a.1 { a.0 } else { b.0 }, a.1), |first| first.0);
    for check in [check_laws::<First, i32> as fn(), check_laws::<First, f32>] {
        let payload = catch_unwind(check).expect_err("a law that does not hold");
        let message = payload.downcast::<String>().expect("a message");
        assert!(message.contains("the identity is none: for a = map("), "{message}");
        assert!(
            message.contains("finalize(combine(combine(identity(), a), b)) gives"),
            "{message}"
        );
    }
    operator!(Mean(dtypes = [f64]) for Real, (A, A): (A::ZERO, A::ZERO), |x| (A::ONE, x),
        |a, b| {
            let both = if a.0 == A::ZERO || b.0 == A::ZERO { a.0 + b.0 + (A::ZERO / (a.0 + b.0)) } else { a.0 + b.0 };
            (both, a.1 + b.1)
        },
        |total| total.1 / total.0);
    assert_broken!(Mean, f64: "finalize(combine(combine(identity(), identity()), combine(a, b))) gives NaN");
}

/// What a neutral set before some elements takes from them, one before those asks for.
#[test]
fn an_identity_between_two_is_tried() {
    // The number of elements, of positive ones in front and at the end, and the longest run of such.
    operator!(Streak(dtypes = [f32], commutative = false, nan = unspecified) for Ordered + Real, (A, A, A, A):
        (A::ZERO, A::ZERO, A::ZERO, A::ZERO),
        |x| {
            let one = if x > A::ZERO { A::ONE } else { A::ZERO };
            (A::ONE, one, one, one)
        },
        |a, b| {
            let front = if a.1 == a.0 && a.0 > A::ZERO { a.0 + b.1 } else { a.1 };
            let end = if b.2 == b.0 { b.0 + a.2 } else { b.2 };
            (a.0 + b.0, front, end, a.3.maximum(b.3).maximum(a.2 + b.1))
        },
        |all| all.3);
    assert_broken!(Streak, f32: "the identity is none", "finalize(combine(a, combine(identity(), b)))");
}

/// Sets whose weights are zero, one after the other.
#[test]
fn zeros_are_tried_in_each_input() {
    #[derive(Default)]
    struct WeightedMean;

    #[reduce_op(dtypes = [f64], nan = unspecified)]
    impl<A: Real> ReduceOp<(A, A)> for WeightedMean {
        type Acc = (A, A);
        type Output = A;

        fn identity(&self) -> (A, A) {
            (A::ZERO, A::ZERO)
        }

        /// Of weights that are not positive, none.
        fn map(&self, (x, weight): (A, A)) -> (A, A) {
            if weight > A::ZERO { (weight, x) } else { (A::ZERO, A::ONE) }
        }

        fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
            let weight = a.0 + b.0;
            (weight, (a.0 * a.1 + b.0 * b.1) / weight)
        }

        fn finalize(&self, mean: (A, A), _count: usize) -> A {
            if mean.0 > A::ZERO { mean.1 } else { A::ZERO }
        }
    }
    let check = || check_laws::<WeightedMean, (f64, f64)>();
    let payload = catch_unwind(check).expect_err("a law that does not hold");
    let message = payload.downcast::<String>().expect("a message");
    assert!(message.starts_with("WeightedMean on (f64, f64): "), "{message}");
    assert!(message.contains("gives NaN"), "{message}");
}

#[test]
fn an_order_that_matters_must_be_declared() {
    operator!(First(dtypes = [u8]) for Num, (A, bool):
        (A::ZERO, false), |x| (x, true), |a, b| if a.1 { a } else { b }, |first| first.0);
    assert_broken!(First, u8:
        "combine is not commutative", "[1] before [3] gives 1, after it 3", "write `commutative = false`");
}

#[test]
fn a_lost_nan_is_missed() {
    operator!(Positive(dtypes = [f32]) for Num, A:
        A::ZERO, |x| if x > A::ZERO { x } else { A::ZERO }, |a, b| a + b, |sum| sum);
    assert_broken!(Positive, f32: "NaN is lost", "[NaN, -1.5,", "say `nan = ignore`");
    operator!(Sum(dtypes = [f64], nan = ignore) for Num, A: A::ZERO, |x| x, |a, b| a + b, |sum| sum);
    assert_broken!(Sum, f64: "NaN is not ignored", "gives NaN, without it 2.25");
}

/// The results of integers are compared exactly, and yet NaN is NaN.
#[test]
fn a_nan_among_integers_is_the_same() {
    operator!(Crest(dtypes = [i32 => f64], output = f64) for Real, (A, A):
        (A::ZERO, A::ZERO), |x| (x.abs(), x * x),
        |a, b| (if b.0 > a.0 { b.0 } else { a.0 }, a.1 + b.1), |all| all.0 / all.1.sqrt());
    check_laws::<Crest, i32>();
}

fn is_nan<A: Num>(a: A) -> bool {
    a.partial_cmp(&a).is_none()
}

/// A NaN in the second input is tried, too, and each of several results.
#[test]
fn several_inputs_and_results() {
    #[derive(Default)]
    struct Both;

    #[reduce_op(dtypes = [f32])]
    impl<A: Num> ReduceOp<(A, A)> for Both {
        type Acc = (A, A);
        type Output = (A, A);

        fn identity(&self) -> (A, A) {
            (A::ZERO, A::ZERO)
        }

        fn map(&self, x: (A, A)) -> (A, A) {
            x
        }

        fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
            (a.0 + b.0, a.1 + b.1)
        }

        fn finalize(&self, sums: (A, A), _count: usize) -> (A, A) {
            sums
        }
    }
    let check = || check_laws::<Both, (f32, f32)>();
    let payload = catch_unwind(check).expect_err("a law that does not hold");
    let message = payload.downcast::<String>().expect("a message");
    assert!(message.starts_with("Both on (f32, f32): NaN is lost"), "{message}");
}

/// The guide quotes what the law test says of an operator that it shows.
#[test]
fn the_guide_quotes_what_is_said() {
    operator!(Largest(dtypes = [f32, f64]) for Real, A: A::ZERO, |x| x,
        |a, b| if b > a { b } else { a }, |max| max);
    let payload = catch_unwind(check_laws::<Largest, f32>).expect_err("no identity");
    let message = payload.downcast::<String>().expect("a message");
    let page = include_str!("../../../docs/guide/write-an-operator.md");
    let quoted = page.lines().find(|line| line.starts_with("Largest on f32: "));
    assert_eq!(quoted, Some(message.as_str()));
}

#[test]
fn sound_operators_pass() {
    operator!(Sum(dtypes = [f32, f16 => f32, i32 => i64]) for Num, A:
        A::ZERO, |x| x, |a, b| a + b, |sum| sum);
    check_laws::<Sum, f32>();
    check_laws::<Sum, f16>();
    check_laws::<Sum, i32>();
    operator!(Max(dtypes = [f64]) for Real, A: A::NEG_INFINITY, |x| x,
        |a, b| if a > b || is_nan(a) { a } else { b }, |max| max);
    check_laws::<Max, f64>();
    operator!(First(dtypes = [u8], commutative = false) for Num, (A, bool):
        (A::ZERO, false), |x| (x, true), |a, b| if a.1 { a } else { b }, |first| first.0);
    check_laws::<First, u8>();
    operator!(Positive(dtypes = [f32], nan = ignore) for Num, A:
        A::ZERO, |x| if x > A::ZERO { x } else { A::ZERO }, |a, b| a + b, |sum| sum);
    check_laws::<Positive, f32>();
}

/// In these selections `map` replaces some elements by the identity. Kernels carry values alone, so they would find
/// such elements.
#[test]
fn a_selection_keeps_every_index() {
    /// The position of the largest element that is not NaN, as one writes it by hand.
    #[derive(Default)]
    struct NanArgMax;

    #[reduce_op(dtypes = [f32], nan = ignore, output = i64, empty = error)]
    impl<A: Ordered> ReduceOp<Indexed<A>> for NanArgMax {
        type Acc = Indexed<A>;
        type Output = i64;

        fn identity(&self) -> Indexed<A> {
            Indexed { value: A::LOWEST, index: u64::MAX }
        }

        fn map(&self, x: Indexed<A>) -> Indexed<A> {
            if x.value.is_nan() { ReduceOp::<Indexed<A>>::identity(self) } else { x }
        }

        fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
            let b_wins = (b.value > a.value) | ((b.value == a.value) & (b.index < a.index));
            if b_wins { b } else { a }
        }

        fn finalize(&self, best: Indexed<A>, _count: usize) -> i64 {
            best.index.cast_signed()
        }
    }

    /// The position of the smallest element that a mask marks.
    #[derive(Default)]
    struct MaskedArgMin;

    #[reduce_op(dtypes = [f32], nan = unspecified, output = i64, empty = error)]
    impl<A: Ordered> ReduceOp<Indexed<(A, bool)>> for MaskedArgMin {
        type Acc = Indexed<A>;
        type Output = i64;

        fn identity(&self) -> Indexed<A> {
            Indexed { value: A::HIGHEST, index: u64::MAX }
        }

        fn map(&self, Indexed { value: (x, marked), index }: Indexed<(A, bool)>) -> Indexed<A> {
            if marked {
                Indexed { value: x, index }
            } else {
                Indexed { value: A::HIGHEST, index: u64::MAX }
            }
        }

        fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
            let b_wins = (b.value < a.value) | ((b.value == a.value) & (b.index < a.index));
            if b_wins { b } else { a }
        }

        fn finalize(&self, best: Indexed<A>, _count: usize) -> i64 {
            best.index.cast_signed()
        }
    }

    for (check, x) in [
        (check_selection::<NanArgMax, f32> as fn(), "NaN at position 7 has index"),
        (check_selection::<MaskedArgMin, (f32, bool)>, "false) at position 7 has index"),
    ] {
        let payload = catch_unwind(check).expect_err("an index that is lost");
        let message = payload.downcast::<String>().expect("a message");
        assert!(message.contains("map does not keep the index: "), "{message}");
        assert!(message.contains(x) && message.contains("by `Masked` or `SkipNan`"), "{message}");
    }
}

/// `nan = unspecified`: no law is tried with NaN.
#[test]
fn what_is_not_specified_is_not_tried() {
    operator!(Careless(dtypes = [f32], nan = unspecified) for Ordered, A:
        A::LOWEST, |x| x, |a, b| if b > a { b } else { a }, |max| max);
    check_laws::<Careless, f32>();
}
