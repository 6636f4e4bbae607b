//! A fused reduction of one's own, with the shortest spec there is.
//!
//! The coefficient of variation, `standard deviation / mean`, needs a count, a
//! mean and a sum of squared deviations. Written as a reduction it takes one
//! pass over the data, in any layout, on four storage types.

use reduce_core::{Accumulator, Real, ReduceOp, reduce_op};

/// Standard deviation relative to the mean.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_spread::CoefficientOfVariation;
///
/// let data = [1.0f32, 3.0, 10.0, 10.0];
/// let rows = View::new(&data, &[2, 2])?;
/// let spread = Reduction::new(CoefficientOfVariation).axes([1]).run(&rows)?;
/// assert_eq!(spread.data(), [0.5, 0.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CoefficientOfVariation;

/// Count, mean, and sum of squared deviations from the mean.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Moments<A> {
    count: A,
    mean: A,
    squares: A,
}

/// The standard deviation of the elements, divided by their mean.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64])]
impl<A: Real> ReduceOp<A> for CoefficientOfVariation {
    type Acc = Moments<A>;
    type Output = A;

    fn identity(&self) -> Moments<A> {
        Moments { count: A::ZERO, mean: A::ZERO, squares: A::ZERO }
    }

    fn map(&self, x: A) -> Moments<A> {
        Moments { count: A::ONE, mean: x, squares: A::ZERO }
    }

    /// Chan, Golub and `LeVeque` (1979): the moments of two sets from those of
    /// each, without the cancellation of `E[x²] - E[x]²`. A set that is empty
    /// changes nothing, whatever the other holds, infinities included.
    fn combine(&self, a: Moments<A>, b: Moments<A>) -> Moments<A> {
        let count = a.count + b.count;
        let distance = b.mean - a.mean;
        let weight = b.count / count;
        let both = Moments {
            count,
            mean: a.mean + distance * weight,
            squares: a.squares + b.squares + distance * distance * a.count * weight,
        };
        if a.count == A::ZERO {
            b
        } else if b.count == A::ZERO {
            a
        } else {
            both
        }
    }

    fn finalize(&self, moments: Moments<A>, count: usize) -> A {
        moments.squares.div_count(count).sqrt() / moments.mean
    }
}
