// error: an accumulator is a struct; an enum has no fixed fields to keep in lanes

use reduce_core::{Accumulator, Num, ReduceOp, reduce_op};

#[derive(Clone, Copy, Debug, Accumulator)]
pub enum Total<A> {
    Of(A),
}

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = Total<A>;
    type Output = A;
    fn identity(&self) -> Total<A> { Total::Of(A::ZERO) }
    fn map(&self, x: A) -> Total<A> { Total::Of(x) }
    fn combine(&self, a: Total<A>, _: Total<A>) -> Total<A> { a }
    fn finalize(&self, Total::Of(sum): Total<A>, _: usize) -> A { sum }
}

fn main() {}
