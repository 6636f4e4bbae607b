//! Every operator of the gallery against plain loops, in `f64` where they add, over rows, columns and
//! whole tensors, at every CPU level and with several threads.

use reduce_core::{Level, Reduction, Tensor, Threads, View};
use reduce_gallery::{
    Cosine, CrossEntropy, Divergence, Dot, LayerNorm, LogSoftmax, MeanVariance, PolynomialHash,
    Shape, Softmax, SquaredError, Summary, Variance, WeightedMean, softmax,
};

const SHAPES: [([usize; 2], i64); 6] =
    [([7, 1000], 1), ([1000, 7], 0), ([300, 9], 1), ([9, 300], 0), ([3, 70_001], 1), ([2, 3], 1)];

/// Numbers without order, between -1 and 1.
fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 23) - 1.0
    };
    #[allow(clippy::cast_possible_truncation, reason = "the data of the test")]
    (0..count).map(|_| next() as f32).collect()
}

/// The places of the elements of each result.
fn sets(shape: [usize; 2], axis: i64) -> Vec<Vec<usize>> {
    let [rows, columns] = shape;
    match axis {
        0 => (0..columns).map(|c| (0..rows).map(|r| r * columns + c).collect()).collect(),
        _ => (0..rows).map(|r| (0..columns).map(|c| r * columns + c).collect()).collect(),
    }
}

#[track_caller]
fn near(found: &Tensor<f32>, expected: impl IntoIterator<Item = f64>, tolerance: f64) {
    let expected: Vec<f64> = expected.into_iter().collect();
    assert_eq!(found.data().len(), expected.len());
    for (&found, expected) in found.data().iter().zip(expected) {
        let error = (f64::from(found) - expected).abs();
        assert!(error <= tolerance * expected.abs().max(1e-3), "{found} for {expected}");
    }
}

