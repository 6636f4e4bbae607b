// error: mismatched types

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
struct Op;

#[derive(Default)]
struct Pow {
    p: i64,
}

#[reduce_op(dtypes = [f32], attrs = [p: float = 1.0])]
impl<A: Num> ReduceOp<A> for Pow {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
