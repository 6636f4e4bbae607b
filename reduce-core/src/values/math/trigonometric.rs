//! Sine and cosine.
//!
//! Argument reduction: n is the integer nearest to x / (pi / 2), and r = x - n pi / 2 is at most a little more
//! than pi / 4 in magnitude. The last two bits of n say whether the sine of x is that of r, its cosine, or one
//! of these negated. Polynomials: sin(r) = r + r^3 s(w) and cos(r) = 1 - w / 2 + w^2 c(w), where w = r^2.
//!
//! For f32, x has 24 bits, and the reduction is computed in f64. It needs the fraction of x times 2 / pi, and
//! the last two bits of its integer part. So those leading bits of 2 / pi are left out whose product with x is
//! a multiple of 4 (Payne and Hanek 1983). The bits that follow are a sum of two numbers. The first of these
//! has 53 bits, and its product with x is split exactly into a rounded product and what rounding took. There
//! are four places to begin at, and comparisons of |x| say which one is taken.
//!
//! For f64 there would be twenty such places and five numbers, and to choose these alone takes three times as
//! long as everything here. Instead, pi / 2 is a sum of three numbers (Cody and Waite 1980), and r is a sum of
//! two. The first difference, x - n pi / 2, is exact: it is small, and x and the product have no bits below its
//! last one. The product of n with the second number is split exactly. For that, n's own rounding must be small
//! beside 1. So the result is NaN beyond `LIMIT`, where neighbouring numbers are 1/64 apart and their sines
//! have two digits.

use super::exp::{ROUNDER_F32, ROUNDER_F64};
use super::float::{Float, Float32, Float64, FloatBits};
use super::horner;

/// x less a multiple of pi / 2: n, as the low bits of the rounding sum, and r.
#[inline(always)]
fn reduced_f32<F: Float32>(x: F) -> (F::Bits, F) {
    // From each of these magnitudes on, 2 / pi begins 28 bits later.
    const FROM: [f32; 3] = [(1u128 << 53) as f32, (1u128 << 81) as f32, (1u128 << 109) as f32];
    const PIECES: [[f64; 2]; 4] = [
        [0.6366197723675813, 7.166494911215068e-17],
        [3.3308114761321754e-09, 2.8376220177865265e-25],
        [2.2760100730783954e-18, 9.372006544409767e-34],
        [2.5268260355831494e-26, 4.420676015940119e-42],
    ];
    // Adding this number and taking it off again rounds to a multiple of 4.
    const FOURS: f64 = 4.0 * ROUNDER_F64;

    let wide = x.widen();
    let is_before = |place: usize| x.magnitude().is_less(F::of(FROM[place]));
    let piece = |i: usize| {
        let at = |place: usize| F::Wide::of(PIECES[place][i]);
        let piece = F::Wide::select(is_before(0), at(0), at(1));
        let piece = F::Wide::select(is_before(1), piece, at(2));
        F::Wide::select(is_before(2), piece, at(3))
    };
    let (fours, rounder) = (F::Wide::of(FOURS), F::Wide::of(ROUNDER_F64));
    let (first, second) = (piece(0), piece(1));
    let product = wide * first;
    let high = product - ((product + fours) - fours);
    let low = wide.times_plus(second, wide.times_plus(first, -product));
    let rounded = (high + low) + rounder;
    let n = rounded - rounder;
    let r = ((high - n) + low) * F::Wide::of(std::f64::consts::FRAC_PI_2);
    ((F::narrow(n) + F::of(ROUNDER_F32)).pattern(), F::narrow(r))
}

