//! The results of these operators show the order in which elements are combined, and the value from which an
//! accumulator starts.

use reduce_core::{Num, Real, ReduceOp, reduce_op};

/// A sum whose `push` is not what `combine` and `map` make, in the last bit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pushed;

#[reduce_op(dtypes = [f32])]
impl<A: Real> ReduceOp<A> for Pushed {
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

    fn push(&self, acc: A, x: A) -> A {
        acc + x * A::from_f64(1.0 - 6e-8)
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// Four sums: each element is added to the one that its value names, where that is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Binned;

#[reduce_op(dtypes = [f32, f64], nan = unspecified)]
impl<A: Real> ReduceOp<A> for Binned {
    type Acc = [A; 4];
    type Output = [A; 4];

    fn identity(&self) -> [A; 4] {
        [A::ZERO; 4]
    }

    fn map(&self, x: A) -> [A; 4] {
        let mut bins = self.identity();
        self.push_into(&mut bins, x);
        bins
    }

    fn combine(&self, a: [A; 4], b: [A; 4]) -> [A; 4] {
        std::array::from_fn(|bin| a[bin] + b[bin])
    }

    fn push_into(&self, acc: &mut [A; 4], x: A) {
        let bin = (x * A::from_f64(64.0)).index_below(4096) % 4;
        acc[bin] = acc[bin] + x;
    }

    fn finalize(&self, bins: [A; 4], _count: usize) -> [A; 4] {
        bins
    }
}

/// A sum in sixteen lanes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InSixteen;

#[reduce_op(dtypes = [f32, f64], lanes = 16)]
impl<A: Num> ReduceOp<A> for InSixteen {
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

/// The sum of products of two inputs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dot;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Num> ReduceOp<(A, A)> for Dot {
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
