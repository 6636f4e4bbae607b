//! Operators that emit.

use std::num::Wrapping;

use reduce_core::{Accumulator, Emit, Indexed, Num, Ordered, Real, ReduceOp, reduce_op};

/// Emits each element less the sum of its set.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LessSum;

#[reduce_op(dtypes = [i32, f64])]
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
impl<A: Num> Emit<A> for LessSum {
    type Emitted = A;

    fn emit(&self, x: A, &sum: &A) -> A {
        x - sum
    }
}

/// Emits each element plus the largest one. Small integers stay exact in any order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlusMax;

#[reduce_op(dtypes = [f16 => f32, f32, f64], emits = alone)]
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
pub(crate) struct LessMin;

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
pub(crate) struct Softmax;

#[derive(Clone, Copy, Debug, Accumulator)]
pub(crate) struct MaxSum<A> {
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
pub(crate) struct LessDot;

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

/// Emits each element behind the number that the elements of its set spell in base 10, for
/// which their order matters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spelled;

#[reduce_op(dtypes = [i32], commutative = false)]
impl<A: Num> ReduceOp<A> for Spelled {
    type Acc = (A, A);
    type Output = A;

    fn identity(&self) -> (A, A) {
        (A::ZERO, A::ONE)
    }

    fn map(&self, x: A) -> (A, A) {
        (x, A::from_int(10))
    }

    fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
        (a.0 * b.1 + b.0, a.1 * b.1)
    }

    fn finalize(&self, (number, _): (A, A), _count: usize) -> A {
        number
    }
}

impl Emit<Wrapping<i32>> for Spelled {
    type Emitted = Wrapping<i32>;

    fn emit(&self, x: Wrapping<i32>, number: &Wrapping<i32>) -> Wrapping<i32> {
        *number * Wrapping(10) + x
    }
}

/// Emits each element less the sum of all, each times its position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LessWeighted;

#[reduce_op(dtypes = [f64])]
impl<A: Real> ReduceOp<Indexed<A>> for LessWeighted {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: Indexed<A>) -> A {
        x.value * A::from_int(x.index.cast_signed())
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

impl<A: Real> Emit<Indexed<A>> for LessWeighted {
    type Emitted = A;

    fn emit(&self, x: Indexed<A>, &sum: &A) -> A {
        x.value - sum
    }
}

/// Emits each element less the alternating sum of all: the last one, less the one before it,
/// plus the one before that, and so on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LessAlternating;

/// The sum whose terms change their sign from each to the next, the last one's being +, and
/// the sign of one more.
#[reduce_op(dtypes = [f64], commutative = false)]
impl<A: Real> ReduceOp<A> for LessAlternating {
    type Acc = (A, A);
    type Output = A;

    fn identity(&self) -> (A, A) {
        (A::ZERO, A::ONE)
    }

    fn map(&self, x: A) -> (A, A) {
        (x, -A::ONE)
    }

    fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
        (a.0 * b.1 + b.0, a.1 * b.1)
    }

    fn finalize(&self, (sum, _): (A, A), _count: usize) -> A {
        sum
    }
}

impl<A: Real> Emit<A> for LessAlternating {
    type Emitted = A;

    fn emit(&self, x: A, &sum: &A) -> A {
        x - sum
    }
}

/// Emits each element plus the position of the first smallest one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlusPlace;

#[reduce_op(dtypes = [i32, f64], output = i64, empty = error)]
impl<A: Ordered> ReduceOp<Indexed<A>> for PlusPlace {
    type Acc = Indexed<A>;
    type Output = i64;

    fn identity(&self) -> Indexed<A> {
        Indexed { value: A::HIGHEST, index: u64::MAX }
    }

    fn map(&self, x: Indexed<A>) -> Indexed<A> {
        x
    }

    fn combine(&self, a: Indexed<A>, b: Indexed<A>) -> Indexed<A> {
        let value = a.value.minimum(b.value);
        let tie = a.value.is_same(b.value);
        let b_wins = if tie { b.index < a.index } else { b.value.is_same(value) };
        Indexed { value, index: if b_wins { b.index } else { a.index } }
    }

    fn finalize(&self, best: Indexed<A>, _count: usize) -> i64 {
        i64::try_from(best.index).unwrap_or(-1)
    }
}

impl<A: Num + Ordered> Emit<Indexed<A>> for PlusPlace {
    type Emitted = A;

    fn emit(&self, x: Indexed<A>, &place: &i64) -> A {
        x.value + A::from_int(place)
    }
}