/// The sine of x, or its cosine if `quarter` is 1.
#[inline(always)]
fn wave_f32<F: Float32>(x: F, quarter: u32) -> F {
    // On |r| <= 0.80, degree 2; relative error 2^-27.7 and 2^-32.6.
    const S: [f32; 3] = [-0.16666654, 0.008332093, -0.00019505146];
    const C: [f32; 3] = [0.04166664, -0.001388713, 2.4412086e-5];

    let (n, r) = reduced_f32(x);
    let n = n.plus(F::Bits::of(quarter));
    let w = r * r;
    let sin = (r * w).times_plus(horner(S, w), r);
    let cos = w.times_plus(w.times_plus(horner(C, w), F::of(-0.5)), F::of(1.0));
    let is_even = (n & F::Bits::of(1)).is_equal(F::Bits::of(0));
    let magnitude = F::select(is_even, sin, cos);
    F::of_pattern(magnitude.pattern() ^ (n & F::Bits::of(2)) << 30)
}

/// The greatest magnitude for which f64 gives sine and cosine: 2^46.
const LIMIT: f64 = (1u64 << 46) as f64;

/// x less a multiple of pi / 2: n, as the low bits of the rounding sum, and r as a sum of two.
#[inline(always)]
fn reduced_f64<F: Float64>(x: F) -> (F::Bits, F, F) {
    use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};
    const SECOND: f64 = 6.123233995736766e-17;
    const THIRD: f64 = -1.4973849048591698e-33;

    let (rounder, second) = (F::of(ROUNDER_F64), F::of(SECOND));
    let rounded = x.times_plus(F::of(FRAC_2_PI), rounder);
    let n = rounded - rounder;
    let near = n.times_plus(F::of(-FRAC_PI_2), x);
    let product = n * second;
    let product_lost = n.times_plus(second, -product);
    // Rounding takes this from the difference, whichever term is the larger (Knuth's `TwoSum`).
    let r = near - product;
    let taken = r - near;
    let lost = (near - (r - taken)) - (product + taken);
    (rounded.pattern(), r, n.times_plus(F::of(-THIRD), lost - product_lost))
}

/// The sine of x, or its cosine if `quarter` is 1.
#[inline(always)]
fn wave_f64<F: Float64>(x: F, quarter: u64) -> F {
    // On |r| <= 0.80, degree 5; relative error 2^-57.5 and 2^-63.5.
    const S: [f64; 6] = [
        -0.1666666666666662,
        0.008333333333319702,
        -0.00019841269827607788,
        2.7557312921218293e-6,
        -2.505063656412597e-8,
        1.5889711890740306e-10,
    ];
    const C: [f64; 6] = [
        0.041666666666666574,
        -0.0013888888888869719,
        2.4801587286728944e-5,
        -2.7557313557939983e-7,
        2.0875615559502715e-9,
        -1.1354089279153062e-11,
    ];

    let (n, r, rest) = reduced_f64(x);
    let n = n.plus(F::Bits::of(quarter));
    let w = r * r;
    let half_square = F::of(0.5) * w;
    let sin = r + (r * w).times_plus(horner(S, w), (-half_square).times_plus(rest, rest));
    let one = F::of(1.0);
    let near = one - half_square;
    let lost = (one - near) - half_square;
    let cos = near + (w * w).times_plus(horner(C, w), (-r).times_plus(rest, lost));
    let is_even = (n & F::Bits::of(1)).is_equal(F::Bits::of(0));
    let magnitude = F::select(is_even, sin, cos);
    let result = F::of_pattern(magnitude.pattern() ^ (n & F::Bits::of(2)) << 62);
    F::select(x.magnitude().is_at_most(F::of(LIMIT)), result, F::of(f64::NAN))
}

