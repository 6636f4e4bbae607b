//! Elements less their mean, over their deviation: near the exact values wherever the elements lie.

use reduce_core::{Level, Reduction, Threads, View, bf16};
use reduce_gallery::LayerNorm;

/// Numbers around a centre, nearly those of a normal distribution of deviation 1.
#[allow(clippy::cast_possible_truncation, reason = "the data of the test")]
fn around(centre: f64, count: usize) -> Vec<f32> {
    let mut state = 11u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    (0..count).map(|_| (centre + (0..12).map(|_| next()).sum::<f64>() - 6.0) as f32).collect()
}

/// The exact values, as far as `f64` has them: distances from an element are exact.
fn exact(set: &[f32]) -> Vec<f64> {
    let distances: Vec<f64> = set.iter().map(|&x| f64::from(x) - f64::from(set[0])).collect();
    let mean = distances.iter().sum::<f64>() / set.len() as f64;
    let squares: f64 = distances.iter().map(|x| (x - mean) * (x - mean)).sum();
    let deviation = (squares / set.len() as f64 + 1e-5).sqrt();
    distances.iter().map(|x| (x - mean) / deviation).collect()
}

#[test]
fn far_from_zero() {
    for (centre, count) in [(1e6, 4), (1e6, 1000), (1e6, 100_003), (-1e5, 777), (3e5, 64)] {
        let data = around(centre, 3 * count);
        let rows = View::new(&data, &[3, count]).expect("its shape");
        let expected: Vec<Vec<f64>> = data.chunks(count).map(exact).collect();
        for level in Level::available() {
            let reduction = Reduction::new(LayerNorm::default()).level(level);
            let found = reduction.clone().axes([1]).emit(&rows).expect("elements");
            for (found, expected) in found.data().iter().zip(expected.iter().flatten()) {
                let error = (f64::from(*found) - expected).abs();
                assert!(error <= 1e-5 * (1.0 + expected.abs()), "{found} for {expected}");
            }
            let columns = rows.permute(&[1, 0]).expect("both axes");
            let turned = reduction.axes([0]).emit(&columns).expect("elements");
            for (index, found) in turned.data().iter().enumerate() {
                let expected = expected[index % 3][index / 3];
                let error = (f64::from(*found) - expected).abs();
                assert!(error <= 1e-5 * (1.0 + expected.abs()), "{found} for {expected}");
            }
        }
    }
}

/// Their squares are no numbers of single precision; in double they are, and so are they to what emits again.
#[test]
fn large_and_small() {
    for size in [1e30f32, 3e38, 1e4] {
        let data: Vec<f32> = [size, -size].into_iter().cycle().take(2 * 5000).collect();
        for (shape, axis) in [([2, 5000], 1), ([5000, 2], 0), ([2500, 4], 1)] {
            let view = View::new(&data, &shape).expect("its shape");
            for threads in [Threads::One, Threads::Shared] {
                let reduction = Reduction::new(LayerNorm::default()).axes([axis]).threads(threads);
                let expected = |x: &f32| if axis == 0 { 0.0 } else { x.signum() };
                let expected: Vec<f32> = data.iter().map(expected).collect();
                let found = reduction.clone().emit(&view).expect("elements");
                if size > 1e19 {
                    assert_eq!(found.data(), expected, "{size} in {shape:?}");
                }
                let found = reduction.computing_in::<f64>().emit(&view).expect("elements");
                assert_eq!(found.data(), expected, "{size} in {shape:?}, in `f64`");
            }
        }
    }
    let data = [1e30f32, -1e30].map(bf16::from_f32);
    let wide = Reduction::new(LayerNorm::default()).computing_in::<f64>();
    let found = wide.emit(&View::new(&data, &[2]).expect("its shape"));
    assert_eq!(found.expect("elements").data(), [1.0, -1.0].map(bf16::from_f32));
}

/// One of them lies far from all others: the first of all, the first of a lane, or any.
#[test]
fn with_one_far_away() {
    for (centre, count, far) in [
        (0.0, 1000, 1e4),
        (0.0, 100_003, 1e8),
        (1e6, 100_003, 1e3),
        (-1e5, 64, 3e5),
        (0.0, 1_000_000, 1e4),
    ] {
        for place in [0, 1, count / 2, count - 1] {
            let mut data = around(centre, count);
            data[place] = far;
            let view = View::new(&data, &[count]).expect("a list");
            let found = Reduction::new(LayerNorm::default()).emit(&view).expect("elements");
            for (found, expected) in found.data().iter().zip(exact(&data)) {
                let error = (f64::from(*found) - expected).abs();
                assert!(error <= 1e-4 * (1.0 + expected.abs()), "{found} for {expected}");
            }
        }
    }
}
