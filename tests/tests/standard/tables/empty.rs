//! Table 3.4, sets without elements, and section 3.5, kept axes of size 0.

use reduce_core::DType;
use reduce_tests::cases::{Request, Row, rows};

use super::support::{INF, NAN, REDUCTIONS, expect, expect_error};

const DATA: (&[usize], &[f64]) = (&[2, 0, 3], &[]);
const INTS: [&str; 4] = ["i32", "i64", "u32", "u64"];

/// That a set without elements has this value, however its axis is named.
#[track_caller]
fn over_nothing(op: &str, dtype: &str, value: f64) {
    let row = Row::named(op, dtype);
    for axes in [&[1][..], &[-2]] {
        let request = Request { axes: Some(axes), ..Request::default() };
        expect(&row, DATA, &request, (&[2, 1, 3], &[value; 6]));
        let flat = Request { keepdims: Some(false), ..request };
        expect(&row, DATA, &flat, (&[2, 3], &[value; 6]));
    }
    let every = Request::default();
    expect(&row, DATA, &every, (&[1, 1, 1], &[value]));
    expect(&row, DATA, &Request { keepdims: Some(false), ..every }, (&[], &[value]));
    let listed = Request { axes: Some(&[-3, -2, -1]), ..every };
    expect(&row, DATA, &listed, (&[1, 1, 1], &[value]));
}

#[track_caller]
fn over_no_floats(op: &str, value: f64) {
    for dtype in super::support::FLOATS {
        over_nothing(op, dtype, value);
    }
}

/// Table 3.4, row "Sum, L1, L2, SumSquare"
#[test]
fn sums() {
    for op in ["ReduceSum", "ReduceL1", "ReduceL2", "ReduceSumSquare"] {
        over_no_floats(op, 0.0);
        for dtype in INTS {
            over_nothing(op, dtype, 0.0);
        }
    }
}

/// Table 3.4, row "Prod"
#[test]
fn products() {
    over_no_floats("ReduceProd", 1.0);
    for dtype in INTS {
        over_nothing("ReduceProd", dtype, 1.0);
    }
}

/// Table 3.4, row "Max"
/// The least of the type; `bool` too.
#[test]
fn maxima() {
    over_no_floats("ReduceMax", -INF);
    over_nothing("ReduceMax", "i32", -2_147_483_648.0);
    over_nothing("ReduceMax", "i64", -9_223_372_036_854_775_808.0);
    over_nothing("ReduceMax", "i8", -128.0);
    for dtype in ["u32", "u64", "u8", "bool"] {
        over_nothing("ReduceMax", dtype, 0.0);
    }
}

/// Table 3.4, row "Min"
/// The greatest of the type; `bool` too.
#[test]
fn minima() {
    over_no_floats("ReduceMin", INF);
    over_nothing("ReduceMin", "i32", 2_147_483_647.0);
    over_nothing("ReduceMin", "u32", 4_294_967_295.0);
    over_nothing("ReduceMin", "i8", 127.0);
    over_nothing("ReduceMin", "u8", 255.0);
    over_nothing("ReduceMin", "bool", 1.0);
    // Those of 64 bits are no f64.
    super::support::ints("ReduceMin", "i64", &[], i64::MAX.into());
    super::support::ints("ReduceMin", "u64", &[], u64::MAX.into());
}

/// Table 3.4, row "LogSum, LogSumExp"
/// -inf; of integers, the least of the type.
#[test]
fn logarithms() {
    for op in ["ReduceLogSum", "ReduceLogSumExp"] {
        over_no_floats(op, -INF);
        over_nothing(op, "i32", -2_147_483_648.0);
        over_nothing(op, "i64", -9_223_372_036_854_775_808.0);
        over_nothing(op, "u32", 0.0);
        over_nothing(op, "u64", 0.0);
    }
}

/// Table 3.4, row "Mean"
/// NaN; of integers, an error.
#[test]
fn means() {
    over_no_floats("ReduceMean", NAN);
    for dtype in INTS {
        for axes in [None, Some(&[1][..]), Some(&[-2][..]), Some(&[0, 1][..])] {
            let request = Request { axes, ..Request::default() };
            expect_error(&Row::named("ReduceMean", dtype), DATA, &request, "empty-set");
        }
    }
}

/// Table 3.4, row "keepdims = 0 drops the axis; axes absent"
#[test]
fn shapes() {
    let row = Row::named("ReduceSum", "f32");
    let flat = Request { axes: Some(&[1]), keepdims: Some(false), ..Request::default() };
    expect(&row, DATA, &flat, (&[2, 3], &[0.0; 6]));
    expect(&row, DATA, &Request::default(), (&[1, 1, 1], &[0.0]));
}

/// Table 3.4, row "noop = 1 with empty axes on a zero-size input"
/// The shape of the input, and no elements.
#[test]
fn no_ops() {
    for op in REDUCTIONS {
        for axes in [None, Some(&[][..])] {
            let request = Request { axes, noop: Some(true), ..Request::default() };
            expect(&Row::named(op, "f32"), DATA, &request, DATA);
        }
    }
    let integer = Request { noop: Some(true), ..Request::default() };
    expect(&Row::named("ReduceMean", "i32"), DATA, &integer, DATA);
}

/// Table 3.4, row "negative axes on a zero-size input"
/// They are reduced like any other.
#[test]
fn negative_axes() {
    for op in REDUCTIONS {
        let row = Row::named(op, "f64");
        let request = Request { axes: Some(&[-1]), ..Request::default() };
        expect(&row, (&[0, 3], &[]), &request, (&[0, 1], &[]));
        let request = Request { axes: Some(&[-3, -1]), ..Request::default() };
        expect(&row, DATA, &request, (&[1, 0, 1], &[]));
    }
}

/// Table 3.4, row "zero-size input with the `axes` input given as an empty name"
/// As without axes.
#[test]
fn an_empty_name() {
    let request = Request { noop: Some(false), ..Request::default() };
    expect(&Row::named("ReduceProd", "f32"), DATA, &request, (&[1, 1, 1], &[1.0]));
}

/// Table 3.4, row "ArgMax/ArgMin over a zero-size axis"
/// An error, also where the axis is negative.
#[test]
fn positions() {
    for row in rows().iter().filter(|row| row.takes_one_axis()) {
        for axes in [[1], [-2]] {
            for keepdims in [Some(false), Some(true)] {
                let request = Request { axes: Some(&axes), keepdims, ..Request::default() };
                expect_error(row, DATA, &request, "empty-set");
            }
        }
    }
}

/// Table 3.5, row "(2,0,3) axes=[2] and axes=[0]"
/// The kept axis stays 0 without an error, even where an empty set has no value.
#[test]
fn kept_axes_of_size_0() {
    for row in rows() {
        let listed = |axes| Request { axes: Some(axes), ..Request::default() };
        expect(&row, DATA, &listed(&[2]), (&[2, 0, 1], &[]));
        expect(&row, DATA, &listed(&[0]), (&[1, 0, 3], &[]));
        let flat = Request { keepdims: Some(false), ..listed(&[2]) };
        expect(&row, DATA, &flat, (&[2, 0], &[]));
    }
}

/// Table 3.5, row "negative axes (axes=[-1])"
/// As the same axis counted from the front.
#[test]
fn kept_axes_beside_negative_ones() {
    for row in rows().iter().filter(|row| row.dtype == DType::F32) {
        let listed = |axes| Request { axes: Some(axes), ..Request::default() };
        expect(row, DATA, &listed(&[-1]), (&[2, 0, 1], &[]));
        expect(row, DATA, &listed(&[-3]), (&[1, 0, 3], &[]));
    }
}
