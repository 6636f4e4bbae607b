//! How two inputs vary together is held against integers, with weights and without.

use reduce_core::{Level, Reduction, Stream, Threads, View};
use reduce_gallery::{
    Correlation, Covariance, Regression, StandardDeviation, WeightedCorrelation,
    WeightedCovariance, WeightedDeviation, WeightedRegression, WeightedVariance,
};

use super::{DOUBLE, Random, Stored, variance};

/// What rounding may do, in units of `f64`: more where all others are counted from one that is far off.
const MOST: f64 = 4096.0 * DOUBLE;

/// What is right of pairs of integers that stand there so often, each 64 times as large as its element.
#[derive(Clone, Copy, Debug)]
struct Right {
    weight: f64,
    mean: [f64; 2],
    variance: [f64; 2],
    covariance: f64,
}

impl Right {
    fn of(xs: &[i64], ys: &[i64], weights: &[i64]) -> Self {
        let sum = |of: &dyn Fn(usize) -> i128| -> i128 {
            (0..xs.len()).map(|at| of(at) * i128::from(weights[at])).sum()
        };
        let [x, y] = [xs, ys].map(|ks| move |at: usize| i128::from(ks[at]));
        let (n, of_x, of_y) = (sum(&|_| 1), sum(&x), sum(&y));
        let scale = (n * n) as f64 * 4096.0;
        let squares = [sum(&|at| x(at) * x(at)), sum(&|at| y(at) * y(at))];
        Right {
            weight: n as f64,
            mean: [of_x as f64 / n as f64 / 64.0, of_y as f64 / n as f64 / 64.0],
            variance: [
                (n * squares[0] - of_x * of_x) as f64 / scale,
                (n * squares[1] - of_y * of_y) as f64 / scale,
            ],
            covariance: (n * sum(&|at| x(at) * y(at)) - of_x * of_y) as f64 / scale,
        }
    }

    /// The product of both deviations: errors are relative to it.
    fn size(&self) -> f64 {
        (self.variance[0] * self.variance[1]).sqrt()
    }
}

#[track_caller]
fn near(found: f64, right: f64, most: f64) {
    let is_same = found == right || (found.is_nan() && right.is_nan());
    assert!(is_same || (found - right).abs() <= most, "{found}, not {right} within {most:e}");
}

/// All operators over lists, at every level, with one thread and with several.
macro_rules! run {
    ($op:expr, $input:expr) => {{
        let run = |threads, level| {
            Reduction::new($op).threads(threads).level(level).run($input).expect("elements")
        };
        let result = run(Threads::One, Level::Scalar);
        for level in Level::available() {
            assert_eq!(format!("{:?}", run(Threads::Shared, level)), format!("{result:?}"));
        }
        result
    }};
}

/// Holds all of them, over elements of a type, against what is right.
fn check<T: Stored>(xs: &[i64], ys: &[i64], weights: &[i64])
where
    Over<T>: All<T>,
{
    let ones = vec![1; xs.len()];
    let [x, y] = [xs, ys].map(T::list);
    let w: Vec<T> = weights.iter().map(|&weight| T::of(64 * weight)).collect();
    let own = T::EPSILONS.0;
    let plain = Right::of(xs, ys, &ones);
    let weighted = Right::of(xs, ys, weights);
    for (right, found) in
        [(plain, Over::<T>::plain(&x, &y)), (weighted, Over::<T>::weighted(&x, &y, &w))]
    {
        let Found { variances, covariance, correlation, line: (slope, intercept) } = found;
        for (found, right) in variances.into_iter().zip(right.variance) {
            near(found[0], right, (MOST + own) * right);
            near(found[1], right.sqrt(), (MOST + own) * right.sqrt());
            assert!(found[0] >= 0.0);
        }
        let size = right.size();
        near(covariance[0], right.covariance, MOST * size + own * right.covariance.abs());
        let sample = right.covariance * (right.weight / (right.weight - 1.0));
        match right.weight > 1.0 {
            true => near(covariance[1], sample, 2.0 * MOST * size + own * sample.abs()),
            false => assert!(covariance[1].is_nan()),
        }
        if size == 0.0 {
            assert!(correlation.is_nan());
        } else {
            near(correlation, right.covariance / size, 2.0 * MOST + own);
            assert!(correlation.abs() <= 1.0);
        }
        if right.variance[0] == 0.0 {
            assert!(slope.is_nan() && intercept.is_nan());
        } else {
            let most = 2.0 * MOST * (right.variance[1] / right.variance[0]).sqrt();
            let expected = right.covariance / right.variance[0];
            near(slope, expected, most + own * expected.abs());
            let at_zero = right.mean[1] - expected * right.mean[0];
            let sizes = (expected * right.mean[0]).abs() + right.mean[1].abs();
            let most = (2.0 * most * right.mean[0].abs()) + MOST * sizes;
            near(intercept, at_zero, most + own * at_zero.abs());
        }
    }
}

