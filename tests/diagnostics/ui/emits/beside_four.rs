// error: four inputs are reduced, and none can lie beside them; leave it out

use reduce_core::{Real, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32], emits = beside(1))]
impl<A: Real> ReduceOp<(A, A, A, A)> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, (a, b, c, d): (A, A, A, A)) -> A { a + b + c + d }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, sum: A, _count: usize) -> A { sum }
}

fn main() {}
