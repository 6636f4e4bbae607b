// error: two operators are called `Sum`; give one of them another name

use reduce_core::nodes::{OpEntry, Registry};
use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
struct Sum;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

#[derive(Clone, Copy, Debug, Default)]
struct Total;

#[reduce_op(name = "Sum", versions = 2.., dtypes = [f64])]
impl<A: Num> ReduceOp<A> for Total {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

static OPS: [OpEntry; 2] = [OpEntry::of::<Sum>(), OpEntry::of::<Total>()];

static SET: Registry = Registry::new(&OPS, 13);

fn main() {
    println!("{}", SET.newest());
}
