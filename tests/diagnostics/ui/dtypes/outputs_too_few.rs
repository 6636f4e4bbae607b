// error: output types for 1 of 2 results; write one for each

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Twice;

#[reduce_op(dtypes = [f32], output = f64)]
impl<A: Num> ReduceOp<A> for Twice {
    type Acc = A;
    type Output = (A, A);
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> (A, A) { (acc, acc) }
}

fn main() {}
