// error: the window ends before it starts; write `1..=13` or an open `13..`
// error: unknown dtype `float`; write `f32`
// error: unknown NaN policy `ignored`; did you mean `ignore`
// error: unknown key `lane`; did you mean `lanes`
// error: missing `combine`; a reduction needs `fn combine(&self, a: Self::Acc, b: Self::Acc) -> Self::Acc`

use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Default)]
struct Sum;

#[reduce_op(
    versions = 13..=1,
    dtypes = [f32, float],
    nan = ignored,
    lane = 16,
)]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

fn main() {}
