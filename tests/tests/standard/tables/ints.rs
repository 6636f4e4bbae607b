//! Tables 3.7 to 3.10: integers and `bool`.

use reduce_core::{AnyTensor, View};
use reduce_tests::cases::{Request, Row};

use super::support::{all, expect, ints};

const I32_MAX: i128 = i32::MAX as i128;
const I32_MIN: i128 = i32::MIN as i128;
const I64_MAX: i128 = i64::MAX as i128;
const I64_MIN: i128 = i64::MIN as i128;
const TWO_53: i128 = 1 << 53;

/// Table 3.7, row "Sum i32 [MAX,1]"
#[test]
fn sum_beyond_the_greatest() {
    ints("ReduceSum", "i32", &[I32_MAX, 1], I32_MIN);
}

/// Table 3.7, row "Sum i32 [MIN,-1]"
#[test]
fn sum_below_the_least() {
    ints("ReduceSum", "i32", &[I32_MIN, -1], I32_MAX);
}

/// Table 3.7, row "Sum i32 [MAX,MAX,-MAX]"
#[test]
fn sum_there_and_back() {
    ints("ReduceSum", "i32", &[I32_MAX, I32_MAX, -I32_MAX], I32_MAX);
}

/// Table 3.7, row "Sum i64 [2^53+1, 2]"
#[test]
fn sum_beyond_an_f64() {
    ints("ReduceSum", "i64", &[TWO_53 + 1, 2], 9_007_199_254_740_995);
}

/// Table 3.7, row "Sum i64 [2^62, 3, -2^62]"
#[test]
fn sum_of_far_apart() {
    ints("ReduceSum", "i64", &[1 << 62, 3, -(1 << 62)], 3);
}

/// Table 3.7, row "Sum i64 [[2^53+1]] axes=[1] (one element), or rank-0 2^53+1"
#[test]
fn sum_of_one() {
    ints("ReduceSum", "i64", &[TWO_53 + 1], TWO_53 + 1);
    let one = [(1i64 << 53) + 1];
    let row = Row::named("ReduceSum", "i64");
    for (shape, axes) in [(&[1, 1][..], Some(&[1][..])), (&[], None)] {
        let view = View::new(&one, shape).expect("one element").into();
        let request = Request { axes, ..Request::default() };
        let AnyTensor::I64(sum) = row.run(13, &view, &request).expect("valid") else {
            panic!("another type")
        };
        assert_eq!(sum.data(), one);
    }
}

/// Table 3.7, row "Sum i64 [MAX,1]"
#[test]
fn sum_beyond_the_greatest_of_64_bits() {
    ints("ReduceSum", "i64", &[I64_MAX, 1], I64_MIN);
}

/// Table 3.7, row "Prod i32 [65536,65536]"
#[test]
fn product_of_high_bits() {
    ints("ReduceProd", "i32", &[65536, 65536], 0);
    ints("ReduceProd", "i32", &[I32_MIN, -1], I32_MIN);
    ints("ReduceProd", "i32", &[I32_MAX, 2], -2);
}

/// Table 3.7, row "Prod i64 [2^53+1,1]"
#[test]
fn product_beyond_an_f64() {
    ints("ReduceProd", "i64", &[TWO_53 + 1, 1], TWO_53 + 1);
}

/// Table 3.7, row "SumSquare i32 [46341]"
#[test]
fn squares() {
    ints("ReduceSumSquare", "i32", &[46341], -2_147_479_015);
    ints("ReduceSumSquare", "u32", &[65536, 3], 9);
    ints("ReduceSumSquare", "i64", &[1 << 32], 0);
    ints("ReduceSumSquare", "u64", &[u64::MAX.into()], 1);
}

/// Table 3.7, row "L1 i32 [MIN]"
#[test]
fn magnitude_of_the_least() {
    ints("ReduceL1", "i32", &[I32_MIN], I32_MIN);
    ints("ReduceL1", "i64", &[I64_MIN, I64_MIN], 0);
}

