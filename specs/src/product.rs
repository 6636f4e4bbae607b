//! Products.

use reduce_core::{Num, ReduceOp, reduce_op};

/// The product of the elements.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceProd;

/// The product of the elements. Integers wrap.
#[reduce_op(
    versions = [1, 11, 13, 18],
    dtypes = {
        1.. => [i32, i64, u32, u64, f16 => f32, f32, f64],
        13.. => [bf16 => f32],
    },
    attrs = {
        1..=17 => [axes: ints = all],
        18.. => [axes: input = all, noop_with_empty_axes: bool = false],
        1.. => [keepdims: bool = true],
    },
)]
impl<A: Num> ReduceOp<A> for ReduceProd {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ONE
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a * b
    }

    fn finalize(&self, product: A, _count: usize) -> A {
        product
    }
}
