//! The exponential function less 1, and the hyperbolic tangent, which is made of it.
//!
//! With n and r as in `exp`, exp(x) - 1 = 2^n (r + r^2 q(r)) + (2^n - 1). The sum of 2^n r and 2^n - 1 is
//! rounded, but what rounding takes from it is known exactly (Dekker 1971). That is added to the smaller term,
//! 2^n r^2 q(r), and so is what rounding took from r. So the last rounding dominates. Only where |n| is near
//! the number of digits of the type is 2^n - 1 rounded, too, which costs at most half an ulp. For n = 0, r is x
//! itself, so that small results keep all their digits. All is computed at half its size, because 2^n alone
//! would overflow for the largest x.
//!
//! With t = exp(-2 |x|) - 1, which is between -1 and 0, tanh |x| = -t / (2 + t). Both t and 2 + t are
//! sums of two numbers, a rounded one and what rounding took. The quotient of the rounded ones is
//! corrected once, by the remainder of that division.

use super::exp::{
    Q_F32, Q_F64, ROUNDER_F32, ROUNDER_F64, reduced_exactly_f32, reduced_exactly_f64,
};
use super::float::{Float32, Float64, FloatBits};
use super::horner;

macro_rules! exp_m1 {
    (
        $float:ident, $bound:ident, $halves:ident, $(#[$of_exp_m1:meta])* $exp_m1:ident,
        $(#[$of_tanh:meta])* $tanh:ident, $reduced:ident, $q:ident, $rounder:ident,
        $least:literal, $greatest:literal
    ) => {
        /// Half of exp(x) - 1, as a sum of two numbers.
        #[inline(always)]
        fn $halves<F: $bound>(x: F) -> (F, F) {
            const FRACTION_BITS: u32 = $float::MANTISSA_DIGITS - 1;
            const HALF: $float = 0.5;

            let (r, r_lost, rounded) = $reduced(x, $rounder);
            let half_power = F::Bits::of(HALF.to_bits()).plus(rounded.pattern() << FRACTION_BITS);
            let half_power = F::of_pattern(half_power);
            let ones = half_power - F::of(HALF);
            let main = half_power.times_plus(r, ones);
            let lost = half_power.times_plus(r, ones - main);
            (main, half_power.times_plus(horner($q, r).times_plus(r * r, r_lost), lost))
        }

        $(#[$of_exp_m1])*
        ///
        /// Of ±0 and NaN it is the argument itself, of -inf it is -1, of inf it is inf.
        #[inline(always)]
        pub fn $exp_m1<F: $bound>(x: F) -> F {
            let (main, rest) = $halves(x.within($least, $greatest));
            let is_small = x.magnitude().is_less(F::of($float::EPSILON / 4.0));
            F::select(is_small, x, F::of(2.0) * (main + rest))
        }

        $(#[$of_tanh])*
        ///
        /// Of ±0 and NaN it is the argument itself, of ±inf it is ±1.
        #[inline(always)]
        pub fn $tanh<F: $bound>(x: F) -> F {
            let (main, rest) = $halves((F::of(-2.0) * x.magnitude()).within($least, 0.0));
            let (main, rest) = (main + rest, (main - (main + rest)) + rest);
            let one = F::of(1.0);
            let divisor = one + main;
            let divisor_rest = (one - divisor) + main + rest;
            let inverse = one / divisor;
            let quotient = main * inverse;
            let remainder = (-quotient).times_plus(divisor, main) + (-quotient).times_plus(divisor_rest, rest);
            remainder.times_plus(inverse, quotient).with_sign_of(x)
        }
    };
}

exp_m1! {
    f32, Float32, halves_f32,
    /// exp(`x`) - 1, within 2 ulp (at most 1.2).
    exp_m1_f32,
    /// The hyperbolic tangent of `x`, within 2 ulp (at most 1.5).
    tanh_f32,
    reduced_exactly_f32, Q_F32, ROUNDER_F32, -20.0, 89.0
}

exp_m1! {
    f64, Float64, halves_f64,
    /// exp(`x`) - 1, within 2 ulp (at most 1.2).
    exp_m1_f64,
    /// The hyperbolic tangent of `x`, within 2 ulp (at most 1.5).
    tanh_f64,
    reduced_exactly_f64, Q_F64, ROUNDER_F64, -40.0, 710.0
}

#[cfg(test)]
mod tests {
    use super::super::tests::{
        assert_f32_within, assert_f64_within, assert_special, hard_f64, random_f64,
    };
    use super::*;

    #[test]
    fn special_values() {
        let infinity = f64::INFINITY;
        let cases = [(0.0, 0.0), (-0.0, -0.0), (infinity, infinity), (-infinity, -1.0)];
        assert_special(&cases, exp_m1_f32, exp_m1_f64);
        assert_special(&[(1e4, infinity), (-1e4, -1.0)], exp_m1_f32, exp_m1_f64);
        let cases = [(0.0, 0.0), (-0.0, -0.0), (infinity, 1.0), (-infinity, -1.0), (50.0, 1.0)];
        assert_special(&cases, tanh_f32, tanh_f64);
        for tiny in [f32::from_bits(1), -f32::from_bits(1), f32::MIN_POSITIVE, 1e-20] {
            assert_eq!((exp_m1_f32(tiny), tanh_f32(tiny)), (tiny, tiny));
        }
        for tiny in [f64::from_bits(1), -f64::from_bits(1), f64::MIN_POSITIVE, 1e-200] {
            assert_eq!((exp_m1_f64(tiny), tanh_f64(tiny)), (tiny, tiny));
        }
        // The last value that does not overflow, and the next.
        assert!(exp_m1_f64(709.782712893384f64).is_finite());
        assert_eq!(exp_m1_f64(709.7827128933841), f64::INFINITY);
    }

    /// Every value of the binades where n is 0 or ±1, of the last one where the result is not the limit,
    /// and a sample of the rest.
    #[test]
    fn f32_within_two_ulp() {
        let ranges = [(0.25, 1.0, 1), (-0.25, -1.0, 1), (-16.0, -18.0, 1), (88.0, 89.5, 1)];
        assert_f32_within(1.1, &ranges, exp_m1_f32, f64::exp_m1);
        let ranges = [(0.125, 0.5, 1), (8.0, 9.5, 1), (-8.0, -9.5, 1)];
        assert_f32_within(1.5, &ranges, tanh_f32, f64::tanh);
    }

    /// The standard library's `exp_m1` is within 1 ulp, its tanh within 2.
    #[test]
    fn f64_agrees_with_std() {
        let limits = random_f64(-40.0, 710.0).take(200_000);
        assert_f64_within(2, hard_f64(-2.0, 2.0).chain(limits), exp_m1_f64, f64::exp_m1);
        let limits = random_f64(-20.0, 20.0).take(200_000);
        assert_f64_within(3, hard_f64(-2.0, 2.0).chain(limits), tanh_f64, f64::tanh);
    }
}
