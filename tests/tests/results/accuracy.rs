//! Errors over hostile data stay within the bounds of `docs/accuracy.md`, which are read from the page.
//!
//! A bound has a unit: `ε` times a magnitude that follows from the elements. Exact results are the oracle's, or sums of
//! two `f64`.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "elements are made of their places, which are small"
)]

use std::fs;
use std::path::Path;

use reduce_core::bounds::Streams;
use reduce_core::{Groups, Stream, View};
use reduce_specs::{
    ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMean, ReduceProd, ReduceSum,
    ReduceSumSquare,
};
use reduce_tests::cases::{Layout, Random, Request, Row, Stored, found};
use reduce_tests::float::{Exact, Format, power_of_two};
use reduce_tests::oracle::{self, Element, Op, Type, Values};

const LENGTHS: [usize; 4] = [2, 63, 1000, 20_000];

/// Lists lie side by side in a matrix.
const SIDE: usize = 8;

#[test]
fn at_once_and_along_columns() {
    let page = page("accuracy.md");
    Row::for_each(|row| {
        let Type::Float { format, .. } = row.ty else { return };
        if row.op.is_position() || matches!(row.op, Op::Max | Op::Min) {
            return;
        }
        let terms = bound_of(&page, row.entry.schema().name);
        for length in LENGTHS {
            for set in SETS {
                let list = set.list(row.op, format, length);
                let right = Right::new(row.op, row.ty, &list);
                for axis in [0, 1] {
                    let (shape, values) = match axis {
                        0 => ([length, SIDE], list.iter().flat_map(|&x| [x; SIDE]).collect()),
                        _ => ([SIDE, length], list.repeat(SIDE)),
                    };
                    let stored =
                        Stored::new(Layout::Contiguous, row.dtype, &shape, &Values::Floats(values));
                    let axes = [axis];
                    let request = Request { axes: Some(&axes), ..Request::default() };
                    let result = row.run(row.newest(), &stored.view(), &request).expect("elements");
                    let Values::Floats(found) = found(&result).values else { panic!("floats") };
                    let place = format!("{} of {length}, {}, axis {axis}", row.name(), set.name);
                    let most = terms.at(length);
                    found.iter().for_each(|&found| right.check(found, most, row.ty, &place));
                }
            }
        }
    });
}

#[test]
fn by_key_and_in_pieces() {
    let page = page("accuracy.md");
    macro_rules! every {
        ($($op:ident)*) => { $(
            streamed::<f32, _>(&page, stringify!($op), &$op, |x| x as f32);
            streamed::<f64, _>(&page, stringify!($op), &$op, |x| x);
        )* };
    }
    every!(ReduceSum ReduceMean ReduceProd ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSum ReduceLogSumExp);
}

#[test]
fn the_bound_of_a_sum_is_promised_on_both_pages() {
    let promise = format!("`({}) · ε · Σ|x|`", bound_text(&page("accuracy.md"), "ReduceSum"));
    assert!(page("numerics.md").contains(&promise), "no {promise}");
}

