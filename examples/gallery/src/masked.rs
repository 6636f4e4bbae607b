//! Three inputs, one of them a mask.

use reduce_core::{Accumulator, Real, ReduceOp, reduce_op};

/// The weighted mean of the elements where the mask is true.
///
/// Weights may be of any size, and elements too: no product or sum overflows or underflows that the mean does not.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::WeightedMean;
/// let data = View::new(&[1.0f32, 2.0, f32::NAN], &[3])?;
/// let weights = View::new(&[3.0f32, 1.0, 1.0], &[3])?;
/// let mask = View::new(&[true, true, false], &[3])?;
/// let mean = Reduction::new(WeightedMean).run(&(data, weights, mask))?;
/// assert_eq!(mean.data(), [1.25]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct WeightedMean;

/// The weighted sum, and the sum of weights.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Weighted<A> {
    sum: A,
    weights: A,
}

/// The sum of elements times weights over the sum of weights; NaN if nothing is chosen.
#[reduce_op(dtypes = [f16 => f32, f32, f64])]
impl<A: Real> ReduceOp<(A, A, bool)> for WeightedMean {
    type Acc = Weighted<A>;
    type Output = A;

    fn identity(&self) -> Weighted<A> {
        Weighted { sum: A::ZERO, weights: A::ZERO }
    }

    fn map(&self, (x, weight, chosen): (A, A, bool)) -> Weighted<A> {
        let (sum, weights) = if chosen { (x * weight, weight) } else { (A::ZERO, A::ZERO) };
        Weighted { sum, weights }
    }

    fn combine(&self, a: Weighted<A>, b: Weighted<A>) -> Weighted<A> {
        Weighted { sum: a.sum + b.sum, weights: a.weights + b.weights }
    }

    fn finalize(&self, acc: Weighted<A>, _count: usize) -> A {
        acc.sum / acc.weights
    }

    /// Products that underflow are lost only where weights are small; where nothing is chosen, nothing is.
    fn doubts(&self, acc: &Weighted<A>, count: usize) -> bool {
        let count = A::from_count(count);
        let (least, weights) = (A::MIN_POSITIVE * count, acc.weights.abs());
        let are_lost = (acc.sum.abs() < least) & (weights < count) | (weights < least);
        let overflow = !(acc.sum.is_finite() & acc.weights.is_finite());
        overflow | (are_lost & (acc.weights != A::ZERO))
    }
}
