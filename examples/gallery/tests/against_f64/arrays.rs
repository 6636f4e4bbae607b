//! Operators whose accumulators and results are arrays.

use std::thread;

use reduce_core::{Level, Reduction, Stream, Threads, View};
use reduce_gallery::{Histogram, Moments, TopK};

use super::{SHAPES, near, numbers, sets, wide};

/// Makes values of every kind. Few are different, so there are equal ones; some special ones stand between.
fn of_every_kind(count: usize, seed: u32) -> Vec<f32> {
    const SPECIAL: [f32; 8] =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.0, f32::MIN_POSITIVE, 1.0, -1.0];
    let choices = numbers(count, seed + 1);
    let rounded = numbers(count, seed).into_iter().map(|x| (x * 20.0).round());
    rounded
        .zip(choices)
        .enumerate()
        .map(|(place, (x, choice))| if choice > 0.97 { SPECIAL[place % 8] } else { x })
        .collect()
}

/// The places of the `k` largest of some elements, and nothing where they are fewer.
fn largest(values: &[f32], k: usize) -> Vec<Option<usize>> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    // A stable sort, in which NaN is the largest and zeros are equal.
    order.sort_by(|&a, &b| {
        let (a, b) = (values[a], values[b]);
        b.is_nan().cmp(&a.is_nan()).then(b.partial_cmp(&a).unwrap_or(std::cmp::Ordering::Equal))
    });
    (0..k).map(|place| order.get(place).copied()).collect()
}

/// That the results over rows of values are their largest, and where these are.
fn check_largest<const K: usize>(sets: &[Vec<f32>], found: &[f32], places: &[i64]) {
    for (result, values) in sets.iter().enumerate() {
        let expected = largest(values, K);
        let place = |at: &Option<usize>| at.map_or(-1, |at| i64::try_from(at).expect("small"));
        let expected_places: Vec<i64> = expected.iter().map(place).collect();
        assert_eq!(places[result * K..][..K], expected_places, "{K} of result {result}");
        let value = |at: &Option<usize>| at.map_or(f32::NEG_INFINITY, |at| values[at]).to_bits();
        let expected: Vec<u32> = expected.iter().map(value).collect();
        let found = found[result * K..][..K].iter().map(|x| x.to_bits());
        assert!(found.eq(expected), "{K} of result {result}");
    }
}

fn top<const K: usize>() {
    for (shape, axis) in SHAPES {
        for kind in 0..3 {
            let count = shape[0] * shape[1];
            let data: Vec<f32> = match kind {
                0 => of_every_kind(count, 2),
                // All of them enter, and none but the first few.
                1 => (0..count).map(|place| (place as f32).sqrt().floor()).collect(),
                _ => vec![f32::NEG_INFINITY; count],
            };
            let view = View::new(&data, &shape).expect("its shape");
            let of_set = |places: &Vec<usize>| places.iter().map(|&place| data[place]).collect();
            let sets: Vec<Vec<f32>> = sets(shape, axis).iter().map(of_set).collect();
            for level in Level::available() {
                let reduction = Reduction::new(TopK::<K>).axes([axis]).level(level);
                let (values, places) = reduction.run(&view).expect("elements");
                assert_eq!(values.shape().dims(), [sets.len(), K]);
                check_largest::<K>(&sets, values.data(), places.data());
            }
        }
    }
}

#[test]
fn the_largest() {
    top::<1>();
    top::<2>();
    top::<8>();
}

#[test]
fn the_largest_integers() {
    let data: Vec<i32> = (0..100_000).map(|x: i32| x.wrapping_mul(1_103_515_245)).collect();
    let view = View::new(&data, &[data.len()]).expect("its shape");
    let (values, places) = Reduction::new(TopK::<5>).run(&view).expect("elements");
    let mut order: Vec<usize> = (0..data.len()).collect();
    order.sort_by_key(|&place| std::cmp::Reverse(data[place]));
    for (rank, &place) in order[..5].iter().enumerate() {
        assert_eq!(values.data()[rank], data[place]);
        assert_eq!(usize::try_from(places.data()[rank]), Ok(place));
    }
}

/// A list that threads share and a stream takes in pieces.
#[test]
fn the_largest_of_a_long_list() {
    let data = of_every_kind(2_500_003, 9);
    let view = View::new(&data, &[data.len()]).expect("its shape");
    let found = Reduction::new(TopK::<8>).run(&view).expect("elements");
    let alone = Reduction::new(TopK::<8>).threads(Threads::One).run(&view).expect("elements");
    assert_eq!(found.1, alone.1);
    check_largest::<8>(std::slice::from_ref(&data), found.0.data(), found.1.data());
    let mut stream = Stream::new(TopK::<8>);
    for piece in data.chunks(700_001) {
        stream.update(&View::new(piece, &[piece.len()]).expect("its shape")).expect("elements");
    }
    assert_eq!(stream.finish().expect("elements").1, found.1);
}

