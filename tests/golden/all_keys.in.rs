use reduce_core::{Num, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct Sum;

/// The sum of the elements, in the versions
/// from 13 to 18.
///
/// This paragraph is no part of the summary.
#[reduce_core::reduce_op(
    name = "com.example:Sum",
    versions = 13..=18,
    dtypes = { 13..=18 => [f32 => f64], 18..=18 => [i32 => f64] },
    attrs = { 13..=18 => [keepdims: bool = false], 13..=17 => [axes: ints = all] },
    nan = unspecified,
    empty = { floats => identity, ints => error },
    commutative = true,
    output = f64,
    lanes = 16,
    crate = ::reduce_core,
)]
impl<A: Num> ReduceOp<A> for Sum {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}
