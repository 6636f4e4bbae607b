//! Elements of any size, against integers: no overflow, underflow or cancellation that the exact result has not.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "integers become floats, which hold them"
)]

use reduce_core::{OnePass, Reduction, Tensor, View};
use reduce_gallery::{
    Cosine, CrossEntropy, Dot, Histogram, LogSoftmax, Moments, Shape, WeightedMean,
};

/// Integers without order.
struct Random(u64);

impl Random {
    fn below(&mut self, end: i64) -> i64 {
        let Random(state) = self;
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33).cast_signed().rem_euclid(end)
    }

    fn within(&mut self, most: i64) -> i64 {
        self.below(2 * most + 1) - most
    }
}

/// An integer times a power of two, which `f64` holds.
fn scaled(k: i64, exponent: i32) -> f64 {
    let half = exponent / 2;
    k as f64 * 2f64.powi(half) * 2f64.powi(exponent - half)
}

fn list<T: reduce_core::Element>(data: &[T]) -> View<'_, T> {
    View::new(data, &[data.len()]).expect("a list")
}

fn first<T: reduce_core::Element>(tensor: &Tensor<T>) -> T {
    tensor.data()[0]
}

#[track_caller]
fn near(found: f64, right: f64, most: f64) {
    let is_near = (found - right).abs() <= most * right.abs();
    assert!(found == right || is_near, "{found:e}, not {right:e}");
}

/// The loss of the marked logit, in another way: its distance from the largest, and what the others add.
fn loss(logits: &[f64], marked: usize) -> f64 {
    let (place, max) =
        logits.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).expect("some logits");
    let others = logits.iter().enumerate().filter(|(at, _)| *at != place);
    (max - logits[marked]) + others.map(|(_, x)| (x - max).exp()).sum::<f64>().ln_1p()
}

/// Cross-entropy over a row, and what log-softmax gives the marked one: both have the accuracy of their own size.
#[test]
fn losses_of_large_logits() {
    fn both(logits: &[f64], marked: usize) -> [f64; 4] {
        let single: Vec<f32> = logits.iter().map(|&x| x as f32).collect();
        let marks: Vec<bool> = (0..logits.len()).map(|at| at == marked).collect();
        let marks = list(&marks);
        let of_single = Reduction::new(CrossEntropy).run(&(list(&single), marks.clone()));
        let of_double = Reduction::new(CrossEntropy).run(&(list(logits), marks));
        let logs = Reduction::new(LogSoftmax).emit(&list(&single)).expect("logarithms");
        let double = Reduction::new(LogSoftmax).emit(&list(logits)).expect("logarithms");
        [
            first(&of_single.expect("a loss")).into(),
            first(&of_double.expect("a loss")),
            (-logs.data()[marked]).into(),
            -double.data()[marked],
        ]
    }
    for (logits, right) in [
        ([1e8, 1e8], std::f64::consts::LN_2),
        ([1e4, 1e4], std::f64::consts::LN_2),
        ([40.0, 0.0], 4.248_354_255_291_589e-18),
    ] {
        let found = both(&logits, 0);
        near(found[0], right, 4e-7);
        near(found[1], right, 1e-15);
        near(found[2], right, 4e-7);
        near(found[3], right, 1e-15);
    }
    let mut random = Random(1);
    for _ in 0..3000 {
        let count = 1 + random.below(80) as usize;
        let (centre, size) = (random.within(1 << 22) * 4, 1 << random.below(12));
        // Sixteenths, of 24 bits at most.
        let logits: Vec<f64> =
            (0..count).map(|_| (centre + random.within(size)) as f64 / 16.0).collect();
        let marked = random.below(count as i64) as usize;
        let right = loss(&logits, marked);
        let found = both(&logits, marked);
        for place in [0, 2] {
            near(found[place], right, 2e-5);
        }
        for place in [1, 3] {
            near(found[place], right, 2e-13);
        }
    }
}

