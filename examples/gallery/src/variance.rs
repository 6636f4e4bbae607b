//! Variance and standard deviation, accurate wherever the elements lie.

use reduce_core::{Real, ReduceOp, reduce_op};

use crate::shifted::Shifted;

/// The variance; with `correction: 1` that of a sample. NaN if the correction is as large as the number of
/// elements, or larger. Never negative.
///
/// The relative error is about `(64 + log2 n) ε`, wherever the elements lie; `ε` is half the distance from 1 to the next
/// number of the type that is computed in. A lane of a kernel takes 64 elements at most before they are merged with others. If
/// the first of them is far from all others, their error may be 64 times as large. It counts only as far as that element makes up
/// the variance. `docs/numerics.md` has what was measured.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Variance;
/// let data = View::new(&[1.0f32, 2.0, 3.0, 4.0], &[4])?;
/// assert_eq!(Reduction::new(Variance::default()).run(&data)?.data(), [1.25]);
/// assert_eq!(Reduction::new(Variance { correction: 1 }).run(&data)?.data(), [5.0 / 3.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Variance {
    /// What is subtracted from the number of elements.
    pub correction: i64,
}

/// The standard deviation: the square root of the [`Variance`], and as accurate.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::StandardDeviation;
/// let data = View::new(&[1.0f32, 5.0, 1.0, 5.0], &[4])?;
/// assert_eq!(Reduction::new(StandardDeviation::default()).run(&data)?.data(), [2.0]);
/// // Squares of such elements are no `f64`; the result is.
/// let data = View::new(&[1e200f64, 5e200], &[2])?;
/// assert_eq!(Reduction::new(StandardDeviation::default()).run(&data)?.data(), [2e200]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct StandardDeviation {
    /// What is subtracted from the number of elements.
    pub correction: i64,
}

/// A sum over the number of elements less a correction; NaN if that is not positive.
#[inline(always)]
pub(crate) fn divided<A: Real>(sum: A, count: usize, correction: i64) -> A {
    let freedom = count.saturating_sub(usize::try_from(correction).unwrap_or(0));
    if freedom == 0 { A::NAN } else { sum.div_count(freedom) }
}

/// The mean of the squared distances from the mean.
#[reduce_op(
    dtypes = [f16 => f32, bf16 => f32, f8e4m3fn => f32, f8e5m2 => f32, f32, f64],
    attrs = [axes: ints = all, keepdims: bool = true, correction: int = 0 in 0..],
)]
impl<A: Real> ReduceOp<A> for Variance {
    type Acc = Shifted<A>;
    type Output = A;

    fn identity(&self) -> Shifted<A> {
        Shifted::none()
    }

    fn map(&self, x: A) -> Shifted<A> {
        Shifted::none().push(x)
    }

    fn push(&self, acc: Shifted<A>, x: A) -> Shifted<A> {
        acc.push(x)
    }

    fn combine(&self, a: Shifted<A>, b: Shifted<A>) -> Shifted<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Shifted<A>, count: usize) -> A {
        divided(acc.spread(A::from_count(count)), count, self.correction)
    }

    fn doubts(&self, acc: &Shifted<A>, _count: usize) -> bool {
        acc.has_overflowed()
    }
}

/// The square root of the mean of the squared distances from the mean.
#[reduce_op(
    dtypes = [f16 => f32, bf16 => f32, f32, f64],
    attrs = [axes: ints = all, keepdims: bool = true, correction: int = 0 in 0..],
)]
impl<A: Real> ReduceOp<A> for StandardDeviation {
    type Acc = Shifted<A>;
    type Output = A;

    fn identity(&self) -> Shifted<A> {
        Shifted::none()
    }

    fn map(&self, x: A) -> Shifted<A> {
        Shifted::none().push(x)
    }

    fn push(&self, acc: Shifted<A>, x: A) -> Shifted<A> {
        acc.push(x)
    }

    fn combine(&self, a: Shifted<A>, b: Shifted<A>) -> Shifted<A> {
        a.merge(b)
    }

    fn finalize(&self, acc: Shifted<A>, count: usize) -> A {
        divided(acc.spread(A::from_count(count)), count, self.correction).sqrt()
    }

    fn doubts(&self, acc: &Shifted<A>, count: usize) -> bool {
        acc.has_overflowed() | acc.has_vanished(count, A::ONE)
    }
}
