// error: wrong parameters for `of_extremes`; write `fn of_extremes(&self, least: f64, greatest: f64) -> Option<Self::Output>`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn of_extremes(&self, least: f64) -> Option<A> { (least == 0.0).then_some(A::ZERO) }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
