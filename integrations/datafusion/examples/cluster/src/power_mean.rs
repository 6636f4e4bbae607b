//! An operator of one's own: the power mean `(mean of x^p)^(1/p)` of positive numbers.

use reduce_core::{Real, ReduceOp, reduce_op};

/// The power mean; with `p: 1.0` the mean itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PowerMean {
    pub p: f64,
}

impl Default for PowerMean {
    fn default() -> Self {
        PowerMean { p: 2.0 }
    }
}

/// The mean of powers of the elements, and the root of it.
#[reduce_op(dtypes = [f32, f64], attrs = [axes: ints = all, keepdims: bool = true, p: float = 2.0 in 0.5..])]
impl<A: Real> ReduceOp<A> for PowerMean {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x.powf(A::from_f64(self.p))
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count).powf(A::from_f64(1.0 / self.p))
    }
}