fn wide(data: &[f32], places: &[usize]) -> Vec<f64> {
    places.iter().map(|&place| f64::from(data[place])).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The average power of distances from the mean.
fn moment(values: &[f64], power: i32) -> f64 {
    let mean = mean(values);
    values.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / values.len() as f64
}

/// Runs with each level, and with threads; all must give the same.
macro_rules! run {
    ($op:expr, $axis:expr, $input:expr) => {{
        let reduction = || Reduction::new($op).axes([$axis]);
        let result = reduction().threads(Threads::One).run($input).expect("elements");
        for level in Level::available() {
            assert_eq!(reduction().level(level).run($input).expect("elements"), result);
        }
        result
    }};
}

// Behind the macro that it uses.
mod arrays;

#[test]
fn of_one_input() {
    for (shape, axis) in SHAPES {
        let data: Vec<f32> =
            numbers(shape[0] * shape[1], 1).into_iter().map(|x| x * 3.0 + 100.0).collect();
        let view = View::new(&data, &shape).expect("its shape");
        let sets: Vec<Vec<f64>> =
            sets(shape, axis).iter().map(|places| wide(&data, places)).collect();
        near(&run!(Variance::default(), axis, &view), sets.iter().map(|x| moment(x, 2)), 1e-5);
        let sample = sets.iter().map(|x| moment(x, 2) * x.len() as f64 / (x.len() - 1) as f64);
        near(&run!(Variance { correction: 1 }, axis, &view), sample, 1e-5);
        let (means, variances) = run!(MeanVariance, axis, &view);
        near(&means, sets.iter().map(|x| mean(x)), 1e-6);
        near(&variances, sets.iter().map(|x| moment(x, 2)), 1e-5);
        let (skewness, kurtosis) = run!(Shape::default(), axis, &view);
        near(&skewness, sets.iter().map(|x| moment(x, 3) / moment(x, 2).powf(1.5)), 1e-6);
        near(&kurtosis, sets.iter().map(|x| moment(x, 4) / moment(x, 2).powi(2)), 1e-6);
        let (least, greatest, average, rms) = run!(Summary, axis, &view);
        near(&least, sets.iter().map(|x| x.iter().copied().fold(f64::INFINITY, f64::min)), 0.0);
        let largest = |x: &Vec<f64>| x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        near(&greatest, sets.iter().map(largest), 0.0);
        near(&average, sets.iter().map(|x| mean(x)), 1e-6);
        let square = |x: &Vec<f64>| mean(&x.iter().map(|x| x * x).collect::<Vec<_>>()).sqrt();
        near(&rms, sets.iter().map(square), 1e-6);
    }
}

/// Infinities of both signs are no NaN; a NaN anywhere is in every number.
#[test]
fn a_summary_of_infinities_and_nan() {
    let mut data = numbers(5000, 6);
    (data[100], data[4000]) = (f32::NEG_INFINITY, f32::INFINITY);
    let summary = |data: &[f32]| {
        let view = View::new(data, &[data.len()]).expect("its shape");
        let (least, greatest, mean, rms) = Reduction::new(Summary).run(&view).expect("elements");
        [least, greatest, mean, rms].map(|result| result.data()[0])
    };
    let [least, greatest, mean, rms] = summary(&data);
    assert_eq!((least, greatest, rms), (f32::NEG_INFINITY, f32::INFINITY, f32::INFINITY));
    assert!(mean.is_nan());
    for place in [0, 17, 2500, 4999] {
        let mut data = numbers(5000, 6);
        data[place] = f32::NAN;
        assert!(summary(&data).iter().all(|x| x.is_nan()), "NaN at {place}");
    }
}

#[test]
fn of_several_inputs() {
    for (shape, axis) in SHAPES {
        let count = shape[0] * shape[1];
        let (x, y) = (numbers(count, 3), numbers(count, 4));
        let weights: Vec<f32> = numbers(count, 5).into_iter().map(|x| x + 1.5).collect();
        let mask: Vec<bool> = numbers(count, 6).into_iter().map(|x| x > -0.6).collect();
        let view = |data| View::<f32>::new(data, &shape).expect("its shape");
        let chosen = View::new(&mask, &shape).expect("its shape");
        let sets = sets(shape, axis);
        let products = |a: &[f32], b: &[f32], places: &[usize]| -> Vec<f64> {
            places.iter().map(|&place| f64::from(a[place]) * f64::from(b[place])).collect()
        };
        let sum =
            |a: &[f32], b: &[f32], places: &[usize]| products(a, b, places).iter().sum::<f64>();
        let pair = (view(&x), view(&y));
        near(&run!(Dot, axis, &pair), sets.iter().map(|places| sum(&x, &y, places)), 2e-3);
        let cosine = |places: &Vec<usize>| {
            sum(&x, &y, places) / (sum(&x, &x, places) * sum(&y, &y, places)).sqrt()
        };
        near(&run!(Cosine::default(), axis, &pair), sets.iter().map(cosine), 2e-3);
        let error = |places: &Vec<usize>| {
            let (x, y) = (wide(&x, places), wide(&y, places));
            mean(&x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).collect::<Vec<_>>())
        };
        near(&run!(SquaredError, axis, &pair), sets.iter().map(error), 1e-5);
        let weighted = |places: &Vec<usize>| {
            let places: Vec<usize> = places.iter().copied().filter(|&place| mask[place]).collect();
            let ones = vec![1.0; x.len()];
            sum(&x, &weights, &places) / sum(&weights, &ones, &places)
        };
        let found = run!(WeightedMean, axis, &(view(&x), view(&weights), chosen.clone()));
        for (found, places) in found.data().iter().zip(&sets) {
            let expected = weighted(places);
            let error = (f64::from(*found) - expected).abs();
            assert!(error < 1e-4 || (expected.is_nan() && found.is_nan()), "{found} {expected}");
        }
        let entropy = |places: &Vec<usize>| {
            let sum: f64 = wide(&x, places).iter().map(|x| x.exp()).sum();
            let marked = places.iter().filter(|&&place| mask[place]);
            sum.ln() - marked.map(|&place| f64::from(x[place])).sum::<f64>()
        };
        let found = run!(CrossEntropy, axis, &(view(&x), chosen.clone()));
        near(&found, sets.iter().map(entropy), 1e-4);
        let p: Vec<f32> = x.iter().map(|x| x.abs()).collect();
        let divergence = |places: &Vec<usize>| {
            let (p, q) = (wide(&p, places), wide(&weights, places));
            p.iter().zip(q).map(|(p, q)| if *p == 0.0 { 0.0 } else { p * (p / q).ln() }).sum()
        };
        let found = run!(Divergence, axis, &(view(&p), view(&weights)));
        near(&found, sets.iter().map(divergence), 1e-4);
    }
}

