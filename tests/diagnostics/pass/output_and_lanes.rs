//! A result of another type than the input's, and a lane count of the spec's own.

use std::num::Wrapping;

use reduce_core::{Num, ReduceOp, Reduction, View, reduce_op};

#[derive(Default)]
struct CountZeros;

#[reduce_op(dtypes = [f32, bool => i32], output = i64, lanes = 16)]
impl<A: Num> ReduceOp<A> for CountZeros {
    type Acc = Wrapping<i64>;
    type Output = Wrapping<i64>;
    fn identity(&self) -> Wrapping<i64> {
        Wrapping(0)
    }
    fn map(&self, x: A) -> Wrapping<i64> {
        Wrapping((x == A::ZERO).into())
    }
    fn combine(&self, a: Wrapping<i64>, b: Wrapping<i64>) -> Wrapping<i64> {
        a + b
    }
    fn finalize(&self, acc: Wrapping<i64>, _count: usize) -> Wrapping<i64> {
        acc
    }
}

pub fn main() {
    let zeros = [0.0f32; 1000];
    let view = View::new(&zeros, &[10, 100]).unwrap();
    let counts = Reduction::new(CountZeros).axes([1]).run(&view).unwrap();
    assert_eq!(counts.data(), [100i64; 10]);
}
