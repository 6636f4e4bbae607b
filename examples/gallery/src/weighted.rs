//! The same of elements that have weights.

use reduce_core::{Real, ReduceOp, reduce_op};

use crate::joint::Joint;
use crate::shifted::Shifted;

/// The variance of weighted elements: the mean of the squared distances from the weighted mean. Inputs are the elements and their weights.
///
/// A weight says how often an element counts. One that is not positive counts for nothing, but a NaN or an infinity beside it is
/// still one. NaN if the correction is as large as the sum of the weights, or larger.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::WeightedVariance;
/// let x = View::new(&[1.0f32, 5.0], &[2])?;
/// let weights = View::new(&[1.0f32, 3.0], &[2])?;
/// let found = Reduction::new(WeightedVariance::default()).run(&(x, weights))?;
/// assert_eq!(found.data(), [3.0]); // that of 1, 5, 5, 5
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// It is computed in `f64`, with a relative error of about `(64 + log2 n) · 1.1e-16`.
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightedVariance {
    /// What is subtracted from the sum of the weights.
    pub correction: i64,
}

/// The standard deviation of weighted elements: the square root of the [`WeightedVariance`].
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::WeightedDeviation;
/// let x = View::new(&[1.0f32, 6.0], &[2])?;
/// let weights = View::new(&[1.0f32, 4.0], &[2])?;
/// let found = Reduction::new(WeightedDeviation::default()).run(&(x, weights))?;
/// assert_eq!(found.data(), [2.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightedDeviation {
    /// What is subtracted from the sum of the weights.
    pub correction: i64,
}

/// The covariance of weighted pairs. Inputs are `x`, `y` and the weights, which count as those of [`WeightedVariance`] do.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::WeightedCovariance;
/// let x = View::new(&[1.0f32, 5.0], &[2])?;
/// let y = View::new(&[2.0f32, 0.0], &[2])?;
/// let weights = View::new(&[1.0f32, 3.0], &[2])?;
/// let found = Reduction::new(WeightedCovariance::default()).run(&(x, y, weights))?;
/// assert_eq!(found.data(), [-1.5]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightedCovariance {
    /// What is subtracted from the sum of the weights.
    pub correction: i64,
}

/// The correlation of weighted pairs, from −1 to 1; NaN if one of them is the same everywhere. Inputs are `x`, `y` and the weights, which
/// count as those of [`WeightedVariance`] do.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::WeightedCorrelation;
/// let x = View::new(&[1.0f64, 5.0, 7.0], &[3])?;
/// let y = View::new(&[2.0f64, 10.0, 0.0], &[3])?;
/// let weights = View::new(&[1.0f64, 3.0, 0.0], &[3])?;
/// let found = Reduction::new(WeightedCorrelation).run(&(x, y, weights))?;
/// assert!((found.data()[0] - 1.0).abs() < 1e-15);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightedCorrelation;

/// The line of least weighted squares through pairs: its slope, and its intercept. Inputs are `x`, `y` and the weights, which
/// count as those of [`WeightedVariance`] do.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::WeightedRegression;
/// let x = View::new(&[1.0f64, 5.0, 7.0], &[3])?;
/// let y = View::new(&[2.0f64, 10.0, 0.0], &[3])?;
/// let weights = View::new(&[1.0f64, 3.0, 0.0], &[3])?;
/// let (slope, intercept) = Reduction::new(WeightedRegression).run(&(x, y, weights))?;
/// assert_eq!((slope.data(), intercept.data()), (&[2.0][..], &[0.0][..]));
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightedRegression;

/// A sum over the sum of weights less a correction; NaN if that is not positive.
#[inline(always)]
fn divided<A: Real>(sum: A, weight: A, correction: i64) -> A {
    let freedom = weight - A::from_int(correction);
    if freedom > A::ZERO { sum / freedom } else { A::NAN }
}

/// How much less than others a weight may be so that what it adds is not missed where all else is the same.
#[inline(always)]
fn margin<A: Real>() -> A {
    A::from_f64(1e30)
}

/// The mean of the squared distances from the weighted mean.
#[reduce_op(
    dtypes = [f32 => f64, f64],
    attrs = [axes: ints = all, keepdims: bool = true, correction: int = 0 in 0..],
)]
impl<A: Real> ReduceOp<(A, A)> for WeightedVariance {
    type Acc = Shifted<A>;
    type Output = A;

    fn identity(&self) -> Shifted<A> {
        Shifted::none()
    }

    fn map(&self, (x, weight): (A, A)) -> Shifted<A> {
        Shifted::weighted(x, weight)
    }

