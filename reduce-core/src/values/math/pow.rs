//! Powers.
//!
//! |x|^y = 2^(y log2 |x|). That product may reach 1024, or 128 for f32, and an absolute error in it becomes a
//! relative error of the result. So to be within an ulp, the logarithm needs 10 or 7 bits more than the result
//! has.
//!
//! For f32 everything is therefore computed in f64, with polynomials of just the degree that f32
//! needs. An f64 has the bits of y whether it is an f32 or an integer of 32 bits. The last step is one
//! rounding to f32, which also makes subnormal numbers, zeros and infinities.
//!
//! For f64 the logarithm is a sum of two numbers (Dekker 1971). With e, f and s = f / (2 + f) as in `ln`, and
//! w = s^2, ln(1 + f) = 2 artanh(s) = 2 (s + s (w / 3 + w^2 t(w))). The quotient s is corrected by the
//! remainder of its division. The term w / 3 and its product with s are sums of two numbers, too. The
//! polynomial t may be rounded, since its product with w^2 is small.
//!
//! The special arguments of C's `pow` are put in place at the end, after signs. The power of a negative number
//! has a sign if y is odd, and is NaN if y is no integer.

use super::exp::ROUNDER_F64;
use super::exp2::exp2_of_sum_f64;
use super::float::{Exponent, Float, Float32, Float64};
use super::horner;
use super::ln::{split_any_f64, split_f64};

/// Base 2 logarithm of a positive, normal f64, to the 37 bits that a power of f32 needs.
#[inline(always)]
fn log2_wide<F: Float64>(x: F) -> F {
    use std::f64::consts::LOG2_E;
    // On 0 <= w <= 0.0295, degree 3; relative error 2^-37.6.
    const P: [f64; 4] =
        [0.6666666564865381, 0.40000334532631154, 0.28537347089381304, 0.23581469885431822];

    let (e, m) = split_f64(x, F::of(0.0));
    let f = m - F::of(1.0);
    let s = f / (F::of(2.0) + f);
    let w = s * s;
    (s * horner(P, w).times_plus(w, F::of(2.0))).times_plus(F::of(LOG2_E), e)
}

/// 2 to a power between -1000 and 1000, to the 34 bits that a power of f32 needs.
#[inline(always)]
fn exp2_wide<F: Float64>(x: F) -> F {
    // On |r| <= 0.5, degree 6; relative error 2^-34.3.
    const Q: [f64; 7] = [
        0.6931471807046339,
        0.24022651066773779,
        0.055504103657219236,
        0.009618038096718197,
        0.0013333935185317512,
        0.00015466768675847126,
        1.5196149468164325e-5,
    ];

    let rounder = F::of(ROUNDER_F64 + 1023.0);
    let rounded = x + rounder;
    let r = x - (rounded - rounder);
    horner(Q, r).times_plus(r, F::of(1.0)) * F::of_pattern(rounded.pattern() << 52)
}

/// The logarithm of a magnitude, also where that is not positive and finite.
#[inline(always)]
fn log2_or_limit<F: Float64>(log2: F, magnitude: F) -> F {
    let log2 = F::select(magnitude.is_less(F::of(f64::INFINITY)), log2, magnitude);
    F::select(magnitude.is_equal(F::of(0.0)), F::of(f64::NEG_INFINITY), log2)
}

/// |x|^y for an x of f32, but for the special values of both.
#[inline(always)]
fn magnitude_f32<F: Float32>(x: F, y: F::Wide) -> F {
    let magnitude = x.magnitude().widen();
    let log2 = log2_wide(magnitude);
    let log2 = log2_or_limit(log2, magnitude);
    F::narrow(exp2_wide((y * log2).within(-200.0, 200.0)))
}

