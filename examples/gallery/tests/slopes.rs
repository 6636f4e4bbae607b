//! Derivatives of results and of emitted elements come from the operators' own steps, over numbers that have a slope.

#[path = "../../../tests/src/dual.rs"]
#[allow(unreachable_pub, reason = "a module of another crate, too")]
mod dual;

use dual::{Dual, gradient};
use reduce_core::Emit;
use reduce_gallery::{Exponentials, LayerNorm, LogSoftmax, Shares, StandardDeviation, Variance};

const LISTS: [&[f64]; 6] = [
    &[1.0, 1.0],
    &[1.0, 2.0, 2.0],
    &[2.0, 2.0, 1.0],
    &[3.0, 3.0, 3.0, 3.0, 3.0],
    &[0.5, -1.0, 0.5, 2.0, -3.0, 2.0, 2.0],
    &[f64::NEG_INFINITY, 1.0, 1.0],
];

/// Returns what an operator emits over all elements; one of them has a slope.
fn emitted<Op>(op: &Op, xs: &[Dual]) -> Vec<Dual>
where
    Op: Emit<Dual, Emitted = Dual>,
{
    let acc = xs.iter().fold(op.identity(), |acc, &x| op.push(acc, x));
    let result = op.finalize(acc, xs.len());
    xs.iter().map(|&x| op.emit(x, &result)).collect()
}

fn with_slope(xs: &[f64], at: usize) -> Vec<Dual> {
    let slope = |place| if place == at { 1.0 } else { 0.0 };
    xs.iter().enumerate().map(|(place, &value)| Dual { value, slope: slope(place) }).collect()
}

fn shares(xs: &[f64]) -> Vec<f64> {
    let total: f64 = xs.iter().map(|x| x.exp()).sum();
    xs.iter().map(|x| x.exp() / total).collect()
}

#[track_caller]
fn near(found: f64, right: f64) {
    assert!((found - right).abs() < 1e-13, "{found}, not {right}");
}

/// Of shares `s`, the derivative of the `j`th by the `i`th element is `s_j (δ_ij - s_i)`; of the logarithm it is `δ_ij - s_i`.
#[test]
fn of_softmax_and_its_logarithm() {
    for xs in LISTS {
        let shares = shares(xs);
        for at in 0..xs.len() {
            let exponentials = emitted(&Exponentials, &with_slope(xs, at));
            let found = emitted(&Shares, &exponentials);
            let logarithms = emitted(&LogSoftmax, &with_slope(xs, at));
            for (of, share) in shares.iter().enumerate() {
                let is_own = if of == at { 1.0 } else { 0.0 };
                near(found[of].slope, share * (is_own - shares[at]));
                if xs[of].is_finite() {
                    near(logarithms[of].slope, is_own - shares[at]);
                }
            }
        }
    }
}

/// The logarithm of the sum of exponentials, which is stored, in two parts, at equal elements.
#[test]
fn of_the_logarithm_of_a_sum() {
    for xs in LISTS {
        let all: Vec<f64> = xs.iter().copied().filter(|x| x.is_finite()).collect();
        // Emitted of a constant 0, it is the total, its sign changed.
        let found =
            gradient(&LogSoftmax, &all, |total| -LogSoftmax.emit(Dual::constant(0.0), total));
        found.iter().zip(shares(&all)).for_each(|(&found, share)| near(found, share));
    }
}

/// The derivative of a variance is `2 (x - mean) / n`, whichever element the others are counted from.
#[test]
fn of_variances() {
    for xs in [[1.0, 1.0, 5.0, -2.0], [100.0, 1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 8.0]] {
        let mean = xs.iter().sum::<f64>() / 4.0;
        let variance = xs.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 4.0;
        let found = gradient(&Variance::default(), &xs, |result| *result);
        let roots = gradient(&StandardDeviation::default(), &xs, |result| *result);
        for ((found, root), x) in found.iter().zip(roots).zip(&xs) {
            let right = 2.0 * (x - mean) / 4.0;
            near(*found, right);
            near(root, right / (2.0 * variance.sqrt()));
        }
        // Elements less their mean, over the deviation.
        let deviation = (variance + 1e-5).sqrt();
        for at in 0..xs.len() {
            let found = emitted(&LayerNorm::default(), &with_slope(&xs, at));
            for (of, x) in xs.iter().enumerate() {
                let is_own = if of == at { 1.0 } else { 0.0 };
                let of_deviation = (xs[at] - mean) / 4.0 / deviation;
                let right = (is_own - 0.25) / deviation
                    - (x - mean) / (deviation * deviation) * of_deviation;
                near(found[of].slope, right);
            }
        }
    }
}
