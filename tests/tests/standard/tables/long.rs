//! Table 3.14: in what floats are computed. Halves in `f32`, rounded once at the
//! end; long sums not one element after the other.

use reduce_core::View;
use reduce_tests::cases::{Request, Row, found};
use reduce_tests::oracle::Values;

use super::support::{INF, all, expect};

/// Checks that ones reduce to `result` over the first axis.
#[track_caller]
fn ones(op: &str, dtype: &str, shape: &[usize], result: f64) {
    let row = Row::named(op, dtype);
    let xs = vec![1.0; shape.iter().product()];
    let request = Request { axes: Some(&[0]), keepdims: Some(false), ..Request::default() };
    let count = shape[1..].iter().product();
    expect(&row, (shape, &xs), &request, (&shape[1..], &vec![result; count]));
}

/// Table 3.14, row "f16 Sum ones(5000), contiguous axis"
#[test]
fn sum_of_halves() {
    ones("ReduceSum", "f16", &[5000], 5000.0);
}

/// Table 3.14, row "f16 Sum ones(5000,3) axes=[0]"
#[test]
fn sums_of_halves_across() {
    ones("ReduceSum", "f16", &[5000, 3], 5000.0);
}

/// Table 3.14, row "f16 Mean ones(5000,3) axes=[0]"
#[test]
fn means_of_halves_across() {
    ones("ReduceMean", "f16", &[5000, 3], 1.0);
}

/// Table 3.14, row "f16 Mean of 1000 x 100.0"
#[test]
fn mean_beyond_the_halves() {
    all("ReduceMean", "f16", &[100.0; 1000], 100.0);
    all("ReduceSum", "f16", &[100.0; 1000], INF);
    all("ReduceSum", "f16", &[60000.0, 60000.0, -60000.0], 60000.0);
}

/// Table 3.14, row "f16 L2 [300,1]"
#[test]
fn root_of_squares_beyond_the_halves() {
    all("ReduceL2", "f16", &[300.0, 1.0], 300.0);
}

/// Table 3.14, row "f16 SumSquare [300,1]"
#[test]
fn squares_beyond_the_halves() {
    all("ReduceSumSquare", "f16", &[300.0, 1.0], INF);
}

/// Table 3.14, row "bf16 Sum ones(5000)"
/// 4992, the bf16 nearest to 5000.
#[test]
fn sum_of_bf16() {
    ones("ReduceSum", "bf16", &[5000], 4992.0);
    ones("ReduceSum", "bf16", &[5000, 3], 4992.0);
}

/// Table 3.14, row "bf16 Mean ones(5000)"
#[test]
fn mean_of_bf16() {
    ones("ReduceMean", "bf16", &[5000], 1.0);
    ones("ReduceMean", "bf16", &[5000, 3], 1.0);
}

/// Table 3.14, row "f32 Sum ones(2^25) contiguous / (2^25,2) axes=[0]"
/// Exact either way: more ones than an `f32` can count one by one.
#[test]
fn more_ones_than_an_f32_counts() {
    let one = [1.0f32];
    let row = Row::named("ReduceSum", "f32");
    for shape in [&[1 << 25][..], &[1 << 25, 2]] {
        let many = View::new(&one, &[]).and_then(|one| one.broadcast(shape));
        let view = many.expect("a broadcast").into();
        let request = Request { axes: Some(&[0]), keepdims: Some(false), ..Request::default() };
        let sum = row.run(row.newest(), &view, &request).expect("valid");
        let expected = Values::Floats(vec![33_554_432.0; shape[1..].iter().product()]);
        assert_eq!(found(&sum).values, expected);
    }
}

/// Table 3.14, row "f32 Sum of 1e6 uniform"
/// Within a few units of the exact sum, along either axis.
#[test]
fn a_million_numbers() {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1u32 << 24)
    };
    let xs: Vec<f64> = (0..1_000_000).map(|_| next()).collect();
    // Multiples of 2^-24 below 2^20: this sum is exact.
    let exact: f64 = xs.iter().sum();
    #[allow(clippy::cast_possible_truncation, reason = "24 bits each")]
    let narrow: Vec<f32> = xs.iter().map(|&x| x as f32).collect();
    let row = Row::named("ReduceSum", "f32");
    for (shape, axis) in [([1, 1_000_000], 1), ([1_000_000, 1], 0)] {
        let view = View::new(&narrow, &shape).expect("as many").into();
        let axes = [axis];
        let request = Request { axes: Some(&axes), ..Request::default() };
        let sum = found(&row.run(row.newest(), &view, &request).expect("valid")).values;
        let Values::Floats(sum) = sum else { panic!("floats") };
        assert!((sum[0] - exact).abs() <= 0.0625, "{sum:?}, exactly {exact}");
    }
}

/// Table 3.14, row "f32 L2 [3e19,4e19] / [3e-25,4e-25]"
/// Engines let squares overflow and underflow; here no intermediate value does.
#[test]
fn roots_of_squares_beyond_the_range() {
    all("ReduceL2", "f32", &[3e19, 4e19], 5e19);
    all("ReduceL2", "f32", &[3e-25, 4e-25], 5e-25);
    all("ReduceL2", "f64", &[3e19, 4e19], 5e19);
}

/// Table 3.14, row "f32 Mean [3e38,3e38]"
/// Engines let the sum overflow before it is divided; here no intermediate value does.
#[test]
fn means_of_which_the_sum_is_beyond_the_range() {
    all("ReduceMean", "f32", &[3e38, 3e38], 3e38);
    all("ReduceMean", "f64", &[1.5e308, 1.5e308], 1.5e308);
}
