//! Real numbers, in sums of two `f64`.

#![allow(clippy::cast_precision_loss, reason = "rounding is computed here; counts are small")]

use std::ops::Range;

use super::{Element, Errors, Op, Type};
use crate::float::{Exact, F64, Format, Product, exponent_of, power_of_two};

/// Reduces a set of floats.
pub(super) fn reduce(op: Op, compute: Format, xs: &[f64]) -> Element {
    let squares = || xs.iter().map(|x| compute.round(x * x));
    let (exact, errors) = match op {
        Op::Sum => sum(xs.iter().copied(), None),
        Op::L1 => sum(xs.iter().map(|x| x.abs()), None),
        Op::SumSquare => sum(squares(), None),
        Op::L2 => (root_of_squares(xs), Errors::Root { count: xs.len() }),
        Op::Mean => mean(xs),
        Op::Prod => (product(xs), Errors::Product { count: xs.len() }),
        Op::LogSum => log_sum(xs),
        Op::LogSumExp => log_sum_exp(xs),
        other => unreachable!("{other:?} is found by comparing"),
    };
    let one_is_exact = op != Op::LogSum;
    let errors = if xs.len() < 2 && one_is_exact { Errors::None } else { errors };
    Element::Real { exact, errors }
}

/// What integers reduce to where that is computed in `f64`. As long as every sum
/// is a whole number below 2^53, nothing is rounded but the result.
pub(super) fn of_integers(op: Op, ty: Type, xs: &[i128]) -> Element {
    const EXACT: i128 = 1 << 53;
    if op == Op::LogSumExp && xs.is_empty() {
        return Element::Int(ty.limits().0);
    }
    let floats: Vec<f64> = xs.iter().map(|&x| x as f64).collect();
    let squared = |x: &i128| if op == Op::L2 { x.saturating_mul(*x) } else { x.abs() };
    let magnitudes = xs.iter().map(squared).fold(0, i128::saturating_add);
    match reduce(op, F64, &floats) {
        Element::Real { exact, errors: Errors::Root { .. } } if magnitudes <= EXACT => {
            Element::Real { exact, errors: Errors::None }
        }
        Element::Real { exact, errors: Errors::Log { sum, count, shift, .. } }
            if magnitudes <= EXACT =>
        {
            Element::Real { exact, errors: Errors::Log { sum, magnitudes: 0.0, count, shift } }
        }
        other => other,
    }
}

/// The logarithm of the sum; of an empty one, of 0.
fn log_sum(xs: &[f64]) -> (Exact, Errors) {
    let (xs, power) = scaled(xs, LARGE);
    let (sum, errors) = sum(xs.iter().copied(), None);
    let Errors::Sum { magnitudes, count, .. } = errors else { unreachable!("of a sum") };
    let shift = f64::from(power) * std::f64::consts::LN_2;
    (sum.ln().plus(shift), Errors::Log { sum: sum.high, magnitudes, count, shift })
}

/// Exponents above which sums of some thousand numbers may overflow.
const LARGE: Range<i32> = -1100..1000;

/// Exponents of numbers whose squares neither overflow nor lose bits.
const OF_SQUARES: Range<i32> = -400..500;

/// Numbers divided by a power of two, if the exponent of the largest is out of a range; and that
/// power.
fn scaled(xs: &[f64], range: Range<i32>) -> (Vec<f64>, i32) {
    let largest = xs.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return (xs.to_vec(), 0);
    }
    let power = exponent_of(largest);
    if range.contains(&power) {
        return (xs.to_vec(), 0);
    }
    (xs.iter().map(|x| x / power_of_two(power)).collect(), power)
}

/// A number times a power of two: beyond `f64` an infinity, or zero.
fn times_power(x: Exact, power: i32) -> Exact {
    let scale = power_of_two(power);
    let high = x.high * scale;
    if high.is_finite() { Exact { high, low: x.low * scale } } else { high.into() }
}

