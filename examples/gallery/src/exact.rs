//! Sums, means and dot products do not depend on order here, and elements can leave them.

use reduce_core::numbers::{Exact, ExactFloat};
use reduce_core::{ReduceOp, reduce_op};

/// The sum, correctly rounded: what the exact sum is nearest to, ties to even.
///
/// Bits are the same for any order and grouping of the elements, layout, number of threads and cut of a stream into
/// pieces. In half precision the exact sum is rounded to `f32` first. Elements can be taken out again, exactly:
/// [`remove`](ReduceOp::remove). [`Exact`] says how it is kept.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::ExactSum;
/// let data = View::new(&[1.0f32, 1e30, 1e-30, -1e30, -1.0], &[5])?;
/// assert_eq!(Reduction::new(ExactSum).run(&data)?.data(), [1e-30]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactSum;

/// The mean, correctly rounded: the exact sum over the number of elements, rounded once.
///
/// So it does not overflow, and lies between the least and the greatest element. As [`ExactSum`], it is the same for any order.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::ExactMean;
/// let data = View::new(&[f64::MAX, f64::MAX, 1.0, 1.0], &[4])?;
/// assert_eq!(Reduction::new(ExactMean).run(&data)?.data(), [f64::MAX / 2.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactMean;

/// The dot product, correctly rounded, as long as products neither overflow nor underflow.
///
/// Each product is split into two numbers, itself and what rounding took from it, which one `mul_add` finds exactly. Both
/// are added exactly. The second one underflows where a product that is not zero is less than 2^-969 (`f32`: 2^-102).
/// Then it is off by at most half the least subnormal number. A product beyond the largest number is infinite, as in
/// any other sum of products. In all cases bits are the same for any order.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_gallery::ExactDot;
/// let x = View::new(&[1e20f64, 1.5, -1e20], &[3])?;
/// let y = View::new(&[1e20f64, 2.0, 1e20], &[3])?;
/// assert_eq!(Reduction::new(ExactDot).run(&(x, y))?.data(), [3.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactDot;

/// The sum of one number.
#[inline(always)]
fn of<A: ExactFloat>(x: A) -> Exact<A> {
    let mut sum = Exact::new();
    sum.add(x);
    sum
}

/// The sum of the numbers of both.
#[inline(always)]
fn merged<A: ExactFloat>(mut a: Exact<A>, b: Exact<A>) -> Exact<A> {
    a.merge(&b);
    a
}

/// A product, and its rounding error. An infinite product has none.
#[inline(always)]
fn product<A: ExactFloat>((x, y): (A, A)) -> (A, A) {
    let product = x * y;
    let error = x.mul_add(y, -product);
    (product, if product.is_finite() { error } else { A::ZERO })
}

/// The exact sum, rounded once.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64])]
impl<A: ExactFloat> ReduceOp<A> for ExactSum {
    type Acc = Exact<A>;
    type Output = A;

    fn identity(&self) -> Exact<A> {
        Exact::new()
    }

    fn map(&self, x: A) -> Exact<A> {
        of(x)
    }

    fn push_into(&self, sum: &mut Exact<A>, x: A) {
        sum.add(x);
    }

    fn combine(&self, a: Exact<A>, b: Exact<A>) -> Exact<A> {
        merged(a, b)
    }

    fn remove(&self, mut sum: Exact<A>, x: A) -> Exact<A> {
        sum.remove(x);
        sum
    }

    fn finalize(&self, sum: Exact<A>, _count: usize) -> A {
        sum.value()
    }
}

/// The exact sum over the number of elements, rounded once.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64])]
impl<A: ExactFloat> ReduceOp<A> for ExactMean {
    type Acc = Exact<A>;
    type Output = A;

    fn identity(&self) -> Exact<A> {
        Exact::new()
    }

    fn map(&self, x: A) -> Exact<A> {
        of(x)
    }

    fn push_into(&self, sum: &mut Exact<A>, x: A) {
        sum.add(x);
    }

    fn combine(&self, a: Exact<A>, b: Exact<A>) -> Exact<A> {
        merged(a, b)
    }

    fn remove(&self, mut sum: Exact<A>, x: A) -> Exact<A> {
        sum.remove(x);
        sum
    }

    fn finalize(&self, sum: Exact<A>, count: usize) -> A {
        sum.mean(count)
    }
}

/// The exact sum of products, rounded once.
#[reduce_op(dtypes = [f16 => f32, bf16 => f32, f32, f64])]
impl<A: ExactFloat> ReduceOp<(A, A)> for ExactDot {
    type Acc = Exact<A>;
    type Output = A;

    fn identity(&self) -> Exact<A> {
        Exact::new()
    }

    fn map(&self, pair: (A, A)) -> Exact<A> {
        let mut sum = Exact::new();
        ReduceOp::<(A, A)>::push_into(self, &mut sum, pair);
        sum
    }

    fn push_into(&self, sum: &mut Exact<A>, pair: (A, A)) {
        let (product, error) = product(pair);
        sum.add(product);
        sum.add(error);
    }

    fn combine(&self, a: Exact<A>, b: Exact<A>) -> Exact<A> {
        merged(a, b)
    }

    fn remove(&self, mut sum: Exact<A>, pair: (A, A)) -> Exact<A> {
        let (product, error) = product(pair);
        sum.remove(product);
        sum.remove(error);
        sum
    }

    fn finalize(&self, sum: Exact<A>, _count: usize) -> A {
        sum.value()
    }
}
