// error: wrong parameters for `refuses`; write `fn refuses(&self) -> Option<String>`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn refuses(&self, low: f64) -> Option<String> { low.is_nan().then(String::new) }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
