// error: `i64` cannot be computed in `f32`; expected `i64`, `i128` or `f64`
// error: `f64` cannot be computed in `f32`; expected `f64`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [i64 => f32, (f16, f64) => f32])]
impl<A: Num> ReduceOp<(A, A)> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, (x, _): (A, A)) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
