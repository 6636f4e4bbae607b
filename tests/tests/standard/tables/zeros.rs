//! Table 3.12, zeros of both signs: results are compared by value, since the
//! sign of a zero is not promised.

use super::support::{INF, floats};

/// Table 3.12, row "Sum [-0,-0], [-0]"
#[test]
fn sums() {
    floats("ReduceSum", &[-0.0, -0.0], 0.0);
    floats("ReduceSum", &[-0.0], 0.0);
}

/// Table 3.12, row "Mean [-0,-0], [-0]"
#[test]
fn means() {
    floats("ReduceMean", &[-0.0, -0.0], 0.0);
    floats("ReduceMean", &[-0.0], 0.0);
}

/// Table 3.12, row "Sum/Mean [-0,+0]"
#[test]
fn of_both_signs() {
    floats("ReduceSum", &[-0.0, 0.0], 0.0);
    floats("ReduceMean", &[-0.0, 0.0], 0.0);
}

/// Table 3.12, row "Prod [-0,+0] ; [-0,-0]"
#[test]
fn products() {
    floats("ReduceProd", &[-0.0, 0.0], 0.0);
    floats("ReduceProd", &[-0.0, -0.0], 0.0);
}

/// Table 3.12, row "Max [-0,+0] ; [+0,-0]"
#[test]
fn maxima() {
    floats("ReduceMax", &[-0.0, 0.0], 0.0);
    floats("ReduceMax", &[0.0, -0.0], 0.0);
}

/// Table 3.12, row "Min [-0,+0] ; [+0,-0]"
#[test]
fn minima() {
    floats("ReduceMin", &[-0.0, 0.0], 0.0);
    floats("ReduceMin", &[0.0, -0.0], 0.0);
}

/// Table 3.12, row "L1/L2/SumSquare of zeros"
#[test]
fn magnitudes() {
    for op in ["ReduceL1", "ReduceL2", "ReduceSumSquare"] {
        floats(op, &[-0.0, 0.0], 0.0);
        floats(op, &[-0.0], 0.0);
    }
}

/// Table 3.12, row "LogSum of zeros"
#[test]
fn logarithms() {
    for xs in [&[-0.0][..], &[0.0], &[-0.0, 0.0], &[-0.0, -0.0]] {
        floats("ReduceLogSum", xs, -INF);
    }
}