/// Every row is pushed by itself, since there are so many groups; pieces have one element to 1000.
fn streamed<T, O>(page: &str, name: &str, operator: &O, stored: fn(f64) -> T)
where
    T: reduce_core::Element,
    O: Streams<T, Result = T> + Clone,
{
    let (op, ty) = (Op::named(name), Type::named(T::DTYPE.name()));
    let Type::Float { format, .. } = ty else { panic!("a float") };
    let terms = bound_of(page, name);
    for length in LENGTHS {
        for set in SETS.iter().filter(|set| set.streams) {
            let list = set.list(op, format, length);
            let right = Right::new(op, ty, &list);
            let list: Vec<T> = list.iter().map(|&x| stored(x)).collect();
            let twice: Vec<T> = list.iter().flat_map(|&x| [x; 2]).collect();
            let keys: Vec<u32> = [7, 11].into_iter().cycle().take(twice.len()).collect();
            let mut groups = Groups::new(operator.clone(), 300).expect("few groups");
            groups
                .update(&View::new(&twice, &[twice.len()]).expect("a list"), &keys)
                .expect("keys");
            let mut stream = Stream::new(operator.clone());
            let mut rest = list.as_slice();
            for size in [1, 2, 3, 64, 1000, 7].into_iter().cycle() {
                let (piece, others) = rest.split_at(size.min(rest.len()));
                stream.update(&View::new(piece, &[piece.len()]).expect("a list")).expect("a piece");
                rest = others;
                if rest.is_empty() {
                    break;
                }
            }
            let place = format!("{name} of {length} {}, {}", T::DTYPE, set.name);
            let most = terms.at(length);
            let by_key = groups.finish().expect("results");
            right.check(by_key.data()[7].to_f64(), most, ty, &format!("{place}, by key"));
            let result = stream.finish().expect("a result").data()[0].to_f64();
            right.check(result, most, ty, &format!("{place}, in pieces"));
        }
    }
}

/// An exact result, and the magnitude that errors are counted in.
struct Right {
    exact: Exact,
    magnitude: f64,
}

impl Right {
    fn new(op: Op, ty: Type, list: &[f64]) -> Self {
        let sum = |terms: &mut dyn Iterator<Item = f64>| terms.fold(Exact::ZERO, Exact::plus);
        let exact = match op {
            // The oracle's squares are rounded before they are added.
            Op::SumSquare => list.iter().fold(Exact::ZERO, |sum, &x| {
                let square = Exact::from(x).times(x);
                sum.plus(square.low).plus(square.high)
            }),
            _ => {
                let values = Values::Floats(list.to_vec());
                let whole = oracle::reduce(op, ty, (&[list.len()], &values), &[0], false);
                let Element::Real { exact, .. } = whole.expect("elements").elements[0] else {
                    panic!("a float")
                };
                exact
            }
        };
        let most = list.iter().fold(f64::NEG_INFINITY, |most, &x| most.max(x));
        let magnitude = match op {
            Op::Sum => sum(&mut list.iter().map(|x| x.abs())).high,
            Op::Mean => list.iter().map(|x| x.abs() / list.len() as f64).sum(),
            Op::LogSum => 1.0 + exact.high.abs(),
            Op::LogSumExp => most.abs() + (exact.high - most) + exact.low,
            _ => exact.high.abs(),
        };
        Right { exact, magnitude }
    }

    /// Holds a result to so many `ε` of the magnitude.
    fn check(&self, found: f64, most: f64, ty: Type, place: &str) {
        let Type::Float { format, compute } = ty else { panic!("a float") };
        let Right { exact, magnitude } = *self;
        if exact.high.abs() > format.max {
            let is_beyond = !found.is_finite() || found.abs() == format.max;
            assert!(is_beyond, "{place}: {found:e}, and exact is {:e}", exact.high);
            return;
        }
        let error = ((found - exact.high) - exact.low).abs();
        let stored = if format == compute { 0.0 } else { format.ulp(exact.high) / 2.0 };
        // The oracle's logarithms are off by a unit of `f64` or two.
        let oracle = 2.0 * f64::EPSILON * magnitude;
        let limit = most * compute.unit() * magnitude.max(compute.least_normal()) + stored + oracle;
        assert!(
            error <= limit,
            "{place}: {found:e} is off by {error:e}, not by up to {limit:e}; exact is {:e}",
            exact.high
        );
    }
}

/// A bound of the page: a sum of terms, in `ε` times the magnitude.
struct Bound {
    constant: f64,
    per_log: f64,
    per_element: f64,
}

impl Bound {
    fn at(&self, length: usize) -> f64 {
        let length = length as f64;
        self.constant + self.per_log * length.log2() + self.per_element * length
    }
}

fn page(name: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
    fs::read_to_string(page).expect("the page")
}

