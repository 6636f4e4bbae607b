#![allow(clippy::cast_possible_truncation, reason = "rounded to the type")]

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

/// Errors of a logarithm of so many equal exponentials.
fn log_of(count: u32) -> Errors {
    Errors::LogSumExp { count: count as usize, added: f64::from(count).ln(), distance: 0.0 }
}

#[test]
fn special_values_are_only_themselves() {
    let sum = Errors::Sum { magnitudes: 100.0, count: 50, divisor: None };
    let (inf, nan, max) = (f64::INFINITY, f64::NAN, f64::MAX);
    for ty in ["f16", "bf16", "f32", "f64"] {
        for errors in [ROUNDED, sum, log_of(9)] {
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
            assert!(!accepts(ty, real(0.0, log_of(1)), found), "{ty} {found}");
        }
    }
}

/// Where nothing was rounded before the last step, not even a neighbour.
#[test]
fn neighbours_are_refused_where_nothing_rounds_before() {
    let two = Errors::Sum { magnitudes: 3.0, count: 2, divisor: None };
    for (ty, ulp) in [("f16", 2f64.powi(-10)), ("bf16", 2f64.powi(-7)), ("f32", 2f64.powi(-23))] {
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
    let log = log_of(2);
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
    let log = |x| real(x, log_of(4));
    let accepts = |exact, found| {
        let expected = Expected { ty, shape: vec![], elements: vec![log(exact)] };
        check(&expected, &Found { ty, shape: vec![], values: Values::Ints(vec![found]) }).is_ok()
    };
    assert!(accepts(5.9, 5) && !accepts(5.9, 6) && !accepts(5.9, 4));
    assert!(accepts(-0.5, 0) && !accepts(-0.5, -1));
    assert!(accepts(6.0, 6) && accepts(6.0, 5) && !accepts(6.0, 7));
    assert!(accepts(1e30, i128::from(i32::MAX)) && !accepts(1e30, -1));
}

/// A root is closer than its sum, and a logarithm follows the sign of its sum.
#[test]
fn roots_and_logarithms() {
    let ulp = f64::from(f32::EPSILON);
    let root = Errors::Root { count: 4 };
    assert!(accepts("f32", real(1.5, root), 1.5 + ulp));
    assert!(!accepts("f32", real(1.5, root), 1.5 + 3.0 * ulp));
    let log = |sum: f64, magnitudes, count| {
        real(sum.ln(), Errors::Log { sum, magnitudes, count, shift: 0.0 })
    };
    let (ten, inf) = (10f64.ln(), f64::INFINITY);
    assert!(accepts("f64", log(10.0, 10.0, 1), ten));
    for found in [ten, ten + 2.0 * ulp] {
        assert!(accepts("f32", log(10.0, 10.0, 3), f64::from(found as f32)));
    }
    assert!(!accepts("f32", log(10.0, 10.0, 3), f64::from((ten + 8.0 * ulp) as f32)));
    for found in [f64::NAN, -inf, -3.0, 0.0] {
        assert!(accepts("f32", log(0.0, 1e9, 3), found), "all cancels: {found}");
        assert_eq!(accepts("f32", log(0.0, 1e9, 2), found), found == -inf, "exactly 0");
        assert_eq!(accepts("f32", log(-1.0, 9.0, 3), found), found.is_nan(), "negative");
    }
    assert!(!accepts("f32", log(0.0, 1e9, 3), 30.0) && !accepts("f32", log(0.0, 1e9, 3), inf));
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
    assert_eq!(depth(1 << 20), 152.0);
}
