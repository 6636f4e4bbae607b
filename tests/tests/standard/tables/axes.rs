//! Table 3.1, axes, and table 3.3, rank 0.

use reduce_core::nodes::Node;
use reduce_core::{AnyTensor, DType, Tensor};
use reduce_specs::ONNX;
use reduce_tests::cases::{Request, Row, rows};

use super::support::{REDUCTIONS, expect, expect_error, refuses};

/// The operators give these results for `[[1, 2], [3, 4]]`: one over both axes, and two over the
/// second.
const OVER_ALL_AND_ROWS: [(&str, f64, [f64; 2]); 10] = [
    ("ReduceSum", 10.0, [3.0, 7.0]),
    ("ReduceMean", 2.5, [1.5, 3.5]),
    ("ReduceProd", 24.0, [2.0, 12.0]),
    ("ReduceL1", 10.0, [3.0, 7.0]),
    ("ReduceL2", 5.477_225_575_051_661, [2.236_067_977_499_79, 5.0]),
    ("ReduceSumSquare", 30.0, [5.0, 25.0]),
    ("ReduceLogSum", std::f64::consts::LN_10, [1.098_612_288_668_11, 1.945_910_149_055_313]),
    ("ReduceLogSumExp", 4.440_189_698_561_196, [2.313_261_687_518_223, 4.313_261_687_518_223]),
    ("ReduceMax", 4.0, [2.0, 4.0]),
    ("ReduceMin", 1.0, [1.0, 3.0]),
];
const DATA: (&[usize], &[f64]) = (&[2, 2], &[1.0, 2.0, 3.0, 4.0]);

/// Checks that a request reduces both axes.
#[track_caller]
fn reduces_all(request: &Request<'_>) {
    for (op, all, _) in OVER_ALL_AND_ROWS {
        for dtype in ["f32", "f64"] {
            let row = Row::named(op, dtype);
            expect(&row, DATA, request, (&[1, 1], &[all]));
            let flat = Request { keepdims: Some(false), ..*request };
            expect(&row, DATA, &flat, (&[], &[all]));
        }
    }
}

/// Checks that a request reduces the second axis.
#[track_caller]
fn reduces_rows(request: &Request<'_>) {
    for (op, _, [first, second]) in OVER_ALL_AND_ROWS {
        let row = Row::named(op, "f64");
        expect(&row, DATA, request, (&[2, 1], &[first, second]));
    }
}

fn listed(axes: &[i64]) -> Request<'_> {
    Request { axes: Some(axes), ..Request::default() }
}

/// Table 3.1, row "attr `axes` absent (old)"
/// All axes are reduced.
#[test]
fn no_axes() {
    reduces_all(&Request::default());
}

/// Table 3.1, row "attr `axes = []` (old versions)"
/// All axes are reduced.
#[test]
fn empty_attribute() {
    reduces_all(&listed(&[]));
}

/// Table 3.1, row "input absent / `""` / shape-(0,) tensor (constant or runtime), noop = 0"
/// All axes are reduced in each of these cases, with `noop` 0 or absent.
#[test]
fn empty_input() {
    for noop in [None, Some(false)] {
        reduces_all(&Request { noop, ..Request::default() });
        for runtime in [false, true] {
            reduces_all(&Request { noop, runtime, ..listed(&[]) });
        }
    }
}

/// Table 3.1, row "same four forms, noop = 1"
/// No axis is reduced, whichever it is.
#[test]
fn empty_input_of_a_no_op() {
    for (axes, runtime) in [(None, false), (Some(&[][..]), false), (Some(&[][..]), true)] {
        let request = Request { axes, runtime, noop: Some(true), ..Request::default() };
        expect(&Row::named("ReduceSum", "f32"), DATA, &request, DATA);
        expect(&Row::named("ReduceMax", "f64"), DATA, &request, DATA);
        let squares = (DATA.0, &[1.0, 4.0, 9.0, 16.0][..]);
        expect(&Row::named("ReduceSumSquare", "f16"), DATA, &request, squares);
    }
}

/// Table 3.1, row "noop = 1 with **non-empty** axes"
/// The flag changes nothing.
#[test]
fn a_no_op_with_axes_reduces() {
    for runtime in [false, true] {
        reduces_rows(&Request { noop: Some(true), runtime, ..listed(&[1]) });
        reduces_all(&Request { noop: Some(true), runtime, ..listed(&[0, 1]) });
    }
}

/// Table 3.1, row "noop = 1, empty axes, keepdims = 0"
/// The shape stays.
#[test]
fn a_no_op_keeps_its_axes() {
    for keepdims in [None, Some(false), Some(true)] {
        let request = Request { keepdims, noop: Some(true), ..listed(&[]) };
        expect(&Row::named("ReduceMean", "f32"), DATA, &request, DATA);
    }
}

