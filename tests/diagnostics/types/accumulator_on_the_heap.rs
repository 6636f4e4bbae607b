// error: `Vec<A>` is no accumulator

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
struct Op;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Op {
    type Acc = Vec<A>;
    type Output = A;
    fn identity(&self) -> Vec<A> { Vec::new() }
    fn map(&self, x: A) -> Vec<A> { vec![x] }
    fn combine(&self, a: Vec<A>, b: Vec<A>) -> Vec<A> { [a, b].concat() }
    fn finalize(&self, acc: Vec<A>, _count: usize) -> A { acc[0] }
}

fn main() {}
