//! The exponential function.
//!
//! Argument reduction: n is the integer nearest to x / ln 2, and r = x - n ln 2. Then exp(x) = 2^n exp(r), and
//! |r| is at most half of ln 2, about 0.35. `ROUNDER` does the rounding: it is a number so large that its last
//! bit counts ones. The sum of x / ln 2 and `ROUNDER` holds n in its low bits, and taking `ROUNDER` off again
//! gives n as a float. The product n ln 2 is subtracted in two pieces, for the type's nearest value to ln 2 and
//! for the rest. The first step is exact: a fused multiply-add subtracts the unrounded product, and the
//! difference is small enough to be represented.
//! Polynomial: exp(r) = 1 + r + r^2 q(r). Horner's scheme leaves the two exact leading
//! coefficients to the end, so that the last rounding dominates all the earlier ones. Sums of
//! exponentials make do, for f32, with one degree less, exp(r) = 1 + r q(r): that is within
//! 2 ulp instead of 1, and a twelfth faster.
//!
//! Reconstruction: 2^n alone would overflow or underflow for results near the ends of the range,
//! which reach from half of the smallest subnormal to twice the largest finite value. So the
//! exponent is split: for negative x the factors are 2^(n + h) and 2^-h, otherwise 2^(n - h) and
//! 2^h, where h is 64 or 512. The first product is always an exact normal number; only the second
//! may be rounded to a subnormal, to zero or to infinity, and it is so only once. The first factor
//! is made by moving the low bits of the rounding sum, which hold n, into the exponent field; the
//! higher bits fall off the top.
//!
//! Beyond the clamping bounds the result is zero or infinity, and within them n fits in the bits
//! that are kept. NaN passes through `clamp` and through every product.
//!
//! No split is needed for an argument up to 0 whose result is normal: 2^n is then one factor. The bias of
//! exponents is added to `ROUNDER`, so that the low bits of the rounding sum are the exponent of that factor.
//! NaN passes through the product.

use super::float::{Float32, Float64, FloatBits};
use super::horner;

/// q on |r| <= 0.3466, degree 4; relative error of exp(r) 2^-28.3.
pub(super) const Q_F32: [f32; 5] = [0.49999994, 0.16666521, 0.041668255, 0.008368663, 0.0013821461];

/// Adding this number and taking it off again rounds to an integer.
pub(super) const ROUNDER_F32: f32 = (3 << 22) as f32;

/// r, what rounding takes from it, and the rounding sum made with `rounder`; for an argument in range.
#[inline(always)]
pub(super) fn reduced_exactly_f32<F: Float32>(x: F, rounder: f32) -> (F, F, F) {
    use std::f32::consts::{LN_2, LOG2_E};
    const LN_2_REST: f32 = -1.9046542e-9;

    let rounder = F::of(rounder);
    let rounded = x.times_plus(F::of(LOG2_E), rounder);
    let n = rounded - rounder;
    let near = n.times_plus(F::of(-LN_2), x);
    let r = n.times_plus(F::of(-LN_2_REST), near);
    (r, n.times_plus(F::of(-LN_2_REST), near - r), rounded)
}

/// r, and the rounding sum made with `rounder`; for an argument in range.
#[inline(always)]
fn reduced_f32<F: Float32>(x: F, rounder: f32) -> (F, F) {
    let (r, _, rounded) = reduced_exactly_f32(x, rounder);
    (r, rounded)
}

