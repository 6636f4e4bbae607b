// error: `commutative = false` combines in order, in lanes of the core's choice; leave out `lanes`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32], commutative = false, lanes = 8)]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