/// Table 3.7, row "L1 i32 [MAX,1]"
#[test]
fn magnitudes() {
    ints("ReduceL1", "i32", &[I32_MAX, 1], I32_MIN);
    ints("ReduceL1", "i32", &[-3, 2, -4], 9);
}

/// Table 3.7, row "u32/u64 Sum [MAX,1]"
#[test]
fn sums_without_sign() {
    ints("ReduceSum", "u32", &[u32::MAX.into(), 1], 0);
    ints("ReduceSum", "u64", &[u64::MAX.into(), 1], 0);
}

fn mean_of_both(xs: &[i128], mean: i128) {
    ints("ReduceMean", "i32", xs, mean);
    ints("ReduceMean", "i64", xs, mean);
}

/// Table 3.8, row "[1,2]"
#[test]
fn mean_rounds_down() {
    mean_of_both(&[1, 2], 1);
}

/// Table 3.8, row "[-1,-2]"
#[test]
fn negative_mean_rounds_up() {
    mean_of_both(&[-1, -2], -1);
}

/// Table 3.8, row "[-1,0]"
#[test]
fn mean_toward_zero() {
    mean_of_both(&[-1, 0], 0);
}

/// Table 3.8, row "[-3,-4]"
#[test]
fn mean_of_negatives() {
    mean_of_both(&[-3, -4], -3);
}

/// Table 3.8, row "[7,8,8] (7.67)"
#[test]
fn mean_of_three() {
    mean_of_both(&[7, 8, 8], 7);
    mean_of_both(&[-7, -8, -8], -7);
}

/// Table 3.8, row "i32 [MAX,MAX]"
#[test]
fn mean_of_the_greatest() {
    for count in [2, 3, 64, 65, 1000, 4099] {
        ints("ReduceMean", "i32", &vec![I32_MAX; count], I32_MAX);
        ints("ReduceMean", "i32", &vec![I32_MIN; count], I32_MIN);
    }
}

/// Table 3.8, row "i32 [MAX,1]"
#[test]
fn mean_of_the_greatest_and_one() {
    ints("ReduceMean", "i32", &[I32_MAX, 1], 1_073_741_824);
}

/// Table 3.8, row "i64 [MAX,MAX]"
#[test]
fn mean_of_the_greatest_of_64_bits() {
    ints("ReduceMean", "i64", &[I64_MAX, I64_MAX], I64_MAX);
    ints("ReduceMean", "i64", &[I64_MAX, I64_MAX - 1], I64_MAX - 1);
    ints("ReduceMean", "i64", &[I64_MIN, I64_MIN + 1], I64_MIN + 1);
    ints("ReduceMean", "u64", &[u64::MAX.into(); 3], u64::MAX.into());
}

/// Table 3.8, row "i64 [2^53+1]"
#[test]
fn mean_beyond_an_f64() {
    ints("ReduceMean", "i64", &[TWO_53 + 1], TWO_53 + 1);
}

/// Table 3.8, row "u32 [MAX,MAX]"
#[test]
fn mean_without_sign() {
    ints("ReduceMean", "u32", &[u32::MAX.into(); 2], u32::MAX.into());
}

/// Table 3.9, row "L2 i32 [3,4] / [1,1] / i64 [2,2]"
#[test]
fn roots_are_truncated() {
    ints("ReduceL2", "i32", &[3, 4], 5);
    ints("ReduceL2", "i32", &[1, 1], 1);
    ints("ReduceL2", "i64", &[2, 2], 2);
    ints("ReduceL2", "u32", &[3, 4], 5);
    ints("ReduceL2", "i32", &[-3, -4], 5);
}

/// Table 3.9, row "L2 i32 [46341]"
#[test]
fn roots_of_squares_beyond_32_bits() {
    ints("ReduceL2", "i32", &[46341], 46341);
    ints("ReduceL2", "i32", &[I32_MAX, I32_MAX], I32_MAX);
    ints("ReduceL2", "i32", &[I32_MIN], I32_MAX);
}

