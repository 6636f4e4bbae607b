//! Tells how two columns vary together, with weights.

use super::Call;
use crate::cells::{Cell, Expected};

/// Sums of weighted products of distances from both means.
struct Spread {
    weight: f64,
    mean: [f64; 2],
    xx: f64,
    xy: f64,
    yy: f64,
    /// What a rounding is relative to.
    size: f64,
}

/// Distances are counted from the first pair, so columns of equal elements have none.
fn spread(x: &[f64], y: &[f64], weights: &[f64]) -> Spread {
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        let pairs = x.iter().zip(y).zip(weights);
        pairs.map(|((&a, &b), &weight)| weight * of(a - x[0], b - y[0])).sum::<f64>()
    };
    let (weight, sx, sy) = (sum(&|_, _| 1.0), sum(&|a, _| a), sum(&|_, b| b));
    let [xx, xy, yy] = [sum(&|a, _| a * a), sum(&|a, b| a * b), sum(&|_, b| b * b)];
    Spread {
        weight,
        mean: [x[0] + sx / weight, y[0] + sy / weight],
        xx: xx - sx * sx / weight,
        xy: xy - sx * sy / weight,
        yy: yy - sy * sy / weight,
        size: xx + yy,
    }
}

pub fn of(call: &Call, x: &[f64], y: &[f64], weights: &[f64], precision: f64) -> Expected {
    let Spread { weight, mean, xx, xy, yy, size } = spread(x, y, weights);
    let freedom = weight - call.parameters.first().copied().unwrap_or(0.0);
    let null = Expected::Exactly(Cell::Null);
    let near = |value: f64, scale: f64| Expected::Near(value, precision * (scale + value.abs()));
    match call.function {
        "correlation" | "weighted_correlation" if xx <= 0.0 || yy <= 0.0 => null,
        "correlation" | "weighted_correlation" => near(xy / (xx * yy).sqrt(), size / xx.min(yy)),
        "regression" | "weighted_regression" if xx <= 0.0 => {
            Expected::Many(vec![null.clone(), null])
        }
        "regression" | "weighted_regression" => {
            let (slope, scale) = (xy / xx, (1.0 + (xy / xx).abs()) * (1.0 + size / xx));
            let intercept = mean[1] - slope * mean[0];
            Expected::Many(vec![near(slope, scale), near(intercept, scale * 8.0)])
        }
        _ if freedom <= 0.0 => null,
        "covariance" | "weighted_covariance" => near(xy / freedom, size / freedom),
        "weighted_variance" => near(xx / freedom, size / freedom),
        "weighted_deviation" => {
            let deviation = (xx / freedom).max(0.0).sqrt();
            let bound = precision * size / freedom;
            Expected::Near(deviation, bound.sqrt().min(bound / deviation) + precision * deviation)
        }
        other => panic!("{other} of weights"),
    }
}
