//! A histogram counts how often elements lie in each of equal bins.

use reduce_core::{Real, ReduceOp, reduce_op};

use crate::grid::{Grid, refused};

/// Counts the elements in each of `BINS` bins of equal width, from `low` to `high`.
///
/// A bin holds what is at least its lower edge and less than its upper one; the last one holds `high`,
/// too, as `numpy.histogram` has it. What is below `low` or above `high` is not counted, and NaN and infinities are not. Both limits are
/// rounded to the type that is computed in, that of the elements or `f32` for half precision. Which bin an
/// element lies in is computed as `(x - low) * (BINS / (high - low))` in that type, where nothing overflows or underflows. So
/// one that is nearer to an edge than this rounds may be counted on its other side.
///
/// `low` and `high` are finite numbers, `low` below `high`, or the reduction is an error: a range without a width has no bins. They may
/// be beyond the range of the elements.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Histogram;
/// let data = View::new(&[0.1f32, 0.3, 0.3, 0.99, 1.0, -0.1, 1.1, f32::NAN], &[8])?;
/// let counts = Reduction::new(Histogram::<4> { low: 0.0, high: 1.0 }).run(&data)?;
/// assert_eq!(counts.shape().dims(), [4]);
/// assert_eq!(counts.data(), [1u64, 2, 0, 2]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// [`Bins`](crate::Bins) is for a number of bins that is known when the program runs.
#[derive(Clone, Copy, Debug)]
pub struct Histogram<const BINS: usize> {
    /// The lower edge of the first bin.
    pub low: f64,
    /// The upper edge of the last bin.
    pub high: f64,
}

impl<const BINS: usize> Default for Histogram<BINS> {
    fn default() -> Self {
        Histogram { low: 0.0, high: 1.0 }
    }
}

impl<const BINS: usize> Histogram<BINS> {
    #[inline(always)]
    fn bin<A: Real>(&self, x: A) -> (usize, bool) {
        Grid::new([self.low, self.high], BINS).bin(x, BINS)
    }
}

/// Counts the elements in each of equal bins.
#[reduce_op(
    dtypes = [f16 => f32, bf16 => f32, f32, f64],
    attrs = [axes: ints = all, keepdims: bool = true, low: float = 0.0, high: float = 1.0],
    nan = ignore,
    output = u64,
)]
impl<A: Real, const BINS: usize> ReduceOp<A> for Histogram<BINS> {
    type Acc = [u64; BINS];
    type Output = [u64; BINS];

    fn identity(&self) -> [u64; BINS] {
        [0; BINS]
    }

    fn map(&self, x: A) -> [u64; BINS] {
        let mut counts = [0; BINS];
        self.push_into(&mut counts, x);
        counts
    }

    fn push_into(&self, counts: &mut [u64; BINS], x: A) {
        let (bin, inside) = self.bin(x);
        counts[bin] += u64::from(inside);
    }

    fn remove(&self, mut counts: [u64; BINS], x: A) -> [u64; BINS] {
        let (bin, inside) = self.bin(x);
        counts[bin] = counts[bin].wrapping_sub(inside.into());
        counts
    }

    fn combine(&self, mut a: [u64; BINS], b: [u64; BINS]) -> [u64; BINS] {
        for (count, more) in a.iter_mut().zip(b) {
            *count += more;
        }
        a
    }

    fn finalize(&self, counts: [u64; BINS], _count: usize) -> [u64; BINS] {
        counts
    }

    fn refuses(&self) -> Option<String> {
        refused([self.low, self.high])
    }
}
