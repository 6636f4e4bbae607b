use reduce_core::{Num, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceMean;

/// The mean of the elements.
#[reduce_core::reduce_op(
    versions = [1, 11, 13, 18],
    dtypes = {
        1.. => [i32 => i128, u64 => u128, f16 => f32, f32],
        13.. => [bf16 => f32],
    },
    attrs = {
        1..=17 => [axes: ints = all],
        18.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
    empty = { floats => identity, ints => error },
)]
impl<A: Num> ReduceOp<A> for ReduceMean {
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

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count)
    }
}
