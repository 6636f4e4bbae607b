//! Each result of a scan against a reduction of the elements up to it. Sums of small whole numbers are exact, so that the
//! order of elements changes no bit.

use reduce_core::numbers::Compensated;
use reduce_core::{
    Emit, Error, Masked, Num, Real, ReduceOp, Reduction, SkipNan, Threads, View, reduce_op,
};
use reduce_specs::{
    ArgMax, ReduceL2, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin, ReduceProd, ReduceSum,
};
use reduce_tests::cases::{Random, available, pool};

/// The first element less the last, times the number of elements: their order matters.
#[derive(Clone, Copy, Debug, Default)]
struct FirstLessLast;

#[reduce_op(dtypes = [f32], commutative = false, nan = unspecified)]
impl<A: Num> ReduceOp<A> for FirstLessLast {
    type Acc = (A, A, A);
    type Output = A;

    fn identity(&self) -> (A, A, A) {
        (A::ZERO, A::ZERO, A::ZERO)
    }

    fn map(&self, x: A) -> (A, A, A) {
        (x, x, A::ONE)
    }

    fn combine(&self, a: (A, A, A), b: (A, A, A)) -> (A, A, A) {
        match (a.2 == A::ZERO, b.2 == A::ZERO) {
            (true, _) => b,
            (_, true) => a,
            _ => (a.0, b.1, a.2 + b.2),
        }
    }

    fn finalize(&self, (first, last, count): (A, A, A), _count: usize) -> A {
        (first - last) * count
    }
}

/// The sum of products of two inputs.
#[derive(Clone, Copy, Debug, Default)]
struct Products;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<(A, A)> for Products {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, y): (A, A)) -> A {
        x * y
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// How often each of 40 numbers was there: a large accumulator, changed in place, and an array as result.
#[derive(Clone, Copy, Debug, Default)]
struct Counts;

#[reduce_op(dtypes = [f32], output = u64, nan = ignore)]
impl<A: Real> ReduceOp<A> for Counts {
    type Acc = [u64; 40];
    type Output = [u64; 40];

    fn identity(&self) -> [u64; 40] {
        [0; 40]
    }

    fn map(&self, x: A) -> [u64; 40] {
        let mut counts = [0; 40];
        self.push_into(&mut counts, x);
        counts
    }

    fn combine(&self, a: [u64; 40], b: [u64; 40]) -> [u64; 40] {
        std::array::from_fn(|place| a[place] + b[place])
    }

    fn push_into(&self, counts: &mut [u64; 40], x: A) {
        let place = (0..40).find(|&place| x <= A::from_f64(f64::from(place) - 20.0)).unwrap_or(39);
        counts[usize::try_from(place).unwrap_or(39)] += 1;
    }

    fn finalize(&self, counts: [u64; 40], _count: usize) -> [u64; 40] {
        counts
    }
}

/// The element less the sum.
impl<A: Num> Emit<A> for Total {
    type Emitted = A;

