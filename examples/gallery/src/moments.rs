//! Means of powers.

use reduce_core::{Real, ReduceOp, reduce_op};

/// The raw moments: the means of the first `N` powers of the elements, from the first power on. A mean is infinite only if it
/// is beyond the range of its type.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Moments;
/// let data = View::new(&[1.0f64, 2.0, 3.0, -2.0], &[2, 2])?;
/// let moments = Reduction::new(Moments::<3>).axes([1]).run(&data)?;
/// assert_eq!(moments.shape().dims(), [2, 3]);
/// assert_eq!(moments.data(), [1.5, 2.5, 4.5, 0.5, 6.5, 9.5]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Moments<const N: usize>;

/// The means of the powers of the elements.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32 => f64, f64])]
impl<A: Real, const N: usize> ReduceOp<A> for Moments<N> {
    type Acc = [A; N];
    type Output = [A; N];

    fn identity(&self) -> [A; N] {
        [A::ZERO; N]
    }

    fn map(&self, x: A) -> [A; N] {
        let mut powers = [x; N];
        for place in 1..N {
            powers[place] = powers[place - 1] * x;
        }
        powers
    }

    fn combine(&self, mut a: [A; N], b: [A; N]) -> [A; N] {
        for place in 0..N {
            a[place] = a[place] + b[place];
        }
        a
    }

    fn finalize(&self, sums: [A; N], count: usize) -> [A; N] {
        sums.map(|sum| sum.div_count(count))
    }

    /// Powers that underflow are no part of their mean either.
    fn doubts(&self, sums: &[A; N], _count: usize) -> bool {
        sums.iter().fold(false, |doubts, sum| doubts | !sum.is_finite())
    }
}
