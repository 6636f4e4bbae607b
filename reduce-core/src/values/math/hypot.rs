//! The square root of a sum of two squares.
//!
//! For f32, squares are exact in f64, and neither they nor their sum overflow or underflow there.
//!
//! For f64, squares may overflow, underflow or lose digits. Where they would, both numbers are first multiplied
//! by a power of two, and the result is divided by it in the end. A smaller number that this makes zero does
//! not count beside the larger one.

use super::float::{Float, Float32, Float64};

/// The square root of the sum of the squares of `x` and `y`, within 1 ulp.
///
/// It is inf if either is infinite, even if the other one is NaN; else it is NaN if either is.
#[inline(always)]
pub fn hypot_f32<F: Float32>(x: F, y: F) -> F {
    let (wide_x, wide_y) = (x.widen(), y.widen());
    let result = F::narrow(wide_x.times_plus(wide_x, wide_y * wide_y).square_root());
    let infinity = F::of(f32::INFINITY);
    let is_infinite = x.magnitude().is_equal(infinity) | y.magnitude().is_equal(infinity);
    F::select(is_infinite, infinity, result)
}

/// The square root of the sum of the squares of `x` and `y`, within 1 ulp.
///
/// It is inf if either is infinite, even if the other one is NaN; else it is NaN if either is.
#[inline(always)]
pub fn hypot_f64<F: Float64>(x: F, y: F) -> F {
    const LARGE: f64 = f64::from_bits((1023 + 500) << 52);
    const SMALL: f64 = f64::from_bits((1023 - 450) << 52);
    const UP: f64 = f64::from_bits((1023 + 600) << 52);
    const DOWN: f64 = f64::from_bits((1023 - 600) << 52);

    let (x, y) = (x.magnitude(), y.magnitude());
    let is_first_larger = y.is_less(x);
    let larger = F::select(is_first_larger, x, y);
    let smaller = F::select(is_first_larger, y, x);
    let (is_large, is_small) = (F::of(LARGE).is_less(larger), larger.is_less(F::of(SMALL)));
    let choice = |large: f64, small: f64| {
        let factor = F::select(is_large, F::of(large), F::of(1.0));
        F::select(is_small, F::of(small), factor)
    };
    let (factor, back) = (choice(DOWN, UP), choice(UP, DOWN));
    let (larger, smaller) = (larger * factor, smaller * factor);
    let result = larger.times_plus(larger, smaller * smaller).square_root() * back;
    let infinity = F::of(f64::INFINITY);
    let is_infinite = x.is_equal(infinity) | y.is_equal(infinity);
    F::select(is_infinite, infinity, result)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{error_in_ulps, narrow, random_f64, ulps_apart};
    use super::*;

    #[test]
    fn special_values() {
        let (infinity, nan) = (f64::INFINITY, f64::NAN);
        for (x, y, expected) in [
            (0.0, -0.0, 0.0),
            (-0.0, 0.0, 0.0),
            (-3.0, 4.0, 5.0),
            (0.0, -2.5, 2.5),
            (infinity, nan, infinity),
            (nan, -infinity, infinity),
            (nan, 1.0, nan),
            (0.0, nan, nan),
        ] {
            let both = [hypot_f64(x, y), f64::from(hypot_f32(narrow(x), narrow(y)))];
            for got in both {
                let same = got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan();
                assert!(same, "hypot({x}, {y}) = {got}");
            }
        }
        assert_eq!(hypot_f32(f32::MAX, f32::MAX), f32::INFINITY);
        assert_eq!(hypot_f64(f64::MAX, f64::MAX), f64::INFINITY);
        // Three and four times a number at either end of the range.
        for unit in [f32::from_bits(1), f32::MAX / 5.0] {
            assert_eq!(hypot_f32(3.0 * unit, 4.0 * unit), 5.0 * unit);
        }
        for unit in [f64::from_bits(1), f64::MIN_POSITIVE, 2f64.powi(1020)] {
            assert_eq!(hypot_f64(3.0 * unit, 4.0 * unit), 5.0 * unit);
        }
    }

    /// Numbers of all exponents are tried, each beside one of similar size and one of any other size.
    #[test]
    fn within_one_ulp() {
        let exponents = random_f64(-1074.0, 1024.0).zip(random_f64(-3.0, 3.0).skip(1));
        for (exponent, ratio) in exponents.take(200_000) {
            let x = exponent.exp2();
            for y in [x * ratio, exponent.sin().exp2()] {
                let (got, expected) = (hypot_f64(x, y), x.hypot(y));
                assert!(ulps_apart(got, expected) <= 2, "hypot({x:e}, {y:e}) = {got:e}");
            }
        }
        for (bits, ratio) in (0..=u32::MAX).step_by(9973).zip(random_f64(-3.0, 3.0)) {
            let x = f32::from_bits(bits);
            #[allow(clippy::cast_possible_truncation, reason = "some number of f32")]
            for y in [x * ratio as f32, ratio as f32] {
                let error = error_in_ulps(hypot_f32(x, y), f64::from(x).hypot(y.into()));
                assert!(error <= 1.0, "hypot({x:e}, {y:e}) is off by {error} ulp");
            }
        }
    }
}
