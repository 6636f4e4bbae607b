//! Floats of eight bits: all of them, all that lies between two of them, and reductions of them.

#![allow(clippy::cast_possible_truncation, reason = "numbers are rounded to `f32` on purpose")]

use reduce_core::adapt::Saturating;
use reduce_core::bounds::{Store, Streams};
use reduce_core::{
    Element, Level, Num, OnePass, ReduceOp, Reduction, Stream, Threads, View, f8e4m3fn, f8e5m2,
    reduce_op,
};
use reduce_tests::float::{F8E4M3FN, F8E5M2, Format};

/// A float of eight bits, as the test sees it.
trait Float8: Element + Store<f32> + Store<f64> {
    const FORMAT: Format;
    fn of(bits: u8) -> Self;
    fn shown(self) -> f64;
}

macro_rules! float8 {
    ($($type:ident: $format:ident;)*) => {$(
        impl Float8 for $type {
            const FORMAT: Format = $format;

            fn of(bits: u8) -> Self {
                $type::from_bits(bits)
            }

            fn shown(self) -> f64 {
                f64::from(self.to_f32())
            }
        }
    )*};
}

float8! {
    f8e4m3fn: F8E4M3FN;
    f8e5m2: F8E5M2;
}

/// The value of some bits, by the definition of the format.
fn defined(format: Format, bits: u8) -> f64 {
    let fraction_bits = format.precision - 1;
    let (sign, rest) = (if bits & 0x80 == 0 { 1.0 } else { -1.0 }, i32::from(bits & 0x7f));
    let (exponent, fraction) = (rest >> fraction_bits, rest % (1 << fraction_bits));
    let all_ones = exponent == (1 << (7 - fraction_bits)) - 1;
    match (all_ones, format.has_infinities) {
        (true, true) if fraction == 0 => sign * f64::INFINITY,
        (true, true) => f64::NAN,
        (true, false) if rest == 0x7f => f64::NAN,
        _ => {
            let hidden = i32::from(exponent > 0);
            let significand = f64::from(hidden * (1 << fraction_bits) + fraction);
            let exponent = exponent.max(1) - 1 + format.least_exponent - fraction_bits;
            sign * significand * 2f64.powi(exponent)
        }
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn every_pattern<T: Float8>() {
    let values: Vec<f64> = (0..=u8::MAX).map(|bits| T::of(bits).shown()).collect();
    for (bits, &value) in (0..=u8::MAX).zip(&values) {
        assert!(same(value, defined(T::FORMAT, bits)), "{bits:#x}: {value}");
    }
    // What lies at a number, halfway to the next one, and beside that, is rounded as the oracle has it.
    let finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    let beyond = 2.0 * T::FORMAT.max - finite[usize::from(T::FORMAT.max_bits()) - 1];
    for (&x, next) in finite.iter().zip(finite[1..].iter().chain([&beyond])) {
        let middle = (x + next) / 2.0;
        for x in [x, middle, middle.next_up(), middle.next_down(), -middle] {
            let (wide, narrow) = (T::store(x).shown(), T::store(x as f32).shown());
            assert!(same(wide, T::FORMAT.round(x)), "{x:e}: {wide}");
            assert!(same(narrow, T::FORMAT.round(f64::from(x as f32))), "{x:e}: {narrow}");
        }
    }
    for x in [f32::INFINITY, 1e30, f32::MAX, f32::from_bits(1), 0.0, f32::NAN] {
        for x in [x, -x] {
            assert!(same(T::store(x).shown(), T::FORMAT.round(x.into())), "{x:e}");
            let clamped = f64::from(x).clamp(-T::FORMAT.max, T::FORMAT.max);
            assert!(same(T::clamped(x).shown(), T::FORMAT.round(clamped)), "{x:e}");
        }
    }
}

#[test]
fn every_pattern_is_what_the_format_says() {
    every_pattern::<f8e4m3fn>();
    every_pattern::<f8e5m2>();
}

/// The sum.
#[derive(Clone, Copy, Debug, Default)]
struct Sum8;

#[reduce_op(dtypes = [f8e4m3fn => f32, f8e5m2 => f32])]
impl<A: Num> ReduceOp<A> for Sum8 {
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

/// Sums over lists, rows and columns, dense and apart, whose exact sums are `f32`.
fn sums<T: Float8>()
where
    Sum8: OnePass<T, Result = T>,
{
    let value = |place: usize| [0.5, -1.0, 1.5, 0.25, -0.75][place * 7 % 5];
    for (rows, columns) in [(1, 1), (1, 1000), (3, 40), (70, 3), (130, 130), (2, 9000)] {
        let elements: Vec<T> =
            (0..2 * rows * columns).map(|place| T::store(value(place) as f32)).collect();
        let strides = [2 * columns.cast_signed(), 2];
        let apart = View::with_strides(&elements, &[rows, columns], &strides, 0);
        let apart = apart.expect("within the buffer");
        let dense = View::new(&elements[..rows * columns], &[rows, columns]).expect("its length");
        for (view, step) in [(dense, 1), (apart, 2)] {
            for axis in 0..2 {
                let (results, count) = if axis == 0 { (columns, rows) } else { (rows, columns) };
                let place = |result: usize, element: usize| match axis {
                    0 => step * (element * columns + result),
                    _ => step * (result * columns + element),
                };
                let sum =
                    |result| (0..count).map(|element| value(place(result, element))).sum::<f64>();
                let expected: Vec<f64> =
                    (0..results).map(|result| T::FORMAT.round(sum(result))).collect();
                for level in Level::available() {
                    let reduction = Reduction::new(Sum8).axes([axis]).level(level);
                    let found = reduction.threads(Threads::One).run(&view).expect("a sum");
                    let found: Vec<f64> = found.data().iter().map(|x| x.shown()).collect();
                    let are_same = found.iter().zip(&expected).all(|(a, b)| same(*a, *b));
                    assert!(are_same, "{level:?}, {rows} x {columns}, axis {axis}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn sums_are_rounded_once() {
    sums::<f8e4m3fn>();
    sums::<f8e5m2>();
}

/// Sums beyond the greatest number, of a run, a stream, keys and a tuple.
fn saturated<T: Float8>()
where
    Sum8: OnePass<T, Result = T>,
    Saturating<Sum8>: Streams<T, Result = T>,
{
    let most = T::clamped(f32::INFINITY);
    for (sign, expected) in [(1.0, T::FORMAT.max), (-1.0, -T::FORMAT.max)] {
        let elements = [T::store(most.shown() * sign); 3];
        let view = View::new(&elements, &[3]).expect("three elements");
        let plain = Reduction::new(Sum8).run(&view).expect("a sum").data()[0].shown();
        assert!(!plain.is_finite(), "{plain}");
        let clamped = Reduction::new(Sum8).saturating();
        assert_eq!(clamped.run(&view).expect("a sum").data()[0].shown(), expected);
        let mut stream = Stream::over(clamped.clone());
        stream.update(&view).expect("three elements");
        assert_eq!(stream.finish().expect("a sum").data()[0].shown(), expected);
        let groups = clamped.by_key(&[0u8, 1, 0], 2).run(&view).expect("two keys");
        assert_eq!([0, 1].map(|group| groups.data()[group].shown()), [expected; 2]);
    }
}

#[test]
fn results_saturate_where_the_call_says_so() {
    saturated::<f8e4m3fn>();
    saturated::<f8e5m2>();
}
