// error: `[f32; 1]` is nothing to reduce

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
struct Op;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Num> ReduceOp<A> for Op {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {
    let _ = reduce_core::Reduction::new(Op).run(&[1.0f32]);
}
