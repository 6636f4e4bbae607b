//! Table 3.2, `noop_with_empty_axes = 1` without axes, and table 3.6, flags
//! that are neither 0 nor 1.

use reduce_core::DType;
use reduce_tests::cases::{Request, Row, bits, rows, tensor};
use reduce_tests::oracle::{Op, Values};

use super::support::{FLOATS, INF, NAN, expect, refuses};

const DATA: (&[usize], &[f64]) = (&[2, 2], &[-1.0, 2.0, 3.0, -4.0]);

/// That no axes, in every spelling, give one result for each element.
#[track_caller]
fn each(op: &str, dtype: &str, xs: &[f64], results: &[f64]) {
    let row = Row::named(op, dtype);
    let shape = [xs.len() / 2, 2];
    for (axes, runtime) in [(None, false), (Some(&[][..]), false), (Some(&[][..]), true)] {
        for keepdims in [None, Some(false), Some(true)] {
            let request = Request { axes, keepdims, noop: Some(true), runtime, last: None };
            expect(&row, (&shape, xs), &request, (&shape, results));
        }
    }
}

/// Table 3.2, row "Sum, Mean, Prod, Max, Min"
/// A copy.
#[test]
fn copies() {
    for op in ["ReduceSum", "ReduceMean", "ReduceProd", "ReduceMax", "ReduceMin"] {
        for dtype in ["f16", "bf16", "f32", "f64", "i32", "i64"] {
            each(op, dtype, DATA.1, DATA.1);
        }
    }
}

/// Table 3.2, row "L1, L2"
/// The magnitudes.
#[test]
fn magnitudes() {
    for op in ["ReduceL1", "ReduceL2"] {
        for dtype in ["f16", "bf16", "f32", "f64", "i32", "i64"] {
            each(op, dtype, DATA.1, &[1.0, 2.0, 3.0, 4.0]);
        }
    }
}

/// Table 3.2, row "SumSquare"
/// The squares.
#[test]
fn squares() {
    for dtype in ["f16", "bf16", "f32", "f64", "i32", "i64"] {
        each("ReduceSumSquare", dtype, DATA.1, &[1.0, 4.0, 9.0, 16.0]);
    }
}

/// Table 3.2, row "LogSum"
/// The logarithms: NaN of the negative ones.
#[test]
fn logarithms() {
    let results = [NAN, std::f64::consts::LN_2, 1.098_612_288_668_11, NAN];
    for dtype in FLOATS {
        each("ReduceLogSum", dtype, DATA.1, &results);
    }
    // ln 2 = 0.69 and ln 3 = 1.10 are truncated; what is no number is 0.
    for dtype in ["i32", "i64"] {
        each("ReduceLogSum", dtype, DATA.1, &[0.0, 0.0, 1.0, 0.0]);
    }
}

/// Table 3.2, row "LogSumExp"
/// A copy, however large: no exponential overflows.
#[test]
fn logarithms_of_exponentials() {
    for dtype in FLOATS {
        each("ReduceLogSumExp", dtype, DATA.1, DATA.1);
        each("ReduceLogSumExp", dtype, &[1000.0, -1000.0], &[1000.0, -1000.0]);
    }
    each("ReduceLogSumExp", "i32", DATA.1, DATA.1);
}

/// The wordings of the standard that had the input come out: ours is not theirs,
/// at any opset, since no opset tells them apart.
///
/// Table 3.2, row "1.8.0 .. 1.12.0 (Sum-13 only)"
/// Table 3.2, row "1.13.0 .. 1.18.0"
/// Table 3.2, row "1.19.0 / 1.19.1"
/// Table 3.2, row "main only, 2025-10-15..20 (PR #7394)"
/// Table 3.2, row "1.20.0 .. 1.23.2"
#[test]
fn one_meaning_for_every_generation() {
    each("ReduceSum", "f32", &[-0.5, 2.0], &[-0.5, 2.0]);
    each("ReduceL1", "f32", &[-0.5, 2.0], &[0.5, 2.0]);
    each("ReduceSumSquare", "f32", &[-0.5, 2.0], &[0.25, 4.0]);
    // And neither is all that is reduced, as the old function bodies did.
    let row = Row::named("ReduceL1", "i32");
    let request = Request { axes: Some(&[]), noop: Some(true), ..Request::default() };
    expect(&row, (&[1, 2], &[-3.0, 2.0]), &request, (&[1, 2], &[3.0, 2.0]));
}

/// The details under table 3.2: a copy keeps the sign of a zero, every bit of an
/// integer, and infinities.
#[test]
fn copies_are_exact() {
    let request = Request { axes: Some(&[]), noop: Some(true), ..Request::default() };
    for row in rows() {
        let copies = ["ReduceSum", "ReduceMean", "ReduceProd", "ReduceMax", "ReduceMin"];
        if !copies.contains(&row.entry.schema().name) {
            continue;
        }
        let special = match row.ty.limits() {
            (0, 0) => Values::Floats(vec![-0.0, 0.0, INF, -INF, NAN, row.ty.store(0.1)]),
            (low, high) => Values::Ints(vec![low, high, high - 1, low + 1, 1, 0]),
        };
        let data = tensor(row.dtype, &special, &[2, 3]);
        let result = row.run(row.newest(), &data.view(), &request).expect("valid");
        assert_eq!(bits(&result), bits(&data), "{}", row.name());
    }
    for dtype in FLOATS {
        each("ReduceLogSumExp", dtype, &[INF, -INF], &[INF, -INF]);
    }
}

/// Table 3.6, row "2 or -1"
/// Refused, for every operator and version.
#[test]
fn keepdims_is_0_or_1() {
    for row in rows().iter().filter(|row| row.dtype == DType::F32) {
        for value in [2, -1] {
            refuses(row, "keepdims", value, "attribute-range");
        }
        let axes = [1];
        let listed = |keepdims| Request { axes: Some(&axes), keepdims, ..Request::default() };
        let data = (&[1, 1][..], &[1.0][..]);
        // The logarithm of 1, and the position of the only element.
        let zero = row.op == Op::LogSum || row.op.is_position();
        let result = [if zero { 0.0 } else { 1.0 }];
        expect(row, data, &listed(None), (&[1, 1], &result));
        expect(row, data, &listed(Some(true)), (&[1, 1], &result));
        expect(row, data, &listed(Some(false)), (&[1], &result));
    }
}

/// Table 3.6, row "keepdims as a float"
/// Refused.
#[test]
fn keepdims_is_an_integer() {
    for row in rows().iter().filter(|row| row.dtype == DType::F32) {
        refuses(row, "keepdims", 1.0, "attribute-kind");
    }
}
