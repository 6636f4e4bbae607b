//! Derivatives of results, by the operators' own steps over numbers that have a slope.

use reduce_specs::ReduceLogSumExp;
use reduce_tests::dual::gradient;

/// The derivative of the logarithm of the sum of exponentials is the share of each.
#[test]
fn of_the_logarithm_of_a_sum_of_exponentials() {
    for xs in [
        vec![1.0, 1.0],
        vec![1.0, 2.0, 2.0],
        vec![2.0, 2.0, 1.0],
        vec![3.0; 7],
        vec![0.5, -1.0, 0.5, 2.0, -3.0, 2.0, 2.0],
        vec![f64::NEG_INFINITY, 1.0, 1.0],
    ] {
        let total: f64 = xs.iter().map(|x| x.exp()).sum();
        let found = gradient(&ReduceLogSumExp, &xs, |result| *result);
        for (found, x) in found.iter().zip(&xs) {
            assert!((found - x.exp() / total).abs() < 1e-14, "{found} of {x} in {xs:?}");
        }
    }
}