/// Base 2 logarithm of a positive, finite number, as a sum of two.
#[inline(always)]
fn log2_exactly<F: Float64>(x: F) -> (F, F) {
    const THIRD: (f64, f64) = (0.3333333333333333, 1.850371707708594e-17);
    const TWICE_LOG2_E: (f64, f64) = (2.8853900817779268, 4.0710547481862066e-17);
    // On 0 <= w <= 0.0295, degree 6; relative error 2^-66.3.
    const T: [f64; 7] = [
        0.20000000000001125,
        0.1428571428505108,
        0.11111111259739732,
        0.09090892202223327,
        0.07693377838095815,
        0.06628427436612466,
        0.06597998246162444,
    ];

    let (e, m) = split_any_f64(x);
    let (one, two) = (F::of(1.0), F::of(2.0));
    let f = m - one;
    let divisor = two + f;
    let divisor_rest = f - (divisor - two);
    let inverse = one / divisor;
    let s = f * inverse;
    let s_rest = (-s).times_plus(divisor_rest, (-s).times_plus(divisor, f)) * inverse;

    let w = s * s;
    let w_rest = (s + s).times_plus(s_rest, s.times_plus(s, -w));
    let (factor, factor_rest) = (F::of(THIRD.0), F::of(THIRD.1));
    let third = w * factor;
    let third_rest =
        w_rest.times_plus(factor, w.times_plus(factor_rest, w.times_plus(factor, -third)));
    let tail = horner(T, w) * (w * w);
    let curve = third + tail;
    let curve_rest = (third - curve) + tail + third_rest;

    let product = s * curve;
    let product_rest =
        s_rest.times_plus(curve, s.times_plus(curve_rest, s.times_plus(curve, -product)));
    let artanh = s + product;
    let artanh_rest = (s - artanh) + product + (product_rest + s_rest);

    let (factor, factor_rest) = (F::of(TWICE_LOG2_E.0), F::of(TWICE_LOG2_E.1));
    let log2 = artanh * factor;
    let log2_rest = artanh.times_plus(factor, -log2);
    let log2_rest = artanh_rest.times_plus(factor, artanh.times_plus(factor_rest, log2_rest));
    let sum = e + log2;
    (sum, (e - sum) + log2 + log2_rest)
}

/// |x|^y, but for the special values of both.
#[inline(always)]
fn magnitude_f64<F: Float64>(x: F, y: F) -> F {
    let magnitude = x.magnitude();
    let (log2, log2_rest) = log2_exactly(magnitude);
    let log2 = log2_or_limit(log2, magnitude);
    let product = y * log2;
    let rest = y.times_plus(log2_rest, y.times_plus(log2, -product));
    exp2_of_sum_f64(product, rest)
}