/// The last column of an operator's row in the table of bounds, such as `64 + log2 n`.
fn bound_text<'p>(page: &'p str, operator: &str) -> &'p str {
    let row = |line: &&str| line.starts_with(&format!("| `{operator}` |")) && line.ends_with("` |");
    let row = page.lines().find(row).unwrap_or_else(|| panic!("no bound of {operator}"));
    row.trim_end_matches("` |").rsplit('`').next().expect("a bound")
}

fn bound_of(page: &str, operator: &str) -> Bound {
    let mut bound = Bound { constant: 0.0, per_log: 0.0, per_element: 0.0 };
    for term in bound_text(page, operator).split(" + ") {
        let (place, number) = if let Some(number) = term.strip_suffix("log2 n") {
            (&mut bound.per_log, number)
        } else if let Some(number) = term.strip_suffix('n') {
            (&mut bound.per_element, number)
        } else {
            (&mut bound.constant, term)
        };
        let is_one = number.is_empty();
        let number = if is_one { 1.0 } else { number.trim().parse().expect("a number") };
        *place += number;
    }
    bound
}

/// A kind of hostile list.
struct Set {
    name: &'static str,
    /// Whether no intermediate value leaves the range, as it may in pieces.
    streams: bool,
    /// The element at a place of so many, before it is made fit for an operator.
    element: fn(&mut Random, usize, usize) -> f64,
}

const SETS: &[Set] = &[
    Set { name: "uniform", streams: true, element: |random, _, _| random.between(0.0, 1.0) },
    Set { name: "both signs", streams: true, element: |random, _, _| random.between(-1.0, 1.0) },
    Set { name: "offset", streams: true, element: |random, _, _| 1e4 + random.between(-1.0, 1.0) },
    Set { name: "outlier first", streams: true, element: |random, n, _| outlier(random, n == 0) },
    Set {
        name: "outlier in the middle",
        streams: true,
        element: |random, n, count| outlier(random, n == count / 2),
    },
    Set {
        name: "outlier last",
        streams: true,
        element: |random, n, count| outlier(random, n + 1 == count),
    },
    Set {
        name: "alternating",
        streams: true,
        element: |random, n, _| [1.0, -1.0][n % 2] * random.between(1.0, 2.0),
    },
    Set { name: "ascending", streams: true, element: |_, n, count| slope(n, count) },
    Set { name: "descending", streams: true, element: |_, n, count| slope(count - 1 - n, count) },
    Set {
        name: "all exponents",
        streams: false,
        element: |random, _, _| {
            random.between(-1.0, 1.0) * power_of_two(random.between(-1060.0, 1000.0) as i32)
        },
    },
];

fn outlier(random: &mut Random, is_here: bool) -> f64 {
    if is_here { 6e4 } else { random.between(-1.0, 1.0) }
}

/// From 1e-4 to 1e4.
fn slope(n: usize, count: usize) -> f64 {
    10f64.powf(8.0 * n as f64 / count as f64 - 4.0)
}

impl Set {
    /// A list of a format that an operator takes: factors are near one, what a logarithm is taken of is positive, and no
    /// exponential is of more than 700.
    fn list(&self, op: Op, format: Format, length: usize) -> Vec<f64> {
        let mut random = Random::new(length as u64);
        let limit = format.max / 2.0 / length as f64;
        let fit = |x: f64| match op {
            Op::Prod => (1.0 + (x / 1e4).clamp(-0.5, 0.5)).powf(8.0 / length as f64),
            Op::LogSum => x.abs(),
            Op::LogSumExp => x.clamp(-700.0, 700.0),
            Op::SumSquare => x.clamp(-limit.sqrt(), limit.sqrt()),
            _ => x,
        };
        (0..length)
            .map(|n| format.round(fit((self.element)(&mut random, n, length)).clamp(-limit, limit)))
            .collect()
    }
}
