use reduce_core::{Real, ReduceOp};

#[derive(Clone, Copy, Debug, Default)]
pub struct Norm;

/// The Euclidean norm.
#[reduce_core::reduce_op(dtypes = [f16 => f32, f64, i32 => f64])]
impl<A: Real> ReduceOp<A> for Norm {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x * x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum.sqrt()
    }

    fn doubts(&self, sum: &A, _count: usize) -> bool {
        !sum.is_finite()
    }
}
