//! The natural logarithm of 1 + x.
//!
//! Argument reduction: u = 1 + x is rounded, and c is what rounding took from it. With u = 2^e m as in `ln`,
//! the exact sum is 2^e (m + 2^-e c). So the argument of the same polynomial is f = m - 1 + 2^-e c. What
//! rounding takes from f is added behind it, times 1 - f, which is nearly the slope of the logarithm there. For
//! e = 0, f is x itself, so that small results keep all their digits.
//!
//! Anything but a finite x above -1 gives a meaningless number up to here and is replaced at the
//! end, where a zero gets its sign, too.

use super::float::{Float32, Float64, FloatBits};
use super::ln::{joined_f32, joined_f64, split_f32, split_f64};

macro_rules! ln_1p {
    ($(#[$doc:meta])* $name:ident: $float:ident, $bound:ident, $split:ident, $joined:ident) => {
        $(#[$doc])*
        ///
        /// Of ±0, inf and NaN it is the argument itself, of -1 it is -inf, and below NaN.
        #[inline(always)]
        pub fn $name<F: $bound>(x: F) -> F {
            // From here on c counts for nothing, and further on 2^-e is no normal number.
            const LARGE: $float = 1.0 / ($float::EPSILON * $float::EPSILON);

            let (zero, one) = (F::of(0.0), F::of(1.0));
            let u = one + x;
            let c = x - (u - one);
            let (e, m) = $split(u, zero);
            // The bits of u and of m differ by e in the place of the exponent.
            let down = one.pattern().plus(m.pattern()).minus(u.pattern());
            let down = F::select(u.is_less(F::of(LARGE)), F::of_pattern(down), zero);
            let f = c.times_plus(down, m - one);
            let lost = c.times_plus(down, (m - one) - f);
            let result = $joined(e, f, lost.times_plus(-f, lost));

            let is_itself = x.is_equal(zero) | x.is_equal(F::of($float::INFINITY));
            let result = F::select(is_itself, x, result);
            let (least, infinite) = (F::of(-1.0), F::of($float::NEG_INFINITY));
            let outside = F::select(x.is_equal(least), infinite, F::of($float::NAN));
            F::select(least.is_less(x), result, outside)
        }
    };
}

ln_1p! {
    /// ln(1 + `x`), within 1 ulp (at most 0.88 over every seventh value).
    ln_1p_f32: f32, Float32, split_f32, joined_f32
}

ln_1p! {
    /// ln(1 + `x`), within 1 ulp (at most 0.80 in millions of random values).
    ln_1p_f64: f64, Float64, split_f64, joined_f64
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
        let cases = [(0.0, 0.0), (-0.0, -0.0), (-1.0, -infinity), (infinity, infinity)];
        let below = [-1.5, -1e4, -infinity].map(|x| (x, f64::NAN));
        assert_special(&[&cases[..], &below].concat(), ln_1p_f32, ln_1p_f64);
        for tiny in [f32::from_bits(1), -f32::from_bits(1), f32::MIN_POSITIVE] {
            assert_eq!(ln_1p_f32(tiny), tiny);
        }
        for tiny in [f64::from_bits(1), -f64::from_bits(1), f64::MIN_POSITIVE] {
            assert_eq!(ln_1p_f64(tiny), tiny);
        }
        assert_eq!((ln_1p_f32(f32::MAX), ln_1p_f64(f64::MAX)), (88.72284, 709.782712893384));
    }

    /// Every value of the binades where e is 0 or ±1, and a sample of the rest.
    #[test]
    fn f32_within_one_ulp() {
        let ranges = [(0.25, 2.0, 1), (-0.125, -1.0, 1)];
        assert_f32_within(1.0, &ranges, ln_1p_f32, f64::ln_1p);
    }

    /// The standard library's is within 1 ulp as well, so the two can differ by 2.
    #[test]
    fn f64_agrees_with_std() {
        let near_minus_one = random_f64(-53.0, 0.0).take(200_000).map(|e| e.exp2() - 1.0);
        let xs = hard_f64(-1.0, 3.0).chain(near_minus_one);
        assert_f64_within(2, xs, ln_1p_f64, f64::ln_1p);
    }
}
