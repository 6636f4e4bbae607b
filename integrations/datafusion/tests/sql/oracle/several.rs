//! Functions of several columns.

use super::{Call, together};
use crate::cells::{Cell, Expected};

pub fn of_floats(call: &Call, columns: &[Vec<f64>], precision: f64) -> Expected {
    let (x, y) = (&columns[0], &columns[1]);
    let sum = |of: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(&x, &y)| of(x, y)).sum::<f64>();
    let near = |value: f64, scale: f64| Expected::Near(value, precision * scale);
    let ones = vec![1.0; x.len()];
    match call.function {
        "covariance" | "correlation" | "regression" => together::of(call, x, y, &ones, precision),
        "weighted_variance" | "weighted_deviation" => together::of(call, x, x, y, precision),
        "weighted_covariance" | "weighted_correlation" | "weighted_regression" => {
            together::of(call, x, y, &columns[2], precision)
        }
        "dot" | "exact_dot" => near(sum(&|x, y| x * y), sum(&|x, y| (x * y).abs())),
        "squared_error" => {
            let error = sum(&|x, y| (x - y).powi(2)) / x.len() as f64;
            near(error, error)
        }
        "cosine" => {
            let (xx, yy) = (sum(&|x, _| x * x), sum(&|_, y| y * y));
            let cosine = sum(&|x, y| x * y) / (xx.sqrt() * yy.sqrt());
            let zero_is_unlike = call.parameters.first().is_some_and(|&flag| flag != 0.0);
            let is_zero = zero_is_unlike && (xx == 0.0 || yy == 0.0);
            match (is_zero, cosine.is_nan()) {
                (true, _) => near(0.0, 1.0),
                (false, true) => Expected::Exactly(Cell::Null),
                (false, false) => near(cosine, 1.0),
            }
        }
        "divergence" => {
            near(sum(&|p, q| p * (p.ln() - q.ln())), sum(&|p, q| p * (p.ln().abs() + q.ln().abs())))
        }
        "cross_entropy" => {
            let greatest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let total = greatest + sum(&|x, _| (x - greatest).exp()).ln();
            let marked = sum(&|x, marked| x * marked);
            near(total - marked, 1.0 + total.abs() + sum(&|x, marked| (x * marked).abs()))
        }
        "weighted_mean" => {
            let chosen = |of: &dyn Fn(f64, f64) -> f64| {
                let rows = x.iter().zip(y).zip(&columns[2]);
                rows.map(|((&x, &weight), &chosen)| of(x, weight) * chosen).sum::<f64>()
            };
            let weights = chosen(&|_, weight| weight);
            if weights == 0.0 {
                return Expected::Exactly(Cell::Null);
            }
            near(
                chosen(&|x, weight| x * weight) / weights,
                chosen(&|x, weight| (x * weight).abs()) / weights,
            )
        }
        other => panic!("{other} of several columns"),
    }
}