/// 2^n times `fraction`, or zero unless `kept`. The rounding sum has n in its low bits, and n has the sign of
/// `x`.
#[inline(always)]
pub(super) fn scaled_f32<F: Float32>(fraction: F, rounded: F, x: F, kept: F::Flag) -> F {
    const HALF_RANGE: u32 = 64;
    let n = rounded.pattern() << 23;
    let up = (127 + HALF_RANGE) << 23;
    let down = (127 - HALF_RANGE) << 23;
    let is_positive = (x.pattern() & F::Bits::of(1 << 31)).is_equal(F::Bits::of(0));
    let first = F::Bits::select(is_positive, F::Bits::of(down), F::Bits::of(up));
    let power = F::of_pattern(n.plus(first));
    // A result that underflows is made by a factor of zero: a product too small
    // for the type takes many processors a hundred times as long.
    let second = F::of_pattern(F::Bits::of(up + down).minus(first));
    let second = F::select(kept, second, F::of(0.0));
    fraction * power * second
}

/// e to the power `x`, within 1 ulp (at most 0.90 over all values).
///
/// exp(±0) = 1 exactly, exp(-inf) = 0, exp(inf) = inf and exp(NaN) = NaN. Above 88.72284 it is
/// inf, below -87.33655 subnormal and below -103.97208 it is 0.
#[inline(always)]
pub fn exp_f32<F: Float32>(x: F) -> F {
    let x = x.within(-104.0, 89.0);
    let (r, rounded) = reduced_f32(x, ROUNDER_F32);
    let exp_r = horner(Q_F32, r).times_plus(r, F::of(1.0)).times_plus(r, F::of(1.0));
    scaled_f32(exp_r, rounded, x, F::of(-104.0).is_less(x))
}

/// e to the power of an `x` that is not positive, within 2 ulp (at most 1.98); 0 for
/// x < -87.33654, where it would be subnormal.
#[inline(always)]
pub fn exp_nonpositive_f32<F: Float32>(x: F) -> F {
    // On |r| <= 0.3466, degree 4; relative error 2^-23.4.
    const Q: [f32; 5] = [0.9999997, 0.4999915, 0.16667648, 0.04189784, 0.008289719];

    let (r, rounded) = reduced_f32(x, ROUNDER_F32 + 127.0);
    let exp_r = horner(Q, r).times_plus(r, F::of(1.0));
    let exp = exp_r * F::of_pattern(rounded.pattern() << 23);
    F::select(x.is_less(F::of(-87.33654)), F::of(0.0), exp)
}

/// q on |r| <= 0.3466, degree 9; relative error of exp(r) 2^-57.9.
pub(super) const Q_F64: [f64; 10] = [
    0.5000000000000011,
    0.16666666666666463,
    0.04166666666652862,
    0.008333333333471074,
    0.0013888888943761933,
    0.00019841269545401368,
    2.4801493101706774e-5,
    2.755755869953897e-6,
    2.7630220292254773e-7,
    2.5007255430552183e-8,
];

/// Adding this number and taking it off again rounds to an integer.
pub(super) const ROUNDER_F64: f64 = (3u64 << 51) as f64;

/// As [`reduced_exactly_f32`].
#[inline(always)]
pub(super) fn reduced_exactly_f64<F: Float64>(x: F, rounder: f64) -> (F, F, F) {
    use std::f64::consts::{LN_2, LOG2_E};
    const LN_2_REST: f64 = 2.3190468138462996e-17;

    let rounder = F::of(rounder);
    let rounded = x.times_plus(F::of(LOG2_E), rounder);
    let n = rounded - rounder;
    let near = n.times_plus(F::of(-LN_2), x);
    let r = n.times_plus(F::of(-LN_2_REST), near);
    (r, n.times_plus(F::of(-LN_2_REST), near - r), rounded)
}

/// r, and the rounding sum made with `rounder`; for an argument in range.
#[inline(always)]
fn reduced_f64<F: Float64>(x: F, rounder: f64) -> (F, F) {
    let (r, _, rounded) = reduced_exactly_f64(x, rounder);
    (r, rounded)
}

/// exp(r) of the reduced argument.
#[inline(always)]
fn exp_reduced_f64<F: Float64>(r: F) -> F {
    horner(Q_F64, r).times_plus(r, F::of(1.0)).times_plus(r, F::of(1.0))
}

