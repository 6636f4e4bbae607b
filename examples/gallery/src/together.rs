//! These operators say how two inputs vary together.

use reduce_core::{Real, ReduceOp, reduce_op};

use crate::joint::Joint;
use crate::variance::divided;

/// The covariance of two inputs; with `correction: 1` that of a sample. NaN if the correction is as large as the number of
/// pairs, or larger.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Covariance;
/// let x = View::new(&[1.0f32, 2.0, 3.0], &[3])?;
/// let y = View::new(&[2.0f32, 4.0, 9.0], &[3])?;
/// let sample = Reduction::new(Covariance { correction: 1 }).run(&(x, y))?;
/// assert_eq!(sample.data(), [3.5]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// It is computed in `f64`. Its error is about `(64 + log2 n) · 1.1e-16` of the product of both deviations. Where an element far from all
/// others is the first of 64, it may be 64 times as large, as that of [`Variance`](crate::Variance).
#[derive(Clone, Copy, Debug, Default)]
pub struct Covariance {
    /// What is subtracted from the number of pairs.
    pub correction: i64,
}

/// Pearson's correlation of two inputs, from −1 to 1; NaN if one of them is the same everywhere.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Correlation;
/// let x = View::new(&[1.0f64, 2.0, 3.0], &[3])?;
/// let falling = View::new(&[0.0f64, -2.0, -4.0], &[3])?;
/// let same = View::new(&[5.0f64, 5.0, 5.0], &[3])?;
/// assert!((Reduction::new(Correlation).run(&(x.clone(), falling))?.data()[0] + 1.0).abs() < 1e-15);
/// assert!(Reduction::new(Correlation).run(&(x, same))?.data()[0].is_nan());
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// It is computed in `f64`, with the error of [`Covariance`]. Elements of any size have it, where their squares are no numbers too.
#[derive(Clone, Copy, Debug, Default)]
pub struct Correlation;

/// The line of least squares through pairs: its slope, and its intercept, which is where `x` is 0. The first input is `x`, the second
/// is `y`. Both are NaN if all `x` are the same.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Regression;
/// let x = View::new(&[1.0f32, 2.0, 3.0], &[3])?;
/// let y = View::new(&[5.0f32, 7.0, 9.0], &[3])?;
/// let (slope, intercept) = Reduction::new(Regression).run(&(x, y))?;
/// assert_eq!((slope.data(), intercept.data()), (&[2.0][..], &[3.0][..]));
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// It is computed in `f64`. The error of the slope is that of the [`Covariance`] over the variance of `x`. The error of the
/// intercept is that of the slope times the mean of `x`, so it is large where `x` is far from 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Regression;

/// The mean product of distances from both means.
#[reduce_op(
    dtypes = [f32 => f64, f64],
    attrs = [axes: ints = all, keepdims: bool = true, correction: int = 0 in 0..],
    lanes = 16,
)]
impl<A: Real> ReduceOp<(A, A)> for Covariance {
    type Acc = Joint<A>;
    type Output = A;

    fn identity(&self) -> Joint<A> {
        Joint::none()
    }

    fn map(&self, (x, y): (A, A)) -> Joint<A> {
        Joint::none().push(x, y)
    }

    fn push(&self, acc: Joint<A>, (x, y): (A, A)) -> Joint<A> {
        acc.push(x, y)
    }

    fn combine(&self, a: Joint<A>, b: Joint<A>) -> Joint<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Joint<A>, count: usize) -> A {
        divided(acc.spread(), count, self.correction)
    }

    fn doubts(&self, acc: &Joint<A>, _count: usize) -> bool {
        acc.has_overflowed()
    }
}

/// The covariance, over both deviations.
#[reduce_op(dtypes = [f32 => f64, f64], lanes = 16)]
impl<A: Real> ReduceOp<(A, A)> for Correlation {
    type Acc = Joint<A>;
    type Output = A;

    fn identity(&self) -> Joint<A> {
        Joint::none()
    }

    fn map(&self, (x, y): (A, A)) -> Joint<A> {
        Joint::none().push(x, y)
    }

    fn push(&self, acc: Joint<A>, (x, y): (A, A)) -> Joint<A> {
        acc.push(x, y)
    }

    fn combine(&self, a: Joint<A>, b: Joint<A>) -> Joint<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Joint<A>, _count: usize) -> A {
        acc.correlation()
    }

    fn doubts(&self, acc: &Joint<A>, count: usize) -> bool {
        acc.has_overflowed() | acc.has_vanished(count, A::ONE)
    }
}

/// The covariance over the variance of `x`, and what is left of the mean of `y`.
#[reduce_op(dtypes = [f32 => f64, f64], lanes = 16)]
impl<A: Real> ReduceOp<(A, A)> for Regression {
    type Acc = Joint<A>;
    type Output = (A, A);

    fn identity(&self) -> Joint<A> {
        Joint::none()
    }

    fn map(&self, (x, y): (A, A)) -> Joint<A> {
        Joint::none().push(x, y)
    }

    fn push(&self, acc: Joint<A>, (x, y): (A, A)) -> Joint<A> {
        acc.push(x, y)
    }

    fn combine(&self, a: Joint<A>, b: Joint<A>) -> Joint<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Joint<A>, _count: usize) -> (A, A) {
        acc.line()
    }

    fn doubts(&self, acc: &Joint<A>, count: usize) -> bool {
        let vanished = acc.of_x().has_vanished(count, A::ONE);
        acc.has_overflowed() | vanished | acc.has_lost(count, A::ONE)
    }
}
