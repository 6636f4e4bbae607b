// error: missing `Cell`; a reduction needs `type Cell = A;`

use reduce_core::bounds::ReduceSlice;
use reduce_core::{Num, reduce_op};

#[derive(Default)]
struct Firsts {
    k: i64,
}

#[reduce_op(dtypes = [f32], attrs = [k: int = 1 in 1..], length = k)]
impl<A: Num> ReduceSlice<A> for Firsts {
    type Output = A;
    fn identity(&self, _index: usize) -> A { A::ZERO }
    fn push(&self, acc: &mut [A], elements: &[A], _indices: reduce_core::bounds::Indices<'_>) { acc[0] = elements[0]; }
    fn combine(&self, acc: &mut [A], later: &[A]) { acc[0] = later[0]; }
    fn finalize(&self, acc: &[A], index: usize, _count: usize) -> A { acc[index] }
}

fn main() {}
