use std::num::Wrapping;

use reduce_core::{Num, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct CountZeros;

/// How many elements are zero.
#[reduce_core::reduce_op(dtypes = [f32, u8], output = i64)]
impl<A: Num> ReduceOp<A> for CountZeros {
    type Acc = Wrapping<i64>;
    type Output = Wrapping<i64>;

    fn identity(&self) -> Wrapping<i64> {
        Wrapping(0)
    }

    fn map(&self, x: A) -> Wrapping<i64> {
        Wrapping(i64::from(x == A::ZERO))
    }

    fn combine(&self, a: Wrapping<i64>, b: Wrapping<i64>) -> Wrapping<i64> {
        a + b
    }

    fn remove(&self, zeros: Wrapping<i64>, x: A) -> Wrapping<i64> {
        zeros - Wrapping(i64::from(x == A::ZERO))
    }

    #[inline]
    fn finalize(&self, zeros: Wrapping<i64>, _count: usize) -> Wrapping<i64> {
        zeros
    }
}
