//! Means, and extremes of three.

use super::{Num, Ordered, Wrapping};

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
