//! A histogram counts how often elements lie in each of equal bins.

use reduce_core::{Real, ReduceOp, reduce_op};

use crate::shifted::half_step;

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

/// What the bin of an element follows from, in the type that is computed in.
#[derive(Clone, Copy)]
struct Grid<A> {
    low: A,
    high: A,
    /// A power of two, by which elements of any size become ordinary numbers. It rounds nothing.
    factor: A,
    /// The lower limit times the factor.
    origin: A,
    /// Bins in a distance of 1.
    scale: A,
}

impl<const BINS: usize> Histogram<BINS> {
    #[inline(always)]
    fn grid<A: Real>(&self) -> Grid<A> {
        let (low, high) = (A::from_f64(self.low), A::from_f64(self.high));
        let scale = A::from_count(BINS) / (high - low);
        // If not, the limits are no numbers of this type, or their distance or its inverse is none.
        let is_usual = (scale >= A::MIN_POSITIVE) & (scale < A::INFINITY);
        if is_usual {
            Grid { low, high, factor: A::ONE, origin: low, scale }
        } else {
            self.wide_grid()
        }
    }

    /// Makes the grid for limits of any size.
    #[cold]
    #[inline(never)]
    fn wide_grid<A: Real>(&self) -> Grid<A> {
        let largest = self.low.abs().max(self.high.abs());
        let exponent = (largest.to_bits() >> 52).cast_signed() - 1023;
        // All types have exponents up to 126, which do for limits up to 2^250. Where limits are further away, elements of
        // narrower types are zeros beside them, or beyond them but for zero.
        let far = if exponent.abs() <= 250 { 126 } else { 1000 };
        let power = (1023 - exponent.clamp(-far, far)).cast_unsigned();
        let factor = f64::from_bits(power << 52);
        let (low, high) = (self.low * factor, self.high * factor);
        let of_elements = A::from_f64(factor);
        // The largest number, (2 - ε) 2^127 of `f32`: infinities are beyond all limits.
        let greatest = (A::ONE - half_step()) / A::MIN_POSITIVE * A::from_int(4);
        let (least, most) = (A::from_f64(self.low), A::from_f64(self.high));
        Grid {
            low: if least < -greatest { -greatest } else { least },
            high: if most > greatest { greatest } else { most },
            factor: if of_elements.is_finite() { of_elements } else { A::ONE },
            origin: A::from_f64(low),
            scale: A::from_f64(f64::from_count(BINS) / (high - low)),
        }
    }

    /// The bin of an element, and whether it is counted. Both without a branch, since nobody foretells which
    /// elements are outside.
    #[inline(always)]
    fn bin<A: Real>(&self, x: A) -> (usize, bool) {
        let Grid { low, high, factor, origin, scale } = self.grid::<A>();
        let place = x.mul_add(factor, -origin) * scale;
        (place.index_below(BINS), (x >= low) & (x <= high))
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
        let Self { low, high } = self;
        let is_range = low.is_finite() && high.is_finite() && low < high;
        let limits = "give two finite numbers, `low` below `high`";
        (!is_range)
            .then(|| format!("no bins lie between {low}, `low`, and {high}, `high`; {limits}"))
    }
}
