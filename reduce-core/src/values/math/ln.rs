//! The natural logarithm.
//!
//! Argument reduction: x = 2^e m with m between the square roots of 1/2 and 2, so that ln x = e ln 2 + ln m.
//! The bit patterns of positive floats, seen as integers, are in order. The distance from sqrt(1/2) to 1 is
//! added to that of x. Then the exponent field changes exactly where m falls from sqrt(2) to sqrt(1/2), and the
//! bits below it are m's distance from sqrt(1/2). The exponent becomes a float as the low bits of a number so
//! large that its last bit counts ones. A subnormal x is first scaled to a normal number, and its exponent is
//! corrected.
//!
//! Approximation: f = m - 1 is exact, and ln m = f + g, where g is a small correction of about -f^2 / 2. For
//! f32, g is f^2 times a polynomial. For f64 that polynomial would need degree 20; one division instead is
//! faster and more accurate. With s = f / (2 + f) and w = s^2, ln m = 2 artanh(s) = 2s + s w p(w). Since 2s is
//! f - s f, which is again f - f^2 / 2 + s f^2 / 2, g is s (f^2 / 2 + w p(w)) - f^2 / 2. So the rounding of the
//! division only reaches the small product with s.
//!
//! Reconstruction: for e = 0 the result is f + g, and the only rounding of full size is the last. Otherwise the
//! terms e ln 2 and f are of similar size, and their sum is rounded. The rounding error can be computed
//! exactly. It is added back together with g and with the part of ln 2 that its nearest value leaves off.
//! Anything but a finite positive x gives a meaningless number up to here and is replaced at the
//! end.

use super::float::{Float32, Float64, FloatBits};
use super::horner;

/// The exponent e and the fraction m of a positive, normal x = 2^(e + excess) m.
#[inline(always)]
pub(super) fn split_f32<F: Float32>(x: F, excess: F) -> (F, F) {
    const SQRT_HALF: u32 = std::f32::consts::FRAC_1_SQRT_2.to_bits();
    const FRACTION_BITS: u32 = (1 << 23) - 1;
    const COUNTS_ONES: f32 = (1 << 23) as f32;

    let shifted = x.pattern().plus(F::Bits::of(1f32.to_bits() - SQRT_HALF));
    let biased = F::of_pattern((shifted >> 23) | F::Bits::of(COUNTS_ONES.to_bits()));
    let fraction = shifted & F::Bits::of(FRACTION_BITS);
    let m = F::of_pattern(fraction.plus(F::Bits::of(SQRT_HALF)));
    (biased - (F::of(COUNTS_ONES) + (F::of(127.0) + excess)), m)
}

/// The exponent e and the fraction m of a positive x = 2^e m, which may be subnormal.
#[inline(always)]
pub(super) fn split_any_f32<F: Float32>(x: F) -> (F, F) {
    const TO_NORMAL: f32 = (1 << 23) as f32;
    let is_subnormal = x.is_less(F::of(f32::MIN_POSITIVE));
    let scaled = F::select(is_subnormal, x * F::of(TO_NORMAL), x);
    split_f32(scaled, F::select(is_subnormal, F::of(23.0), F::of(0.0)))
}

/// `addend` + ln(1 + f) - f, for 1 + f between the square roots of 1/2 and 2.
#[inline(always)]
pub(super) fn curved_f32<F: Float32>(f: F, addend: F) -> F {
    // On 0.7071 <= 1 + f <= 1.4142, degree 8; relative error 2^-27.8.
    const Q: [f32; 9] = [
        -0.49999988,
        0.33333325,
        -0.2500161,
        0.20002005,
        -0.16608411,
        0.14180848,
        -0.1324805,
        0.12913021,
        -0.0761929,
    ];

    horner(Q, f).times_plus(f * f, addend)
}

