//! Operators are tested at the ends of the range. They overflow or underflow only where the exact result does, and give
//! what is decided where there is no result.

use reduce_core::{Reduction, Threads, View};
use reduce_gallery::{
    Cosine, LayerNorm, LogSoftmax, Shape, Softmax, SquaredError, Summary, Variance, softmax,
};

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
    let (skewness, kurtosis) = Reduction::new(Shape::default()).run(&view).expect("elements");
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
        let single = Reduction::new(Softmax);
        assert_eq!(single.emit(&view).expect("shares").data(), shares, "{row:?}, one operator");
        let total: f32 = row.iter().map(|x| x.exp()).sum();
        assert_eq!(single.run(&view).expect("a logarithm").data(), [total.ln()], "{row:?}");
        let found = Reduction::new(LogSoftmax).emit(&view).expect("logarithms");
        assert_eq!(found.data(), logarithms, "{row:?}");
    }
    for row in [[0.0, f32::NAN, none], [none, f32::NAN, none], [all, none, f32::NAN]] {
        let view = View::new(&row, &[3]).expect("a row");
        for shares in [softmax().emit(&view), Reduction::new(Softmax).emit(&view)] {
            let shares = shares.expect("shares");
            assert!(shares.data().iter().all(|x| x.is_nan()), "{row:?}: {shares:?}");
        }
    }
}

/// Row 7 of the report: the variance of values to standardise is beyond the range. Other sets among them keep their
/// bits.
#[test]
fn standardised_values_of_any_size() {
    let list = [1e30f32, -1e30, 1e30, -1e30];
    let view = View::new(&list, &[4]).expect("a list");
    assert_eq!(
        Reduction::new(LayerNorm::default()).emit(&view).expect("values").data(),
        [1.0, -1.0, 1.0, -1.0]
    );
    // Who asks for it gets what the infinite variance leads to.
    let unmended = Reduction::new(LayerNorm::default()).mended(false).emit(&view).expect("values");
    assert!(unmended.data().iter().all(|&x| x == 0.0 || x.is_nan()), "{unmended:?}");
    let list = [3e200f64, -3e200];
    let view = View::new(&list, &[2]).expect("a list");
    assert_eq!(
        Reduction::new(LayerNorm::default()).emit(&view).expect("values").data(),
        [1.0, -1.0]
    );

    // Every third row or column is large. One with an infinity gives NaN.
    for (shape, axis) in
        [([200, 7], 1), ([7, 200], 0), ([30, 3000], 1), ([3000, 30], 0), ([3, 70_000], 1)]
    {
        let set = |index: usize| if axis == 1 { index / shape[1] } else { index % shape[1] };
        let of = |index: usize| {
            let x = (index * 7919 % 1000) as f32 / 1000.0;
            match set(index) % 3 {
                1 if set(index) == 4 && x == 0.0 => f32::INFINITY,
                1 => x * 3e30,
                _ => x,
            }
        };
        let data: Vec<f32> = (0..shape[0] * shape[1]).map(of).collect();
        let small: Vec<f32> =
            (0..data.len()).map(|at| if set(at) % 3 == 1 { 0.0 } else { data[at] }).collect();
        let view = |data| View::new(data, &shape).expect("its shape");
        let emit = |data: &[f32], threads: Threads| {
            let reduction = Reduction::new(LayerNorm::default()).axes([axis]).threads(threads);
            reduction
                .emit(&View::new(data, &shape).expect("its shape"))
                .expect("values")
                .into_data()
        };
        let found = emit(&data, Threads::One);
        let wide = Reduction::new(LayerNorm::default()).computing_in::<f64>().axes([axis]);
        let wide = wide.emit(&view(&data)).expect("values");
        let others = emit(&small, Threads::One);
        for (at, &found) in found.iter().enumerate() {
            match set(at) % 3 {
                1 if wide.data()[at].is_nan() => assert!(found.is_nan(), "{shape:?} {at}"),
                1 => assert!((found - wide.data()[at]).abs() < 1e-6, "{shape:?} {at}: {found}"),
                _ => assert_eq!(found.to_bits(), others[at].to_bits(), "{shape:?} {at}"),
            }
        }
        let bits = |all: &[f32]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found), bits(&emit(&data, Threads::Shared)), "{shape:?}");
    }

    // One after another: the first makes what the second takes.
    let chain = Reduction::new(LayerNorm::default()).then(LayerNorm::default()).axes([1]);
    let rows = [1e30f32, -1e30, 1.0, 3.0];
    let found = chain.emit(&View::new(&rows, &[2, 2]).expect("two rows")).expect("values");
    for (found, expected) in found.data().iter().zip([1.0f32, -1.0, -1.0, 1.0]) {
        assert!((found - expected).abs() < 1e-4, "{found}");
    }
}
