//! Blocks under `cfg`, deprecated operators, and attributes of the block's own.

#![deny(warnings)]

use reduce_core::{Accumulator, Num, ReduceOp, Reduction, View, reduce_op};

#[reduce_op(dtypes = [f32])]
#[cfg(any())]
impl<A: Num> ReduceOp<A> for Missing {
    compile_error!("left out");
}

#[derive(Clone, Copy, Debug, Accumulator)]
#[deprecated]
struct Total<A> {
    sum: A,
}

#[derive(Default)]
#[deprecated]
struct Sum;

#[reduce_op(dtypes = [f32])]
#[cfg(not(miri))]
#[allow(deprecated, reason = "under test")]
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

#[allow(deprecated, reason = "under test")]
pub fn main() {
    let view = View::new(&[1.0f32, 2.0], &[2]).unwrap();
    assert_eq!(Reduction::new(Sum).run(&view).unwrap().data(), [3.0]);
}