/// 2^n times `fraction`, or zero unless `kept`. The rounding sum has n in its low bits, and n has the sign of
/// `x`.
#[inline(always)]
pub(super) fn scaled_f64<F: Float64>(fraction: F, rounded: F, x: F, kept: F::Flag) -> F {
    const HALF_RANGE: u64 = 512;
    let n = rounded.pattern() << 52;
    let up = (1023 + HALF_RANGE) << 52;
    let down = (1023 - HALF_RANGE) << 52;
    let is_positive = (x.pattern() & F::Bits::of(1 << 63)).is_equal(F::Bits::of(0));
    let first = F::Bits::select(is_positive, F::Bits::of(down), F::Bits::of(up));
    let power = F::of_pattern(n.plus(first));
    // A result that underflows is made by a factor of zero: a product too small
    // for the type takes many processors a hundred times as long.
    let second = F::of_pattern(F::Bits::of(up + down).minus(first));
    let second = F::select(kept, second, F::of(0.0));
    fraction * power * second
}

/// e to the power `x`, within 1 ulp (at most 0.90 in 12 million random values).
///
/// exp(±0) = 1 exactly, exp(-inf) = 0, exp(inf) = inf and exp(NaN) = NaN. Above 709.78272 it is
/// inf, below -708.39641 subnormal and below -745.13322 it is 0.
#[inline(always)]
pub fn exp_f64<F: Float64>(x: F) -> F {
    let x = x.within(-746.0, 710.0);
    let (r, rounded) = reduced_f64(x, ROUNDER_F64);
    scaled_f64(exp_reduced_f64(r), rounded, x, F::of(-746.0).is_less(x))
}

