//! Softmax and its logarithm: reduced, then sent back over the elements.

use reduce_core::adapt::Then;
use reduce_core::bounds::Store;
use reduce_core::{Accumulator, Emit, Real, ReduceOp, Reduction, bf16, f16, reduce_op};

/// The shares of exponentials: `exp(x)` over the sum of all `exp(x)`.
///
/// Two operators, one over what the other emits: each exponential is computed once. Elements that are +∞ share
/// 1 among them. Where all elements are −∞, as in a row that is masked as a whole, all shares are 0. With a NaN, all are NaN.
///
/// ```
/// use reduce_core::View;
/// use reduce_gallery::softmax;
/// let data = [0.0f32, 3f32.ln(), 1000.0, 1000.0];
/// let shares = softmax().axes([1]).emit(&View::new(&data, &[2, 2])?)?;
/// assert!((shares.data()[1] - 0.75).abs() < 1e-6);
/// assert_eq!(shares.data()[2..], [0.5, 0.5]);
/// let (all, none) = (f32::INFINITY, f32::NEG_INFINITY);
/// let shares = softmax().axes([1]).emit(&View::new(&[all, 0.0, none, none], &[2, 2])?)?;
/// assert_eq!(shares.data(), [1.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
pub fn softmax() -> Reduction<Then<Exponentials, Shares>> {
    Reduction::new(Exponentials).then(Shares)
}

/// The largest element; emits `exp(x - max)`, which cannot overflow. The first operator of [`softmax`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Exponentials;

/// The largest element; a NaN becomes one in what is emitted, so it need not be the largest.
#[reduce_op(
    dtypes = [f16 => f32, bf16 => f32, f32, f64],
    nan = ignore,
    emits = alone,
)]
impl<A: Real> ReduceOp<A> for Exponentials {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::NEG_INFINITY
    }

    fn map(&self, x: A) -> A {
        self.combine(A::NEG_INFINITY, x)
    }

    fn combine(&self, a: A, b: A) -> A {
        if b > a { b } else { a }
    }

    fn push(&self, max: A, x: A) -> A {
        self.combine(max, x)
    }

    fn finalize(&self, max: A, _count: usize) -> A {
        max
    }
}

impl<A: Real> Emit<A> for Exponentials {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, &max: &A) -> A {
        // Infinities have no difference. One that is the largest counts as any largest element does;
        // if there is nothing but −∞, each is as far below 0 as below any number.
        let max = if max == A::NEG_INFINITY { A::ZERO } else { max };
        let infinity = if max == A::INFINITY { max } else { A::NAN };
        let below = if x == infinity { A::ZERO } else { x - max };
        below.exp_nonpositive()
    }
}

/// The sum; emits the share of it that each element is. The second operator of [`softmax`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Shares;

/// The inverse of the sum, since a product is faster than a division; 0 if there is nothing to share.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64], emits = alone)]
impl<A: Real> ReduceOp<A> for Shares {
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
        if sum == A::ZERO { A::ZERO } else { A::ONE / sum }
    }
}

impl<A: Real> Emit<A> for Shares {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, inverse: &A) -> A {
        x * *inverse
    }
}

/// Emits the shares of exponentials, as [`softmax`] does, and is a single operator, which may be run by name. The result is the
/// logarithm of the sum of exponentials.
///
/// Each exponential is computed twice: once when it is added to the sum, and once when its share is emitted.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Softmax;
/// let data = [0.0f32, 3f32.ln(), 1000.0, 1000.0];
/// let shares = Reduction::new(Softmax).axes([1]).emit(&View::new(&data, &[2, 2])?)?;
/// assert!((shares.data()[1] - 0.75).abs() < 1e-6);
/// assert_eq!(shares.data()[2..], [0.5, 0.5]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Softmax;

/// The largest element, and the sum of all `exp(x - max)`.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct ScaledSum<A> {
    max: A,
    sum: A,
}

/// The largest element, and the inverse of the sum of all `exp(x - max)`, which is 0 if there is nothing to share. It is stored as
/// the logarithm of the sum of exponentials.
#[derive(Clone, Copy, Debug)]
pub struct Total<A> {
    max: A,
    inverse: A,
}

impl<A: Real> Total<A> {
    #[inline(always)]
    fn ln(self) -> A {
        if self.inverse == A::ZERO { self.max } else { self.max - self.inverse.ln() }
    }
}

/// The logarithm of the sum of exponentials; the share of that sum which each of them is.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64], emits = alone)]
impl<A: Real> ReduceOp<A> for Softmax {
    type Acc = ScaledSum<A>;
    type Output = Total<A>;

    fn identity(&self) -> ScaledSum<A> {
        ScaledSum { max: A::NEG_INFINITY, sum: A::ZERO }
    }

    fn map(&self, x: A) -> ScaledSum<A> {
        ScaledSum { max: x, sum: A::ONE }
    }

    fn combine(&self, a: ScaledSum<A>, b: ScaledSum<A>) -> ScaledSum<A> {
        let (high, low) = if a.max > b.max { (a, b) } else { (b, a) };
        // Infinities have no difference, but two of them are equal.
        let below = if low.max == high.max { A::ZERO } else { low.max - high.max };
        ScaledSum { max: high.max, sum: low.sum.mul_add(below.exp_nonpositive(), high.sum) }
    }

