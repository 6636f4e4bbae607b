//! Real numbers, in sums of two `f64`.

#![allow(clippy::cast_precision_loss, reason = "rounding is computed here; counts are small")]

use super::{Element, Errors, Op, Type};
use crate::float::{Exact, F64, Format, Product};

/// What floats reduce to.
pub(super) fn reduce(op: Op, compute: Format, xs: &[f64]) -> Element {
    let squares = || xs.iter().map(|x| compute.round(x * x));
    let (exact, errors) = match op {
        Op::Sum => sum(xs.iter().copied(), None),
        Op::L1 => sum(xs.iter().map(|x| x.abs()), None),
        Op::SumSquare => sum(squares(), None),
        Op::L2 => {
            let sum = overflowed(compute, sum(squares(), None).0);
            (sum.sqrt(), Errors::Root { count: xs.len() })
        }
        Op::Mean => mean(compute, xs),
        Op::Prod => (product(xs), Errors::Product { count: xs.len() }),
        Op::LogSum => log_sum(compute, xs),
        Op::LogSumExp => (log_sum_exp(xs), Errors::LogSumExp { count: xs.len() }),
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
        Element::Real { exact, errors: Errors::Log { sum, count, .. } } if magnitudes <= EXACT => {
            Element::Real { exact, errors: Errors::Log { sum, magnitudes: 0.0, count } }
        }
        other => other,
    }
}

/// The logarithm of the sum; of an empty one, of 0.
fn log_sum(compute: Format, xs: &[f64]) -> (Exact, Errors) {
    let (exact, errors) = sum(xs.iter().copied(), None);
    let Errors::Sum { magnitudes, count, .. } = errors else { unreachable!("of a sum") };
    let sum = overflowed(compute, exact);
    (sum.ln(), Errors::Log { sum: sum.high, magnitudes, count })
}

/// A sum as the arithmetic after it meets it: an overflow is not undone.
fn overflowed(compute: Format, sum: Exact) -> Exact {
    let rounded = compute.round(sum.high);
    if rounded.is_finite() { sum } else { rounded.into() }
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

fn mean(compute: Format, xs: &[f64]) -> (Exact, Errors) {
    let count = xs.len() as f64;
    let (sum, errors) = sum(xs.iter().copied(), Some(count));
    let sum = overflowed(compute, sum);
    // A mean of one element is that element, whatever the sign of a zero.
    (if xs.len() == 1 { sum } else { sum.over(count) }, errors)
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
fn log_sum_exp(xs: &[f64]) -> Exact {
    let nan = xs.iter().any(|x| x.is_nan());
    let max = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if nan || max.is_infinite() {
        return Exact::from(if nan { f64::NAN } else { max });
    }
    let largest = xs.iter().position(|&x| x == max);
    let others = xs.iter().enumerate().filter(|(index, _)| Some(*index) != largest);
    let sum = others.fold(Exact::ZERO, |sum, (_, x)| sum.plus((x - max).exp()));
    Exact::from(max).plus(sum.high.ln_1p())
}