/// Returns the root of the sum of the squares; the squares are not rounded.
fn root_of_squares(xs: &[f64]) -> Exact {
    let (xs, power) = scaled(xs, OF_SQUARES);
    let special = xs.iter().find(|x| !x.is_finite()).map(|x| x.abs());
    let special = xs.iter().copied().find(|x| x.is_nan()).or(special);
    let square = |sum: Exact, &x: &f64| {
        let square = Exact::from(x).times(x);
        sum.plus(square.low).plus(square.high)
    };
    match special {
        Some(special) => special.into(),
        None => times_power(xs.iter().fold(Exact::ZERO, square).sqrt(), power),
    }
}

fn sum(xs: impl Iterator<Item = f64> + Clone, divisor: Option<f64>) -> (Exact, Errors) {
    let special = xs.clone().filter(|x| !x.is_finite()).reduce(|a, b| a + b);
    let exact = match special {
        Some(special) => Exact::from(special),
        // Not from 0.0: the sum of one element is that element, sign and all.
        None => xs
            .clone()
            .fold(None, |sum: Option<Exact>, x| Some(sum.map_or(x.into(), |sum| sum.plus(x))))
            .unwrap_or(Exact::ZERO),
    };
    let magnitudes = xs.clone().map(f64::abs).sum::<f64>().min(f64::MAX);
    (exact, Errors::Sum { magnitudes, count: xs.count(), divisor })
}

fn mean(xs: &[f64]) -> (Exact, Errors) {
    let count = xs.len() as f64;
    let (xs, power) = scaled(xs, LARGE);
    let (sum, errors) = sum(xs.iter().copied(), Some(count));
    let Errors::Sum { magnitudes, count: of, .. } = errors else { unreachable!("of a sum") };
    // The sum of the magnitudes may be no `f64`, their mean is one.
    let magnitudes = (magnitudes / count * power_of_two(power)).min(f64::MAX);
    let errors = Errors::Sum { magnitudes, count: of, divisor: Some(1.0) };
    // A mean of one element is that element, whatever the sign of a zero.
    (times_power(if xs.len() == 1 { sum } else { sum.over(count) }, power), errors)
}

fn product(xs: &[f64]) -> Exact {
    let finite = xs.iter().all(|x| x.is_finite());
    if finite && !xs.contains(&0.0) {
        return Product::of(xs.iter().copied());
    }
    // Zeros, infinities and NaN: magnitudes do not matter, signs do.
    let sign = |x: f64| if x == 0.0 || !x.is_finite() { x } else { 1.0f64.copysign(x) };
    xs.iter().map(|&x| sign(x)).product::<f64>().into()
}

/// The largest element is taken out: the sum of the others' exponentials, each
/// divided by its, is what the logarithm of one plus this sum adds to it.
fn log_sum_exp(xs: &[f64]) -> (Exact, Errors) {
    let nan = xs.iter().any(|x| x.is_nan());
    let max = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if nan || max.is_infinite() {
        let special = if nan { f64::NAN } else { max };
        return (special.into(), Errors::LogSumExp { count: xs.len(), added: 0.0, distance: 0.0 });
    }
    let largest = xs.iter().position(|&x| x == max);
    let others = xs.iter().enumerate().filter(|(index, _)| Some(*index) != largest);
    let others: Vec<(f64, f64)> = others.map(|(_, x)| (max - x, (x - max).exp())).collect();
    let sum = others.iter().fold(Exact::ZERO, |sum, (_, exp)| sum.plus(*exp));
    let weighed = others.iter().filter(|(_, exp)| *exp > 0.0).map(|(below, exp)| below * exp);
    let distance = weighed.sum::<f64>() / sum.high.max(f64::MIN_POSITIVE);
    let added = sum.high.ln_1p();
    (Exact::from(max).plus(added), Errors::LogSumExp { count: xs.len(), added, distance })
}
