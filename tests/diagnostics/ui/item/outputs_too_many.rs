// error: 9 results of one operator; write at most 8, or a tuple of operators

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Powers;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Powers {
    type Acc = A;
    type Output = (A, A, A, A, A, A, A, A, A);
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, a: A, _: usize) -> Self::Output { (a, a, a, a, a, a, a, a, a) }
}

fn main() {}