macro_rules! waves {
    ($(#[$doc:meta])* $bound:ident: $sin:ident, $cos:ident, $wave:ident) => {
        /// The sine of `x`, in radians.
        $(#[$doc])*
        #[inline(always)]
        pub fn $sin<F: $bound>(x: F) -> F {
            // A zero keeps its sign.
            F::select(x.is_equal(F::of(0.0)), x, $wave(x, 0))
        }

        /// The cosine of `x`, in radians.
        $(#[$doc])*
        #[inline(always)]
        pub fn $cos<F: $bound>(x: F) -> F {
            $wave(x, 1)
        }
    };
}

waves! {
    /// Within 2 ulp (at most 1.6).
    Float32: sin_f32, cos_f32, wave_f32
}

waves! {
    /// Within 1 ulp (at most 0.77); NaN beyond 2^46.
    Float64: sin_f64, cos_f64, wave_f64
}

#[cfg(test)]
mod tests {
    use super::super::tests::{
        assert_f32_within, assert_f64_within, assert_special, error_in_ulps, random_f64,
    };
    use super::*;

    #[test]
    fn special_values() {
        let infinity = f64::INFINITY;
        let cases = [(0.0, 0.0), (-0.0, -0.0), (infinity, f64::NAN), (-infinity, f64::NAN)];
        assert_special(&cases, sin_f32, sin_f64);
        let cases = [(0.0, 1.0), (-0.0, 1.0), (infinity, f64::NAN), (-infinity, f64::NAN)];
        assert_special(&cases, cos_f32, cos_f64);
        for tiny in [f32::from_bits(1), -f32::from_bits(1), f32::MIN_POSITIVE] {
            assert_eq!((sin_f32(tiny), cos_f32(tiny)), (tiny, 1.0));
        }
        for tiny in [f64::from_bits(1), -f64::from_bits(1), f64::MIN_POSITIVE] {
            assert_eq!((sin_f64(tiny), cos_f64(tiny)), (tiny, 1.0));
        }
    }

    /// Every third value is tried of the binades where n is 0 to 2, and a sample of the rest, huge ones
    /// included. So is the number that is nearest to a multiple of pi / 2.
    #[test]
    fn f32_within_two_ulp() {
        let ranges = [(0.5, 4.0, 3), (-0.5, -4.0, 101), (1e15, f32::MAX, 307)];
        assert_f32_within(1.6, &ranges, sin_f32, f64::sin);
        assert_f32_within(1.6, &ranges, cos_f32, f64::cos);
        let nearest = 16367173.0 * 2f32.powi(72);
        assert!(error_in_ulps(cos_f32(nearest), f64::cos(nearest.into())) <= 1.6);
    }

    /// The standard library's are within 0.6 ulp, so that errors below 0.8 make at most one step.
    #[test]
    fn f64_agrees_with_std_up_to_the_limit() {
        let around = |n: f64| n.round() * std::f64::consts::FRAC_PI_2;
        let zeros = random_f64(0.0, 1e4).take(100_000).map(around);
        let far_zeros = random_f64(0.0, 4e13).take(100_000).map(around);
        let exponents = random_f64(-1074.0, 46.0).take(100_000).map(f64::exp2);
        let xs =
            exponents.chain(random_f64(-10.0, 10.0).take(200_000)).chain(zeros).chain(far_zeros);
        for x in xs {
            assert_f64_within(1, [x, -x].into_iter(), sin_f64, f64::sin);
            assert_f64_within(1, [x, -x].into_iter(), cos_f64, f64::cos);
        }
        let differ = |one: fn(f64) -> f64, other: fn(f64) -> f64| {
            random_f64(-10.0, 10.0).take(100_000).filter(|&x| one(x) != other(x)).count()
        };
        // One in thirty differs. It is one in twenty or more if something that rounding took is left out.
        let (sines, cosines) = (differ(sin_f64, f64::sin), differ(cos_f64, f64::cos));
        assert!(sines.max(cosines) < 4000, "{sines} sines and {cosines} cosines differ");
        let beyond = 2f64.powi(46).next_up();
        for x in [beyond, -beyond, 1e100, f64::MAX, f64::MIN] {
            assert!(sin_f64(x).is_nan() && cos_f64(x).is_nan(), "{x:e}");
        }
        assert_f64_within(1, [2f64.powi(46), -(2f64.powi(46))].into_iter(), sin_f64, f64::sin);
    }
}
