// error: `Wrapping<i32>` is no floating-point type

use reduce_core::{Real, ReduceOp, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
struct Op;

#[reduce_op(dtypes = [i32])]
impl<A: Real> ReduceOp<A> for Op {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