/// As softmax of the gallery has it.
#[test]
fn losses_of_infinities() {
    let (most, least) = (f64::INFINITY, f64::NEG_INFINITY);
    for (logits, marked, right) in [
        (vec![most, 0.0], 0, 0.0),
        (vec![most, 0.0], 1, most),
        (vec![least, least], 0, most),
        (vec![least, 3.0], 0, most),
        (vec![least, 3.0], 1, 0.0),
        (vec![most, most, 1.0], 1, 0.0),
        (vec![most, most, 1.0], 2, most),
        (vec![least], 0, most),
    ] {
        let marks: Vec<bool> = (0..logits.len()).map(|at| at == marked).collect();
        let found = Reduction::new(CrossEntropy).run(&(list(&logits), list(&marks)));
        assert_eq!(first(&found.expect("a loss")), right, "{logits:?} at {marked}");
        let logs = Reduction::new(LogSoftmax).emit(&list(&logits)).expect("logarithms");
        assert_eq!(-logs.data()[marked], right, "{logits:?} at {marked}");
        let mut wrong = logits.clone();
        wrong.push(f64::NAN);
        let marks = [marks, vec![false]].concat();
        let found = Reduction::new(CrossEntropy).run(&(list(&wrong), list(&marks)));
        assert!(first(&found.expect("a loss")).is_nan(), "{wrong:?}");
        let logs = Reduction::new(LogSoftmax).emit(&list(&wrong)).expect("logarithms");
        assert!(logs.data().iter().all(|x| x.is_nan()), "{wrong:?}");
    }
}

/// The bin of an element among so many, with limits that are integers: none, or the two that it is near to.
fn bins(k: i64, [low, high]: [i64; 2], count: i64, epsilon: f64) -> Vec<usize> {
    if !(low..=high).contains(&k) {
        return Vec::new();
    }
    let (from_low, width) = (i128::from(k - low) * i128::from(count), i128::from(high - low));
    let place = from_low as f64 / width as f64;
    let exact = (from_low / width).min(i128::from(count) - 1) as usize;
    let near = |place: f64| (place.max(0.0) as usize).min(count as usize - 1);
    let most = 4.0 * epsilon * count as f64;
    vec![exact, near(place - most), near(place + most)]
}

/// Limits and elements over the whole range of floats, against integers.
#[test]
fn bins_of_any_size() {
    const COUNT: usize = 10;
    let mut random = Random(2);
    for round in 0..40_000 {
        let bits = [3, 10, 23][round % 3];
        let mut limits = [random.within(1 << bits), random.within(1 << bits)];
        limits.sort_unstable();
        if limits[0] == limits[1] {
            continue;
        }
        // To the ends of the range of `f64`, and of `f32`.
        let exponent = -1074 + (random.below(1074 + 1023 - bits) as i32);
        let k = random.within(1 << bits);
        let [low, high] = limits.map(|limit| scaled(limit, exponent));
        let counts = Reduction::new(Histogram::<COUNT> { low, high })
            .run(&list(&[scaled(k, exponent)]))
            .expect("counts");
        let found = counts.data().iter().position(|&count| count == 1);
        let right = bins(k, limits, COUNT as i64, f64::EPSILON);
        assert!(
            found.map_or(right.is_empty(), |bin| right.contains(&bin)),
            "{k} in {limits:?} times 2^{exponent}: {found:?}, not {right:?}"
        );
        let single = scaled(k, exponent) as f32;
        if f64::from(single) == scaled(k, exponent)
            && limits
                .map(|x| scaled(x, exponent) as f32)
                .iter()
                .zip([low, high])
                .all(|(&x, y)| f64::from(x) == y)
        {
            let op = Histogram::<COUNT> { low, high };
            let counts = Reduction::new(op).run(&list(&[single])).expect("counts");
            let found = counts.data().iter().position(|&count| count == 1);
            let right = bins(k, limits, COUNT as i64, f32::EPSILON.into());
            assert!(
                found.map_or(right.is_empty(), |bin| right.contains(&bin)),
                "{k} in {limits:?} times 2^{exponent}, in f32: {found:?}, not {right:?}"
            );
        }
    }
}

/// Limits beyond the elements' range, and elements that are infinite or no number.
#[test]
fn bins_of_other_ranges() {
    fn counts<T>(low: f64, high: f64, x: T) -> Vec<u64>
    where
        T: reduce_core::Element,
        Histogram<10>: OnePass<T, Result = [u64; 10]>,
    {
        let op = Histogram::<10> { low, high };
        Reduction::new(op).run(&list(&[x])).expect("counts").into_data()
    }
    let one = |bin: Option<usize>| (0..10).map(|at| u64::from(Some(at) == bin)).collect::<Vec<_>>();
    assert_eq!(counts(-1e308, 1e308, 1e308), one(Some(9)));
    assert_eq!(counts(0.0, 4e-320, 5e-324), one(Some(0)));
    assert_eq!(counts(0.0, 1e39, 3e38f32), one(Some(3)));
    assert_eq!(counts(-1e39, 1e39, -3e38f32), one(Some(3)));
    assert_eq!(counts(-1e39, 1e39, f32::MAX), one(Some(6)));
    assert_eq!(counts(-1e300, 1e300, 3e38f32), one(Some(5)));
    assert_eq!(counts(1e39, 1e40, f32::MAX), one(None));
    assert_eq!(counts(1.0, 1.0 + 1e-10, 1f32), one(Some(0)));
    assert_eq!(counts(-1e-300, 1e-300, 0f32), one(Some(5)));
    assert_eq!(counts(-1e-300, 3e-300, 0f32), one(Some(2)));
    assert_eq!(counts(-1e-300, 1e-300, 1e-45f32), one(None));
    for x in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        assert_eq!(counts(-1e39, 1e39, x), one(None));
        assert_eq!(counts(-1.0, 1e39, f64::from(x)), one(None));
    }
}