    fn finalize(&self, ScaledSum { max, sum }: ScaledSum<A>, _count: usize) -> Total<A> {
        // Nothing but −∞ has nothing to share. A NaN beside it is in the sum alone.
        let inverse = if max == A::NEG_INFINITY { sum * A::ZERO } else { A::ONE / sum };
        Total { max, inverse }
    }
}

impl<A: Real> Emit<A> for Softmax {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, total: &Total<A>) -> A {
        Exponentials.emit(x, &total.max) * total.inverse
    }
}

/// Emits the logarithms of the shares. A single operator is enough, with one exponential for each. The logarithm is 0
/// for an element that is +∞. It is −∞ for all elements where all are −∞.
///
/// What is emitted has the relative accuracy of its own size, however large the elements are: the logarithm of the sum is kept in two parts.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::LogSoftmax;
/// let logits = [0.0f32, 3f32.ln(), 1000.0, 1000.0];
/// let logs = Reduction::new(LogSoftmax).axes([1]).emit(&View::new(&logits, &[2, 2])?)?;
/// assert!((logs.data()[1] - 0.75f32.ln()).abs() < 1e-6);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LogSoftmax;

/// The largest element, and the sum of `exp(x - max)` over all others; of no elements −1. The 1 of the
/// largest element is left out, in which small exponentials would be lost.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct MaxSum<A> {
    max: A,
    others: A,
}

impl<A: Real> MaxSum<A> {
    #[inline(always)]
    pub(crate) fn none() -> Self {
        MaxSum { max: A::NEG_INFINITY, others: -A::ONE }
    }

    #[inline(always)]
    pub(crate) fn of(x: A) -> Self {
        MaxSum { max: x, others: A::ZERO }
    }

    /// The side with the smaller maximum is scaled down to the larger one. Two infinities have no difference; beside one, the
    /// other side counts for nothing.
    #[inline(always)]
    pub(crate) fn merge(self, other: Self) -> Self {
        let is_larger = self.max > other.max;
        let (high, low) = if is_larger { (self, other) } else { (other, self) };
        let is_infinite = low.max.abs() == A::INFINITY;
        let apart = if is_infinite { A::NEG_INFINITY } else { low.max - high.max };
        let scaled = low.others + A::ONE;
        MaxSum { max: high.max, others: scaled.mul_add(apart.exp_nonpositive(), high.others) }
    }

    /// The logarithm of the sum of exponentials.
    #[inline(always)]
    pub(crate) fn total(self) -> LogTotal<A> {
        LogTotal { max: self.max, ln: self.others.ln_1p() }
    }
}

/// The logarithm of a sum of exponentials, as the largest element and what the others add to it; stored as one number.
///
/// Beside a large element, the second part would be lost in their sum.
#[derive(Clone, Copy, Debug)]
pub struct LogTotal<A> {
    max: A,
    ln: A,
}

impl<A: Real> LogTotal<A> {
    /// The logarithm of the share that has the logarithm `x` of its exponential: what is rounded is not larger than the result. Infinities
    /// have no difference: one that is the largest has the whole, and if there is nothing but −∞, each has nothing.
    #[inline(always)]
    pub(crate) fn share(self, x: A) -> A {
        let (max, ln) = (self.max, self.ln);
        let of_infinity = if max == A::NEG_INFINITY { max + ln } else { ln * A::ZERO };
        let infinity = if max.abs() == A::INFINITY { max } else { A::NAN };
        if x == infinity { of_infinity } else { (x - max) - ln }
    }
}

/// Writes how the two are stored as a type.
macro_rules! stored_as {
    ($($type:ty),*) => {$(
        impl<A: Real> Store<LogTotal<A>> for $type
        where
            $type: Store<A>,
        {
            #[inline(always)]
            fn store(total: LogTotal<A>) -> $type {
                <$type>::store(total.max + total.ln)
            }
        }

        impl<A: Real> Store<Total<A>> for $type
        where
            $type: Store<A>,
        {
            #[inline(always)]
            fn store(total: Total<A>) -> $type {
                <$type>::store(total.ln())
            }
        }
    )*};
}

stored_as!(f16, bf16, f32, f64);

/// The logarithm of the sum of exponentials; that of the share of it which each of them is.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64], emits = alone)]
impl<A: Real> ReduceOp<A> for LogSoftmax {
    type Acc = MaxSum<A>;
    type Output = LogTotal<A>;

    fn identity(&self) -> MaxSum<A> {
        MaxSum::none()
    }

    fn map(&self, x: A) -> MaxSum<A> {
        MaxSum::of(x)
    }

    fn combine(&self, a: MaxSum<A>, b: MaxSum<A>) -> MaxSum<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: MaxSum<A>, _count: usize) -> LogTotal<A> {
        acc.total()
    }
}

impl<A: Real> Emit<A> for LogSoftmax {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, total: &LogTotal<A>) -> A {
        total.share(x)
    }
}
