// error: `#[reduce_op]` belongs on an `impl<A: Num> ReduceOp<A> for MyOp` block, not here

use reduce_core::reduce_op;

/// A sum.
#[reduce_op(dtypes = [f32])]
pub struct Sum;

fn main() {}
