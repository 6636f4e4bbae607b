// error: unknown dtype `f33`; expected `f16`, `bf16`, `f8e4m3fn`, `f8e5m2`, `f32`, `f64`, `bool`, `i8`, `i16`, `i32`, `i64`, `u8`, `u16`, `u32` or `u64`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f33])]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
