//! Every operator of the gallery over the elements that count: by a mask, or since they are not NaN.
//!
//! Each result is held against the operator over a list of those elements, to the last bit; the other tests hold that
//! operator against plain loops. Where the number of elements or their positions matter, the result is held against
//! plain loops here.

use reduce_core::{Groups, Masked, Reduction, SkipNan, Stream, Tensor, Threads, View};
use reduce_gallery::{
    Cosine, CrossEntropy, Divergence, Dot, ExactDot, ExactMean, ExactSum, Exponentials, Histogram,
    LayerNorm, LogSoftmax, MeanVariance, Moments, PolynomialHash, Shape, Shares, Softmax,
    SquaredError, Summary, TopK, Variance, WeightedMean,
};

const ROWS: usize = 6;
const COLUMNS: usize = 500;

/// Numbers without order, between 0 and 1.
fn numbers(seed: u32) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    #[allow(clippy::cast_possible_truncation, reason = "the data of the test")]
    (0..ROWS * COLUMNS).map(|_| next() as f32).collect()
}

/// Some of the elements; of the second row all, of the third a single one.
fn mask() -> Vec<bool> {
    let counts = |(index, x): (usize, &f32)| match index / COLUMNS {
        1 => true,
        2 => index % COLUMNS == 77,
        _ => *x < 0.6,
    };
    numbers(9).iter().enumerate().map(counts).collect()
}

/// Results as text, which has all their bits: one for each result.
trait Texts {
    fn texts(&self, results: usize) -> Vec<String>;
}

impl<T: std::fmt::Debug> Texts for Tensor<T>
where
    Tensor<T>: Data<T>,
{
    fn texts(&self, results: usize) -> Vec<String> {
        let data = self.all();
        data.chunks(data.len() / results).map(|part| format!("{part:?}")).collect()
    }
}

trait Data<T> {
    fn all(&self) -> &[T];
}

macro_rules! data {
    ($($T:ty)*) => {$(
        impl Data<$T> for Tensor<$T> {
            fn all(&self) -> &[$T] {
                self.data()
            }
        }
    )*};
}

data! { f32 i64 u64 }

macro_rules! tuples {
    ($(($($T:ident . $index:tt),+))*) => {$(
        impl<$($T: Texts),+> Texts for ($($T,)+) {
            fn texts(&self, results: usize) -> Vec<String> {
                let all = [$(self.$index.texts(results)),+];
                (0..results).map(|n| all.iter().map(|texts| texts[n].as_str()).collect()).collect()
            }
        }
    )*};
}

tuples! {
    (A.0, B.1)
    (A.0, B.1, C.2, D.3)
}

/// The chosen elements of each row, or each column.
fn sets(axis: i64, counts: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let of_row = |row: usize| (row * COLUMNS..(row + 1) * COLUMNS).collect::<Vec<_>>();
    let of_column = |column: usize| (0..ROWS).map(|row| row * COLUMNS + column).collect();
    let all: Vec<Vec<usize>> = match axis {
        1 => (0..ROWS).map(of_row).collect(),
        _ => (0..COLUMNS).map(of_column).collect(),
    };
    let chosen = |set: Vec<usize>| set.into_iter().filter(|&index| counts(index)).collect();
    all.into_iter().map(chosen).collect()
}

