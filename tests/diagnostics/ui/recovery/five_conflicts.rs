// error: `f16` computes in `f32` and in `f64`; choose one for all versions
// error: this window starts at version 12, which `versions` does not list
// error: the default of `p` is outside its range; move one of them
// error: `keepdims` means the same in every op; write `keepdims: bool = true`
// error: `noop_with_empty_axes` needs `axes` in the same versions; declare both

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum {
    p: i64,
}

#[reduce_op(
    versions = [1, 11, 13],
    dtypes = { 1..=10 => [f32, f16 => f32], 11.. => [f32, f16 => f64] },
    attrs = {
        12.. => [p: int = 3 in 4..=6],
        1.. => [keepdims: int = 1, noop_with_empty_axes: bool = false],
    },
)]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
