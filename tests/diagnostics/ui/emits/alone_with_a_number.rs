// error: `alone` has no inputs beside; write `alone`, or `beside(2)`

use reduce_core::{Emit, Real, ReduceOp, reduce_op};

#[derive(Default)]
struct Centre;

#[reduce_op(dtypes = [f32, f64], emits = alone(1))]
impl<A: Real> ReduceOp<A> for Centre {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count) }
}

impl<A: Real> Emit<A> for Centre {
    type Emitted = A;
    #[inline(always)]
    fn emit(&self, x: A, mean: &A) -> A { x - *mean }
}

fn main() {}