/// Holds what operators find: variance and deviation of each input, and the covariance of all pairs and of a sample.
struct Found {
    variances: Vec<[f64; 2]>,
    covariance: [f64; 2],
    correlation: f64,
    line: (f64, f64),
}

struct Over<T>(T);

trait All<T> {
    fn plain(x: &[T], y: &[T]) -> Found;
    fn weighted(x: &[T], y: &[T], w: &[T]) -> Found;
}

macro_rules! all {
    ($($T:ty)*) => {$(
        impl All<$T> for Over<$T> {
            fn plain(x: &[$T], y: &[$T]) -> Found {
                let [x, y] = [x, y].map(|data| View::new(data, &[data.len()]).expect("a list"));
                let first = |tensor: reduce_core::Tensor<$T>| tensor.data()[0].wide();
                let pair = (x.clone(), y.clone());
                let (slope, intercept) = run!(Regression, &pair);
                let deviation = |input| {
                    let found = first(run!(StandardDeviation::default(), input));
                    [first(run!(reduce_gallery::Variance::default(), input)), found]
                };
                // Those of `f32` are computed in it, and held against others elsewhere.
                let is_wide = <$T as Stored>::EPSILONS.1 == DOUBLE;
                Found {
                    variances: match is_wide {
                        true => vec![deviation(&x), deviation(&y)],
                        false => Vec::new(),
                    },
                    covariance: [0, 1]
                        .map(|correction| first(run!(Covariance { correction }, &pair))),
                    correlation: first(run!(Correlation, &pair)),
                    line: (first(slope), first(intercept)),
                }
            }

            fn weighted(x: &[$T], y: &[$T], w: &[$T]) -> Found {
                let [x, y, w] = [x, y, w].map(|data| View::new(data, &[data.len()]).expect("a list"));
                let first = |tensor: reduce_core::Tensor<$T>| tensor.data()[0].wide();
                let (of_x, of_y) = ((x.clone(), w.clone()), (y.clone(), w.clone()));
                let all = (x, y, w);
                let (slope, intercept) = run!(WeightedRegression, &all);
                let spread = |input| {
                    let found = first(run!(WeightedDeviation::default(), input));
                    [first(run!(WeightedVariance::default(), input)), found]
                };
                Found {
                    variances: vec![spread(&of_x), spread(&of_y)],
                    covariance: [0, 1]
                        .map(|correction| first(run!(WeightedCovariance { correction }, &all))),
                    correlation: first(run!(WeightedCorrelation, &all)),
                    line: (first(slope), first(intercept)),
                }
            }
        }
    )*};
}

all! { f32 f64 }

