//! Holds a result against what the oracle says.
//!
//! Type, shape and number of elements are compared first. Integers are exact. NaN is NaN, an infinity is that infinity.
//! A finite float lies in an interval. Each end is the exact value, moved by the largest error of the arithmetic before
//! the last operation. It is then rounded as the last operation and the storage round. For f16 and bf16, computed in
//! f32, that is the nearest value or a neighbour.

#![allow(clippy::cast_precision_loss, reason = "counts of elements are small")]

use crate::float::{Exact, Format};
use crate::oracle::{Element, Errors, Expected, Type, Values};

/// A result of the crates under test.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The type of its elements.
    pub ty: Type,
    /// Its sizes.
    pub shape: Vec<usize>,
    /// Its elements.
    pub values: Values,
}

/// Whether a result is right; if not, the first thing that is wrong with it.
///
/// # Errors
/// If it is not.
pub fn check(expected: &Expected, found: &Found) -> Result<(), String> {
    let wrong = |what: &str, expected: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
        Err(format!("{what}: expected {expected:?}, found {found:?}"))
    };
    if expected.ty != found.ty {
        return wrong("type", &expected.ty, &found.ty);
    }
    if expected.shape != found.shape {
        return wrong("shape", &expected.shape, &found.shape);
    }
    if expected.elements.len() != found.values.len() {
        return wrong("number of elements", &expected.elements.len(), &found.values.len());
    }
    for (index, element) in expected.elements.iter().enumerate() {
        let right = match &found.values {
            Values::Ints(xs) => check_int(found.ty, element, xs[index]),
            Values::Floats(xs) => check_float(found.ty, element, xs[index]),
        };
        right.map_err(|error| format!("element {index}: {error}"))?;
    }
    Ok(())
}

fn check_int(ty: Type, element: &Element, found: i128) -> Result<(), String> {
    let (low, high) = match *element {
        Element::Int(int) => (int, int),
        Element::Real { exact, errors } => match range(exact, errors, ty.compute()) {
            Range::Between(low, high) => (whole(ty, low), whole(ty, high)),
            Range::NanOrUpTo(high) => (ty.limits().0, whole(ty, high).max(0)),
        },
    };
    if (low..=high).contains(&found) {
        Ok(())
    } else if low == high {
        Err(format!("expected {low}, found {found}"))
    } else {
        Err(format!("expected {low}..={high}, found {found}"))
    }
}

/// A real number as an integer type stores it; the greatest integers of 64 bits
/// are no `f64`, so their limit is asked for before they are converted.
#[allow(clippy::cast_possible_truncation, reason = "the limits are asked for")]
fn whole(ty: Type, x: f64) -> i128 {
    let (low, high) = ty.limits();
    (ty.store(x) as i128).clamp(low, high)
}

fn check_float(ty: Type, element: &Element, found: f64) -> Result<(), String> {
    let Element::Real { exact, errors } = *element else {
        return Err(format!("expected {element:?}, found the float {found}"));
    };
    let (low, high) = match range(exact, errors, ty.compute()) {
        Range::Between(low, high) => (ty.store(low), ty.store(high)),
        Range::NanOrUpTo(high) if found.is_nan() || found <= ty.store(high) => return Ok(()),
        Range::NanOrUpTo(high) => {
            return Err(format!("expected at most {high:e}, found {found:e}"));
        }
    };
    let expected = ty.store(exact.near(0.0));
    if !expected.is_finite() {
        let same = expected == found || (expected.is_nan() && found.is_nan());
        return if same { Ok(()) } else { Err(format!("expected {expected}, found {found}")) };
    }
    if found.is_finite() && low <= found && found <= high {
        Ok(())
    } else {
        Err(format!("expected {expected:e} (at least {low:e}, at most {high:e}), found {found:e}"))
    }
}

/// Where a result may lie before it is stored.
enum Range {
    /// Between these two.
    Between(f64, f64),
    /// NaN or anything up to this: the sum behind the logarithm may be negative or zero.
    NanOrUpTo(f64),
}

