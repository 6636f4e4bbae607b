// error: `emits` says that `Centre` emits over each row of its spec, and it does not

use reduce_core::{Real, ReduceOp, reduce_op};

#[derive(Default)]
struct Centre;

#[reduce_op(dtypes = [f32, f64], emits = alone)]
impl<A: Real> ReduceOp<A> for Centre {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count) }
}

fn main() {}
