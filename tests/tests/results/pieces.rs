//! Sums over many small pieces, and by key, are as accurate as `docs/numerics.md` promises of every float sum.

use reduce_core::bounds::Streams;
use reduce_core::{Element, Groups, Stream, View};
use reduce_specs::{ReduceL1, ReduceL2, ReduceMean, ReduceSum, ReduceSumSquare};

/// The bound of a sum of `n` elements, relative to the sum of their magnitudes: `(64 + log2 n) ε`.
fn bound(n: usize, epsilon: f64) -> f64 {
    (64.0 + (n as f64).log2()) * epsilon
}

const F32: f64 = f32::EPSILON as f64 / 2.0;
const F64: f64 = f64::EPSILON / 2.0;

/// Says which of some groups a row is of.
type KeyOf = fn(usize, usize) -> usize;

const ORDERS: [(&str, KeyOf); 4] = [
    ("in turn", |row, groups| row % groups),
    ("mixed", |row, groups| (row * 7919 % 1_000_003) % groups),
    ("in short runs", |row, groups| row / 20 % groups),
    ("in long runs", |row, groups| row / 50 % groups),
];

#[test]
fn sums_by_key_are_within_the_bound() {
    let rows = 600_000;
    for groups in [1, 2, 40, 255, 300, 3000] {
        for (name, key_of) in ORDERS {
            let keys: Vec<u32> =
                (0..rows).map(|row| u32::try_from(key_of(row, groups)).expect("few")).collect();
            let mut counts = vec![0usize; groups];
            keys.iter().for_each(|&key| counts[key as usize] += 1);
            let place = format!("{groups} groups, {name}");
            // All magnitudes are equal, so the exact results need no arithmetic but a product.
            check(ReduceSum, 0.1f32, F32, &keys, &counts, |x, n| x * n, 1.0, &place);
            check(ReduceL1, -0.1f32, F32, &keys, &counts, |x, n| -x * n, 1.0, &place);
            check(ReduceMean, 0.1f32, F32, &keys, &counts, |x, _| x, 1.0, &place);
            check(ReduceSumSquare, 0.3f32, F32, &keys, &counts, |x, n| x * x * n, 1.0, &place);
            check(ReduceL2, 0.3f32, F32, &keys, &counts, |x, n| x * n.sqrt(), 0.5, &place);
            check(ReduceSum, 0.1f64, F64, &keys, &counts, |x, n| x * n, 1.0, &place);
        }
    }
}

/// Holds the results by key of equal elements against exact ones; each may be off by a share of the bound of a sum,
/// and three roundings.
#[allow(clippy::too_many_arguments, reason = "a case, spelt out")]
fn check<Op, T>(
    op: Op,
    x: T,
    epsilon: f64,
    keys: &[u32],
    counts: &[usize],
    exact: fn(f64, f64) -> f64,
    share: f64,
    place: &str,
) where
    T: Element,
    Op: Streams<T, Result = T>,
{
    let data = vec![x; keys.len()];
    let mut groups = Groups::new(op, counts.len()).expect("few");
    for (data, keys) in data.chunks(100_000).zip(keys.chunks(100_000)) {
        groups.update(&View::new(data, &[data.len()]).expect("a list"), keys).expect("keys");
    }
    let found = groups.finish().expect("results");
    for (group, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let expected = exact(x.to_f64(), count as f64);
        let error = (found.data()[group].to_f64() - expected).abs() / expected.abs();
        let most = share * bound(count, epsilon) + 3.0 * epsilon;
        assert!(
            error <= most,
            "{place}: group {group} of {count} rows is off by {error:e}, not {most:e}"
        );
    }
}

#[test]
fn a_stream_of_single_elements_is_within_the_bound() {
    let count = 300_000;
    let one = [0.1f32];
    let one = View::new(&one, &[1]).expect("one element");
    let (mut pieces, mut merged) = (Stream::new(ReduceSum), Stream::new(ReduceSum));
    let mut groups = Groups::new(ReduceSum, 1).expect("few");
    let mut part = Stream::new(ReduceSum);
    part.update(&one).expect("an element");
    let mut other = Groups::new(ReduceSum, 1).expect("few");
    other.update(&one, &[0]).expect("a key");
    for _ in 0..count {
        pieces.update(&one).expect("an element");
        merged.merge(&part).expect("of one shape");
        groups.merge(&other, &[0]).expect("a group");
    }
    let expected = f64::from(0.1f32) * f64::from(count);
    let sums = [&pieces.finish(), &merged.finish(), &groups.finish()]
        .map(|sum| f64::from(sum.as_ref().expect("elements").data()[0]));
    for sum in sums {
        let error = (sum - expected).abs() / expected;
        assert!(error <= bound(300_000, F32), "{sum} is off by {error:e}");
    }
}
