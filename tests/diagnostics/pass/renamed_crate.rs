//! Core under another name, for both macros.

mod renamed {
    pub use reduce_core::*;
}

use self::renamed::{Accumulator, Num, ReduceOp, Reduction, View, reduce_op};

#[derive(Clone, Copy, Debug, Accumulator)]
#[accumulator(crate = self::renamed)]
struct Total<A>(A);

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32], crate = self::renamed)]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = Total<A>;
    type Output = A;
    fn identity(&self) -> Total<A> {
        Total(A::ZERO)
    }
    fn map(&self, x: A) -> Total<A> {
        Total(x)
    }
    fn combine(&self, a: Total<A>, b: Total<A>) -> Total<A> {
        Total(a.0 + b.0)
    }
    fn finalize(&self, acc: Total<A>, _count: usize) -> A {
        acc.0
    }
}

pub fn main() {
    let view = View::new(&[1.0f32, 2.0], &[2]).unwrap();
    assert_eq!(Reduction::new(Sum).run(&view).unwrap().data(), [3.0]);
}
