//! A set without elements changes nothing of one that it merges with, to the last bit: a kernel merges such sets in lanes that
//! rows do not fill.

use std::fmt::Debug;

use reduce_core::ReduceOp;
use reduce_gallery::{Correlation, Covariance, MeanVariance, Regression, Shape, Variance};

/// Elements around zero, and around other numbers; with one first that lies far off, or none.
fn lists() -> Vec<Vec<f64>> {
    let near = |centre: f64, count: usize| {
        (0..count).map(move |index| centre + (index * 7919 % 601) as f64 * 0.01)
    };
    let mut lists = Vec::new();
    for centre in [0.0, -3.0, 1e-3, 1e6] {
        for count in [1, 2, 5, 64] {
            lists.push(near(centre, count).collect());
            lists.push([1e4].into_iter().chain(near(centre, count)).collect());
        }
    }
    lists
}

fn check<Op, X: Copy>(op: &Op, element: impl Fn(f64) -> X)
where
    Op: ReduceOp<X> + Debug,
    Op::Output: Debug,
{
    for list in lists() {
        let pushed = |acc, x: &f64| op.push(acc, element(*x));
        let set = list.iter().fold(op.identity(), pushed);
        let with = |acc| format!("{:?}", op.finalize(acc, list.len()));
        let alone = with(set);
        assert_eq!(with(op.combine(set, op.identity())), alone, "{op:?} behind {list:?}");
        assert_eq!(with(op.combine(op.identity(), set)), alone, "{op:?} before {list:?}");
    }
}

#[test]
fn nothing_changes_nothing() {
    check(&Variance::default(), |x| x);
    check(&MeanVariance, |x| x);
    check(&Shape::default(), |x| x);
    check(&Covariance::default(), |x| (x, 3.0 - x * x));
    check(&Correlation, |x| (x, 3.0 - x * x));
    check(&Regression, |x| (x, 3.0 - x * x));
}