/// Counts elements in equal bins by a plain loop; the last bin holds `high`.
fn counts<const BINS: usize>(values: &[f32], low: f32, high: f32) -> Vec<u64> {
    let mut counts = vec![0; BINS];
    for &x in values {
        if low <= x && x <= high {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
            let bin = ((x - low) * (BINS as f32 / (high - low))) as usize;
            counts[bin.min(BINS - 1)] += 1;
        }
    }
    counts
}

fn histogram<const BINS: usize>(low: f32, high: f32) {
    for (shape, axis) in SHAPES {
        let mut data = of_every_kind(shape[0] * shape[1], 4);
        // Edges, and what lies next to them.
        for (place, x) in data.iter_mut().enumerate().filter(|(place, _)| place % 7 == 0) {
            let edge = low + (high - low) * (place % (BINS + 1)) as f32 / BINS as f32;
            *x = [edge, edge.next_up(), edge.next_down(), low, high][place % 5];
        }
        let view = View::new(&data, &shape).expect("its shape");
        let op = Histogram::<BINS> { low: f64::from(low), high: f64::from(high) };
        let found = run!(op, axis, &view);
        for (result, places) in sets(shape, axis).iter().enumerate() {
            let values: Vec<f32> = places.iter().map(|&place| data[place]).collect();
            let expected = counts::<BINS>(&values, low, high);
            assert_eq!(found.data()[result * BINS..][..BINS], expected, "{BINS}: {result}");
        }
    }
}

/// Of one bin; of several in lanes; and of so many that there is one lane.
#[test]
fn histograms() {
    histogram::<1>(-20.0, 20.0);
    histogram::<5>(-7.0, 8.0);
    histogram::<64>(-3.5, 12.25);
    histogram::<1000>(-20.0, 20.0);
}

#[test]
fn a_histogram_of_a_long_list() {
    let data = of_every_kind(1_000_003, 5);
    let view = View::new(&data, &[data.len()]).expect("its shape");
    let op = Histogram::<64> { low: -20.0, high: 20.0 };
    let expected = counts::<64>(&data, -20.0, 20.0);
    assert_eq!(Reduction::new(op).run(&view).expect("elements").data(), expected);
    let mut stream = Stream::new(op);
    for piece in data.chunks(400_001) {
        stream.update(&View::new(piece, &[piece.len()]).expect("its shape")).expect("elements");
    }
    assert_eq!(stream.finish().expect("elements").data(), expected);
}

fn moments<const N: usize>() {
    for (shape, axis) in SHAPES {
        let data = numbers(shape[0] * shape[1], 8);
        let view = View::new(&data, &shape).expect("its shape");
        let found = run!(Moments::<N>, axis, &view);
        let sets = sets(shape, axis);
        let expected = sets.iter().flat_map(|places| {
            let values = wide(&data, places);
            (1..=i32::try_from(N).expect("few")).map(move |power| {
                values.iter().map(|x| x.powi(power)).sum::<f64>() / values.len() as f64
            })
        });
        near(&found, expected, 1e-6);
    }
}

#[test]
fn raw_moments() {
    moments::<1>();
    moments::<4>();
    moments::<70>();
}

/// Accumulators of 8 kB, the largest there may be, on the stacks of a pool's threads, in whichever way a
/// result is folded.
#[test]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1024")]
fn the_largest_accumulators_on_threads() {
    const BINS: usize = 1024;
    let data = numbers(1 << 18, 5);
    let op = Histogram::<BINS> { low: -1.0, high: 1.0 };
    for (shape, axes) in [
        (vec![1 << 18], vec![0]),
        (vec![1 << 9, 1 << 9], vec![1]),
        (vec![1 << 9, 1 << 9], vec![0]),
        (vec![1 << 15, 8], vec![1]),
        (vec![1 << 6, 1 << 6, 1 << 6], vec![0, 2]),
    ] {
        let view = View::new(&data, &shape).expect("its shape");
        let reduction = Reduction::new(op).axes(axes);
        // By a thread with a stack of two megabytes, which those of the pool help, whose stacks are as large.
        let found = thread::scope(|scope| {
            let found = scope.spawn(|| reduction.run(&view).expect("elements"));
            found.join().expect("no panic")
        });
        let alone = reduction.clone().threads(Threads::One).run(&view).expect("elements");
        assert_eq!(found, alone, "{shape:?}");
        let mut all = [0; BINS];
        for (bin, count) in found.data().iter().enumerate() {
            all[bin % BINS] += count;
        }
        let mut expected = [0; BINS];
        for x in &data {
            expected[(((x + 1.0) * 512.0) as usize).min(BINS - 1)] += 1;
        }
        assert_eq!(all, expected, "{shape:?}");
    }
}
