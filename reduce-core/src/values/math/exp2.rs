//! 2 to a power.
//!
//! With n the integer nearest to x, r = x - n is exact, 2^x = 2^n 2^r, and 2^r = 1 + r q(r). The rest
//! is as in `exp`.

use super::exp::{ROUNDER_F32, ROUNDER_F64, scaled_f32, scaled_f64};
use super::float::{Float32, Float64};
use super::horner;

/// On |r| <= 0.5, degree 5; relative error 2^-28.3.
const Q_F32: [f32; 6] =
    [std::f32::consts::LN_2, 0.24022648, 0.0555036, 0.009618506, 0.001339081, 0.00015326489];

/// On |r| <= 0.5, degree 10; relative error 2^-57.8.
const Q_F64: [f64; 11] = [
    std::f64::consts::LN_2,
    0.24022650695910108,
    0.05550410866482172,
    0.009618129107601596,
    0.0013333558146546368,
    0.0001540353044905594,
    1.5252733633956227e-5,
    1.3215438822813743e-6,
    1.0178160029699608e-7,
    7.0732357545661285e-9,
    4.438869232251281e-10,
];

macro_rules! exp2 {
    (
        $(#[$doc:meta])* $name:ident: $float:ident, $bound:ident, $of_sum:ident,
        $q:ident, $scaled:ident, $rounder:ident, $least:literal, $greatest:literal
    ) => {
        /// 2 to the power x + rest, for a small rest. The rest is left out, whatever it is, where x is out of
        /// range: the result does not depend on it there.
        #[inline(always)]
        pub(super) fn $of_sum<F: $bound>(x: F, rest: F) -> F {
            let within = x.within($least, $greatest);
            let (x, rest) = (within, F::select(x.is_equal(within), rest, F::of(-0.0)));
            let rounder = F::of($rounder);
            let rounded = x + rounder;
            let r = x - (rounded - rounder) + rest;
            let exp2_r = horner($q, r).times_plus(r, F::of(1.0));
            $scaled(exp2_r, rounded, x, F::of($least).is_less(x))
        }

        $(#[$doc])*
        ///
        /// Of an integer it is exact; of inf it is inf, of -inf 0 and of NaN it is NaN.
        #[inline(always)]
        pub fn $name<F: $bound>(x: F) -> F {
            $of_sum(x, F::of(-0.0))
        }
    };
}

exp2! {
    /// 2 to the power `x`, within 1 ulp (at most 0.87).
    exp2_f32: f32, Float32, exp2_of_sum_f32, Q_F32, scaled_f32, ROUNDER_F32, -151.0, 128.0
}

exp2! {
    /// 2 to the power `x`, within 1 ulp (at most 0.87).
    exp2_f64: f64, Float64, exp2_of_sum_f64, Q_F64, scaled_f64, ROUNDER_F64, -1076.0, 1024.0
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
        let cases = [(0.0, 1.0), (-0.0, 1.0), (infinity, infinity), (-infinity, 0.0)];
        assert_special(&cases, exp2_f32, exp2_f64);
        assert_special(&[(1e4, infinity), (-1e4, 0.0)], exp2_f32, exp2_f64);
    }

    #[test]
    fn exact_of_integers() {
        // Half of the smallest f32 is rounded to zero, the even one of its neighbours.
        let rounded = |n: i16| match n {
            128.. => f64::INFINITY,
            ..-149 => 0.0,
            n => f64::exp2(n.into()),
        };
        for n in -160i16..140 {
            assert_eq!(f64::from(exp2_f32::<f32>(n.into())), rounded(n), "{n}");
        }
        for n in -1080i16..1030 {
            assert_eq!(exp2_f64::<f64>(n.into()), f64::exp2(n.into()), "{n}");
        }
    }

    /// Every value of the binades where n is 0 or ±1, of the last ones before overflow and of subnormal
    /// results, and a sample of the rest.
    #[test]
    fn f32_within_one_ulp() {
        let ranges = [(0.25, 1.0, 1), (-0.25, -1.0, 1), (127.0, 129.0, 1), (-125.0, -151.0, 1)];
        assert_f32_within(1.0, &ranges, exp2_f32, f64::exp2);
    }

    /// The standard library's is within 1 ulp as well, so the two can differ by 2.
    #[test]
    fn f64_agrees_with_std() {
        let limits = random_f64(-1080.0, 1025.0).take(200_000);
        let subnormal = random_f64(-1080.0, -1020.0).take(200_000);
        let xs = hard_f64(-2.0, 2.0).chain(limits).chain(subnormal);
        assert_f64_within(2, xs, exp2_f64, f64::exp2);
    }
}