/// Table 3.1, row "noop = 2 or -1"
/// Refused.
#[test]
fn a_no_op_is_0_or_1() {
    for op in REDUCTIONS {
        for value in [2, -1] {
            let row = Row::named(op, "f32");
            refuses(&row, "noop_with_empty_axes", value, "attribute-range");
        }
    }
}

/// Table 3.1, row "order of axes ([2,0], [-1,0])"
/// It does not matter.
#[test]
fn order_of_axes() {
    for axes in [[1, 0], [-1, 0], [0, 1], [0, -1]] {
        reduces_all(&listed(&axes));
    }
}

/// Table 3.1, row "duplicates ([1,1], [1,-1])"
/// Refused, in every version.
#[test]
fn duplicates() {
    for op in REDUCTIONS {
        for axes in [[1, 1], [1, -1]] {
            expect_error(&Row::named(op, "f32"), DATA, &listed(&axes), "duplicate-axis");
        }
    }
}

/// Table 3.1, row "negative"
/// Counted from the end, in every version.
#[test]
fn negative_axes() {
    reduces_rows(&listed(&[-1]));
    reduces_all(&listed(&[-2, -1]));
    let row = Row::named("ArgMax", "f32");
    expect(&row, DATA, &listed(&[-1]), (&[2, 1], &[1.0, 1.0]));
}

/// Table 3.1, row "out of range"
/// Refused, in every version, with and without elements.
#[test]
fn axes_out_of_range() {
    for row in rows().iter().filter(|row| row.dtype == DType::F32) {
        for axis in [2, -3, i64::MAX, i64::MIN] {
            expect_error(row, DATA, &listed(&[axis]), "axis-out-of-range");
            expect_error(row, (&[0, 2], &[]), &listed(&[axis]), "axis-out-of-range");
        }
    }
}

/// Table 3.1, row "`axes` tensor of rank 0 or 2"
/// Refused.
#[test]
fn axes_of_another_rank() {
    for op in REDUCTIONS {
        let entry = ONNX.op(op).expect("registered");
        for shape in [&[][..], &[1, 1]] {
            let axes: AnyTensor = Tensor::new(vec![0i64], shape).expect("one element").into();
            let problems = entry.prepare(&Node::new(28, DType::F32).axes(axes));
            let problems = problems.expect_err("not a list");
            assert_eq!(problems.errors()[0].code(), "input-rank", "{problems}");
        }
    }
}

/// Table 3.3, row "axes absent/empty, any keepdims"
/// The value of one element, of rank 0.
#[test]
fn scalars() {
    for (op, value) in [
        ("ReduceSum", -3.0),
        ("ReduceMean", -3.0),
        ("ReduceProd", -3.0),
        ("ReduceMax", -3.0),
        ("ReduceMin", -3.0),
        ("ReduceLogSumExp", -3.0),
        ("ReduceL1", 3.0),
        ("ReduceL2", 3.0),
        ("ReduceSumSquare", 9.0),
        ("ReduceLogSum", f64::NAN),
    ] {
        for dtype in ["f16", "bf16", "f32", "f64", "i32", "i64"] {
            let row = Row::named(op, dtype);
            // An integer's logarithm that is not a number is 0.
            let value = if value.is_nan() && !row.ty.is_float() { 0.0 } else { value };
            for (axes, keepdims) in [(None, false), (None, true), (Some(&[][..]), true)] {
                let request = Request { axes, keepdims: Some(keepdims), ..Request::default() };
                expect(&row, (&[], &[-3.0]), &request, (&[], &[value]));
                let no_op = Request { noop: Some(true), ..request };
                expect(&row, (&[], &[-3.0]), &no_op, (&[], &[value]));
            }
        }
    }
}

/// Table 3.3, row "axes = [0] or [-1] (valid range is empty)"
/// Refused: rank 0 has no axes; also where they are computed.
#[test]
fn axes_of_scalars() {
    for op in REDUCTIONS {
        for (axis, runtime) in [(0, false), (-1, false), (5, false), (0, true), (5, true)] {
            let axes = [axis];
            let request = Request { runtime, ..listed(&axes) };
            let row = Row::named(op, "f32");
            expect_error(&row, (&[], &[3.0]), &request, "axis-out-of-range");
        }
    }
}

/// Table 3.3, row "ArgMax/ArgMin, axis 0 or -1"
/// Refused, and so is the default axis, 0.
#[test]
fn positions_in_scalars() {
    for op in ["ArgMax", "ArgMin"] {
        for request in [Request::default(), listed(&[0]), listed(&[-1])] {
            let row = Row::named(op, "f32");
            expect_error(&row, (&[], &[3.0]), &request, "axis-out-of-range");
        }
    }
}
