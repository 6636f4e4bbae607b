//! Modules of the names that generated code starts its paths with.

#![allow(dead_code, reason = "for their names")]

mod std {}
mod core {}
mod alloc {}
mod reduce_core {}
mod reduce_macros {}
mod __private {}

use ::reduce_core::{Accumulator, Num, ReduceOp, Reduction, View, reduce_op};

#[derive(Clone, Copy, Debug, Accumulator)]
struct Total<A> {
    sum: A,
}

#[derive(Default)]
struct Sum;

#[reduce_op(dtypes = [f32, f16 => f32])]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = Total<A>;
    type Output = A;
    fn identity(&self) -> Total<A> {
        Total { sum: A::ZERO }
    }
    fn map(&self, x: A) -> Total<A> {
        Total { sum: x }
    }
    fn combine(&self, a: Total<A>, b: Total<A>) -> Total<A> {
        Total { sum: a.sum + b.sum }
    }
    fn finalize(&self, acc: Total<A>, _count: usize) -> A {
        acc.sum
    }
}

pub fn main() {
    let view = View::new(&[1.0f32, 2.0], &[2]).unwrap();
    assert_eq!(Reduction::new(Sum).run(&view).unwrap().data(), [3.0]);
}