#[test]
fn sent_back() {
    for (shape, axis) in SHAPES {
        let data: Vec<f32> = numbers(shape[0] * shape[1], 7).into_iter().map(|x| x * 5.0).collect();
        let view = View::new(&data, &shape).expect("its shape");
        let (mut shares, mut logs) = (vec![0.0; data.len()], vec![0.0; data.len()]);
        let mut standard = vec![0.0; data.len()];
        for places in sets(shape, axis) {
            let values = wide(&data, &places);
            let sum: f64 = values.iter().map(|x| x.exp()).sum();
            let (mean, deviation) = (mean(&values), (moment(&values, 2) + 1e-5).sqrt());
            for (&place, x) in places.iter().zip(values) {
                shares[place] = x.exp() / sum;
                logs[place] = x - sum.ln();
                standard[place] = (x - mean) / deviation;
            }
        }
        let shares_found = softmax().axes([axis]).emit(&view);
        near(&shares_found.expect("elements"), shares.iter().copied(), 1e-5);
        let shares_found = Reduction::new(Softmax).axes([axis]).emit(&view);
        near(&shares_found.expect("elements"), shares, 1e-5);
        let logarithms = Reduction::new(LogSoftmax).axes([axis]).emit(&view);
        near(&logarithms.expect("elements"), logs, 1e-5);
        let standardised = Reduction::new(LayerNorm::default()).axes([axis]).emit(&view);
        near(&standardised.expect("elements"), standard, 1e-3);
    }
}

#[test]
fn the_hash_of_a_sequence() {
    let text: Vec<u8> =
        (0..100_003u32).map(|x| u8::try_from(x * 7 % 251).expect("small")).collect();
    let mut expected = 0u64;
    for &byte in &text {
        expected = expected.wrapping_mul(1_099_511_628_211).wrapping_add(u64::from(byte));
    }
    let view = View::new(&text, &[text.len()]).expect("its shape");
    for level in Level::available() {
        let hash = Reduction::new(PolynomialHash::default()).level(level);
        assert_eq!(hash.run(&view).expect("elements").data(), [expected]);
    }
}

/// Ten million values around 10⁸: in `f32` neighbours are 8 apart.
#[test]
fn variance_far_from_zero() {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    #[allow(clippy::cast_possible_truncation, reason = "the data of the test")]
    let data: Vec<f32> = (0..10_000_000).map(|_| (1e8 + next() * 1000.0) as f32).collect();
    let view = View::new(&data, &[data.len()]).expect("its shape");
    let values: Vec<f64> = data.iter().map(|&x| f64::from(x) - 1e8).collect();
    let exact = moment(&values, 2);
    let error = |found: Tensor<f32>| (f64::from(found.data()[0]) - exact).abs() / exact;
    let narrow = error(Reduction::new(Variance::default()).run(&view).expect("elements"));
    let wide = Reduction::new(Variance::default()).computing_in::<f64>();
    let wide = error(wide.run(&view).expect("elements"));
    println!("relative error of the variance: f32 {narrow:.1e}, f64 {wide:.1e}");
    assert!(wide < 1e-6, "{wide:e}");
    assert!(narrow < 1e-4, "{narrow:e}");
}
