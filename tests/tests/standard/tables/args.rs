//! Table 3.15: positions.

use reduce_core::DType;
use reduce_core::nodes::Node;
use reduce_tests::cases::{Request, Row, rows};

use super::support::{FLOATS, NAN, expect, refuses};

/// That the first and the last position are these, of a list and in the middle
/// of a matrix whose other columns decide otherwise.
#[track_caller]
fn place(op: &str, dtype: &str, xs: &[f64], first: f64, last: f64) {
    let row = Row::named(op, dtype);
    let spread: Vec<f64> = xs.iter().flat_map(|&x| [1.0, x, 1.0]).collect();
    let end = f64::from(u32::try_from(xs.len()).expect("a short list") - 1);
    for (flag, middle, edge) in
        [(None, first, 0.0), (Some(false), first, 0.0), (Some(true), last, end)]
    {
        let request = Request { last: flag, ..Request::default() };
        expect(&row, (&[xs.len()], xs), &request, (&[1], &[middle]));
        let flat = Request { axes: Some(&[-2]), keepdims: Some(false), ..request };
        expect(&row, (&[xs.len(), 3], &spread), &flat, (&[3], &[edge, middle, edge]));
    }
}

/// Table 3.15, row "ties, select_last_index = 0 (or versions < 12)"
/// The first.
///
/// Table 3.15, row "select_last_index = 1"
/// The last.
#[test]
fn ties() {
    for row in rows().iter().filter(|row| row.takes_one_axis()) {
        let dtype = row.dtype.name();
        place("ArgMax", dtype, &[1.0, 3.0, 2.0, 3.0, 1.0], 1.0, 3.0);
        place("ArgMin", dtype, &[2.0, 1.0, 3.0, 1.0, 2.0], 1.0, 3.0);
        place("ArgMax", dtype, &[5.0; 70], 0.0, 69.0);
        place("ArgMin", dtype, &[5.0; 70], 0.0, 69.0);
        place("ArgMax", dtype, &[4.0], 0.0, 0.0);
    }
}

/// Table 3.15, row "select_last_index = 2 / -1"
/// Refused.
#[test]
fn select_last_index_is_0_or_1() {
    for op in ["ArgMax", "ArgMin"] {
        for value in [2, -1] {
            let row = Row::named(op, "f32");
            refuses(&row, "select_last_index", value, "attribute-range");
        }
    }
}

/// Table 3.15, row "-0.0 vs +0.0"
/// Equal, so that the place decides.
#[test]
fn zeros() {
    for dtype in FLOATS {
        for op in ["ArgMax", "ArgMin"] {
            place(op, dtype, &[0.0, -0.0], 0.0, 1.0);
            place(op, dtype, &[-0.0, 0.0], 0.0, 1.0);
        }
    }
}

/// Table 3.15, row "NaN, select_last_index = 0, 1-D"
/// The first NaN.
///
/// Table 3.15, row "NaN, select_last_index = 1, 1-D"
/// The last NaN.
///
/// Table 3.15, row "NaN, 2-D/3-D with kept dims, either flag"
/// The same: the shape changes nothing.
#[test]
fn nan() {
    for dtype in FLOATS {
        for op in ["ArgMax", "ArgMin"] {
            place(op, dtype, &[1.0, NAN, 3.0], 1.0, 1.0);
            place(op, dtype, &[NAN, 1.0, 3.0], 0.0, 0.0);
            place(op, dtype, &[1.0, 3.0, NAN], 2.0, 2.0);
            place(op, dtype, &[1.0, NAN, NAN, 3.0], 1.0, 2.0);
            place(op, dtype, &[f64::INFINITY, NAN, f64::NEG_INFINITY], 1.0, 1.0);
        }
    }
}

/// Table 3.15, row "default axis / keepdims"
/// 0 and 1.
#[test]
fn defaults() {
    let data = (&[2, 3][..], &[1.0, 5.0, 3.0, 4.0, 2.0, 3.0][..]);
    let row = Row::named("ArgMax", "i32");
    expect(&row, data, &Request::default(), (&[1, 3], &[1.0, 0.0, 0.0]));
    let flat = Request { keepdims: Some(false), ..Request::default() };
    expect(&row, data, &flat, (&[3], &[1.0, 0.0, 0.0]));
    let row = Row::named("ArgMin", "i32");
    expect(&row, data, &Request::default(), (&[1, 3], &[0.0, 1.0, 0.0]));
}

/// Table 3.15, row "output dtype"
/// `i64` for every type.
#[test]
fn positions_are_i64() {
    for row in rows().iter().filter(|row| row.takes_one_axis()) {
        for version in row.versions() {
            let call = row.entry.prepare(&Node::new(version, row.dtype)).expect("valid");
            assert_eq!(call.output_dtype(), DType::I64);
        }
        expect(
            row,
            (&[2], &[0.0, 1.0]),
            &Request::default(),
            (&[1], &[if row.entry.schema().name == "ArgMax" { 1.0 } else { 0.0 }]),
        );
    }
}
