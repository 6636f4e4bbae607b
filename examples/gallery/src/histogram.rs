//! How often elements lie in each of equal bins.

use reduce_core::{Real, ReduceOp, reduce_op};

/// How many elements lie in each of `BINS` bins of equal width, from `low` to `high`.
///
/// A bin holds what is at least its lower edge and less than its upper one; the last one holds `high`,
/// too, as `numpy.histogram` has it. What is below `low` or above `high` is not counted, and NaN is not. Which bin an
/// element lies in is computed as `(x - low) * (BINS / (high - low))` in the type of the elements (in
/// `f32` for `f16`), so one that is nearer to an edge than this rounds may be counted on its other side.
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
    /// The bin of an element, and whether it is counted. Both without a branch, since nobody foretells which
    /// elements are outside.
    #[inline(always)]
    fn bin<A: Real>(&self, x: A) -> (usize, bool) {
        let (low, high) = (A::from_f64(self.low), A::from_f64(self.high));
        let scale = A::from_count(BINS) / (high - low);
        (((x - low) * scale).index_below(BINS), (x >= low) & (x <= high))
    }
}

/// How many elements lie in each of equal bins.
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
}
