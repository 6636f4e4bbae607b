//! The square root of a sum of two squares.
//!
//! For f32, squares are exact in f64, and neither they nor their sum overflow or underflow there.
//!
//! For f64, numbers whose squares would, or of which squares would lose digits, are first multiplied by
//! a power of two, by which the result is divided in the end. A smaller number that becomes zero by that
//! does not count beside the larger one.

/// The square root of the sum of the squares of `x` and `y`, within 1 ulp.
///
/// Inf if either is infinite, even if the other one is NaN; else NaN if either is.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "rounded to nearest")]
pub(crate) fn hypot_f32(x: f32, y: f32) -> f32 {
    let (wide_x, wide_y) = (f64::from(x), f64::from(y));
    let result = wide_x.mul_add(wide_x, wide_y * wide_y).sqrt() as f32;
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    if infinite { f32::INFINITY } else { result }
}

/// The square root of the sum of the squares of `x` and `y`, within 1 ulp.
///
/// Inf if either is infinite, even if the other one is NaN; else NaN if either is.
#[inline(always)]
pub(crate) fn hypot_f64(x: f64, y: f64) -> f64 {
    const LARGE: f64 = f64::from_bits((1023 + 500) << 52);
    const SMALL: f64 = f64::from_bits((1023 - 450) << 52);
    const UP: f64 = f64::from_bits((1023 + 600) << 52);
    const DOWN: f64 = f64::from_bits((1023 - 600) << 52);

    let (x, y) = (x.abs(), y.abs());
    let larger = if x > y { x } else { y };
    let smaller = if x > y { y } else { x };
    let (factor, back) = if larger > LARGE { (DOWN, UP) } else { (1.0, 1.0) };
    let (factor, back) = if larger < SMALL { (UP, DOWN) } else { (factor, back) };
    let (larger, smaller) = (larger * factor, smaller * factor);
    let result = larger.mul_add(larger, smaller * smaller).sqrt() * back;
    let infinite = (x == f64::INFINITY) | (y == f64::INFINITY);
    if infinite { f64::INFINITY } else { result }
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
        // Three and four times a number of either end.
        for unit in [f32::from_bits(1), f32::MAX / 5.0] {
            assert_eq!(hypot_f32(3.0 * unit, 4.0 * unit), 5.0 * unit);
        }
        for unit in [f64::from_bits(1), f64::MIN_POSITIVE, 2f64.powi(1020)] {
            assert_eq!(hypot_f64(3.0 * unit, 4.0 * unit), 5.0 * unit);
        }
    }

    /// Of all exponents, beside a number of similar size, and beside one of any other.
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
