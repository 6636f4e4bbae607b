// error: no field `q` on type `Op`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
struct Op;

#[reduce_op(dtypes = [f32], attrs = [q: int = 1])]
impl<A: Num> ReduceOp<A> for Op {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
