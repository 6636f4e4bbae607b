//! Equal bins between two limits: which one an element lies in.

use reduce_core::Real;

use crate::shifted::half_step;

/// What the bin of an element follows from, in the type that is computed in.
#[derive(Clone, Copy)]
pub(crate) struct Grid<A> {
    low: A,
    high: A,
    /// A power of two, by which elements of any size become ordinary numbers. It rounds nothing.
    factor: A,
    /// The lower limit times the factor.
    origin: A,
    /// Bins in a distance of 1.
    scale: A,
}

impl<A: Real> Grid<A> {
    /// As many bins from `low` to `high`.
    #[inline(always)]
    pub(crate) fn new(limits: [f64; 2], bins: usize) -> Self {
        let [low, high] = limits.map(A::from_f64);
        let scale = A::from_count(bins) / (high - low);
        // If not, the limits are no numbers of this type, or their distance or its inverse is none.
        let is_usual = (scale >= A::MIN_POSITIVE) & (scale < A::INFINITY);
        if is_usual {
            Grid { low, high, factor: A::ONE, origin: low, scale }
        } else {
            Self::wide(limits, bins)
        }
    }

    /// Makes the grid for limits of any size.
    #[cold]
    #[inline(never)]
    fn wide([low, high]: [f64; 2], bins: usize) -> Self {
        let largest = low.abs().max(high.abs());
        let exponent = (largest.to_bits() >> 52).cast_signed() - 1023;
        // All types have exponents up to 126, which do for limits up to 2^250. Where limits are further away, elements of
        // narrower types are zeros beside them, or beyond them but for zero.
        let far = if exponent.abs() <= 250 { 126 } else { 1000 };
        let power = (1023 - exponent.clamp(-far, far)).cast_unsigned();
        let factor = f64::from_bits(power << 52);
        let (least, most) = (A::from_f64(low), A::from_f64(high));
        let (low, high) = (low * factor, high * factor);
        let of_elements = A::from_f64(factor);
        // The largest number, (2 - ε) 2^127 of `f32`: infinities are beyond all limits.
        let greatest = (A::ONE - half_step()) / A::MIN_POSITIVE * A::from_int(4);
        Grid {
            low: if least < -greatest { -greatest } else { least },
            high: if most > greatest { greatest } else { most },
            factor: if of_elements.is_finite() { of_elements } else { A::ONE },
            origin: A::from_f64(low),
            scale: A::from_f64(f64::from_count(bins) / (high - low)),
        }
    }

    /// The bin of an element, one of so many, and whether it is counted. Both without a branch, since nobody foretells which
    /// elements are outside.
    #[inline(always)]
    pub(crate) fn bin(self, x: A, bins: usize) -> (usize, bool) {
        let Grid { low, high, factor, origin, scale } = self;
        let place = x.mul_add(factor, -origin) * scale;
        (place.index_below(bins), (x >= low) & (x <= high))
    }
}

/// What is wrong with the limits of bins.
pub(crate) fn refused([low, high]: [f64; 2]) -> Option<String> {
    let is_range = low.is_finite() && high.is_finite() && low < high;
    let limits = "give two finite numbers, `low` below `high`";
    (!is_range).then(|| format!("no bins lie between {low}, `low`, and {high}, `high`; {limits}"))
}
