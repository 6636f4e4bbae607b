// error: did you mean `keepdims`, as every op has it? give a parameter that is not meant so a name further from it than `keepdim`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum {
    keepdim: bool,
}

#[reduce_op(dtypes = [f32], attrs = [axes: ints = all, keepdim: bool = true])]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
