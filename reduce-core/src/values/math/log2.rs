//! The logarithm to base 2.
//!
//! With e and f as in `ln`, the logarithm is e + ln(1 + f) log2(e). The leading term f log2(e) is kept exactly,
//! as three parts: the rounded product, its rounding error, and f times the error of the nearest value of
//! log2(e). Its sum with e is kept exactly, too. So the last rounding dominates, and for a power of two the
//! result is exact.

use super::float::{Float32, Float64};
use super::ln::{curved_f32, curved_f64, split_any_f32, split_any_f64};

macro_rules! log2 {
    ($(#[$doc:meta])* $name:ident: $float:ident, $bound:ident, $split:ident, $curved:ident, $log2_e_rest:literal) => {
        $(#[$doc])*
        ///
        /// Of a power of two it is exact, of ±0 it is -inf, of negative numbers NaN, of inf and NaN the
        /// argument itself.
        #[inline(always)]
        pub fn $name<F: $bound>(x: F) -> F {
            let log2_e = F::of(std::$float::consts::LOG2_E);
            let (e, m) = $split(x);
            let f = m - F::of(1.0);
            let linear = f * log2_e;
            let linear_lost = f.times_plus(F::of($log2_e_rest), f.times_plus(log2_e, -linear));
            let sum = e + linear;
            let lost = (e - sum) + linear + linear_lost;
            let result = sum + $curved(f, F::of(-0.0)).times_plus(log2_e, lost);

            let result = F::select(x.is_less(F::of($float::INFINITY)), result, x);
            let (zero, infinite) = (F::of(0.0), F::of($float::NEG_INFINITY));
            let outside = F::select(x.is_equal(zero), infinite, F::of($float::NAN));
            F::select(zero.is_less(x), result, outside)
        }
    };
}

log2! {
    /// The logarithm of `x` to base 2, within 2 ulp (at most 1.2).
    log2_f32: f32, Float32, split_any_f32, curved_f32, 1.925963e-8
}

log2! {
    /// The logarithm of `x` to base 2, within 2 ulp (at most 1.2).
    log2_f64: f64, Float64, split_any_f64, curved_f64, 2.0355273740931033e-17
}

#[cfg(test)]
mod tests {
    use super::super::tests::{
        assert_f32_within, assert_f64_within, assert_special, hard_f64, narrow, random_f64,
    };
    use super::*;

    #[test]
    fn special_values() {
        let infinity = f64::INFINITY;
        let cases = [(1.0, 0.0), (0.0, -infinity), (-0.0, -infinity), (infinity, infinity)];
        assert_special(&cases, log2_f32, log2_f64);
        let negative = [-f64::from(f32::from_bits(1)), -1.0, -infinity].map(|x| (x, f64::NAN));
        assert_special(&negative, log2_f32, log2_f64);
    }

    #[test]
    fn exact_of_powers_of_two() {
        for n in -149i16..128 {
            assert_eq!(log2_f32(narrow(f64::exp2(n.into()))), n.into());
        }
        for n in -1074i16..1024 {
            assert_eq!(log2_f64(f64::exp2(n.into())), n.into());
        }
    }

    /// Every value of the two binades around 1, where the result is near 0, and of the subnormals; a
    /// sample of the rest.
    #[test]
    fn f32_within_two_ulp() {
        let ranges = [(0.5, 2.0, 1), (0.0, f32::MIN_POSITIVE, 3)];
        assert_f32_within(1.2, &ranges, log2_f32, f64::log2);
    }

    /// The standard library's is within 1 ulp as well, so the two can differ by 2.
    #[test]
    fn f64_agrees_with_std() {
        let nearer_one = random_f64(-0.9, 0.9).take(200_000).map(|t| 1.0 + t.powi(25));
        assert_f64_within(2, hard_f64(0.5, 2.0).chain(nearer_one), log2_f64, f64::log2);
    }
}
