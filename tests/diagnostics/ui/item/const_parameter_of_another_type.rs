// error: a const parameter is a length; write `usize`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum<const TWICE: bool>;

#[reduce_op(dtypes = [f32])]
impl<A: Num, const TWICE: bool> ReduceOp<A> for Sum<TWICE> {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