    fn combine(&self, a: Shifted<A>, b: Shifted<A>) -> Shifted<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Shifted<A>, _count: usize) -> A {
        divided(acc.spread(acc.count), acc.count, self.correction)
    }

    fn doubts(&self, acc: &Shifted<A>, count: usize) -> bool {
        // Small squares are small variances where weights are not small, too.
        let are_small = acc.count < A::from_count(count);
        acc.has_overflowed() | (are_small & acc.has_vanished(count, margin()))
    }
}

/// The square root of the mean of the squared distances from the weighted mean.
#[reduce_op(
    dtypes = [f32 => f64, f64],
    attrs = [axes: ints = all, keepdims: bool = true, correction: int = 0 in 0..],
)]
impl<A: Real> ReduceOp<(A, A)> for WeightedDeviation {
    type Acc = Shifted<A>;
    type Output = A;

    fn identity(&self) -> Shifted<A> {
        Shifted::none()
    }

    fn map(&self, (x, weight): (A, A)) -> Shifted<A> {
        Shifted::weighted(x, weight)
    }

    fn combine(&self, a: Shifted<A>, b: Shifted<A>) -> Shifted<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Shifted<A>, _count: usize) -> A {
        let freedom = acc.count - A::from_int(self.correction);
        // The quotient of squares may be no number where that of the roots is one.
        let quotient = acc.spread(acc.count).sqrt() / freedom.sqrt();
        if freedom > A::ZERO { quotient } else { A::NAN }
    }

    fn doubts(&self, acc: &Shifted<A>, count: usize) -> bool {
        acc.has_overflowed() | acc.has_vanished(count, margin())
    }
}

/// The weighted mean of the products of distances from both weighted means.
#[reduce_op(
    dtypes = [f32 => f64, f64],
    attrs = [axes: ints = all, keepdims: bool = true, correction: int = 0 in 0..],
    lanes = 16,
)]
impl<A: Real> ReduceOp<(A, A, A)> for WeightedCovariance {
    type Acc = Joint<A>;
    type Output = A;

    fn identity(&self) -> Joint<A> {
        Joint::none()
    }

    fn map(&self, (x, y, weight): (A, A, A)) -> Joint<A> {
        Joint::weighted(x, y, weight)
    }

    fn combine(&self, a: Joint<A>, b: Joint<A>) -> Joint<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Joint<A>, _count: usize) -> A {
        divided(acc.spread(), acc.weight(), self.correction)
    }

    fn doubts(&self, acc: &Joint<A>, count: usize) -> bool {
        let are_small = acc.weight() < A::from_count(count);
        let vanished = acc.has_vanished(count, margin()) | acc.has_lost(count, margin());
        acc.has_overflowed() | (are_small & vanished)
    }
}

/// The weighted covariance, over both weighted deviations.
#[reduce_op(dtypes = [f32 => f64, f64], lanes = 16)]
impl<A: Real> ReduceOp<(A, A, A)> for WeightedCorrelation {
    type Acc = Joint<A>;
    type Output = A;

    fn identity(&self) -> Joint<A> {
        Joint::none()
    }

    fn map(&self, (x, y, weight): (A, A, A)) -> Joint<A> {
        Joint::weighted(x, y, weight)
    }

    fn combine(&self, a: Joint<A>, b: Joint<A>) -> Joint<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Joint<A>, _count: usize) -> A {
        acc.correlation()
    }

    fn doubts(&self, acc: &Joint<A>, count: usize) -> bool {
        acc.has_overflowed() | acc.has_vanished(count, margin())
    }
}

/// The weighted covariance over the weighted variance of `x`, and what is left of the weighted mean of `y`.
#[reduce_op(dtypes = [f32 => f64, f64], lanes = 16)]
impl<A: Real> ReduceOp<(A, A, A)> for WeightedRegression {
    type Acc = Joint<A>;
    type Output = (A, A);

    fn identity(&self) -> Joint<A> {
        Joint::none()
    }

    fn map(&self, (x, y, weight): (A, A, A)) -> Joint<A> {
        Joint::weighted(x, y, weight)
    }

    fn combine(&self, a: Joint<A>, b: Joint<A>) -> Joint<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Joint<A>, _count: usize) -> (A, A) {
        acc.line()
    }

    fn doubts(&self, acc: &Joint<A>, count: usize) -> bool {
        let vanished = acc.has_vanished(count, margin());
        acc.has_overflowed() | vanished | acc.has_lost(count, margin())
    }
}
