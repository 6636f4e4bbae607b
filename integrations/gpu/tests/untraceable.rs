//! Operators that the CPU runs, but that cannot be traced. Each gives an error with the operator, the step and the
//! reason.

use std::cell::Cell;

use reduce_core::{Accumulator, Indexed, Ordered, Real, ReduceOp, reduce_op};
use reduce_gpu::trace::Trace;

/// An operator that adds, but for what is said.
macro_rules! sum {
    ($(#[$doc:meta])* $name:ident, |$x:ident| $map:expr, |$a:ident, $b:ident| $combine:expr, |$sum:ident| $finalize:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        struct $name;

        #[reduce_op(dtypes = [f32])]
        impl<A: Real> ReduceOp<A> for $name {
            type Acc = A;
            type Output = A;

            fn identity(&self) -> A {
                A::ZERO
            }

            fn map(&self, $x: A) -> A {
                $map
            }

            fn combine(&self, $a: A, $b: A) -> A {
                $combine
            }

            fn finalize(&self, $sum: A, _count: usize) -> A {
                $finalize
            }
        }
    };
}

sum! {
    /// One that is traced.
    First, |x| x, |a, b| a + b, |sum| sum
}

sum! {
    /// A loop that ends where a value is reached.
    Halves, |x| x, |a, b| a + b, |sum| {
        let (mut left, mut count) = (sum, A::ZERO);
        while left > A::ONE && left.is_finite() {
            left = left * A::from_f64(0.5);
            count = count + A::ONE;
        }
        if count > A::from_f64(1e9) { A::ZERO } else { sum }
    }
}

sum! {
    /// A step that panics.
    Panics, |x| x, |a, b| a + b, |sum| {
        assert!(sum != A::from_f64(1_234.567), "a number that nobody likes");
        sum
    }
}

sum! {
    /// A step that looks at the text of a number, which is not recorded.
    Text, |x| x, |a, b| a + b, |sum| {
        if format!("{sum:?}").contains('-') { A::ZERO } else { sum }
    }
}

thread_local!(static CALLS: Cell<u32> = const { Cell::new(0) });

sum! {
    /// A step that compares in another order each time.
    Moody, |x| x, |a, b| a + b, |sum| {
        let is_even = CALLS.with(|calls| calls.replace(calls.get() + 1)).is_multiple_of(2);
        let (low, high) = (A::from_f64(-1e30), A::from_f64(1e30));
        let is_low = |x: A| x < low;
        let is_high = |x: A| x > high;
        let (first, second) = if is_even { (is_low(sum), is_high(sum)) } else { (is_high(sum), is_low(sum)) };
        let outside = first || second;
        if outside { A::INFINITY } else { sum }
    }
}

sum! {
    /// A sort of many numbers: more paths than can be followed.
    Sorts, |x| x, |a, b| a + b, |sum| {
        let mut numbers: [A; 12] = std::array::from_fn(|place| (sum * A::from_count(place)).sin());
        for end in (1..numbers.len()).rev() {
            for place in 0..end {
                if numbers[place] > numbers[place + 1] {
                    numbers.swap(place, place + 1);
                }
            }
        }
        numbers[0]
    }
}

/// The larger of two elements, NaN being the largest, and of equal ones the first.
fn first_largest<A: Ordered>(a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
    let is_larger = b.value > a.value || b.value.is_nan() && !a.value.is_nan();
    if is_larger || b.value.is_same(a.value) && b.index < a.index { b } else { a }
}

/// A position that is computed with.
#[derive(Clone, Copy, Debug, Default)]
struct Doubled;

#[reduce_op(dtypes = [f32], output = i64, empty = error)]
impl<A: Ordered> ReduceOp<Indexed<A>> for Doubled {
    type Acc = Indexed<A>;
    type Output = i64;

    fn identity(&self) -> Indexed<A> {
        Indexed { value: A::LOWEST, index: u64::MAX }
    }

    fn map(&self, x: Indexed<A>) -> Indexed<A> {
        x
    }

    fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
        first_largest(a, b)
    }

    fn finalize(&self, best: Indexed<A>, _count: usize) -> i64 {
        best.index.cast_signed().wrapping_mul(3)
    }
}

