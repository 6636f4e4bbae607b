// error: the compute type is a parameter; write `impl<A: Num> ReduceOp<A>`

use reduce_core::{ReduceOp, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32])]
impl ReduceOp<f32> for Sum {
    type Acc = f32;
    type Output = f32;
    fn identity(&self) -> f32 { 0.0 }
    fn map(&self, x: f32) -> f32 { x }
    fn combine(&self, a: f32, b: f32) -> f32 { a + b }
    fn finalize(&self, acc: f32, _count: usize) -> f32 { acc }
}

fn main() {}
