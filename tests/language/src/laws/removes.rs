//! The optional step that takes elements out, held against the one that adds them.

use reduce_core::__private::check_laws;
use reduce_core::numbers::{Exact, ExactFloat};
use reduce_core::{Num, OpSpec, Real, ReduceOp, reduce_op};

use super::catch_unwind;

/// An operator that adds something up, and takes it out again.
macro_rules! removing {
    (
        $name:ident for $bound:ident, $acc:ty: $identity:expr, |$x:ident| $map:expr,
        |$a:ident, $b:ident| $combine:expr, |$acc_of:ident, $y:ident| $remove:expr, |$all:ident, $n:ident| $result:expr
    ) => {
        #[derive(Default)]
        struct $name;

        #[reduce_op(dtypes = [f32])]
        impl<A: $bound> ReduceOp<A> for $name {
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

            fn remove(&self, $acc_of: $acc, $y: A) -> $acc {
                $remove
            }

            fn finalize(&self, $all: $acc, $n: usize) -> A {
                $result
            }
        }
    };
}

fn exact<A: ExactFloat>(x: A) -> Exact<A> {
    let mut sum = Exact::new();
    sum.add(x);
    sum
}

/// Each wrong `remove` is found: one does nothing, one subtracts floats, and one keeps an infinity.
#[test]
fn an_element_that_leaves_leaves_nothing() {
    removing!(Nothing for Num, A: A::ZERO, |x| x, |a, b| a + b, |acc, _x| acc, |sum, _n| sum);
    assert_broken!(Nothing, f32: "remove is not the inverse of push", "-1.5, pushed after [-1.5] and removed, leaves -3.0 of -1.5");

    removing!(Rounded for Real, A: A::ZERO, |x| x, |a, b| a + b, |acc, x| acc - x, |sum, _n| sum);
    assert_broken!(Rounded, f32: "remove is not the inverse of push", "inf, pushed after [-1.5] and removed, leaves NaN of -1.5");

    removing!(Infinite for ExactFloat, Exact<A>: Exact::new(), |x| exact(x),
        |a, b| { let mut a = a; a.merge(&b); a },
        |acc, x| { let mut acc = acc; if x.is_finite() { acc.remove(x); } acc }, |sum, _n| sum.value());
    assert_broken!(Infinite, f32: "inf, pushed after [-1.5] and removed, leaves inf of -1.5");

    removing!(Sound for ExactFloat, Exact<A>: Exact::new(), |x| exact(x),
        |a, b| { let mut a = a; a.merge(&b); a },
        |acc, x| { let mut acc = acc; acc.remove(x); acc }, |sum, _n| sum.value());
    check_laws::<Sound, f32>();
}

/// A wrong `remove` is found: whichever element leaves, it gives back what was before the last.
#[test]
fn the_earliest_elements_leave_too() {
    removing!(Last for Num, (A, A, A): (A::ZERO, A::ZERO, A::ZERO), |x| (x, A::ZERO, A::ONE),
        |a, b| match () {
            () if b.2 == A::ZERO => a,
            () if b.2 == A::ONE => (b.0, a.0, a.2 + b.2),
            () => (b.0, b.1, a.2 + b.2),
        },
        |acc, _x| (acc.1, A::ZERO, acc.2 - A::ONE), |all, _n| all.0);
    assert_broken!(Last, f32: "without [-1.5], which were removed, [-1.5, 2.0] give -1.5, but [2.0] alone 2.0");
}
