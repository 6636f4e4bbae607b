//! Without `Option`, `Some`, `Default` and the other names of the prelude.

#![no_implicit_prelude]

use ::reduce_core::{Accumulator, Num, ReduceOp, Reduction, View, reduce_op};

#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, Accumulator)]
struct Total<A> {
    sum: A,
    terms: u64,
}

#[derive(::core::default::Default)]
struct Scaled {
    factor: i64,
    negate: bool,
}

#[reduce_op(
    versions = 1..=9,
    dtypes = [f32, bf16 => f32, i32],
    attrs = [axes: ints = all, factor: int = 0 in 0..=9, negate: bool = false],
    empty = error,
)]
impl<A: Num> ReduceOp<A> for Scaled {
    type Acc = Total<A>;
    type Output = A;
    fn identity(&self) -> Total<A> {
        Total { sum: A::ZERO, terms: 0 }
    }
    fn map(&self, x: A) -> Total<A> {
        Total { sum: x, terms: 1 }
    }
    fn combine(&self, a: Total<A>, b: Total<A>) -> Total<A> {
        Total { sum: a.sum + b.sum, terms: a.terms + b.terms }
    }
    fn finalize(&self, acc: Total<A>, _count: usize) -> A {
        if self.negate { A::ZERO - acc.sum } else { acc.sum }
    }
}

pub fn main() {
    let view = View::new(&[1.0f32, 2.0], &[2]).unwrap();
    let sum = Reduction::new(Scaled { factor: 1, negate: true }).run(&view).unwrap();
    ::core::assert_eq!(sum.data(), [-3.0]);
}
