//! Exact operators against integers, over every layout, in pieces, at every level and with several threads.
//!
//! Elements are integers times a power of two, so a sum is one of 128 bits, which the compiler rounds once.

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "integers become floats, rounded to nearest even"
)]

use reduce_core::__private::check_laws;
use reduce_core::{Level, ReduceOp, Reduction, Stream, Tensor, Threads, View, bf16, f16};
use reduce_gallery::{ExactDot, ExactMean, ExactSum, Histogram};

/// Integers of both signs and so many bits, half of them of fewer.
fn integers(count: usize, bits: u32, seed: u64) -> Vec<i64> {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    let mut number = || {
        let fewer = (next() >> 33) % 2 * ((next() >> 33) % u64::from(bits));
        next().cast_signed() >> (64 - u64::from(bits) + fewer)
    };
    (0..count).map(|_| number()).collect()
}

/// An order without order: a step that shares no factor with the number of elements.
fn permuted<T: Copy>(xs: &[T]) -> Vec<T> {
    let step =
        [7919, 7907].into_iter().find(|step| !xs.len().is_multiple_of(*step)).expect("one of them");
    (0..xs.len()).map(|place| xs[place * step % xs.len()]).collect()
}

const SHAPES: [([usize; 2], i64); 8] = [
    ([7, 1000], 1),
    ([1000, 7], 0),
    ([300, 9], 1),
    ([9, 300], 0),
    ([3, 70_001], 1),
    ([500, 400], 0),
    ([2, 3], 1),
    ([1, 5], 0),
];

/// The places of the elements of each result.
fn sets([rows, columns]: [usize; 2], axis: i64) -> Vec<Vec<usize>> {
    match axis {
        0 => (0..columns).map(|c| (0..rows).map(|r| r * columns + c).collect()).collect(),
        _ => (0..rows).map(|r| (0..columns).map(|c| r * columns + c).collect()).collect(),
    }
}

/// Runs with each level, with one thread and with several; all must give the same.
macro_rules! run {
    ($op:expr, $axis:expr, $input:expr) => {{
        let run = |threads, level| {
            Reduction::new($op)
                .axes([$axis])
                .threads(threads)
                .level(level)
                .run($input)
                .expect("elements")
        };
        let result = run(Threads::One, Level::Scalar);
        for level in Level::available() {
            assert_eq!(run(Threads::One, level), result);
            assert_eq!(run(Threads::Shared, level), result);
        }
        result
    }};
}

#[test]
fn sums_are_rounded_once() {
    for (shape, axis) in SHAPES {
        let ks = integers(shape[0] * shape[1], 53, 1);
        let sums = sets(shape, axis)
            .into_iter()
            .map(|set| set.iter().map(|&place| i128::from(ks[place])).sum());
        let sums: Vec<i128> = sums.collect();
        let data: Vec<f64> = ks.iter().map(|&k| k as f64 * 2f64.powi(-40)).collect();
        let found = run!(ExactSum, axis, &View::new(&data, &shape).expect("its shape"));
        let expected: Vec<f64> = sums.iter().map(|&sum| sum as f64 * 2f64.powi(-40)).collect();
        assert_eq!(found.data(), expected);
        let ks = integers(shape[0] * shape[1], 24, 2);
        let sums = sets(shape, axis)
            .into_iter()
            .map(|set| set.iter().map(|&place| i128::from(ks[place])).sum());
        let sums: Vec<i128> = sums.collect();
        let data: Vec<f32> = ks.iter().map(|&k| k as f32 * 2f32.powi(-100)).collect();
        let found = run!(ExactSum, axis, &View::new(&data, &shape).expect("its shape"));
        let expected: Vec<f32> = sums.iter().map(|&sum| sum as f32 * 2f32.powi(-100)).collect();
        assert_eq!(found.data(), expected);
    }
}

#[test]
fn sums_of_half_precision_are_rounded_to_single_first() {
    let ks = integers(5000, 8, 3);
    let sum = ks.iter().map(|&k| i128::from(k)).sum::<i128>() as f32;
    let halves: Vec<f16> = ks.iter().map(|&k| f16::from_f32(k as f32)).collect();
    let brains: Vec<bf16> = ks.iter().map(|&k| bf16::from_f32(k as f32)).collect();
    let of_halves = run!(ExactSum, 0, &View::new(&halves, &[5000]).expect("its shape"));
    let of_brains = run!(ExactSum, 0, &View::new(&brains, &[5000]).expect("its shape"));
    assert_eq!(of_halves.data(), [f16::from_f32(sum)]);
    assert_eq!(of_brains.data(), [bf16::from_f32(sum)]);
}

/// The nearest `f32` to a sum over a count: the middles to its neighbours lie around it. In units of 2^-60.
#[track_caller]
fn assert_nearest(found: f32, sum: i128, count: usize) {
    let units = |x: f32| (f64::from(x) * 2f64.powi(60)) as i128;
    let middle = |other: f32| (units(found) + units(other)) * i128::try_from(count).expect("small");
    let twice = sum << 61;
    assert!(
        middle(found.next_down()) <= twice && twice <= middle(found.next_up()),
        "{found}: {sum} / {count}"
    );
}

#[test]
fn means_are_rounded_once() {
    for (shape, axis) in SHAPES {
        let ks = integers(shape[0] * shape[1], 24, 4);
        let data: Vec<f32> = ks.iter().map(|&k| k as f32).collect();
        let found = run!(ExactMean, axis, &View::new(&data, &shape).expect("its shape"));
        for (set, &found) in sets(shape, axis).iter().zip(found.data()) {
            let sum = set.iter().map(|&place| i128::from(ks[place])).sum();
            assert_nearest(found, sum, set.len());
        }
    }
}