/// e ln 2 + ln(1 + f) + rest, where the rest is small.
#[inline(always)]
pub(super) fn joined_f32<F: Float32>(e: F, f: F, rest: F) -> F {
    use std::f32::consts::LN_2;
    const LN_2_REST: f32 = -1.9046542e-9;

    let sum = e.times_plus(F::of(LN_2), f);
    let lost = e.times_plus(F::of(LN_2), -sum) + f;
    sum + curved_f32(f, e.times_plus(F::of(LN_2_REST), lost + rest))
}

/// Natural logarithm of `x`, within 1 ulp (at most 0.88 over all values).
///
/// ln(1) = +0 exactly, ln(±0) = -inf, ln of a negative number is NaN, ln(inf) = inf and
/// ln(NaN) = NaN. Subnormal arguments are as accurate as others.
#[inline(always)]
pub fn ln_f32<F: Float32>(x: F) -> F {
    let (e, m) = split_any_f32(x);
    let result = joined_f32(e, m - F::of(1.0), F::of(-0.0));
    let result = F::select(x.is_less(F::of(f32::INFINITY)), result, x);
    let zero = F::of(0.0);
    let outside = F::select(x.is_equal(zero), F::of(f32::NEG_INFINITY), F::of(f32::NAN));
    F::select(zero.is_less(x), result, outside)
}

/// The exponent e and the fraction m of a positive, normal x = 2^(e + excess) m.
#[inline(always)]
pub(super) fn split_f64<F: Float64>(x: F, excess: F) -> (F, F) {
    const SQRT_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    const FRACTION_BITS: u64 = (1 << 52) - 1;
    const COUNTS_ONES: f64 = (1u64 << 52) as f64;

    let shifted = x.pattern().plus(F::Bits::of(1f64.to_bits() - SQRT_HALF));
    let biased = F::of_pattern((shifted >> 52) | F::Bits::of(COUNTS_ONES.to_bits()));
    let fraction = shifted & F::Bits::of(FRACTION_BITS);
    let m = F::of_pattern(fraction.plus(F::Bits::of(SQRT_HALF)));
    (biased - (F::of(COUNTS_ONES) + (F::of(1023.0) + excess)), m)
}

/// The exponent e and the fraction m of a positive x = 2^e m, which may be subnormal.
#[inline(always)]
pub(super) fn split_any_f64<F: Float64>(x: F) -> (F, F) {
    const TO_NORMAL: f64 = (1u64 << 52) as f64;
    let is_subnormal = x.is_less(F::of(f64::MIN_POSITIVE));
    let scaled = F::select(is_subnormal, x * F::of(TO_NORMAL), x);
    split_f64(scaled, F::select(is_subnormal, F::of(52.0), F::of(0.0)))
}

/// `addend` + ln(1 + f) - f, for 1 + f between the square roots of 1/2 and 2.
#[inline(always)]
pub(super) fn curved_f64<F: Float64>(f: F, addend: F) -> F {
    // On 0 <= w <= 0.0295, degree 6; relative error 2^-59.5.
    const P: [f64; 7] = [
        0.6666666666666734,
        0.3999999999941705,
        0.2857142874189024,
        0.22222198621961384,
        0.18183561884649382,
        0.15314111006377584,
        0.14795362289033342,
    ];

    let s = f / (F::of(2.0) + f);
    let w = s * s;
    let half_square = F::of(0.5) * f * f;
    let tail = horner(P, w).times_plus(w, half_square);
    s.times_plus(tail, addend) - half_square
}

/// e ln 2 + ln(1 + f) + rest, where the rest is small.
#[inline(always)]
pub(super) fn joined_f64<F: Float64>(e: F, f: F, rest: F) -> F {
    use std::f64::consts::LN_2;
    const LN_2_REST: f64 = 2.3190468138462996e-17;

    let sum = e.times_plus(F::of(LN_2), f);
    let lost = e.times_plus(F::of(LN_2), -sum) + f;
    sum + curved_f64(f, e.times_plus(F::of(LN_2_REST), lost + rest))
}