macro_rules! pow {
    ($(#[$of_powf:meta])* $powf:ident, $(#[$of_powi:meta])* $powi:ident: $float:ident, $bound:ident, $magnitude:ident) => {
        $(#[$of_powf])*
        ///
        /// Special arguments give what IEEE 754 and C's `pow` say.
        #[inline(always)]
        pub fn $powf<F: $bound>(x: F, y: F) -> F {
            let (zero, one, infinity) = (F::of(0.0), F::of(1.0), F::of($float::INFINITY));
            let half = F::of(0.5) * y;
            let is_integer = y.round_down().is_equal(y);
            let is_odd = is_integer & !half.round_down().is_equal(half);

            let magnitude = $magnitude(x, y.widen());
            let result = F::select(is_odd, magnitude.with_sign_of(x), magnitude);
            let is_undefined = x.is_less(zero) & (-infinity).is_less(x) & !is_integer;
            let result = F::select(is_undefined, F::of($float::NAN), result);
            let is_unit = x.is_equal(-one) & y.magnitude().is_equal(infinity);
            let is_one = x.is_equal(one) | y.is_equal(zero) | is_unit;
            F::select(is_one, one, result)
        }

        $(#[$of_powi])*
        ///
        /// Special arguments give what IEEE 754 says of `pown`.
        #[inline(always)]
        pub fn $powi<F: $bound>(x: F, n: impl Exponent<F::Wide>) -> F {
            let magnitude = $magnitude(x, n.to_float());
            let result = F::select(n.is_odd(), magnitude.with_sign_of(x), magnitude);
            F::select(n.is_zero(), F::of(1.0), result)
        }
    };
}

pow! {
    /// `x` to the power `y`, within 1 ulp (at most 0.51).
    powf_f32,
    /// `x` to the power `n`, within 1 ulp (at most 0.51).
    powi_f32: f32, Float32, magnitude_f32
}

pow! {
    /// `x` to the power `y`, within 2 ulp (at most 1.51 in millions of random pairs).
    powf_f64,
    /// `x` to the power `n`, within 2 ulp.
    powi_f64: f64, Float64, magnitude_f64
}

#[cfg(test)]
mod tests {
    use super::super::tests::{error_in_ulps, narrow, random_f64, ulps_apart};
    use super::*;

    /// Pairs of numbers whose powers are special, for both types. The standard library's `pow`, which is C's,
    /// says what is right.
    #[test]
    fn special_values() {
        let some = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 16777215.0, 3e38f32.into()];
        let some = some.into_iter().chain([f64::INFINITY, f64::NAN, f32::from_bits(1).into()]);
        let some: Vec<f64> = some.flat_map(|x| [x, -x]).collect();
        for (&x, &y) in some.iter().flat_map(|x| some.iter().map(move |y| (x, y))) {
            let (got, expected) = (powf_f64(x, y), x.powf(y));
            assert!(ulps_apart(got, expected) <= 1, "{x:e}^{y:e} = {got:e}, not {expected:e}");
            let got = powf_f32(narrow(x), narrow(y));
            assert!(error_in_ulps(got, expected) <= 1.0, "{x:e}^{y:e} = {got:e}, not {expected:e}");
        }
        for (&x, n) in some.iter().flat_map(|x| (-5..=5).map(move |n| (x, n))) {
            let (got, expected) = (powi_f64(x, n), x.powf(n.into()));
            assert!(ulps_apart(got, expected) <= 1, "{x:e}^{n} = {got:e}, not {expected:e}");
            let got = powi_f32(narrow(x), n);
            assert!(error_in_ulps(got, expected) <= 1.0, "{x:e}^{n} = {got:e}, not {expected:e}");
        }
    }

    /// Bases of all exponents, near 1 and very near 1.
    fn bases() -> impl Iterator<Item = f64> {
        let all = random_f64(-1074.0, 1024.0).map(f64::exp2);
        let near = random_f64(0.5, 2.0);
        let nearer = random_f64(-0.9, 0.9).map(|t| 1.0 + t.powi(25));
        all.zip(near).zip(nearer).flat_map(|((x, y), z)| [x, y, z]).filter(|&x| x != 1.0)
    }

    /// Results over the whole range; the standard library's are within 1 ulp.
    #[test]
    fn f64_agrees_with_std() {
        for (x, result) in bases().zip(random_f64(-1080.0, 1025.0)).take(300_000) {
            for y in [result / x.log2(), 0.01 * result] {
                let (got, expected) = (powf_f64(x, y), x.powf(y));
                assert!(ulps_apart(got, expected) <= 2, "{x:e}^{y:e} = {got:e}, not {expected:e}");
            }
            let n = narrow((result / x.log2()).round().clamp(-3e6, 3e6));
            #[allow(clippy::cast_possible_truncation, reason = "an integer")]
            let (got, expected) = (powi_f64(-x, n as i32), (-x).powf(n.into()));
            assert!(ulps_apart(got, expected) <= 2, "{x:e}^{n} = {got:e}, not {expected:e}");
        }
    }

    /// Results over the whole range, of every base in turn; and large integers.
    #[test]
    #[allow(clippy::cast_possible_truncation, reason = "some number of f32")]
    fn f32_within_one_ulp() {
        let near_one = (0.5f32.to_bits()..=2f32.to_bits()).step_by(101);
        let bases = (1..=f32::MAX.to_bits()).step_by(9973).chain(near_one).map(f32::from_bits);
        for (x, result) in bases.filter(|&x| x != 1.0).zip(random_f64(-155.0, 130.0)) {
            let y = (result / f64::from(x).log2()) as f32;
            let error = error_in_ulps(powf_f32(x, y), f64::from(x).powf(y.into()));
            assert!(error <= 1.0, "{x:e}^{y:e} is off by {error} ulp");
            let error =
                error_in_ulps(powi_f32(-x, y as i32), f64::from(-x).powf(f64::from(y as i32)));
            assert!(error <= 1.0, "{x:e}^{} is off by {error} ulp", y as i32);
        }
        let next = -(1f32.next_up());
        for n in [i32::MAX, i32::MIN, i32::MIN + 1, 16_777_217, -16_777_217] {
            let error = error_in_ulps(powi_f32(next, n), f64::from(next).powf(n.into()));
            assert!(error <= 1.0, "{n}: {error} ulp");
        }
    }
}