#[test]
fn products_lose_nothing() {
    for (shape, axis) in SHAPES {
        let (xs, ys) = (integers(shape[0] * shape[1], 53, 5), integers(shape[0] * shape[1], 53, 6));
        let doubles =
            |ks: &[i64]| ks.iter().map(|&k| k as f64 * 2f64.powi(-200)).collect::<Vec<_>>();
        let (x, y) = (doubles(&xs), doubles(&ys));
        let inputs =
            (View::new(&x, &shape).expect("its shape"), View::new(&y, &shape).expect("its shape"));
        let found = run!(ExactDot, axis, &inputs);
        for (set, &found) in sets(shape, axis).iter().zip(found.data()) {
            let sum: i128 =
                set.iter().map(|&place| i128::from(xs[place]) * i128::from(ys[place])).sum();
            assert_eq!(found, sum as f64 * 2f64.powi(-400));
        }
    }
    let (x, y) = ([f64::MAX, 1.0], [2.0, f64::MIN]);
    let inputs = (View::new(&x, &[2]).expect("its shape"), View::new(&y, &[2]).expect("its shape"));
    assert_eq!(run!(ExactDot, 0, &inputs).data(), [f64::INFINITY]);
}

/// Makes numbers whose sum depends on order in any other way of adding them.
fn awkward() -> Vec<f64> {
    let spread = |place: usize, k: i64| {
        k as f64 * 2f64.powi(i32::try_from(place % 1500).expect("small") - 800)
    };
    integers(200_000, 53, 7).into_iter().enumerate().map(|(place, k)| spread(place, k)).collect()
}

/// A list, a permutation of it, both axes of a matrix, columns of a transposed one, pieces.
#[test]
fn order_layout_pieces_and_threads_do_not_show() {
    let xs = awkward();
    let other = permuted(&xs);
    fn bits(tensor: Tensor<f64>) -> Vec<u64> {
        tensor.into_data().iter().map(|x| x.to_bits()).collect()
    }
    let list = View::new(&xs, &[200_000]).expect("its shape");
    let whole = bits(Reduction::new(ExactSum).threads(Threads::One).run(&list).expect("elements"));
    assert!(f64::from_bits(whole[0]).is_normal());
    for data in [&xs, &other] {
        for shape in [[1, 200_000], [400, 500], [200_000, 1], [25_000, 8], [16, 12_500]] {
            let matrix = View::new(data, &shape).expect("its shape");
            for view in [matrix.clone(), matrix.permute(&[1, 0]).expect("a permutation")] {
                for threads in [Threads::One, Threads::Shared] {
                    let sum =
                        Reduction::new(ExactSum).threads(threads).run(&view).expect("elements");
                    assert_eq!(bits(sum), whole, "{shape:?}");
                }
            }
            let mut stream = Stream::new(ExactSum);
            let (half, end) = (shape[0] / 3, shape[0]);
            for (first, last) in [(half, end), (0, half)] {
                stream.update(&matrix.slice(0, first, last, 1).expect("within")).expect("a piece");
            }
            assert_eq!(bits(stream.finish().expect("pieces")), whole, "{shape:?}");
        }
    }
}

/// A window that moves: elements enter in front, and the earliest leave.
macro_rules! window {
    ($op:expr, $type:ty, $xs:expr) => {{
        let (op, xs): (_, Vec<$type>) = ($op, $xs);
        let mut acc = ReduceOp::<$type>::identity(&op);
        for place in 0..xs.len() {
            ReduceOp::<$type>::push_into(&op, &mut acc, xs[place]);
            if place >= 50 {
                acc = ReduceOp::<$type>::remove(&op, acc, xs[place - 50]);
            }
            let first = (place + 1).saturating_sub(50);
            let mut alone = ReduceOp::<$type>::identity(&op);
            xs[first..=place]
                .iter()
                .for_each(|&x| ReduceOp::<$type>::push_into(&op, &mut alone, x));
            let count = place + 1 - first;
            let [found, alone] =
                [acc, alone].map(|acc| ReduceOp::<$type>::finalize(&op, acc, count));
            assert_eq!(format!("{found:?}"), format!("{alone:?}"), "{place}");
        }
    }};
}

#[test]
fn elements_leave_a_window() {
    let mut xs = awkward();
    xs.truncate(2000);
    (xs[300], xs[320], xs[700]) = (f64::INFINITY, f64::NEG_INFINITY, f64::NAN);
    window!(ExactSum, f64, xs.clone());
    window!(ExactMean, f64, xs.clone());
    window!(ExactDot, (f64, f64), xs.iter().copied().zip(permuted(&xs)).collect());
    window!(Histogram::<8> { low: -1e9, high: 1e9 }, f64, xs);
}

/// The macro writes tests of these laws beside the operators, but nothing runs them: the laws are checked here.
#[test]
fn laws_hold() {
    check_laws::<ExactSum, f16>();
    check_laws::<ExactSum, bf16>();
    check_laws::<ExactSum, f32>();
    check_laws::<ExactSum, f64>();
    check_laws::<ExactMean, f32>();
    check_laws::<ExactMean, f64>();
    check_laws::<ExactDot, (f32, f32)>();
    check_laws::<ExactDot, (f64, f64)>();
    check_laws::<Histogram<3>, f64>();
}