fn range(exact: Exact, errors: Errors, compute: Format) -> Range {
    if let Errors::Log { sum, magnitudes, count, shift } = errors {
        return log_range(exact, (sum, magnitudes, count, shift), compute.unit());
    }
    let slack = slack(exact, errors, compute);
    Range::Between(exact.near(-slack), exact.near(slack))
}

/// The sum behind a logarithm is off as any other, and by its own last addition,
/// which is not the last operation here. The logarithm is within a unit in the
/// last place, and so is that of the oracle: two units of rounding each.
fn log_range(
    exact: Exact,
    (sum, magnitudes, count, shift): (f64, f64, usize, f64),
    unit: f64,
) -> Range {
    let rounded = magnitudes > 0.0 && count > 1;
    let error =
        if rounded { (depth(count) - 1.0) * unit * magnitudes + unit * sum.abs() } else { 0.0 };
    let own = |log: f64| 4.0 * unit * log.abs();
    if sum.is_finite() && error > 0.0 && error >= sum.abs() {
        let greatest = (sum.abs() + error).ln() + shift;
        return Range::NanOrUpTo(greatest + own(greatest));
    }
    let relative = error / sum.abs();
    let own = own(exact.high);
    Range::Between(exact.near((-relative).ln_1p() - own), exact.near(relative.ln_1p() + own))
}

/// The largest error of the value before the last operation rounds it.
///
/// A rounding is off by at most a unit `u` of the format computed in, relative
/// to its result.
///
/// * Sum: a partial sum is at most the sum of the magnitudes, and an element
///   passes at most [`depth`] additions. A division comes after them; without
///   one the last addition is itself the last operation.
/// * Root: each square is rounded before it is added. All that is summed is positive, so the sum is off
///   relative to itself; the root halves that, and is the last operation.
/// * Product: however it is grouped, one multiplication less than there are
///   elements, and the last of them is the last operation. Below the normal
///   numbers a rounding is off by up to the least number instead.
/// * Log-sum-exp: see [`relative_error_of_exponentials`]; and each exponential by as many units as
///   its argument's rounding is. What all but the largest element add is off by the same, relative to itself, and
///   by two units of the logarithm. Adding the largest element is the last operation.
fn slack(exact: Exact, errors: Errors, compute: Format) -> f64 {
    let unit = compute.unit();
    match errors {
        Errors::None => 0.0,
        Errors::Sum { magnitudes, count, divisor: None } => {
            (depth(count) - 1.0) * unit * magnitudes
        }
        Errors::Sum { magnitudes, count, divisor: Some(divisor) } => {
            depth(count) * unit * magnitudes / divisor
        }
        Errors::Root { count } => {
            (depth(count) + 1.0) * unit * exact.high.min(f64::MAX) / 2.0 + compute.tiny()
        }
        Errors::Log { .. } => unreachable!("its range is not symmetric"),
        Errors::Product { count } => {
            let roundings = (count - 2) as f64;
            roundings * (unit * exact.high.abs()).min(compute.max) + roundings * compute.tiny()
        }
        Errors::LogSumExp { count, added, distance } => {
            (relative_error_of_exponentials(count) + 2.0 + distance) * unit * added
                + compute.tiny() * (count as f64 - 1.0).max(0.0)
        }
    }
}

/// Returns the most additions that an element of a sum passes. They are those of a run of 64 steps, of a balanced tree,
/// and of the strands that are left. These are up to 1024 (a run of 16 times 64 lanes): a sixteenth of them is added
/// one after another, and four halvings follow. A sum of few elements has fewer additions: one less than elements.
fn depth(count: usize) -> f64 {
    const LONGEST_RUN: f64 = 64.0 + 64.0 + 4.0;
    let count = count as f64;
    (count - 1.0).min(LONGEST_RUN + count.log2().ceil())
}

/// Returns the error in units. Every step of the sum rounds once. An exponential is off by three units: one or two of
/// its own, and one for its argument, which is a rounded difference. An element meets an exponential whenever the
/// maximum of its part of the tree moves. In values without order, that is each time the part doubles.
fn relative_error_of_exponentials(count: usize) -> f64 {
    depth(count) + 3.0 * (count as f64).log2().ceil()
}

#[cfg(test)]
mod tests;
