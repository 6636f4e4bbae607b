//! Holds a result against what the oracle says.
//!
//! Type, shape and number of elements first. Integers are exact. NaN is NaN,
//! an infinity is that infinity. A finite float lies in an interval: both ends
//! are the exact value, moved by what the arithmetic before the last operation
//! can be off by, then rounded as the last operation and the storage round. For
//! f16 and bf16, computed in f32, that is the nearest value or a neighbour.

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
        Element::Real { exact, errors } => {
            let slack = slack(exact, errors, ty.compute());
            (whole(ty, exact.near(-slack)), whole(ty, exact.near(slack)))
        }
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
    let expected = ty.store(exact.near(0.0));
    if !expected.is_finite() {
        let same = expected == found || (expected.is_nan() && found.is_nan());
        return if same { Ok(()) } else { Err(format!("expected {expected}, found {found}")) };
    }
    let slack = slack(exact, errors, ty.compute());
    let (low, high) = (ty.store(exact.near(-slack)), ty.store(exact.near(slack)));
    if found.is_finite() && low <= found && found <= high {
        Ok(())
    } else {
        Err(format!("expected {expected:e} (at least {low:e}, at most {high:e}), found {found:e}"))
    }
}

/// The largest error of the value before the last operation rounds it.
///
/// A rounding is off by at most a unit `u` of the format computed in, relative
/// to its result.
///
/// * Sum: a partial sum is at most the sum of the magnitudes, and an element
///   passes at most [`depth`] additions. A division comes after them; without
///   one the last addition is itself the last operation.
/// * Product: however it is grouped, one multiplication less than there are
///   elements, and the last of them is the last operation. Below the normal
///   numbers a rounding is off by up to the least number instead.
/// * Log-sum-exp: see [`relative_error_of_exponentials`]; the logarithm is off
///   by the same, absolutely, and by an own unit or two of at most `ln(count)`.
///   Adding the maximum is the last operation.
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
        Errors::Product { count } => {
            let roundings = (count - 2) as f64;
            roundings * (unit * exact.high.abs()).min(compute.max) + roundings * compute.tiny()
        }
        Errors::LogSumExp { count } => {
            relative_error_of_exponentials(count) * unit + 2.0 * unit * (count as f64).ln()
        }
    }
}

/// The most additions an element of a sum passes: a run of a few dozen steps,
/// then a balanced tree. A sum of few elements has no more additions than that.
fn depth(count: usize) -> f64 {
    const LONGEST_RUN: f64 = 32.0;
    let count = count as f64;
    (count - 1.0).min(LONGEST_RUN + count.log2().ceil())
}

/// In units. Every step of the sum rounds once. An exponential is off by three:
/// one or two of its own, and one for the rounded difference it is taken of; an
/// element meets one whenever the maximum of its part of the tree moves, which
/// in values without order is each time the part doubles.
fn relative_error_of_exponentials(count: usize) -> f64 {
    depth(count) + 3.0 * (count as f64).log2().ceil()
}

#[cfg(test)]
mod tests {
    use super::{Found, check, depth};
    use crate::float::Exact;
    use crate::oracle::{Element, Errors, Expected, Op, Type, Values, reduce};

    const ROUNDED: Errors = Errors::None;

    fn real(exact: f64, errors: Errors) -> Element {
        Element::Real { exact: Exact::from(exact), errors }
    }

    /// Whether a single element is accepted.
    fn accepts(ty: &str, element: Element, found: f64) -> bool {
        let ty = Type::named(ty);
        let expected = Expected { ty, shape: vec![], elements: vec![element] };
        check(&expected, &Found { ty, shape: vec![], values: Values::Floats(vec![found]) }).is_ok()
    }

    #[test]
    fn special_values_are_only_themselves() {
        let sum = Errors::Sum { magnitudes: 100.0, count: 50, divisor: None };
        let (inf, nan, max) = (f64::INFINITY, f64::NAN, f64::MAX);
        for ty in ["f16", "bf16", "f32", "f64"] {
            for errors in [ROUNDED, sum, Errors::LogSumExp { count: 9 }] {
                for (exact, found) in
                    [(nan, nan), (inf, inf), (-inf, -inf), (0.0, 0.0), (0.0, -0.0), (-0.0, 0.0)]
                {
                    assert!(accepts(ty, real(exact, errors), found), "{ty} {exact} {found}");
                }
                for (exact, found) in [
                    (nan, 0.0),
                    (nan, inf),
                    (0.0, nan),
                    (0.0, inf),
                    (0.0, -inf),
                    (1.0, nan),
                    (inf, nan),
                    (inf, -inf),
                    (-inf, inf),
                    (inf, max),
                    (-inf, -max),
                    (inf, 0.0),
                ] {
                    assert!(!accepts(ty, real(exact, errors), found), "{ty} {exact} {found}");
                }
            }
        }
    }

    #[test]
    fn a_large_finite_value_and_infinity_differ() {
        let sum = Errors::Sum { magnitudes: 3e38, count: 50, divisor: None };
        let max = f64::from(f32::MAX);
        assert!(accepts("f32", real(max, sum), max));
        assert!(!accepts("f32", real(max, sum), f64::INFINITY));
        assert!(!accepts("f16", real(65504.0, ROUNDED), f64::INFINITY));
        assert!(accepts("f16", real(65520.0, ROUNDED), f64::INFINITY));
        assert!(!accepts("f16", real(65520.0, ROUNDED), 65504.0));
    }

