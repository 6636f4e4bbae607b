// error: missing `finalize`; a reduction needs `fn finalize(&self, acc: &[Self::Cell], index: usize, count: usize) -> Self::Output`

use reduce_core::bounds::{Indices, ReduceSlice};
use reduce_core::{Num, reduce_op};

#[derive(Default)]
struct Firsts {
    k: i64,
}

#[reduce_op(dtypes = [f32], attrs = [k: int = 1 in 1..], length = k)]
impl<A: Num> ReduceSlice<A> for Firsts {
    type Cell = A;
    type Output = A;
    fn identity(&self, _index: usize) -> A { A::ZERO }
    fn push(&self, acc: &mut [A], elements: &[A], _indices: Indices<'_>) { acc[0] = elements[0]; }
    fn combine(&self, acc: &mut [A], later: &[A]) { acc[0] = later[0]; }
}

fn main() {}
