// error: `Op` does not reduce tensors of `f32`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
struct Op;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Num> ReduceOp<(A, A)> for Op {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, (x, y): (A, A)) -> A { x * y }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {
    let data = [1f32];
    let view = reduce_core::View::new(&data, &[1]).unwrap();
    let _ = reduce_core::Reduction::new(Op).run(&view);
}
