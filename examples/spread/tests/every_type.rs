//! The operator on each storage type of its spec, against a plain loop.

use reduce_core::bounds::{Load, Reduces};
use reduce_core::{Element, Reduction, View, bf16, f16};
use reduce_spread::CoefficientOfVariation;

/// The textbook formula, in two passes and double precision.
fn expected(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
    variance.sqrt() / mean
}

/// Reduces rows of 500 and compares each with the formula on the stored values.
fn check<T>(convert: fn(f32) -> T, tolerance: f64)
where
    T: Element + Load<f64>,
    CoefficientOfVariation: Reduces<T, Output = T>,
{
    let value = |i: u16| convert(100.0 + f32::from((i * 37) % 64));
    let data: Vec<T> = (0..1000).map(value).collect();
    let rows = View::new(&data, &[2, 500]).expect("the length is right");
    let spread = Reduction::new(CoefficientOfVariation).axes([1]).run(&rows).expect("valid axes");
    for (row, found) in data.chunks(500).zip(spread.data()) {
        let row: Vec<f64> = row.iter().map(|x| x.load()).collect();
        let (found, expected) = (found.load(), expected(&row));
        assert!((found - expected).abs() <= tolerance * expected, "{found} is not {expected}");
    }
}

#[test]
fn f16_is_right_to_half_precision() {
    check(f16::from_f32, 1e-3);
}

#[test]
fn bf16_is_right_to_half_precision() {
    check(bf16::from_f32, 8e-3);
}

#[test]
fn f32_is_right_to_single_precision() {
    check(|x| x, 1e-6);
}

#[test]
fn f64_is_right_to_double_precision() {
    check(f64::from, 1e-13);
}