    #[test]
    fn at_zero_nothing_but_zero() {
        for (ty, tiny) in
            [("f16", 2f64.powi(-24)), ("f32", 2f64.powi(-149)), ("f64", f64::MIN_POSITIVE)]
        {
            for found in [tiny, -tiny, 1.0, -1.0] {
                assert!(!accepts(ty, real(0.0, ROUNDED), found), "{ty} {found}");
                assert!(
                    !accepts(ty, real(0.0, Errors::LogSumExp { count: 1 }), found),
                    "{ty} {found}"
                );
            }
        }
    }

    /// Where nothing was rounded before the last step, not even a neighbour.
    #[test]
    fn neighbours_are_refused_where_nothing_rounds_before() {
        let two = Errors::Sum { magnitudes: 3.0, count: 2, divisor: None };
        for (ty, ulp) in [("f16", 2f64.powi(-10)), ("bf16", 2f64.powi(-7)), ("f32", 2f64.powi(-23))]
        {
            assert!(accepts(ty, real(1.5, two), 1.5));
            for found in [1.5 + ulp, 1.5 - ulp, -1.5, 1.5 + 2.0 * ulp] {
                assert!(!accepts(ty, real(1.5, two), found), "{ty} {found}");
            }
        }
        assert!(!accepts("f64", real(1.5, two), 1.5f64.next_up()));
    }

    /// Long sums in f32 leave an f16 within one unit, and a few for an f32.
    #[test]
    fn two_units_off_are_refused() {
        let long = Errors::Sum { magnitudes: 4000.0, count: 3000, divisor: None };
        for (ty, ulp) in [("f16", 2.0), ("bf16", 16.0)] {
            for exact in [3000.0, 2999.0, 3001.3] {
                let nearest = Type::named(ty).store(exact);
                assert!(accepts(ty, real(exact, long), nearest));
                assert!(!accepts(ty, real(exact, long), nearest + 2.0 * ulp), "{ty} {exact}");
                assert!(!accepts(ty, real(exact, long), nearest - 2.0 * ulp), "{ty} {exact}");
            }
        }
        let few = Errors::Sum { magnitudes: 4.0, count: 3, divisor: None };
        let ulp = f64::from(f32::EPSILON);
        assert!(accepts("f32", real(1.0, few), 1.0 + ulp));
        assert!(!accepts("f32", real(1.0, few), 1.0 + 4.0 * ulp));
        let product = Errors::Product { count: 3 };
        assert!(accepts("f32", real(1.5, product), 1.5 + ulp));
        assert!(!accepts("f32", real(1.5, product), 1.5 + 2.0 * ulp));
        let log = Errors::LogSumExp { count: 2 };
        assert!(!accepts("f32", real(1.0, log), 1.0 + 4.0 * ulp));
        assert!(!accepts("f32", real(1000.0, log), 1000.0 + 2.0 * 512.0 * ulp));
    }

    #[test]
    fn integers_are_exact() {
        let ty = Type::named("i64");
        let expected = Expected { ty, shape: vec![], elements: vec![Element::Int(1 << 60)] };
        let found = |x: i128| Found { ty, shape: vec![], values: Values::Ints(vec![x]) };
        assert_eq!(check(&expected, &found(1 << 60)), Ok(()));
        for wrong in [(1 << 60) + 1, (1 << 60) - 1, -(1 << 60), 0] {
            check(&expected, &found(wrong)).expect_err("another integer");
        }
    }

    /// A logarithm is cut off where it clearly lies, and either way at an edge.
    #[test]
    fn truncated_logarithms() {
        let ty = Type::named("i32");
        let log = |x| real(x, Errors::LogSumExp { count: 4 });
        let accepts = |exact, found| {
            let expected = Expected { ty, shape: vec![], elements: vec![log(exact)] };
            check(&expected, &Found { ty, shape: vec![], values: Values::Ints(vec![found]) })
                .is_ok()
        };
        assert!(accepts(5.9, 5) && !accepts(5.9, 6) && !accepts(5.9, 4));
        assert!(accepts(-0.5, 0) && !accepts(-0.5, -1));
        assert!(accepts(6.0, 6) && accepts(6.0, 5) && !accepts(6.0, 7));
        assert!(accepts(1e30, i128::from(i32::MAX)) && !accepts(1e30, -1));
    }

    #[test]
    fn type_shape_and_length_come_first() {
        let values = Values::Floats(vec![1.0, 2.0]);
        let ty = Type::named("f32");
        let expected = reduce(Op::Sum, ty, (&[2, 1], &values), &[1], true).expect("floats");
        let found = Found { ty, shape: vec![2, 1], values };
        assert_eq!(check(&expected, &found), Ok(()));
        for (what, wrong) in [
            ("type", Found { ty: Type::named("f64"), ..found.clone() }),
            ("shape", Found { shape: vec![2], ..found.clone() }),
            ("shape", Found { shape: vec![1, 2], ..found.clone() }),
            ("number", Found { values: Values::Floats(vec![1.0]), ..found.clone() }),
            ("number", Found { values: Values::Floats(vec![1.0, 2.0, 3.0]), ..found.clone() }),
            ("number", Found { values: Values::Floats(vec![]), ..found.clone() }),
            ("element 1", Found { values: Values::Floats(vec![1.0, 2.5]), ..found.clone() }),
            ("element 0", Found { values: Values::Ints(vec![1, 2]), ..found.clone() }),
        ] {
            let error = check(&expected, &wrong).expect_err(what);
            assert!(error.starts_with(what), "{error}");
        }
    }

    #[test]
    fn depths_grow_with_the_logarithm() {
        assert_eq!([2, 3, 20].map(depth), [1.0, 2.0, 19.0]);
        assert_eq!(depth(1 << 20), 52.0);
    }
}
