//! Two inputs walked together.

use reduce_core::{Num, Real, ReduceOp, reduce_op};

/// The dot product. Integers wrap.
///
/// A sum or a product beyond the range is no error where the result is within it. A product of floats that underflows is lost: each
/// takes up to half the least subnormal number of the type that is computed in.
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

    fn doubts(&self, sum: &A, _count: usize) -> bool {
        !sum.is_finite()
    }
}

/// The mean squared error.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::SquaredError;
/// let found = View::new(&[1.0f32, 2.0], &[2])?;
/// let expected = View::new(&[1.0f32, 4.0], &[2])?;
/// assert_eq!(Reduction::new(SquaredError).run(&(found, expected))?.data(), [2.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
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

    fn doubts(&self, sum: &A, _count: usize) -> bool {
        !sum.is_finite()
    }
}

/// The cosine of the angle between two vectors, from −1 to 1. A vector of zeros has no angle: then it is NaN, or 0
/// if such a vector is to be like no other. With a NaN or an infinity in either vector it is NaN.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::Cosine;
/// let pairs = View::new(&[3.0f32, 4.0, 0.0, 0.0], &[2, 2])?;
/// let vector = View::new(&[1.0f32, 0.0], &[2])?;
/// let like = |cosine| Reduction::new(cosine).axes([1]).run(&(pairs.clone(), vector.clone()));
/// assert_eq!(like(Cosine { zero_is_unlike: true })?.data(), [0.6, 0.0]);
/// assert!(like(Cosine::default())?.data()[1].is_nan());
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Cosine {
    /// Whether the cosine with a vector of zeros is 0, and not NaN.
    pub zero_is_unlike: bool,
}

/// The dot product, over the lengths of both.
#[reduce_op(
    dtypes = [f16 => f32, f32, f64],
    attrs = [axes: ints = all, keepdims: bool = true, zero_is_unlike: bool = false],
    lanes = 32,
)]
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
        let cosine = xy / (xx.sqrt() * yy.sqrt());
        // Zero times what is no number is none.
        let is_zero = ((xx == A::ZERO) | (yy == A::ZERO)) & (xy == A::ZERO);
        let has_zero = self.zero_is_unlike & is_zero;
        // Rounding may have led beyond; NaN is neither more nor less.
        match () {
            () if has_zero => A::ZERO,
            () if cosine > A::ONE => A::ONE,
            () if cosine < -A::ONE => -A::ONE,
            () => cosine,
        }
    }

    fn doubts(&self, (xy, xx, yy): &(A, A, A), count: usize) -> bool {
        let least = A::MIN_POSITIVE * A::from_count(count);
        !(xy.is_finite() & xx.is_finite() & yy.is_finite()) | (*xx < least) | (*yy < least)
    }
}
