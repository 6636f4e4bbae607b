//! Functions of one column, and those of integers.

use super::{Call, wrapped};
use crate::cells::{Cell, Expected};

pub fn of_integers(call: &Call, x: &[i128], y: &[i128], kind: (bool, u32)) -> Expected {
    let sum = |terms: &mut dyn Iterator<Item = i128>| terms.fold(0i128, i128::wrapping_add);
    let exact = match call.function {
        "reduce_sum" | "tree_sum" => sum(&mut x.iter().copied()),
        "reduce_l1" => sum(&mut x.iter().map(|x| x.abs())),
        "reduce_sum_square" | "sum_square" => sum(&mut x.iter().map(|x| x.wrapping_mul(*x))),
        "reduce_prod" => x.iter().fold(1i128, |product, x| product.wrapping_mul(*x)),
        "dot" => sum(&mut x.iter().zip(y).map(|(x, y)| x.wrapping_mul(*y))),
        "reduce_mean" => sum(&mut x.iter().copied()) / x.len() as i128,
        "reduce_max" => *x.iter().max().expect("there is one"),
        "reduce_min" => *x.iter().min().expect("there is one"),
        "reduce_l2" => return norm(x, kind),
        "top_k" => return largest(call, x, |&x| Expected::Exactly(Cell::Int(x))),
        other => panic!("{other} of integers"),
    };
    Expected::Exactly(Cell::Int(wrapped(exact, kind)))
}

/// Computed in floats, truncated, and saturated.
fn norm(x: &[i128], (is_signed, bits): (bool, u32)) -> Expected {
    let norm = x.iter().map(|&x| (x as f64) * (x as f64)).sum::<f64>().sqrt();
    let most = (1i128 << (bits - u32::from(is_signed))) - 1;
    let near = (norm as i128).min(most);
    Expected::About(near, 1 + (norm * 1e-14) as i128)
}

fn largest<T: Copy + PartialOrd>(call: &Call, x: &[T], cell: impl Fn(&T) -> Expected) -> Expected {
    let mut sorted = x.to_vec();
    sorted.sort_by(|a, b| b.partial_cmp(a).expect("no NaN"));
    sorted.truncate(call.parameters[0] as usize);
    Expected::Many(sorted.iter().map(cell).collect())
}

pub fn of_floats(call: &Call, x: &[f64], precision: f64) -> Expected {
    let count = x.len() as f64;
    let sum = |of: &dyn Fn(f64) -> f64| x.iter().map(|&x| of(x)).sum::<f64>();
    let size = sum(&f64::abs);
    let near = |value: f64, scale: f64| Expected::Near(value, precision * scale);
    let mean = || near(sum(&|x| x) / count, size / count);
    let squares = sum(&|x| x * x);
    let greatest = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = x.iter().copied().fold(f64::INFINITY, f64::min);
    match call.function {
        "reduce_sum" | "tree_sum" | "exact_sum" => near(sum(&|x| x), size),
        "reduce_mean" | "tree_mean" | "exact_mean" => mean(),
        "reduce_l1" | "l1" => near(size, size),
        "reduce_l2" | "l2" => near(squares.sqrt(), squares.sqrt()),
        "reduce_sum_square" | "sum_square" => near(squares, squares),
        "reduce_prod" | "prod" => product(x, precision),
        "reduce_max" => Expected::Near(greatest, 0.0),
        "reduce_min" => Expected::Near(least, 0.0),
        "reduce_log_sum" | "log_sum" => {
            let total = sum(&|x| x);
            near(total.ln(), 1.0 + total.ln().abs() + size / total.abs())
        }
        "log_sum_exp" => {
            let value = greatest + sum(&|x| (x - greatest).exp()).ln();
            near(value, 1.0 + value.abs())
        }
        "variance" => variance(x, call.parameters.first().copied().unwrap_or(0.0), precision),
        "standard_deviation" => {
            deviation(x, call.parameters.first().copied().unwrap_or(0.0), precision)
        }
        "mean_variance" => Expected::Many(vec![mean(), variance(x, 0.0, precision)]),
        "summary" => {
            let rms = (squares / count).sqrt();
            let ends = [least, greatest].map(|end| Expected::Near(end, 0.0));
            Expected::Many(ends.into_iter().chain([mean(), near(rms, rms)]).collect())
        }
        "shape" => shape(x, precision),
        "moments" => {
            let powers = 1..=call.parameters[0] as i32;
            let mean = |power| {
                near(sum(&|x| x.powi(power)) / count, sum(&|x| x.abs().powi(power)) / count)
            };
            Expected::Many(powers.map(mean).collect())
        }
        "histogram" => histogram(call, x),
        "top_k" => largest(call, x, |&x| Expected::Near(x, 0.0)),
        other => panic!("{other} of floats"),
    }
}

