// error: an input is `A`, `bool`, or a number such as `f32` or `i64`; write `(A, bool)`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<(A, String)> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: (A, String)) -> A { x.0 }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
