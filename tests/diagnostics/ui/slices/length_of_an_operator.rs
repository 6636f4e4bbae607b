// error: `length` is for a `ReduceSlice`; leave it out, since the type of a `ReduceOp` says how long results are

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum {
    k: i64,
}

#[reduce_op(dtypes = [f32], attrs = [k: int = 1 in 1..], length = k)]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