/// Holds an operator over chosen elements of its inputs against the operator over lists of them. Its
/// last input, if that is of `bool`, is `labels`.
macro_rules! check {
    ($op:expr, $($input:ident),+) => {
        for axis in [0, 1] {
            let mask = mask();
            let shape = [ROWS, COLUMNS];
            $(let $input = View::new(&$input, &shape).expect("its shape");)+
            let chosen = View::new(&mask, &shape).expect("its shape");
            let masked = Reduction::new(Masked($op)).axes([axis]);
            let input = ($($input.clone(),)+ chosen);
            let masked = masked.run(&input).expect("values");
            let sets = sets(axis, &|index| mask[index]);
            let masked = masked.texts(sets.len());
            for (set, masked) in sets.iter().zip(masked) {
                $(let $input: Vec<_> = set.iter().map(|&index| $input.data()[index]).collect();)+
                $(let $input = View::new(&$input, &[set.len()]).expect("its shape");)+
                let list = Reduction::new($op).run(&check!(@input $($input),+));
                assert_eq!(masked, list.expect("a value").texts(1)[0], "{axis}");
            }
            check!(@kept $op, axis, &input, sets.len());
        }
    };
    // A stream and groups of a single piece have the accumulators of a run, but mend no results.
    (@kept $op:expr, $axis:expr, $input:expr, $results:expr) => {
        let mut stream = Stream::over(Reduction::new(Masked($op)).axes([$axis]));
        stream.update($input).expect("its shape");
        let streamed = stream.finish().expect("values").texts($results);
        let keys: Vec<usize> = (0..ROWS * COLUMNS).map(|index| index / COLUMNS).collect();
        let mut groups = Groups::new(Masked($op), ROWS).expect("few");
        groups.update($input, &keys).expect("keys");
        if $axis == 1 {
            let grouped = groups.finish().expect("values").texts($results);
            assert_eq!(grouped, streamed, "by key");
        }
        let masked = Reduction::new(Masked($op)).axes([$axis]).run($input).expect("values");
        assert_eq!(streamed, masked.texts($results), "streamed");
    };
    (@input $one:ident) => { $one };
    (@input $($input:ident),+) => { ($($input,)+) };
}

#[test]
fn of_one_input() {
    let x = numbers(1);
    check!(Variance::default(), x);
    check!(Variance { correction: 1 }, x);
    check!(MeanVariance, x);
    check!(Shape::default(), x);
    check!(Summary, x);
    check!(Moments::<4>, x);
    check!(Histogram::<8>::default(), x);
    check!(ExactSum, x);
    check!(ExactMean, x);
    check!(Exponentials, x);
    check!(Shares, x);
    check!(LogSoftmax, x);
    let x: Vec<u64> = x.iter().map(|x| u64::from(x.to_bits())).collect();
    check!(PolynomialHash::default(), x);
}

#[test]
fn of_several_inputs() {
    let (x, y) = (numbers(1), numbers(2));
    let labels: Vec<bool> = numbers(3).iter().map(|&z| z < 0.1).collect();
    check!(Dot, x, y);
    check!(ExactDot, x, y);
    check!(SquaredError, x, y);
    check!(Cosine::default(), x, y);
    check!(Divergence, x, y);
    check!(CrossEntropy, x, labels);
    check!(WeightedMean, x, y, labels);
    // A tuple of operators.
    check!((Dot, Cosine::default()), x, y);
}

/// The mean of the squares of distances from the mean, over as many elements as count.
#[test]
fn variance_over_numbers() {
    let mut x = numbers(1);
    for (x, counts) in x.iter_mut().zip(mask()) {
        *x = if counts { *x } else { f32::NAN };
    }
    let view = View::new(&x, &[ROWS, COLUMNS]).expect("its shape");
    let ops = SkipNan(Variance { correction: 1 });
    let found = Reduction::new(ops).axes([1]).run(&view).expect("variances");
    for (row, &found) in x.chunks(COLUMNS).zip(found.data()) {
        let row: Vec<f64> = row.iter().filter(|x| !x.is_nan()).map(|&x| f64::from(x)).collect();
        let mean = row.iter().sum::<f64>() / row.len() as f64;
        let squares: f64 = row.iter().map(|x| (x - mean).powi(2)).sum();
        match row.len() {
            1 => assert!(found.is_nan()),
            count => {
                let expected = squares / (count - 1) as f64;
                assert!(
                    (f64::from(found) - expected).abs() < 1e-5 * expected,
                    "{found} {expected}"
                );
            }
        }
    }
}

