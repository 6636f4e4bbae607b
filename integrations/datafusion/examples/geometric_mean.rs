use reduce_core::{Real, ReduceOp, reduce_op};

/// The geometric mean of positive numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct GeometricMean;

#[reduce_op(dtypes = [f32, f64])]
impl<A: Real> ReduceOp<A> for GeometricMean {
    type Acc = A; // the sum of the logarithms
    type Output = A;
    fn identity(&self) -> A { A::ZERO }
    fn map(&self, x: A) -> A { x.ln() }
    fn combine(&self, a: A, b: A) -> A { a + b }
    fn finalize(&self, sum: A, count: usize) -> A { sum.div_count(count).exp() }
}