/// What has overflowed stays so: a zero that comes later makes NaN of it.
fn product(x: &[f64], precision: f64) -> Expected {
    let product: f64 = x.iter().product();
    let size: f64 = x.iter().map(|x| x.abs().log2().max(0.0)).sum();
    if x.contains(&0.0) && size > 100.0 {
        let zero = Expected::Near(0.0, 0.0);
        return Expected::OneOf(vec![zero, Expected::Near(f64::NAN, 0.0)]);
    }
    let (most, least) = match precision {
        p if p > 1e-3 => (65520.0, 6e-8),
        p if p > 1e-6 => (f64::from(f32::MAX), 1e-44),
        _ => (f64::MAX, 5e-324),
    };
    let product = if product.abs() >= most { f64::INFINITY.copysign(product) } else { product };
    Expected::Near(
        product,
        if product.is_finite() { 10.0 * precision * product.abs() + least } else { 0.0 },
    )
}

/// The sum of powers of distances from the mean, without loss where all elements are the same.
fn central(x: &[f64], power: i32) -> f64 {
    let mean = x.iter().map(|element| element - x[0]).sum::<f64>() / x.len() as f64;
    x.iter().map(|element| (element - x[0] - mean).powi(power)).sum()
}

fn variance(x: &[f64], correction: f64, precision: f64) -> Expected {
    let freedom = (x.len() as f64 - correction).max(0.0);
    let size = x.iter().map(|element| (element - x[0]).powi(2)).sum::<f64>();
    if freedom == 0.0 {
        return Expected::Exactly(Cell::Null);
    }
    Expected::Near(central(x, 2) / freedom, precision * (size / freedom))
}

fn deviation(x: &[f64], correction: f64, precision: f64) -> Expected {
    match variance(x, correction, precision) {
        Expected::Near(variance, bound) => {
            let deviation = variance.sqrt();
            Expected::Near(deviation, bound.sqrt().min(bound / deviation) + precision * deviation)
        }
        other => other,
    }
}

fn shape(x: &[f64], precision: f64) -> Expected {
    let count = x.len() as f64;
    let [second, third, fourth] = [2, 3, 4].map(|power| central(x, power) / count);
    let (skewness, kurtosis) = (third / second.powf(1.5), fourth / (second * second));
    if second == 0.0 {
        return Expected::Many(vec![Expected::Exactly(Cell::Null); 2]);
    }
    let near = |value: f64| Expected::Near(value, (precision + 1e-9) * (1.0 + value.abs()));
    Expected::Many(vec![near(skewness), near(kurtosis)])
}

fn histogram(call: &Call, x: &[f64]) -> Expected {
    let [bins, low, high] = call.parameters[..] else { panic!("{call:?}") };
    let mut counts = vec![0i128; bins as usize];
    for &x in x {
        if (low..=high).contains(&x) {
            let bin = ((x - low) * (bins / (high - low))) as usize;
            counts[bin.min(bins as usize - 1)] += 1;
        }
    }
    Expected::Many(counts.into_iter().map(|count| Expected::Exactly(Cell::Int(count))).collect())
}