/// Natural logarithm of `x`, within 1 ulp (at most 0.86 in 12 million random values).
///
/// ln(1) = +0 exactly, ln(±0) = -inf, ln of a negative number is NaN, ln(inf) = inf and
/// ln(NaN) = NaN. Subnormal arguments are as accurate as others.
#[inline(always)]
pub fn ln_f64<F: Float64>(x: F) -> F {
    let (e, m) = split_any_f64(x);
    let result = joined_f64(e, m - F::of(1.0), F::of(-0.0));
    let result = F::select(x.is_less(F::of(f64::INFINITY)), result, x);
    let zero = F::of(0.0);
    let outside = F::select(x.is_equal(zero), F::of(f64::NEG_INFINITY), F::of(f64::NAN));
    F::select(zero.is_less(x), result, outside)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{random_f64, ulps_apart, worst_f32_error};
    use super::*;

    #[test]
    fn special_values_f32() {
        for (x, expected) in [
            (1.0, 0.0),
            (0.0, f32::NEG_INFINITY),
            (-0.0, f32::NEG_INFINITY),
            (f32::INFINITY, f32::INFINITY),
        ] {
            assert_eq!(ln_f32(x).to_bits(), expected.to_bits(), "ln({x:e})");
        }
        // Negative numbers from the smallest to infinity; a quiet, a negative, a signalling NaN.
        for bits in [0x8000_0001, 0xbf80_0000, 0xff7f_ffff, 0xff80_0000].into_iter().chain([
            0x7fc0_0000,
            0xffc0_1234,
            0x7f80_0001,
        ]) {
            assert!(ln_f32(f32::from_bits(bits)).is_nan(), "{bits:#x}");
        }
    }

    #[test]
    fn special_values_f64() {
        for (x, expected) in [
            (1.0, 0.0),
            (0.0, f64::NEG_INFINITY),
            (-0.0, f64::NEG_INFINITY),
            (f64::INFINITY, f64::INFINITY),
        ] {
            assert_eq!(ln_f64(x).to_bits(), expected.to_bits(), "ln({x:e})");
        }
        for x in [-f64::from_bits(1), -1.0, f64::MIN, f64::NEG_INFINITY] {
            assert!(ln_f64(x).is_nan(), "{x:e}");
        }
        for bits in [0x7ff8 << 48, 0xfff8_1234 << 32, (0x7ff0 << 48) + 1] {
            assert!(ln_f64(f64::from_bits(bits)).is_nan(), "{bits:#x}");
        }
    }

    /// Three ranges are tried in full: the two binades around 1, where the result is near 0, the subnormals,
    /// and the largest binade. A sample of the rest includes negative values and NaN.
    #[test]
    fn f32_within_one_ulp() {
        for (bits, stride) in [
            (0.5f32.to_bits()..=2f32.to_bits(), 1),
            (1..=f32::MIN_POSITIVE.to_bits(), 1),
            (2f32.powi(127).to_bits()..=f32::INFINITY.to_bits(), 1),
            (0..=u32::MAX, 1009),
        ] {
            let (error, x) = worst_f32_error(bits.step_by(stride), ln_f32, f64::ln);
            assert!(error <= 1.0, "ln({x:e}) is off by {error} ulp");
        }
    }

    /// The standard library's ln is within 1 ulp as well, so the two can differ by 2.
    #[test]
    fn f64_agrees_with_std() {
        let subnormals = random_f64(0.0, f64::MIN_POSITIVE).take(200_000);
        let all_exponents = random_f64(-1074.0, 1024.0).take(200_000).map(f64::exp2);
        let near_one = random_f64(0.5, 2.0).take(200_000);
        let nearer_one = random_f64(-0.9, 0.9).take(200_000).map(|t| 1.0 + t.powi(25));
        for x in subnormals.chain(all_exponents).chain(near_one).chain(nearer_one) {
            let (ours, theirs) = (ln_f64(x), x.ln());
            assert!(ulps_apart(ours, theirs) <= 2, "ln({x:e}) = {ours:e}, std {theirs:e}");
        }
    }
}
