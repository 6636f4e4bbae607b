// error: `#[reduce_op]` belongs on an `impl<A: Num> ReduceOp<A> for MyOp` block, not here

use reduce_core::reduce_op;

#[reduce_op(dtypes = [f32])]
pub fn sum(data: &[f32]) -> f32 {
    data.iter().sum()
}

fn main() {}
