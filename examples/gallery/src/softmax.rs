//! Softmax and its logarithm: reduced, then sent back over the elements.

use reduce_core::{Accumulator, Emit, Real, ReduceOp, reduce_op};

/// The shares of exponentials; with `temperature` above 1 they are more alike.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::{LogSoftmax, Softmax};
/// let data = [0.0f32, 3f32.ln(), 1000.0, 1000.0];
/// let logits = View::new(&data, &[2, 2])?;
/// let shares = Reduction::new(Softmax::default()).axes([1]).emit(&logits)?;
/// assert!((shares.data()[1] - 0.75).abs() < 1e-6);
/// assert_eq!(shares.data()[2..], [0.5, 0.5]);
/// let logs = Reduction::new(LogSoftmax).axes([1]).emit(&logits)?;
/// assert!((logs.data()[1] - 0.75f32.ln()).abs() < 1e-6);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Softmax {
    /// What elements are divided by.
    pub temperature: f64,
}

impl Default for Softmax {
    fn default() -> Self {
        Softmax { temperature: 1.0 }
    }
}

/// The logarithms of the shares.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogSoftmax;

/// The largest element, and the sum of `exp(x - max)` over the elements.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct MaxSum<A> {
    max: A,
    sum: A,
}

impl<A: Real> MaxSum<A> {
    #[inline(always)]
    pub(crate) fn none() -> Self {
        MaxSum { max: A::NEG_INFINITY, sum: A::ZERO }
    }

    #[inline(always)]
    pub(crate) fn of(x: A) -> Self {
        MaxSum { max: x, sum: A::ONE }
    }

    /// The side with the smaller maximum is scaled down to the larger one. Equal maxima
    /// need no scaling, and must not be subtracted: both may be infinite.
    #[inline(always)]
    pub(crate) fn merge(self, other: Self) -> Self {
        let is_larger = self.max > other.max;
        let (high, low) = if is_larger { (self, other) } else { (other, self) };
        let apart = if high.max == low.max { A::ZERO } else { low.max - high.max };
        MaxSum { max: high.max, sum: low.sum.mul_add(apart.exp_nonpositive(), high.sum) }
    }

    /// The logarithm of the sum of exponentials.
    #[inline(always)]
    pub(crate) fn ln(self) -> A {
        self.max + self.sum.ln()
    }
}

/// The largest element over the temperature, and the inverse of the sum of exponentials.
#[reduce_op(
    dtypes = [f16 => f32, bf16 => f32, f32, f64],
    attrs = [axes: ints = all, keepdims: bool = true, temperature: float = 1.0 in 0.0..],
)]
impl<A: Real> ReduceOp<A> for Softmax {
    type Acc = MaxSum<A>;
    type Output = (A, A);

    fn identity(&self) -> MaxSum<A> {
        MaxSum::none()
    }

    fn map(&self, x: A) -> MaxSum<A> {
        MaxSum::of(x * A::from_f64(self.temperature.recip()))
    }

    fn combine(&self, a: MaxSum<A>, b: MaxSum<A>) -> MaxSum<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: MaxSum<A>, _count: usize) -> (A, A) {
        // A NaN is in one of the two: let it be in both. Infinity has no shares.
        let nan = (acc.max + acc.sum) * A::ZERO;
        (acc.max + nan, A::ONE / acc.sum + nan)
    }
}

impl<A: Real> Emit<A> for Softmax {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, &(max, share): &(A, A)) -> A {
        x.mul_add(A::from_f64(self.temperature.recip()), -max).exp_nonpositive() * share
    }
}

/// The logarithm of the sum of exponentials.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64])]
impl<A: Real> ReduceOp<A> for LogSoftmax {
    type Acc = MaxSum<A>;
    type Output = A;

    fn identity(&self) -> MaxSum<A> {
        MaxSum::none()
    }

    fn map(&self, x: A) -> MaxSum<A> {
        MaxSum::of(x)
    }

    fn combine(&self, a: MaxSum<A>, b: MaxSum<A>) -> MaxSum<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: MaxSum<A>, _count: usize) -> A {
        acc.ln()
    }
}

impl<A: Real> Emit<A> for LogSoftmax {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, total: &A) -> A {
        x - *total
    }
}
