//! Table 3.11, NaN and infinities, and table 3.13, logarithms of sums of
//! exponentials.

use reduce_tests::cases::{Request, Row};

use super::support::{FLOATS, INF, NAN, REDUCTIONS, expect, floats};

const LN_2: f64 = std::f64::consts::LN_2;

/// NaN at the first, a middle and the last place of lists of some lengths.
fn nan_everywhere(op: &str) {
    for count in [1, 3, 17, 64, 257] {
        for place in [0, count / 2, count - 1] {
            let mut xs = vec![1.5; count];
            xs[place] = NAN;
            floats(op, &xs, NAN);
        }
    }
    for xs in [[NAN, INF], [INF, NAN], [NAN, -INF], [-INF, NAN]] {
        floats(op, &xs, NAN);
    }
}

/// Table 3.11, row "Sum, Mean, L1, L2, SumSquare, Prod, LogSum"
/// NaN propagates from any place; infinities follow IEEE.
#[test]
fn arithmetic() {
    for op in REDUCTIONS {
        if !["ReduceMax", "ReduceMin", "ReduceLogSumExp"].contains(&op) {
            nan_everywhere(op);
        }
    }
    for (op, result) in [
        ("ReduceSum", NAN),
        ("ReduceMean", NAN),
        ("ReduceL1", INF),
        ("ReduceL2", INF),
        ("ReduceSumSquare", INF),
        ("ReduceProd", -INF),
        ("ReduceLogSum", NAN),
    ] {
        floats(op, &[INF, -INF], result);
        floats(op, &[-INF, INF], result);
    }
    floats("ReduceProd", &[0.0, INF], NAN);
    floats("ReduceProd", &[-INF, -1.0], INF);
    floats("ReduceLogSum", &[-1.0, -2.0], NAN);
    floats("ReduceLogSum", &[1.0, -1.0], -INF);
    floats("ReduceLogSum", &[1.0, INF], INF);
}

/// Table 3.11, row "Max, Min"
/// NaN propagates from any place, whatever the layout.
#[test]
fn extrema() {
    for op in ["ReduceMax", "ReduceMin"] {
        nan_everywhere(op);
        for xs in [[1.0, NAN, 3.0], [NAN, 1.0, 3.0], [1.0, 3.0, NAN]] {
            floats(op, &xs, NAN);
        }
        for (axis, result) in [(0, [2.0, NAN]), (1, [NAN, 2.0])] {
            let axes = [axis];
            let request =
                Request { axes: Some(&axes), keepdims: Some(false), ..Request::default() };
            let data = (&[2, 2][..], &[2.0, NAN, 2.0, 2.0][..]);
            expect(&Row::named(op, "f32"), data, &request, (&[2], &result));
        }
    }
    floats("ReduceMax", &[INF, -INF, 1.0], INF);
    floats("ReduceMin", &[INF, -INF, 1.0], -INF);
    floats("ReduceMax", &[-INF, -INF], -INF);
    floats("ReduceMin", &[INF, INF], INF);
}

/// Table 3.11, row "ArgMax, ArgMin"
/// The first or the last infinity; for NaN see table 3.15.
#[test]
fn positions_of_infinities() {
    for dtype in FLOATS {
        for (op, infinity) in [("ArgMax", INF), ("ArgMin", -INF)] {
            for (last, place) in [(None, 1.0), (Some(false), 1.0), (Some(true), 3.0)] {
                let request = Request { last, ..Request::default() };
                let data = (&[5][..], &[0.0, infinity, -infinity, infinity, 1.0][..]);
                expect(&Row::named(op, dtype), data, &request, (&[1], &[place]));
            }
        }
    }
}

/// Table 3.11, row "LogSumExp"
/// NaN wins, over infinities too.
#[test]
fn logarithms() {
    nan_everywhere("ReduceLogSumExp");
    floats("ReduceLogSumExp", &[INF, 1.0, NAN], NAN);
    floats("ReduceLogSumExp", &[-INF, NAN], NAN);
}

fn log_sum_exp(xs: &[f64], result: f64) {
    floats("ReduceLogSumExp", xs, result);
}

/// Table 3.13, row "[1000,1000] f32/f64"
#[test]
fn large() {
    log_sum_exp(&[1000.0, 1000.0], 1000.0 + LN_2);
}

/// Table 3.13, row "[-1000,-1000]"
#[test]
fn small() {
    log_sum_exp(&[-1000.0, -1000.0], -1000.0 + LN_2);
}

/// Table 3.13, row "[709,0] / [710,0]"
#[test]
fn around_the_greatest_exponent() {
    log_sum_exp(&[709.0, 0.0], 709.0);
    // bf16 has no 710.
    for dtype in ["f16", "f32", "f64"] {
        super::support::all("ReduceLogSumExp", dtype, &[710.0, 0.0], 710.0);
    }
    log_sum_exp(&[712.0, 0.0], 712.0);
}

/// Table 3.13, row "[-inf,-inf], [-inf]"
#[test]
fn nothing_but_minus_infinity() {
    for xs in [&[-INF][..], &[-INF, -INF], &[-INF; 3], &[-INF; 4099]] {
        log_sum_exp(xs, -INF);
    }
}

/// Table 3.13, row "[inf], [inf,inf], [inf,-inf]"
#[test]
fn infinity() {
    for xs in [&[INF][..], &[INF, INF], &[INF, -INF], &[-INF, INF], &[INF; 65]] {
        log_sum_exp(xs, INF);
    }
}

/// Table 3.13, row "[1,inf], [1,-inf]"
#[test]
fn one_and_infinity() {
    log_sum_exp(&[1.0, INF], INF);
    log_sum_exp(&[1.0, -INF], 1.0);
    log_sum_exp(&[-INF, -INF, 1.0, 1.0], 1.0 + LN_2);
}

/// Table 3.13, row "f16 [1000,1000]"
/// 1000.5, the nearest f16, in every version.
#[test]
fn large_halves() {
    let row = Row::named("ReduceLogSumExp", "f16");
    for opset in [1, 11, 13, 17, 18, 19, 20, 28] {
        let xs = reduce_tests::oracle::Values::Floats(vec![1000.0; 2]);
        let data = reduce_tests::cases::tensor(row.dtype, &xs, &[2]);
        let sum = row.run(opset, &data.view(), &Request::default()).expect("valid");
        let expected = reduce_tests::oracle::Values::Floats(vec![1000.5]);
        assert_eq!(reduce_tests::cases::found(&sum).values, expected, "opset {opset}");
    }
}
