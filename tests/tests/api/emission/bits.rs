//! What is emitted is accurate, and has the same bits however it is computed.

use std::sync::Arc;

use rayon::ThreadPoolBuilder;
use reduce_core::{Axes, Reduction, Threads, View, f16};
use reduce_tests::cases::available;

use super::ops::Softmax;
use super::results_of;

/// Within a few roundings of the shares in `f64`; and in half precision within one.
#[test]
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "small numbers")]
fn shares_are_accurate() {
    for (shape, axis) in [
        (vec![5, 1000], 1),
        (vec![1000, 5], 0),
        (vec![20_000, 8], 1),
        (vec![7, 40, 33], 1),
        (vec![61, 131], 1),
        (vec![3, 2500], 1),
    ] {
        let count: usize = shape.iter().product();
        let data: Vec<f32> =
            (0..count).map(|index| (index * 7919 % 1009) as f32 * 0.02 - 9.0).collect();
        let halves: Vec<f16> = data.iter().copied().map(f16::from_f32).collect();
        let results = results_of(&shape, &[axis]);
        let shares = |data: &[f64]| {
            let mut sums = vec![0f64; count / shape[axis]];
            for (&result, x) in results.iter().zip(data) {
                sums[result] += x.exp();
            }
            results.iter().zip(data).map(|(&result, x)| x.exp() / sums[result]).collect()
        };
        let softmax = Reduction::new(Softmax).axes([i64::try_from(axis).expect("small")]);

        let wide: Vec<f64> = data.iter().copied().map(f64::from).collect();
        let expected: Vec<f64> = shares(&wide);
        let found = softmax.emit(&View::new(&data, &shape).expect("its shape")).expect("elements");
        for (&found, expected) in found.data().iter().zip(&expected) {
            assert!((f64::from(found) - expected).abs() < 2e-6 * expected, "{found} {expected}");
        }

        let wide: Vec<f64> = halves.iter().map(|x| x.to_f64()).collect();
        let expected: Vec<f64> = shares(&wide);
        let view = View::new(&halves, &shape).expect("its shape");
        let found = softmax.emit(&view).expect("elements");
        for (found, expected) in found.data().iter().zip(&expected) {
            let spacing = f64::max(*expected, 6.2e-5) / 1024.0;
            assert!((found.to_f64() - expected).abs() < spacing, "{found} {expected}");
        }
    }
}

#[test]
#[allow(clippy::cast_precision_loss, reason = "small numbers")]
fn the_same_bits_at_every_level_and_number_of_threads() {
    let pools = [2, 3].map(|threads| {
        Arc::new(ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool"))
    });
    for (shape, axes) in [
        (vec![300_001], vec![0]),
        (vec![3, 100_003], vec![1]),
        (vec![40_000, 7], vec![1]),
        (vec![601, 500], vec![0]),
        (vec![10, 30, 700], vec![0, 2]),
        (vec![3001, 65], vec![1]),
        (vec![7, 19, 2048], vec![2]),
        (vec![130, 2049], vec![1]),
    ] {
        let count: usize = shape.iter().product();
        let data: Vec<f32> = (0..count).map(|index| (index * 7 % 1009) as f32 * 0.01).collect();
        let view = View::new(&data, &shape).expect("its shape");
        let reduction = Reduction::new(Softmax).axes(Axes::of(&axes)).threads(Threads::One);
        let one = reduction.emit(&view).expect("elements");
        let others = available()
            .into_iter()
            .map(|level| reduction.clone().level(level))
            .chain(pools.iter().map(|pool| reduction.clone().threads(Threads::Pool(pool.clone()))));
        for other in others {
            let found = other.emit(&view).expect("elements");
            let bits = |data: &[f32]| data.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert!(bits(one.data()) == bits(found.data()), "{shape:?} over {axes:?}");
        }
    }
}
