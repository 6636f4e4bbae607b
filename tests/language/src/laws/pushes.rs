//! The optional steps that add elements, held against `combine` and against one another.

use reduce_core::__private::check_laws;
use reduce_core::{OpSpec, Ordered, Real, ReduceOp, reduce_op};

use super::catch_unwind;

/// A push that forgets what a combine does.
#[test]
fn a_push_is_held_against_combine() {
    #[derive(Default)]
    struct Squares;

    #[reduce_op(dtypes = [f32])]
    impl<A: Real> ReduceOp<A> for Squares {
        type Acc = A;
        type Output = A;

        fn identity(&self) -> A {
            A::ZERO
        }

        fn map(&self, x: A) -> A {
            x * x
        }

        fn push(&self, acc: A, x: A) -> A {
            acc + x
        }

        fn combine(&self, a: A, b: A) -> A {
            a + b
        }

        fn finalize(&self, sum: A, _count: usize) -> A {
            sum
        }
    }
    assert_broken!(Squares, f32: "push is not combine", "pushing -1.5 after [] gives -1.5", "2.25");
}

/// One that takes a zero for something else, and one that loses a finite result where values are large.
#[test]
fn a_push_is_tried_with_zeros_and_limits() {
    macro_rules! squashed {
        ($name:ident: |$acc:ident, $x:ident| $push:expr) => {
            #[derive(Default)]
            struct $name;

            #[reduce_op(dtypes = [f32], nan = unspecified)]
            impl<A: Real> ReduceOp<A> for $name {
                type Acc = (A, A);
                type Output = A;

                fn identity(&self) -> (A, A) {
                    (A::ZERO, A::ZERO)
                }

                fn map(&self, x: A) -> (A, A) {
                    (A::ONE, x / (A::ONE + x.abs()))
                }

                fn push(&self, $acc: (A, A), $x: A) -> (A, A) {
                    $push
                }

                fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
                    (a.0 + b.0, a.1 + b.1)
                }

                fn finalize(&self, all: (A, A), _count: usize) -> A {
                    all.1
                }
            }
        };
    }
    squashed!(OfZero: |acc, x| {
        let part = if x == A::ZERO { A::ONE } else { x / (A::ONE + x.abs()) };
        (acc.0 + A::ONE, acc.1 + part)
    });
    assert_broken!(OfZero, f32: "push is not combine", "pushing 0.0 after [] gives 1.0");
    squashed!(OfLimits: |acc, x| {
        let part = x * A::from_f64(1e10) / ((A::ONE + x.abs()) * A::from_f64(1e10));
        (acc.0 + A::ONE, acc.1 + part)
    });
    assert_broken!(OfLimits, f32: "push is not combine", "pushing 3.4028235e38 after [] gives NaN");
}

/// Each wrong `push_two` is found: one forgets the first of two elements, one takes NaN for a number, and one loses the
/// sign of a zero.
#[test]
fn two_elements_at_once_are_held_against_one_after_the_other() {
    macro_rules! maximum {
        ($name:ident: |$max:ident, $x:ident, $y:ident| $push_two:expr) => {
            #[derive(Default)]
            struct $name;

            #[reduce_op(dtypes = [f32])]
            impl<A: Real + Ordered> ReduceOp<A> for $name {
                type Acc = A;
                type Output = A;

                fn identity(&self) -> A {
                    A::LOWEST
                }

                fn map(&self, x: A) -> A {
                    x
                }

                fn combine(&self, a: A, b: A) -> A {
                    a.maximum(b)
                }

                fn push_two(&self, $max: A, $x: A, $y: A) -> A {
                    $push_two
                }

                fn finalize(&self, max: A, _count: usize) -> A {
                    max
                }
            }
        };
    }

    maximum!(Second: |max, _x, y| max.maximum(y));
    assert_broken!(Second, f32: "push_two is not push and push", "-1.5 and -2.0 at once after [] give -2.0, one");

    maximum!(Numbers: |max, x, y| if y > x { max.maximum(y) } else { max.maximum(x) });
    assert_broken!(Numbers, f32: "NaN at once after", "one after the other NaN");

    maximum!(Unsigned: |max, x, y| max.maximum3(x, y) + A::ZERO);
    assert_broken!(Unsigned, f32: "give 0.0, one after the other -0.0");

    maximum!(Sound: |max, x, y| max.maximum3(x, y));
    check_laws::<Sound, f32>();
}
