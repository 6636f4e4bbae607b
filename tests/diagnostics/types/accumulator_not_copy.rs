// error: the trait bound `Pair<A>: Copy` is not satisfied

use reduce_core::{Accumulator, Num, ReduceOp, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
struct Op;

#[derive(Clone, Debug, Accumulator)]
struct Pair<A>(A, A);

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Op {
    type Acc = Pair<A>;
    type Output = A;
    fn identity(&self) -> Pair<A> { Pair(A::ZERO, A::ZERO) }
    fn map(&self, x: A) -> Pair<A> { Pair(x, x) }
    fn combine(&self, a: Pair<A>, b: Pair<A>) -> Pair<A> { Pair(a.0 + b.0, a.1 + b.1) }
    fn finalize(&self, acc: Pair<A>, _count: usize) -> A { acc.0 }
}

fn main() {}
