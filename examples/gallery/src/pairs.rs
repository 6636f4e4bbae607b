//! Two inputs walked together.

use reduce_core::{Num, Real, ReduceOp, reduce_op};

/// The dot product.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Dot;
/// let rows = View::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// let vector = View::new(&[10.0f32, 1.0], &[2])?;
/// assert_eq!(Reduction::new(Dot).axes([1]).run(&(rows, vector))?.data(), [12.0, 34.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Dot;

/// The sum of products.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64, i32, i64, (f16, f32) => f32])]
impl<A: Num> ReduceOp<(A, A)> for Dot {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, y): (A, A)) -> A {
        x * y
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// The mean squared error.
#[derive(Clone, Copy, Debug, Default)]
pub struct SquaredError;

/// The mean of squared differences.
#[reduce_op(dtypes = [f16 => f32, f32, f64])]
impl<A: Real> ReduceOp<(A, A)> for SquaredError {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, y): (A, A)) -> A {
        (x - y) * (x - y)
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count)
    }
}

/// The cosine of the angle between two vectors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cosine;

/// The dot product, over the lengths of both.
#[reduce_op(dtypes = [f16 => f32, f32, f64], lanes = 32)]
impl<A: Real> ReduceOp<(A, A)> for Cosine {
    /// The products of first and second, of the first, and of the second with themselves.
    type Acc = (A, A, A);
    type Output = A;

    fn identity(&self) -> (A, A, A) {
        (A::ZERO, A::ZERO, A::ZERO)
    }

    fn map(&self, (x, y): (A, A)) -> (A, A, A) {
        (x * y, x * x, y * y)
    }

    fn push(&self, (xy, xx, yy): (A, A, A), (x, y): (A, A)) -> (A, A, A) {
        (x.mul_add(y, xy), x.mul_add(x, xx), y.mul_add(y, yy))
    }

    fn combine(&self, a: (A, A, A), b: (A, A, A)) -> (A, A, A) {
        (a.0 + b.0, a.1 + b.1, a.2 + b.2)
    }

    fn finalize(&self, (xy, xx, yy): (A, A, A), _count: usize) -> A {
        xy / (xx.sqrt() * yy.sqrt())
    }
}