/// Skewness and kurtosis are those of integers, whatever these are multiplied by.
#[test]
fn shapes_of_any_size() {
    let mut random = Random(3);
    for round in 0..3000 {
        let count = 2 + random.below(if round % 100 == 0 { 3000 } else { 40 }) as usize;
        let mut ks: Vec<i64> = (0..count).map(|_| random.within(100)).collect();
        if round % 3 == 1 {
            ks[random.below(count as i64) as usize] = 30_000;
        }
        let sum: i64 = ks.iter().sum();
        let distances: Vec<f64> =
            ks.iter().map(|k| (k * count as i64 - sum) as f64 / count as f64).collect();
        let mean = |power| distances.iter().map(|d| d.powi(power)).sum::<f64>() / count as f64;
        let variance = mean(2);
        if variance == 0.0 {
            continue;
        }
        let exponent = random.within(1000) as i32;
        let data: Vec<f64> = ks.iter().map(|&k| scaled(k, exponent)).collect();
        let (skewness, kurtosis) =
            Reduction::new(Shape::default()).run(&list(&data)).expect("a shape");
        let size = distances.iter().map(|d| d.abs().powi(3)).sum::<f64>() / count as f64;
        let error = (first(&skewness) - mean(3) / variance.powf(1.5)).abs();
        assert!(error <= 1e-11 * size / variance.powf(1.5), "{skewness:?} of {ks:?}");
        near(first(&kurtosis), mean(4) / (variance * variance), 1e-11);
    }
}

/// Of four elements, and of a sample of as many; of equal ones there is none.
#[test]
fn shapes_of_a_few() {
    let small = [1.0, 2.0, 3.0, 7.0].map(|x| x * 1e-170);
    let (skewness, kurtosis) =
        Reduction::new(Shape::default()).run(&list(&small)).expect("a shape");
    near(first(&skewness), 0.833_150_407_150_661_7, 1e-14);
    near(first(&kurtosis), 2.097_982_290_608_216, 1e-14);
    // As pandas has them of a sample.
    let sample = Shape { sample: true, excess: true };
    let (skewness, kurtosis) = Reduction::new(sample).run(&list(&small)).expect("a shape");
    near(first(&skewness), 1.443_058_835_531_642_5, 1e-14);
    near(first(&kurtosis), 2.234_867_179_561_62, 1e-13);
    let whole = Shape { sample: true, excess: false };
    let (_, kurtosis) = Reduction::new(whole).run(&list(&small)).expect("a shape");
    near(first(&kurtosis), 5.234_867_179_561_62, 1e-13);
    for count in 0..5 {
        let (skewness, kurtosis) =
            Reduction::new(sample).run(&list(&[1.0, 2.0, 4.0, 9.0][..count.min(4)])).expect("one");
        let are_numbers = [first(&skewness), first(&kurtosis)].map(f64::is_finite);
        assert_eq!(are_numbers, [count > 2, count > 3], "{count}");
    }
    for constant in [0.0f64, 1e-300, 0.1, 1e300] {
        let data = [constant; 50];
        let (skewness, kurtosis) =
            Reduction::new(Shape::default()).run(&list::<f64>(&data)).expect("one");
        let both: [f64; 2] = [first(&skewness), first(&kurtosis)];
        assert!(both.iter().all(|x| x.is_nan()), "{constant}");
    }
}

/// A million elements behind one that is far from all: a sentinel in front hides no shape.
#[test]
fn a_shape_behind_a_sentinel() {
    let mut random = Random(4);
    let mut ks: Vec<i64> = (0..1_000_000).map(|_| random.within(100)).collect();
    ks[0] = 3_000;
    let data: Vec<f64> = ks.iter().map(|&k| k as f64).collect();
    let mean = ks.iter().sum::<i64>() as f64 / ks.len() as f64;
    let power = |power| data.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / 1e6;
    let (skewness, kurtosis) = Reduction::new(Shape::default()).run(&list(&data)).expect("a shape");
    near(first(&skewness), power(3) / power(2).powf(1.5), 1e-9);
    near(first(&kurtosis), power(4) / power(2).powi(2), 1e-11);
}

