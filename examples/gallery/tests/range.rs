//! Operators at the ends of the range: no overflow or underflow that the exact result has not, and what is
//! decided where there is no result.

use reduce_core::{Reduction, View};
use reduce_gallery::{Cosine, LogSoftmax, Shape, SquaredError, Summary, Variance, softmax};

/// The result over a list, or over two.
macro_rules! over {
    ($op:expr, $($list:expr),+) => {{
        let views = ($(View::new(&$list, &[$list.len()]).expect("a list")),+);
        Reduction::new($op).run(&views).expect("a result").data()[0]
    }};
}

fn near(found: f64, expected: f64) {
    let error = (found - expected).abs() / expected.abs();
    assert!(found == expected || error < 1e-6, "{found:e}, not {expected:e}");
}

#[test]
fn a_correction_as_large_as_the_number_of_elements() {
    let list = [1.0f64, 2.0, 3.0];
    assert_eq!(over!(Variance { correction: 2 }, list), 2.0);
    assert!(over!(Variance { correction: 3 }, list).is_nan());
    assert!(over!(Variance { correction: 4 }, list).is_nan());
}

#[test]
fn variances_of_large_elements() {
    near(over!(Variance::default(), [1e154f64, -1e154]), 1e308);
    near(over!(Variance::default(), [1e200f64, 1e200, 1e200]), 0.0);
    near(over!(Variance::default(), [1.5e19f32, -1.5e19, 1.5e19, -1.5e19]).into(), 2.25e38);
    assert_eq!(over!(Variance::default(), [1e200f64, -1e200]), f64::INFINITY);
    near(over!(SquaredError, [1.5e19f32, 1.5e19], [0.0f32, 0.0]).into(), 2.25e38);
}

#[test]
fn cosines_of_large_and_of_small_vectors() {
    near(over!(Cosine::default(), [2e38f32, 3e38], [1.0f32, 1.0]).into(), 0.980_580_675_690_920_1);
    near(
        over!(Cosine::default(), [2e-40f32, 3e-40], [1.0f32, 1.0]).into(),
        0.980_580_675_690_920_1,
    );
    near(over!(Cosine::default(), [1e300f64, 0.0], [1e300f64, 1e300]), 0.5f64.sqrt());
}

#[test]
fn no_cosine_is_beyond_one() {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    for count in (1..200).chain([5000]) {
        let list: Vec<f32> = (0..count).map(|_| next()).collect();
        let back: Vec<f32> = list.iter().map(|x| -x).collect();
        let (same, opposite) =
            (over!(Cosine::default(), list, list), over!(Cosine::default(), list, back));
        assert!((0.999_999..=1.0).contains(&same), "{same}");
        assert!((-1.0..-0.999_999).contains(&opposite), "{opposite}");
    }
}

#[test]
fn cosines_with_zero() {
    let (zero, one) = ([0.0f32, 0.0], [1.0f32, 2.0]);
    for (a, b) in [(zero, one), (one, zero), (zero, zero)] {
        assert!(over!(Cosine::default(), a, b).is_nan());
        assert_eq!(over!(Cosine { zero_is_unlike: true }, a, b), 0.0);
    }
    assert!(over!(Cosine { zero_is_unlike: true }, one, [f32::NAN, 0.0]).is_nan());
}

#[test]
fn means_of_squares_and_moments() {
    let view = View::new(&[3e-30f32, -4e-30], &[2]).expect("a list");
    let (.., rms) = Reduction::new(Summary).run(&view).expect("elements");
    near(rms.data()[0].into(), 12.5f64.sqrt() * 1e-30);
    let view = View::new(&[1e200f64, 2e200, 3e200, 4e200, 5e200], &[5]).expect("a list");
    let (skewness, kurtosis) = Reduction::new(Shape).run(&view).expect("elements");
    assert!(skewness.data()[0].abs() < 1e-9);
    near(kurtosis.data()[0], 1.7);
}

#[test]
fn softmax_of_infinities() {
    let (all, none) = (f32::INFINITY, f32::NEG_INFINITY);
    for (row, shares, logarithms) in [
        ([none, none, none], [0.0, 0.0, 0.0], [none, none, none]),
        ([all, 0.0, none], [1.0, 0.0, 0.0], [0.0, none, none]),
        ([all, 0.0, all], [0.5, 0.0, 0.5], [0.0, none, 0.0]),
        (
            [0.0, none, 0.0],
            [0.5, 0.0, 0.5],
            [-std::f32::consts::LN_2, none, -std::f32::consts::LN_2],
        ),
    ] {
        let view = View::new(&row, &[3]).expect("a row");
        assert_eq!(softmax().emit(&view).expect("shares").data(), shares, "{row:?}");
        let found = Reduction::new(LogSoftmax).emit(&view).expect("logarithms");
        assert_eq!(found.data(), logarithms, "{row:?}");
    }
    let row = [0.0, f32::NAN, none];
    let view = View::new(&row, &[3]).expect("a row");
    assert!(softmax().emit(&view).expect("shares").data().iter().all(|x| x.is_nan()));
}
