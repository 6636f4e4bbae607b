//! Floats as integers, and back.

#![allow(clippy::cast_possible_truncation, reason = "exponents have up to 11 bits")]

use super::chunks;
use super::round::rounded;
use crate::values::element::accumulator::Accumulator;
use crate::values::number::Real;

/// A float whose sums can be kept exactly, in an [`Exact`](crate::numbers::Exact): `f32` or `f64`.
///
/// ```
/// use reduce_core::numbers::{Exact, ExactFloat};
///
/// /// The sum of a list, whatever its order.
/// fn sum<A: ExactFloat>(numbers: &[A]) -> A {
///     let mut sum = Exact::new();
///     numbers.iter().for_each(|&x| sum.add(x));
///     sum.value()
/// }
///
/// assert_eq!(sum(&[1e20f32, 1.0, -1e20]), 1.0);
/// assert_eq!(sum(&[0.1f64; 10]), 1.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "sums of `{Self}` are not kept exactly",
    label = "expected `f32` or `f64`"
)]
pub trait ExactFloat: Real {
    /// The chunks of a sum, the lowest first.
    #[doc(hidden)]
    type Chunks: Accumulator + AsRef<[i128]> + AsMut<[i128]>;

    /// The chunks of zero.
    #[doc(hidden)]
    const ZEROS: Self::Chunks;

    /// Adds a finite number.
    #[doc(hidden)]
    fn add_to(self, chunks: &mut Self::Chunks);

    #[doc(hidden)]
    fn merge(chunks: &mut Self::Chunks, others: &Self::Chunks);

    /// The chunks after all carries.
    #[doc(hidden)]
    fn carried(chunks: &Self::Chunks) -> Self::Chunks;

    /// The sum over a divisor that is not zero, rounded once.
    #[doc(hidden)]
    fn rounded(chunks: &Self::Chunks, divisor: u64) -> Self;
}

/// Implements the trait for floats. There are as many chunks as 2^63 of the largest numbers need, where the
/// last has no carries.
macro_rules! floats {
    ($($float:ident: $bits:ident, $chunks:literal chunks;)*) => {$(
        impl ExactFloat for $float {
            type Chunks = [i128; $chunks];

            const ZEROS: [i128; $chunks] = [0; $chunks];

            #[inline(always)]
            fn add_to(self, chunks: &mut [i128; $chunks]) {
                const STORED: u32 = $float::MANTISSA_DIGITS - 1;
                let bits = self.to_bits();
                let exponent = (bits & $float::INFINITY.to_bits()) >> STORED;
                // A normal number has one more bit than is stored; a subnormal one has the place of the least normal.
                let is_normal = $bits::from(exponent != 0);
                let fraction = (bits & ((1 << STORED) - 1)) | is_normal << STORED;
                // All bits, if the number is negative: two's complement without a branch.
                let sign = bits.cast_signed() >> ($bits::BITS - 1);
                let fraction = (fraction.cast_signed() ^ sign) - sign;
                chunks::add(chunks, fraction.into(), (exponent - is_normal) as u32);
            }

            #[inline(always)]
            fn merge(chunks: &mut [i128; $chunks], others: &[i128; $chunks]) {
                chunks::merge(chunks, others);
            }

            fn carried(chunks: &[i128; $chunks]) -> [i128; $chunks] {
                chunks::carried(chunks)
            }

            fn rounded(chunks: &[i128; $chunks], divisor: u64) -> $float {
                let (magnitude, is_negative) = chunks::magnitude(chunks);
                let bits = rounded(&magnitude, divisor, $float::MANTISSA_DIGITS - 1);
                // What is beyond the largest number has larger bits than infinity.
                let infinite = $float::INFINITY.to_bits();
                let value = $float::from_bits($bits::try_from(bits).map_or(infinite, |bits| bits.min(infinite)));
                if is_negative { -value } else { value }
            }
        }
    )*};
}

floats! {
    f32: u32, 5 chunks;
    f64: u64, 33 chunks;
}
