// error: one element is `A`, `Indexed<A>`, or of several inputs a tuple; write `ReduceOp<A>`

use reduce_core::{Num, ReduceOp, Reduction, Tensor, View, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<[A; 2]> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, [x, y]: [A; 2]) -> A { x * y }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {
    let view = View::new(&[1.0f32], &[1]).unwrap();
    let _sum: Tensor<f32> = Reduction::new(Sum).run(&view).unwrap();
}
