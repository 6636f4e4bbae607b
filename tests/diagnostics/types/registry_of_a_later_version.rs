// error: operator `Sum` begins after the newest version of the registry

use reduce_core::nodes::{OpEntry, Registry};
use reduce_core::{Num, ReduceOp, reduce_op};

#[derive(Clone, Copy, Debug, Default)]
struct Sum;

#[reduce_op(dtypes = [f32], versions = 18..)]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, acc: A, _count: usize) -> A { acc }
}

static OPS: [OpEntry; 1] = [OpEntry::of::<Sum>()];

static SET: Registry = Registry::new(&OPS, 13);

fn main() {
    println!("{}", SET.newest());
}