/// Table 3.9, row "L2 i32 [65536], i64 [2^40]"
#[test]
fn roots_of_high_bits() {
    ints("ReduceL2", "i32", &[65536], 65536);
    ints("ReduceL2", "i64", &[1 << 40], 1 << 40);
}

/// Table 3.9, row "L2 i64 [123456789]"
#[test]
fn roots_beyond_an_f32() {
    ints("ReduceL2", "i64", &[123_456_789], 123_456_789);
}

/// Table 3.9, row "L2 i64 [2^53+1]"
/// Computed in `f64`, which has no such number; beyond the type, its greatest.
#[test]
fn roots_beyond_an_f64() {
    ints("ReduceL2", "i64", &[TWO_53 + 1], TWO_53);
    ints("ReduceL2", "i64", &[I64_MIN], I64_MAX);
    ints("ReduceL2", "u64", &[u64::MAX.into(); 2], u64::MAX.into());
}

/// Table 3.9, row "LogSum ints"
/// The logarithm is truncated. That of 0 is the least number of the type, and that of a negative
/// sum is 0.
#[test]
fn logarithms() {
    for dtype in ["i32", "i64", "u32", "u64"] {
        let (least, _) = Row::named("ReduceLogSum", dtype).ty.limits();
        for (xs, log) in [
            (&[1, 2][..], 1),
            (&[3, 4], 1),
            (&[20, 20, 20], 4),
            (&[1], 0),
            (&[0, 0], least),
            (&[], least),
        ] {
            ints("ReduceLogSum", dtype, xs, log);
        }
    }
    for dtype in ["i32", "i64"] {
        ints("ReduceLogSum", dtype, &[-1, -2], 0);
        ints("ReduceLogSum", dtype, &[-1, 1], Row::named("ReduceLogSum", dtype).ty.limits().0);
    }
    ints("ReduceLogSum", "i32", &[I32_MAX, I32_MAX], 22);
    ints("ReduceLogSum", "u64", &[u64::MAX.into(); 2], 45);
}

/// Table 3.9, row "LogSumExp ints"
#[test]
fn logarithms_of_exponentials() {
    let op = "ReduceLogSumExp";
    for dtype in ["i32", "i64"] {
        ints(op, dtype, &[&[0][..], &[-1; 1000]].concat(), 5);
        ints(op, dtype, &[&[5][..], &[4; 1000]].concat(), 10);
        ints(op, dtype, &[-3, -3], -2);
    }
    for dtype in ["i32", "i64", "u32", "u64"] {
        let (min, max) = Row::named(op, dtype).ty.limits();
        ints(op, dtype, &[1, 2], 2);
        ints(op, dtype, &[20, 20, 20], 21);
        ints(op, dtype, &[1000], 1000);
        ints(op, dtype, &[max, max, min], max);
        ints(op, dtype, &[min], min);
    }
}

/// Table 3.10, row "Max = any, Min = all"
#[test]
fn any_and_all() {
    for (xs, any, every) in [
        (&[0.0, 0.0, 0.0][..], 0.0, 0.0),
        (&[0.0, 1.0, 0.0], 1.0, 0.0),
        (&[1.0, 1.0, 1.0], 1.0, 1.0),
        (&[1.0], 1.0, 1.0),
        (&[0.0], 0.0, 0.0),
    ] {
        all("ReduceMax", "bool", xs, any);
        all("ReduceMin", "bool", xs, every);
    }
}

/// Table 3.10, row "empty set"
#[test]
fn any_and_all_of_nothing() {
    all("ReduceMax", "bool", &[], 0.0);
    all("ReduceMin", "bool", &[], 1.0);
}

/// Table 3.10, row "noop on bool"
#[test]
fn copies_of_bool() {
    for op in ["ReduceMax", "ReduceMin"] {
        let request = Request { noop: Some(true), ..Request::default() };
        let data = (&[2, 2][..], &[1.0, 0.0, 0.0, 1.0][..]);
        expect(&Row::named(op, "bool"), data, &request, data);
    }
}