/// e to the power of an `x` that is not positive, within 1 ulp; 0 for x < -708.396418, where it
/// would be subnormal.
#[inline(always)]
pub fn exp_nonpositive_f64<F: Float64>(x: F) -> F {
    let (r, rounded) = reduced_f64(x, ROUNDER_F64 + 1023.0);
    let exp = exp_reduced_f64(r) * F::of_pattern(rounded.pattern() << 52);
    F::select(x.is_less(F::of(-708.396418)), F::of(0.0), exp)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{random_f64, ulps_apart, worst_f32_error};
    use super::*;

    #[test]
    fn special_values_f32() {
        for (x, expected) in [
            (0.0, 1.0),
            (-0.0, 1.0),
            (f32::from_bits(1), 1.0),
            (-f32::from_bits(1), 1.0),
            (f32::INFINITY, f32::INFINITY),
            (f32::MAX, f32::INFINITY),
            (f32::NEG_INFINITY, 0.0),
            (f32::MIN, 0.0),
        ] {
            assert_eq!(exp_f32(x).to_bits(), expected.to_bits(), "exp({x:e})");
        }
        // A quiet, a negative and a signalling NaN.
        for bits in [0x7fc0_0000, 0xffc0_1234, 0x7f80_0001] {
            assert!(exp_f32(f32::from_bits(bits)).is_nan());
        }
    }

    #[test]
    fn special_values_f64() {
        for (x, expected) in [
            (0.0, 1.0),
            (-0.0, 1.0),
            (f64::from_bits(1), 1.0),
            (-f64::from_bits(1), 1.0),
            (f64::INFINITY, f64::INFINITY),
            (f64::MAX, f64::INFINITY),
            (f64::NEG_INFINITY, 0.0),
            (f64::MIN, 0.0),
            // The first value that overflows, the last that does not underflow and the next.
            (709.7827128933841, f64::INFINITY),
            (-745.1332191019411, f64::from_bits(1)),
            (-745.1332191019412, 0.0),
        ] {
            assert_eq!(exp_f64(x).to_bits(), expected.to_bits(), "exp({x:e})");
        }
        assert!(exp_f64(709.782712893384f64).is_finite());
        for bits in [0x7ff8 << 48, 0xfff8_1234 << 32, (0x7ff0 << 48) + 1] {
            assert!(exp_f64(f64::from_bits(bits)).is_nan());
        }
    }

    #[test]
    fn nonpositive_arguments_give_the_same_until_results_are_subnormal() {
        let steps = (-0.0f32).to_bits()..=(-87.33654f32).to_bits();
        for x in steps.step_by(997).map(f32::from_bits) {
            let (got, expected) = (exp_nonpositive_f32(x), exp_f32(x));
            assert!(got.to_bits().abs_diff(expected.to_bits()) <= 2, "exp({x:e}) = {got:e}");
        }
        for x in random_f64(-708.396418, 0.0).take(200_000) {
            let (got, expected) = (exp_nonpositive_f64(x), exp_f64(x));
            assert!(ulps_apart(got, expected) <= 1, "exp({x:e}) = {got:e}");
        }
        assert_eq!((exp_nonpositive_f32(0f32), exp_nonpositive_f64(0f64)), (1.0, 1.0));
        for x in [-87.33655, -100.0, -1e3, -1e30, f32::MIN, f32::NEG_INFINITY] {
            assert_eq!(exp_nonpositive_f32(x).to_bits(), 0, "exp({x:e})");
        }
        for x in [-708.4, -746.0, -1e4, -1e300, f64::MIN, f64::NEG_INFINITY] {
            assert_eq!(exp_nonpositive_f64(x).to_bits(), 0, "exp({x:e})");
        }
        // A NaN stays one, whatever its low bits are: n is read from these.
        for (low, sign) in (0..0x1000).flat_map(|low| [(low, 0), (low, 1)]) {
            let nan = f32::NAN.to_bits() | low | sign << 31;
            assert!(exp_nonpositive_f32(f32::from_bits(nan)).is_nan(), "exp({nan:x})");
            let nan = f64::NAN.to_bits() | u64::from(low) | u64::from(sign) << 63;
            assert!(exp_nonpositive_f64(f64::from_bits(nan)).is_nan(), "exp({nan:x})");
        }
    }

    /// Three ranges are tried in full: where the reduced argument is x itself or n is ±1, just before overflow,
    /// and subnormal results down to zero. Of the rest a sample is tried.
    #[test]
    fn f32_within_one_ulp() {
        for (bits, stride) in [
            (0.25f32.to_bits()..=1f32.to_bits(), 1),
            ((-0.25f32).to_bits()..=(-0.5f32).to_bits(), 1),
            (88f32.to_bits()..=89.5f32.to_bits(), 1),
            ((-87f32).to_bits()..=(-104.5f32).to_bits(), 1),
            (0..=u32::MAX, 1009),
        ] {
            let (error, x) = worst_f32_error(bits.step_by(stride), exp_f32, f64::exp);
            assert!(error <= 1.0, "exp({x:e}) is off by {error} ulp");
        }
    }

    /// Every value of the binades where n is 0 or -1, and a sample of the rest.
    #[test]
    fn nonpositive_f32_within_two_ulp() {
        let bits = |from: f32, to: f32| from.to_bits()..=to.to_bits();
        for (bits, stride) in [(bits(-0.25, -1.0), 1), (bits(-0.0, -87.33654), 101)] {
            let (error, x) = worst_f32_error(bits.step_by(stride), exp_nonpositive_f32, f64::exp);
            assert!(error <= 2.0, "exp({x:e}) is off by {error} ulp");
        }
    }

    /// The standard library's exp is within 1 ulp as well, so the two can differ by 2.
    #[test]
    fn f64_agrees_with_std() {
        for (from, to) in [(-1.0, 1.0), (-1e-9, 1e-9), (-750.0, -700.0), (-750.0, 715.0)] {
            for x in random_f64(from, to).take(200_000) {
                let (ours, theirs) = (exp_f64(x), x.exp());
                assert!(ulps_apart(ours, theirs) <= 2, "exp({x:e}) = {ours:e}, std {theirs:e}");
            }
        }
    }
}
