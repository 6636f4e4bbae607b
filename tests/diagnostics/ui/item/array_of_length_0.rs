// error: an array of length 0 holds nothing; write a length of at least 1

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Nothing;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Nothing {
    type Acc = [A; 0];
    type Output = A;
    fn identity(&self) -> [A; 0] { [] }
    fn map(&self, _: A) -> [A; 0] { [] }
    fn combine(&self, a: [A; 0], _: [A; 0]) -> [A; 0] { a }
    fn finalize(&self, _: [A; 0], _count: usize) -> A { A::ZERO }
}

fn main() {}