/// With elements far from all others in either input at any place, with weights far from others, with constant inputs.
#[test]
fn of_any_pairs() {
    let mut random = Random(7);
    for count in [1, 2, 3, 16, 17, 64, 130, 600, 3000] {
        for kind in 0..12 {
            let mut xs = random.list(count, 60);
            let mut ys: Vec<i64> = xs.iter().map(|x| 3 * x + random.within(1 << kind)).collect();
            let mut weights: Vec<i64> = (0..count).map(|_| random.below(4)).collect();
            weights[random.below(count as i64) as usize] = 1;
            let mut place = || random.below(count as i64) as usize;
            match kind {
                1 => xs[0] = 1 << 23,
                2 => ys[place()] = -(1 << 23),
                3 => (xs[place()], ys[place()]) = (1 << 22, 1 << 23),
                4 => weights[place()] = 1 << 20,
                5 => (weights[0], xs[0]) = (1 << 20, 1 << 23),
                6 => xs.iter_mut().for_each(|x| *x += 1 << 23),
                7 => ys.iter_mut().for_each(|y| *y = 100),
                8 => xs.iter_mut().for_each(|x| *x = -7),
                9 => ys = xs.iter().map(|x| 1000 - 5 * x).collect(),
                _ => {}
            }
            check::<f64>(&xs, &ys, &weights);
            check::<f32>(&xs, &ys, &weights);
        }
    }
}

/// A weight is how often an element stands there: integers as weights are the elements so many times.
#[test]
fn weights_are_numbers_of_elements() {
    let xs = [3, -64, 700, 12];
    let often: Vec<i64> = [vec![3; 2], vec![-64; 5], vec![700], vec![12; 9]].concat();
    let view = |ks: &[i64]| f64::list(ks);
    let (x, w, all) = (view(&xs), [2.0f64, 5.0, 1.0, 9.0], view(&often));
    let pair = (View::new(&x, &[4]).expect("a list"), View::new(&w, &[4]).expect("a list"));
    for correction in [0, 1, 16, 17] {
        let found = Reduction::new(WeightedVariance { correction }).run(&pair).expect("elements");
        let list = View::new(&all, &[all.len()]).expect("a list");
        let expected = Reduction::new(reduce_gallery::Variance { correction }).run(&list);
        let expected = expected.expect("elements").data()[0];
        near(found.data()[0], expected, MOST * variance(&often) * 20.0);
    }
}

/// Weights that are not positive count for nothing; NaN beside them does.
#[test]
fn weights_of_nothing() {
    let x = [1.0f64, 1e300, 3.0, 4.0];
    let (none, some) = ([0.0f64; 4], [1.0f64, 0.0, 1.0, -2.0]);
    let view = |data| View::<f64>::new(data, &[4]).expect("a list");
    let over = |x, w| {
        let found = Reduction::new(WeightedVariance::default()).run(&(view(x), view(w)));
        found.expect("elements").data()[0]
    };
    assert_eq!(over(&x, &some), 1.0);
    assert!(over(&x, &none).is_nan());
    assert!(over(&[1.0, f64::NAN, 3.0, 4.0], &some).is_nan());
    assert!(over(&x, &[1.0, f64::NAN, 1.0, 1.0]).is_nan());
}

