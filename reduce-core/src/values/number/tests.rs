//! Means, extremes of three, and what floats have of the CPU.

use super::{Num, Ordered, Real, Wrapping};

#[test]
fn integer_means_truncate_toward_zero() {
    for (sum, count, mean) in [(-3i128, 2, -1), (3, 2, 1), (-7, 2, -3), (5, 0, 0)] {
        assert_eq!(Wrapping(sum).div_count(count), Wrapping(mean));
    }
    assert_eq!(Wrapping(127i8).div_count(1000), Wrapping(0));
    assert_eq!(Wrapping(-128i8).div_count(128), Wrapping(-1));
    assert_eq!(Wrapping(-128i8).div_count(129), Wrapping(0));
    assert_eq!(Wrapping(128u8).div_count(256), Wrapping(0));
    assert_eq!(Num::abs(Wrapping(-128i8)), Wrapping(-128));
}

/// Zeros, infinities and NaNs of both signs, a NaN whose bits are not all set, and numbers.
macro_rules! hard_floats {
    ($float:ident) => {{
        let some = [0.0, 1.0, 2.5, $float::MIN_POSITIVE, $float::INFINITY, $float::NAN];
        let positive = some.into_iter().chain([$float::from_bits($float::NAN.to_bits() + 5)]);
        positive.flat_map(|x| [x, -x]).collect::<Vec<_>>()
    }};
}

/// Whether the extremes of three are, to the last bit, those of two and of the third.
fn extremes_of_three<A: Ordered>(xs: &[A], bits: impl Fn(A) -> u64) {
    for (&a, &b) in xs.iter().flat_map(|a| xs.iter().map(move |b| (a, b))) {
        for &c in xs {
            let (of_three, of_two) = (a.maximum3(b, c), a.maximum(b).maximum(c));
            assert_eq!(bits(of_three), bits(of_two), "the largest of {a:?}, {b:?}, {c:?}");
            let (of_three, of_two) = (a.minimum3(b, c), a.minimum(b).minimum(c));
            assert_eq!(bits(of_three), bits(of_two), "the smallest of {a:?}, {b:?}, {c:?}");
        }
    }
}

#[test]
fn the_extremes_of_three_are_those_of_two_and_one() {
    extremes_of_three(&hard_floats!(f32), |x: f32| x.to_bits().into());
    extremes_of_three(&hard_floats!(f64), f64::to_bits);
    extremes_of_three(&[false, true], u64::from);
    extremes_of_three(&[-128i8, -1, 0, 5, 127].map(Wrapping), |Wrapping(x)| {
        x.cast_unsigned().into()
    });
}

#[test]
fn the_mean_of_nothing_is_nan() {
    assert!(0.0f32.div_count(0).is_nan());
}

/// Numbers whose fractions are exact in f32, around integers and halves, and the last that have any.
fn fractions() -> impl Iterator<Item = f32> {
    let small = (-4000..4000i16).map(|eighths| f32::from(eighths) / 8.0);
    let next = small.clone().flat_map(|x| [x.next_up(), x.next_down()]);
    let large = [8388607.5, 8388608.0, 8388609.0, 1e30, 1e38];
    small.chain(next).chain(large.into_iter().flat_map(|x| [x, -x]))
}

/// Integers of 128 bits, which cut off the fraction, say what is right.
#[test]
#[allow(clippy::cast_possible_truncation, reason = "to cut off the fraction")]
fn integers_around_a_number() {
    for x in fractions() {
        let cut = x as i128;
        let fraction = f64::from(x) - cut as f64;
        let floor = cut - i128::from(fraction < 0.0);
        let round = cut + i128::from(fraction >= 0.5) - i128::from(fraction <= -0.5);
        assert_eq!((Real::floor(x), Real::round(x)), (floor as f32, round as f32), "{x:e}");
        let x = f64::from(x);
        assert_eq!((Real::floor(x), Real::round(x)), (floor as f64, round as f64), "{x:e}");
    }
    for x in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY] {
        for found in [Real::floor(x), Real::round(x)] {
            assert_eq!(found.to_bits(), x.to_bits(), "{x:e}");
        }
    }
    assert!(Real::floor(f64::NAN).is_nan() && Real::round(f32::NAN).is_nan());
    assert!(Real::round(-0.25f64).is_sign_negative());
}

#[test]
fn signs_are_copied_and_reciprocals_rounded() {
    for magnitude in [0.0, 1.5, f32::INFINITY, f32::NAN] {
        for (x, sign) in
            [(magnitude, -0.0), (-magnitude, f32::NEG_INFINITY), (magnitude, -f32::NAN)]
        {
            let found = Real::copysign(x, sign);
            assert_eq!(
                found.to_bits(),
                magnitude.to_bits() | 1 << 31,
                "{x} with the sign of {sign}"
            );
            assert_eq!(Real::copysign(found, -sign).to_bits(), magnitude.to_bits());
        }
    }
    assert_eq!((Real::recip(8.0f32), Real::recip(-0.0f64)), (0.125, f64::NEG_INFINITY));
    assert_eq!(Real::recip(49.0f64), 1.0 / 49.0);
}
