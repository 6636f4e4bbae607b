use reduce_core::{Real, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct SumExp;

/// The sum of exponentials.
#[reduce_core::reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64])]
impl<A: Real> ReduceOp<A> for SumExp {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x.exp()
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}