/// No overflow or underflow that the exact result has not, and none where all is the same.
#[test]
fn of_any_size() {
    let (x, y) = ([1.0f64, 2.0, 4.0], [1.0f64, 3.0, 2.0]);
    let right = Right::of(&[64, 128, 256], &[64, 192, 128], &[1, 1, 1]);
    for (of_x, of_y) in
        [(1.0, 1.0), (1e-170, 1e-170), (1e200, 1e200), (1e200, 1e-200), (1e-250, 1e-80)]
    {
        let scaled = |data: &[f64], by| data.iter().map(|x| x * by).collect::<Vec<f64>>();
        let (x, y, light) = (scaled(&x, of_x), scaled(&y, of_y), vec![1e-200; 3]);
        let all = [&x, &y, &light].map(|data| View::new(data, &[3]).expect("a list"));
        let [x, y, w] = all;
        let (pair, of_three) = ((x.clone(), y.clone()), (x.clone(), y, w.clone()));
        let first = |tensor: reduce_core::Tensor<f64>| tensor.data()[0];
        let relative = |found: f64, right: f64| near(found, right, 1e-14 * right.abs());
        for found in [
            Reduction::new(StandardDeviation::default()).run(&x),
            Reduction::new(WeightedDeviation::default()).run(&(x.clone(), w.clone())),
        ] {
            relative(first(found.expect("elements")), right.variance[0].sqrt() * of_x);
        }
        let weighted = Reduction::new(WeightedVariance::default()).run(&(x, w));
        relative(first(weighted.expect("elements")), right.variance[0] * of_x * of_x);
        for found in [
            Reduction::new(Covariance::default()).run(&pair),
            Reduction::new(WeightedCovariance::default()).run(&of_three),
        ] {
            relative(first(found.expect("elements")), right.covariance * (of_x * of_y));
        }
        for found in [
            Reduction::new(Correlation).run(&pair),
            Reduction::new(WeightedCorrelation).run(&of_three),
        ] {
            relative(first(found.expect("elements")), right.covariance / right.size());
        }
        let slope = right.covariance / right.variance[0];
        for found in [
            Reduction::new(Regression).run(&pair),
            Reduction::new(WeightedRegression).run(&of_three),
        ] {
            let (found, at_zero) = found.expect("elements");
            relative(first(found), slope * (of_y / of_x));
            let expected = (right.mean[1] - slope * right.mean[0]) * of_y;
            near(first(at_zero), expected, 1e-14 * right.mean[1] * of_y);
        }
    }
}

/// Where all is the same, nothing varies.
#[test]
fn of_equal_elements() {
    for constant in [0.0f64, 1e-300, 5e-324, 0.1, 1e300] {
        let data = [constant; 40];
        let view = View::<f64>::new(&data, &[40]).expect("a list");
        let found = Reduction::new(StandardDeviation::default()).run(&view).expect("elements");
        assert_eq!(found.data(), [0.0f64], "{constant}");
    }
}

/// In pieces, and over rows and columns, as over lists.
#[test]
fn of_pieces_and_layouts() {
    let mut random = Random(8);
    let (xs, mut ys) = (random.list(1200, 60), random.list(1200, 60));
    ys[0] = 1 << 30;
    let (x, y) = (f64::list(&xs), f64::list(&ys));
    let right = Right::of(&xs, &ys, &[1; 1200]);
    for size in [1, 7, 400] {
        let mut stream = Stream::new((Covariance::default(), Correlation));
        for (x, y) in x.chunks(size).zip(y.chunks(size)) {
            let piece = [x, y].map(|part| View::new(part, &[part.len()]).expect("a list"));
            let [x, y] = piece;
            stream.update(&(x, y)).expect("pairs");
        }
        let (covariance, correlation) = stream.finish().expect("results");
        near(covariance.data()[0], right.covariance, MOST * right.size());
        near(correlation.data()[0], right.covariance / right.size(), MOST);
    }
    for axis in [0, 1] {
        let views = [&x, &y].map(|data| View::new(data, &[30, 40]).expect("their shape"));
        let [of_x, of_y] = views;
        let found = Reduction::new(Covariance::default()).axes([axis]).run(&(of_x, of_y));
        for (number, &found) in found.expect("elements").data().iter().enumerate() {
            let of = |ks: &[i64]| -> Vec<i64> {
                let own =
                    |at: &usize| if axis == 0 { at % 40 == number } else { at / 40 == number };
                (0..1200).filter(own).map(|at| ks[at]).collect()
            };
            let (xs, ys) = (of(&xs), of(&ys));
            let right = Right::of(&xs, &ys, &vec![1; xs.len()]);
            near(found, right.covariance, MOST * right.size());
        }
    }
}