    #[inline(always)]
    fn emit(&self, x: A, sum: &A) -> A {
        x - *sum
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Total;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Total {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

const COUNT: usize = 700;

/// Small whole numbers.
#[allow(clippy::cast_possible_truncation, reason = "whole numbers")]
fn whole(seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    (0..COUNT).map(|_| random.between(-9.5, 9.5).round() as f32 + 0.0).collect()
}

/// Some whole numbers, and NaN in between.
fn with_nan(seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed + 1);
    let nan = |x| if random.between(0.0, 1.0) < 0.3 { f32::NAN } else { x };
    [5.0].into_iter().chain(whole(seed).into_iter().skip(1).map(nan)).collect()
}

/// Holds a scan of a list, at every level, against reductions of what each result is of.
macro_rules! same_as_runs {
    ($reduction:expr, $slice:expr, |$tensors:ident, $place:ident| $at:expr) => {{
        let slice = $slice;
        for level in available() {
            for reversed in [false, true] {
                let reduction = $reduction.clone().level(level);
                let scanned = reduction.clone().scanning().reversed(reversed).run(&slice(0, COUNT));
                let scanned = scanned.expect("a scan");
                for place in
                    (0..COUNT).filter(|place| place % 13 == 0 || place % 64 < 2 || *place > 690)
                {
                    let range = if reversed { (place, COUNT) } else { (0, place + 1) };
                    let run = reduction.run(&slice(range.0, range.1)).expect("a reduction");
                    let found = {
                        let ($tensors, $place) = (&scanned, place);
                        $at
                    };
                    let expected = {
                        let ($tensors, $place) = (&run, 0);
                        $at
                    };
                    assert_eq!(
                        format!("{found:?}"),
                        format!("{expected:?}"),
                        "{place} at {level}, reversed: {reversed}"
                    );
                }
            }
        }
    }};
}

fn slice<'a>(data: &'a [f32]) -> impl Fn(usize, usize) -> View<'a, f32> {
    |from, to| View::new(&data[from..to], &[to - from]).expect("a list")
}

#[test]
fn whole_numbers() {
    let data = whole(1);
    same_as_runs!(Reduction::new(ReduceSum), slice(&data), |t, at| t.data()[at]);
    same_as_runs!(Reduction::new(FirstLessLast), slice(&data), |t, at| t.data()[at]);
    same_as_runs!(Reduction::new(Counts), slice(&data), |t, at| t.data()[40 * at..40 * at + 40]
        .to_vec());
    let tuple = (ReduceSum, (ReduceMax, ReduceMean), FirstLessLast);
    same_as_runs!(Reduction::new(tuple), slice(&data), |t, at| (
        t.0.data()[at],
        t.1.0.data()[at],
        t.1.1.data()[at],
        t.2.data()[at]
    ));
}

#[test]
fn adaptors() {
    let data = whole(2);
    same_as_runs!(Reduction::new(ReduceSum).initial(100.0f32), slice(&data), |t, at| t.data()[at]);
    same_as_runs!(Reduction::new(ReduceMean).min_count(5, -1.0f32), slice(&data), |t, at| t.data()
        [at]);
    let wide = Reduction::new(ReduceSum).computing_in::<Compensated<f32>>();
    same_as_runs!(wide, slice(&data), |t, at| t.data()[at]);
}

#[test]
fn elements_that_count() {
    let data = with_nan(3);
    same_as_runs!(Reduction::new(SkipNan(ReduceSum)), slice(&data), |t, at| t.data()[at]);
    let tuple = (SkipNan((ReduceMean, ReduceMin)), ReduceMax);
    same_as_runs!(Reduction::new(tuple), slice(&data), |t, at| (
        t.0.0.data()[at],
        t.0.1.data()[at],
        t.1.data()[at]
    ));
    let (values, mask) = (whole(4), data.iter().map(|x| !x.is_nan()).collect::<Vec<bool>>());
    let both = |from: usize, to: usize| {
        let mask = View::new(&mask[from..to], &[to - from]).expect("a list");
        (slice(&values)(from, to), mask)
    };
    same_as_runs!(Reduction::new(Masked(ReduceSum)), both, |t, at| t.data()[at]);
    let data: Vec<f32> =
        (0..COUNT).map(|place| if place % 3 == 1 { f32::NAN } else { data[0] }).collect();
    let forward = Reduction::new(SkipNan(ArgMax::default()));
    let places = forward.scan(&slice(&data)(0, COUNT)).expect("the first counts");
    assert!(places.data().iter().all(|&place| place == 0));
}

#[test]
fn several_inputs_and_broadcast() {
    let (x, y) = (whole(5), whole(6));
    let pairs = |from: usize, to: usize| (slice(&x)(from, to), slice(&y)(from, to));
    same_as_runs!(Reduction::new(Products), pairs, |t, at| t.data()[at]);
    let one = [3.0f32];
    let one = |from: usize, to: usize| (slice(&x)(from, to), View::new(&one, &[1]).expect("one"));
    same_as_runs!(Reduction::new(Products), one, |t, at| t.data()[at]);
}

#[test]
fn emission() -> Result<(), Error> {
    let data = whole(7);
    let view = View::new(&data, &[7, 100])?;
    for axis in [0, 1] {
        for reversed in [false, true] {
            let scan = Reduction::new(Total).axes([axis]).scanning().reversed(reversed);
            let (sums, emitted) = (scan.run(&view)?, scan.emit(&view)?);
            let expected: Vec<f32> = data.iter().zip(sums.data()).map(|(x, sum)| x - sum).collect();
            assert_eq!(emitted.data(), expected);
        }
    }
    let error =
        Reduction::new(Total).scanning().exclusive(true).emit(&view).expect_err("exclusive");
    assert_eq!(error.code(), "emits-exclusive");
    Ok(())
}

#[test]
fn errors() -> Result<(), Error> {
    let view = View::new(&[f32::NAN, 1.0], &[2])?;
    let code = |error: Result<_, Error>| error.map(drop).expect_err("an error").code();
    let arg = Reduction::new(ArgMax::default());
    assert_eq!(code(arg.clone().scanning().exclusive(true).run(&view)), "empty-set");
    assert_eq!(code(Reduction::new(SkipNan(ArgMax::default())).scan(&view)), "none-counts");
    assert_eq!(code(arg.axes([1]).scan(&view)), "axis-out-of-range");
    let mut short = [0.0; 1];
    let error = Reduction::new(ReduceSum).scan_into(&view, &mut short).expect_err("too short");
    assert_eq!(error.code(), "length-mismatch");
    Ok(())
}

/// Values whose products and squares leave the range of `f32` on the way.
fn wild(kind: usize) -> Vec<f32> {
    let mut random = Random::new(kind as u64);
    let sizes = [[1e30, 1e-30], [1e-25, 1e-25], [1e25, 1e20], [1.0, 1.0], [1e-20, 1e10]][kind];
    (0..COUNT)
        .map(|place| match place {
            300 if kind == 3 => f32::INFINITY,
            600 if kind == 1 => 0.0,
            _ => {
                #[allow(clippy::cast_possible_truncation, reason = "rounded")]
                let x = random.between(1.0, 2.0) as f32;
                x * sizes[place % 2]
            }
        })
        .collect()
}

fn is_near(found: f32, expected: f32) -> bool {
    let near = (found - expected).abs() <= 1e-4 * expected.abs();
    near || found == expected || found.is_nan() && expected.is_nan()
}

#[test]
fn doubtful_results_are_those_of_reductions() -> Result<(), Error> {
    for kind in 0..5 {
        let data = wild(kind);
        let rows: Vec<f32> = (0..40).flat_map(|_| data.clone()).collect();
        macro_rules! check {
            ($($op:expr),*) => {$(
                for threads in [Threads::One, Threads::Pool(pool(2))] {
                    let reduction = Reduction::new($op).threads(threads);
                    let list = reduction.scan(&slice(&data)(0, COUNT))?;
                    let columns = reduction.axes([1]).scan(&View::new(&rows, &[40, COUNT])?)?;
                    for place in (0..COUNT).step_by(7) {
                        let run = Reduction::new($op).run(&slice(&data)(0, place + 1))?.data()[0];
                        for found in [list.data()[place], columns.data()[39 * COUNT + place]] {
                            let what = stringify!($op);
                            assert!(is_near(found, run), "{what}, {kind}, {place}: {found}, not {run}");
                        }
                    }
                }
            )*};
        }
        check!(ReduceProd, ReduceL2, ReduceMean, ReduceLogSumExp, SkipNan(ReduceL2));
        let both = Reduction::new((ReduceProd, SkipNan((ReduceMax, ReduceL2))));
        let (products, (_, lengths)) = both.scan(&slice(&data)(0, COUNT))?;
        let alone = Reduction::new(ReduceProd).scan(&slice(&data)(0, COUNT))?;
        assert_eq!(format!("{:?}", products.data()), format!("{:?}", alone.data()));
        let alone = Reduction::new(ReduceL2).scan(&slice(&data)(0, COUNT))?;
        assert_eq!(format!("{:?}", lengths.data()), format!("{:?}", alone.data()));
    }
    Ok(())
}

#[test]
fn a_planned_scan_is_the_scan() -> Result<(), Error> {
    let data = whole(8);
    let view = View::new(&data, &[10, 70])?;
    let scan = Reduction::new((ReduceSum, ReduceMin)).axes([1]).scanning().exclusive(true);
    let planned = scan.planned(&view)?;
    let (mut sums, mut least) = (vec![0.0; COUNT], vec![0.0; COUNT]);
    planned.run_into(&view, (&mut sums, &mut least))?;
    let (expected, expected_least) = scan.run(&view)?;
    assert_eq!((sums.as_slice(), least.as_slice()), (expected.data(), expected_least.data()));
    let other = planned.run_into(&View::new(&data, &[70, 10])?, (&mut sums, &mut least));
    assert_eq!(other.expect_err("another layout").code(), "other-layout");
    Ok(())
}