/// Whether a position is even, which is no comparison.
#[derive(Clone, Copy, Debug, Default)]
struct Parity;

#[reduce_op(dtypes = [f32], output = i64, empty = error)]
impl<A: Ordered> ReduceOp<Indexed<A>> for Parity {
    type Acc = Indexed<A>;
    type Output = i64;

    fn identity(&self) -> Indexed<A> {
        Indexed { value: A::LOWEST, index: u64::MAX }
    }

    fn map(&self, x: Indexed<A>) -> Indexed<A> {
        x
    }

    fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
        first_largest(a, b)
    }

    fn finalize(&self, best: Indexed<A>, _count: usize) -> i64 {
        if best.index.is_multiple_of(2) { 1 } else { 0 }
    }
}

/// An operator with a field of its accumulator that is of some type.
macro_rules! with_field {
    ($(#[$doc:meta])* $name:ident, $acc:ident, $field:ty, $none:expr, $one:expr, |$a:ident, $b:ident| $both:expr, |$acc_name:ident| $finalize:expr) => {
        #[derive(Clone, Copy, Debug, Accumulator)]
        struct $acc<A> {
            sum: A,
            more: $field,
        }

        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        struct $name;

        #[reduce_op(dtypes = [f32])]
        impl<A: Real> ReduceOp<A> for $name {
            type Acc = $acc<A>;
            type Output = A;

            fn identity(&self) -> $acc<A> {
                $acc { sum: A::ZERO, more: $none }
            }

            fn map(&self, x: A) -> $acc<A> {
                $acc { sum: x, more: $one }
            }

            fn combine(&self, first: $acc<A>, second: $acc<A>) -> $acc<A> {
                let ($a, $b) = (first.more, second.more);
                $acc { sum: first.sum + second.sum, more: $both }
            }

            fn finalize(&self, $acc_name: $acc<A>, _count: usize) -> A {
                $finalize
            }
        }
    };
}

with_field! {
    /// A float of one type.
    Concrete, ConcreteAcc, f32, 0.0, 1.0, |a, b| a + b, |acc| acc.sum
}

with_field! {
    /// A counter that is too narrow to be told from a number.
    Narrow, NarrowAcc, u16, 0, 1, |a, b| a.wrapping_add(b), |acc| acc.sum
}

with_field! {
    /// A counter that is compared with a number.
    Compared, ComparedAcc, u64, 0, 1, |a, b| a.wrapping_add(b), |acc| {
        if acc.more == 3 { A::ZERO } else { acc.sum }
    }
}

with_field! {
    /// Bits of a counter mixed.
    Mixed, MixedAcc, u64, 0, 1, |a, b| a ^ b, |acc| acc.sum
}

#[test]
fn each_is_an_error_that_says_why() {
    macro_rules! refused {
        ($($op:ident: $step:literal, $words:literal;)*) => {$({
            let error = match Trace::<f32>::trace(&$op, 10) {
                Ok(traced) => panic!("{} was traced: {:?}", stringify!($op), traced.steps.graph.nodes().len()),
                Err(error) => error.to_string(),
            };
            let start = concat!("`", $step, "` of ", stringify!($op), " cannot be traced: ");
            assert!(error.starts_with(start) && error.contains($words), "{error}");
        })*};
    }
    refused! {
        Halves: "finalize", "a loop cannot run until a value is reached";
        Panics: "finalize", "it panics with `a number that nobody likes`";
        Text: "finalize", "its trace";
        Moody: "finalize", "compares other values";
        Sorts: "finalize", "paths";
        Doubled: "finalize", "is no sum of others";
        Parity: "finalize", "its trace";
        Concrete: "identity", "a field of type `f32`";
        Narrow: "identity", "a field of type `u16`";
        Compared: "finalize", "its trace";
        Mixed: "combine", "is no sum of others";
    }
}

#[test]
fn of_a_tuple_the_member_is_named() {
    let error = Trace::<f32>::trace(&(First, (First, Panics)), 10)
        .map(|_| ())
        .map_err(|error| error.to_string());
    let error = error.expect_err("a member panics");
    assert!(error.starts_with("`finalize` of Panics cannot be traced: "), "{error}");
}