/// The largest elements that count, and their positions among all.
#[test]
fn the_largest_and_where_they_are() {
    let (x, mask) = (numbers(1), mask());
    for axis in [0, 1] {
        let shape = [ROWS, COLUMNS];
        let views = (View::new(&x, &shape), View::new(&mask, &shape));
        let input = (views.0.expect("its shape"), views.1.expect("its shape"));
        let op = Masked((TopK::<3>, Summary));
        let ((values, places), _) = Reduction::new(op).axes([axis]).run(&input).expect("values");
        for (number, set) in sets(axis, &|index| mask[index]).into_iter().enumerate() {
            let mut best: Vec<(f32, i64)> = set
                .into_iter()
                .map(|index| {
                    let place = if axis == 1 { index % COLUMNS } else { index / COLUMNS };
                    (x[index], i64::try_from(place).expect("small"))
                })
                .collect();
            best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            best.resize(best.len().max(3), (f32::NEG_INFINITY, -1));
            let found =
                (number * 3..number * 3 + 3).map(|at| (values.data()[at], places.data()[at]));
            assert_eq!(found.collect::<Vec<_>>(), best[..3]);
        }
    }
}

/// Emission over the elements that count, of small and of large tensors, alone and with threads.
#[test]
fn emission_over_some() {
    let shapes = [[ROWS, COLUMNS], [3, 40_000], [700, 90], [1, 7]];
    // The squares of the second kind of numbers overflow: their results are doubted.
    for (shape, scale) in shapes.into_iter().flat_map(|shape| [(shape, 1.0), (shape, 3e30)]) {
        let count = shape[0] * shape[1];
        let x: Vec<f32> = numbers(5).into_iter().map(|x| x * scale).cycle().take(count).collect();
        let mask: Vec<bool> = (0..count)
            .map(|index| index / shape[1] == 1 || (index * 7 + index / 64) % 3 == 1)
            .collect();
        let nan: Vec<f32> =
            x.iter().zip(&mask).map(|(&x, &counts)| if counts { x } else { f32::NAN }).collect();
        let view = View::new(&x, &shape).expect("its shape");
        let chosen = View::new(&mask, &shape).expect("its shape");
        let with_nan = View::new(&nan, &shape).expect("its shape");
        for axis in [0usize, 1] {
            let sets: Vec<Vec<usize>> = match axis {
                1 => (0..shape[0])
                    .map(|row| (row * shape[1]..(row + 1) * shape[1]).collect())
                    .collect(),
                _ => (0..shape[1])
                    .map(|column| (column..count).step_by(shape[1]).collect())
                    .collect(),
            };
            macro_rules! check {
                ($op:expr) => {
                    let axes = [i64::try_from(axis).expect("small")];
                    let mut expected = vec![0.0f32; count];
                    for set in &sets {
                        let set: Vec<usize> = set.iter().copied().filter(|&at| mask[at]).collect();
                        let list: Vec<f32> = set.iter().map(|&at| x[at]).collect();
                        let list = View::new(&list, &[set.len()]).expect("a list");
                        let emitted = Reduction::new($op).emit(&list).expect("of floats");
                        set.iter().zip(emitted.data()).for_each(|(&at, &y)| expected[at] = y);
                    }
                    for threads in [Threads::One, Threads::default()] {
                        let masked =
                            Reduction::new(Masked($op)).axes(axes).threads(threads.clone());
                        let masked =
                            masked.emit(&(view.clone(), chosen.clone())).expect("of floats");
                        assert_eq!(masked.data(), expected, "{shape:?} {axis}");
                        let skipping = Reduction::new(SkipNan($op)).axes(axes).threads(threads);
                        let skipping = skipping.emit(&with_nan).expect("of floats");
                        assert_eq!(skipping.data(), expected, "{shape:?} {axis}");
                    }
                };
            }
            check!(LogSoftmax);
            check!(LayerNorm::default());
            check!(Softmax);
            check!(Exponentials);
        }
    }
}
