//! Exact sums: numbers are added as integers, and rounded once.
//!
//! Every finite float is a whole number of the least ones: an `f64` is an integer of up to 2098 bits, times
//! 2^-1074. So a sum is exact if it is kept as one integer that is long enough, a *superaccumulator*. What
//! remains is to add to it quickly. This one is the small superaccumulator of Neal, "Fast exact summation using
//! small and large superaccumulators" (2015), with wider parts. The integer is cut into chunks that overlap, so
//! that a carry may wait.
//!
//! ```text
//! sum = (chunk[0] + chunk[1] * 2^64 + chunk[2] * 2^128 + ..) * least        chunks have 128 bits
//! ```
//!
//! The fraction of a float, shifted to its place, lies within one chunk:
//!
//! ```text
//! place = exponent - 1, as exponents are stored; 0 of a subnormal number
//! chunk[place / 64] += ±fraction << (place mod 64)
//! ```
//!
//! Neal's chunks have 64 bits and lie 32 apart, so that each fraction is cut into two; here it is one addition with carry, and
//! 33 chunks instead of 67. A shifted fraction has at most 116 bits, so a chunk has room for hundreds of them. Neal counts
//! additions, and lets all carries go up before there may have been too many. Here a chunk is looked at when it
//! was added to, and its carries go up if it has come near its end. That is one comparison, and no counter.
//!
//! The result is the integer after all carries, divided by the number of elements if a mean is asked for, and rounded to
//! nearest, ties to even. Nothing else rounds, so nobody can tell in which order numbers were added.
//!
//! Infinities and NaN are counted beside the integer, so that they can be taken out again.
//!
//! | file | what |
//! |---|---|
//! | `chunks` | where a fraction is added, and when carries go up |
//! | `round` | the integer, divided and rounded |
//! | `float` | floats as integers, and back |
//! | `stored` | a sum as it is serialised |

mod chunks;
mod float;
mod round;
#[cfg(feature = "serde")]
mod stored;
#[cfg(test)]
mod tests;

use reduce_macros::Accumulator;

pub use float::ExactFloat;

/// The exact sum of any floats, `f32` or `f64`.
///
/// No addition rounds. [`value`](Exact::value) is the exact sum, rounded once: to nearest, ties to even, also
/// where it is subnormal; beyond the largest number it is infinite. So bits are the same in whatever order
/// and groups numbers were added, and a number that is [removed](Exact::remove) leaves no trace.
///
/// ```
/// use reduce_core::numbers::Exact;
///
/// let mut sum = Exact::new();
/// for x in [1e300, 1.0, f64::INFINITY, 1e-300, -1e300] {
///     sum.add(x);
/// }
/// assert_eq!(sum.value(), f64::INFINITY);
/// sum.remove(f64::INFINITY);
/// assert_eq!(sum.value(), 1.0);
/// sum.remove(1.0);
/// assert_eq!(sum.value(), 1e-300);
/// ```
///
/// Infinities and NaN give what additions of IEEE 754 give: infinities of both signs make NaN. A sum that is
/// zero is +0, whatever the signs of its zeros.
///
/// It has 560 bytes for `f64`, and 112 for `f32`. It holds for 2^63 additions and removals, which take some centuries. With
/// the feature `serde` it can be serialised. [Numerics](crate::guide::numerics#accuracy-by-choice) says what it costs.
#[derive(Clone, Copy, Debug, Accumulator)]
#[accumulator(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound = "", into = "stored::Words", try_from = "stored::Words")
)]
pub struct Exact<A: ExactFloat> {
    /// The sum of the finite numbers.
    chunks: A::Chunks,
    nans: u64,
    /// How many are +∞, and how many -∞.
    infinities: [u64; 2],
}

impl<A: ExactFloat> Exact<A> {
    /// The sum of no numbers.
    #[must_use]
    #[inline(always)]
    pub fn new() -> Self {
        Exact { chunks: A::ZEROS, nans: 0, infinities: [0; 2] }
    }

    /// Adds a number.
    #[inline(always)]
    pub fn add(&mut self, x: A) {
        if x.is_finite() {
            x.add_to(&mut self.chunks);
        } else {
            self.count(x, 1);
        }
    }

    /// Takes out a number that was added before, or will be, infinities and NaN too. Until it is added, a
    /// finite number counts as subtracted; while an infinity or NaN is missing, the value means nothing.
    #[inline(always)]
    pub fn remove(&mut self, x: A) {
        if x.is_finite() {
            (-x).add_to(&mut self.chunks);
        } else {
            self.count(x, u64::MAX);
        }
    }

    /// Adds all numbers of another sum.
    #[inline(always)]
    pub fn merge(&mut self, other: &Self) {
        A::merge(&mut self.chunks, &other.chunks);
        self.nans = self.nans.wrapping_add(other.nans);
        for (count, more) in self.infinities.iter_mut().zip(other.infinities) {
            *count = count.wrapping_add(more);
        }
    }

    /// The sum, rounded once.
    #[must_use]
    #[inline]
    pub fn value(&self) -> A {
        self.special().unwrap_or_else(|| A::rounded(&self.chunks, 1))
    }

    /// The sum over a number of elements, rounded once, also where the sum itself is beyond the largest number.
    /// It is NaN over no elements.
    ///
    /// ```
    /// use reduce_core::numbers::Exact;
    ///
    /// let mut sum = Exact::new();
    /// [f64::MAX, f64::MAX, 0.0].map(|x| sum.add(x));
    /// assert_eq!(sum.value(), f64::INFINITY);
    /// assert_eq!(sum.mean(4), f64::MAX / 2.0);
    /// ```
    #[must_use]
    #[inline]
    pub fn mean(&self, count: usize) -> A {
        match count {
            0 => A::NAN,
            _ => self.special().unwrap_or_else(|| A::rounded(&self.chunks, count as u64)),
        }
    }

    /// Counts one infinity or NaN more, or one less: `by` is 1 or -1.
    #[cold]
    #[inline(never)]
    fn count(&mut self, x: A, by: u64) {
        let count = match () {
            () if x == A::INFINITY => &mut self.infinities[0],
            () if x == A::NEG_INFINITY => &mut self.infinities[1],
            () => &mut self.nans,
        };
        *count = count.wrapping_add(by);
    }

    /// The sum, if it is not one of finite numbers.
    #[inline]
    fn special(&self) -> Option<A> {
        match (self.nans, self.infinities) {
            (0, [0, 0]) => None,
            (0, [_, 0]) => Some(A::INFINITY),
            (0, [0, _]) => Some(A::NEG_INFINITY),
            _ => Some(A::NAN),
        }
    }
}

impl<A: ExactFloat> Default for Exact<A> {
    fn default() -> Self {
        Self::new()
    }
}

/// Equal if the exact sums are, and the numbers of infinities and NaN.
impl<A: ExactFloat> PartialEq for Exact<A> {
    fn eq(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|sum| A::carried(&sum.chunks));
        own.as_ref() == others.as_ref()
            && (self.nans, self.infinities) == (other.nans, other.infinities)
    }
}