/// Means of weights and elements of any size, of both signs.
#[test]
fn weighted_means_of_any_size() {
    let all = [true, true];
    for (x, w, right) in [
        ([3e38f32, 3e38], [1.0f32, 1.0], 3e38),
        ([3e38, -3e38], [3e38, 1e38], 1.5e38),
        ([1e-30, 3e-30], [1e-30, 1e-30], 2e-30),
        ([2.0, 4.0], [1e-45, 1e-45], 3.0),
    ] {
        let found = Reduction::new(WeightedMean).run(&(list(&x), list(&w), list(&all)));
        near(first(&found.expect("a mean")).into(), right, 1e-6);
    }
    let mut random = Random(5);
    for _ in 0..3000 {
        let count = 1 + random.below(60) as usize;
        let (of_x, of_w) = (random.within(960) as i32, random.within(960) as i32);
        let xs: Vec<i64> = (0..count).map(|_| random.within(1000)).collect();
        let ws: Vec<i64> = (0..count).map(|_| 1 + random.below(1000)).collect();
        let chosen: Vec<bool> = (0..count).map(|at| at == 0 || random.below(3) > 0).collect();
        let picked = || (0..count).filter(|&at| chosen[at]);
        let sum: i64 = picked().map(|at| xs[at] * ws[at]).sum();
        let weights: i64 = picked().map(|at| ws[at]).sum();
        let x: Vec<f64> = xs.iter().map(|&k| scaled(k, of_x)).collect();
        let w: Vec<f64> = ws.iter().map(|&k| scaled(k, of_w)).collect();
        let found = Reduction::new(WeightedMean).run(&(list(&x), list(&w), list(&chosen)));
        let right = scaled(1, of_x) * (sum as f64 / weights as f64);
        near(first(&found.expect("a mean")), right, 1e-13);
    }
    let none = [false, false];
    let found =
        Reduction::new(WeightedMean).run(&(list(&[1.0f64, 2.0]), list(&[1.0, 2.0]), list(&none)));
    assert!(first(&found.expect("a mean")).is_nan());
}

/// Sums beyond the range of means and products within it.
#[test]
fn moments_and_products_within_the_range() {
    let found = Reduction::new(Moments::<2>).run(&list(&[1e308f64, 1e308])).expect("moments");
    assert_eq!(found.data(), [1e308, f64::INFINITY]);
    let found = Reduction::new(Moments::<3>).run(&list(&[1e110f64, -1e110])).expect("moments");
    assert_eq!(found.data(), [0.0, 1e220, 0.0]);
    let found = Reduction::new(Dot).run(&(list(&[3e38f32, 3e38]), list(&[2.0f32, -2.0])));
    assert_eq!(first(&found.expect("a product")), 0.0);
    let mut random = Random(6);
    for _ in 0..1000 {
        let count = 1 + random.below(60) as usize;
        let xs: Vec<i64> = (0..count).map(|_| random.within(1000)).collect();
        let ys: Vec<i64> = (0..count).map(|_| random.within(1000)).collect();
        let right: i64 = xs.iter().zip(&ys).map(|(x, y)| x * y).sum();
        // Products may be infinite, while the sum is not.
        let exponents = (500 + random.below(14) as i32, 490);
        let x: Vec<f64> = xs.iter().map(|&k| scaled(k, exponents.0)).collect();
        let y: Vec<f64> = ys.iter().map(|&k| scaled(k, exponents.1)).collect();
        let right = right as f64 * 2f64.powi(exponents.0) * 2f64.powi(exponents.1);
        let found = Reduction::new(Dot).run(&(list(&x), list(&y)));
        near(first(&found.expect("a product")), right, 1e-13);
    }
    let zeros = [0i32, 0];
    assert_eq!(first(&Reduction::new(Dot).run(&(list(&zeros), list(&zeros))).expect("0")), 0);
}

/// Zero times an infinity or NaN is NaN, also where a vector of zeros counts as unlike all others.
#[test]
fn no_cosine_of_what_is_no_number() {
    let op = Cosine { zero_is_unlike: true };
    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for (x, y) in [([0.0, 0.0], [1.0, wrong]), ([wrong, 1.0], [0.0, 0.0])] {
            let found = Reduction::new(op).run(&(list(&x), list(&y))).expect("a cosine");
            assert!(first(&found).is_nan(), "{x:?} {y:?}");
        }
    }
    let found = Reduction::new(op).run(&(list(&[0f32, 0.0]), list(&[1f32, 2.0]))).expect("0");
    assert_eq!(first(&found), 0.0);
}
