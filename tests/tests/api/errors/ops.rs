//! Operators that make mistakes, or are asked for what they have not.

use reduce_core::bounds::{Indices, ReduceSlice};
use reduce_core::{Emit, Num, ReduceOp, reduce_op};

/// An operator whose axes are an attribute in every version.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plain;

/// The sum, with all that concerns it left to the defaults; elements less the sum.
#[reduce_op(dtypes = [f32], emits = alone)]
impl<A: Num> ReduceOp<A> for Plain {
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

impl<A: Num> Emit<A> for Plain {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, sum: &A) -> A {
        x - *sum
    }
}

/// A sum that refuses its parameters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choosy;

/// The sum.
#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Choosy {
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

    fn refuses(&self) -> Option<String> {
        Some("nothing will do; take another operator".to_owned())
    }
}

/// A count, whose elements can be taken out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts;

/// The number of elements.
#[reduce_op(dtypes = [f32], nan = unspecified)]
impl<A: Num> ReduceOp<A> for Counts {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, _x: A) -> A {
        A::ONE
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn remove(&self, ones: A, _x: A) -> A {
        ones - A::ONE
    }

    fn finalize(&self, ones: A, _count: usize) -> A {
        ones
    }
}

/// An operator of two inputs and two results.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Both;

/// The sum of each input.
#[reduce_op(dtypes = [f32], nan = unspecified)]
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

/// An operator of two results.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Twice;

/// The sum, and the sum once more.
#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Twice {
    type Acc = A;
    type Output = (A, A);

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> (A, A) {
        (sum, sum)
    }
}

/// The sum, as many times as a parameter says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copies {
    pub(super) n: i64,
}

impl Default for Copies {
    fn default() -> Self {
        Copies { n: 1 }
    }
}

/// The sum, over and over.
#[reduce_op(dtypes = [f32], attrs = [axes: ints = all, keepdims: bool = true, n: int = 1 in 1..], length = n)]
impl<A: Num> ReduceSlice<A> for Copies {
    type Cell = A;
    type Output = A;

    fn identity(&self, _index: usize) -> A {
        A::ZERO
    }

    fn push(&self, sums: &mut [A], elements: &[A], _indices: Indices<'_>) {
        for &x in elements {
            sums.iter_mut().for_each(|sum| *sum = *sum + x);
        }
    }

    fn combine(&self, sums: &mut [A], later: &[A]) {
        sums.iter_mut().zip(later).for_each(|(sum, &more)| *sum = *sum + more);
    }

    fn finalize(&self, sums: &[A], index: usize, _count: usize) -> A {
        sums[index]
    }
}
