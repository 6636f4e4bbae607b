//! Products.

use reduce_core::numbers::Least;
use reduce_core::{Accumulator, Num, ReduceOp, reduce_op};

/// The product of the elements.
///
/// ```
/// use reduce_core::{Reduction, View};
/// use reduce_specs::ReduceProd;
/// let data = View::new(&[1.0f32, 2.0, 4.0], &[3])?;
/// assert_eq!(Reduction::new(ReduceProd).run(&data)?.data(), [8.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReduceProd;

/// The product of some factors, and how small it became in between.
#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Product<A: Num> {
    product: A,
    least: A::Least,
}

impl<A: Num> Product<A> {
    #[inline(always)]
    fn of(x: A) -> Self {
        Product { product: x, least: A::Least::of(x) }
    }
}

/// The product of the elements. Integers wrap. No intermediate product of floats overflows or
/// underflows.
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
    type Acc = Product<A>;
    type Output = A;

    fn identity(&self) -> Product<A> {
        Product::of(A::ONE)
    }

    fn map(&self, x: A) -> Product<A> {
        Product::of(x)
    }

    fn combine(&self, a: Product<A>, b: Product<A>) -> Product<A> {
        let both = Product::of(a.product * b.product);
        Product { least: both.least.or(a.least.or(b.least)), ..both }
    }

    fn push(&self, acc: Product<A>, x: A) -> Product<A> {
        let product = Product::of(acc.product * x);
        Product { least: acc.least.or(product.least), ..product }
    }

    fn push_two(&self, acc: Product<A>, x: A, y: A) -> Product<A> {
        let one = Product::of(acc.product * x);
        let two = Product::of(one.product * y);
        Product { least: acc.least.or(one.least.or(two.least)), ..two }
    }

    fn finalize(&self, acc: Product<A>, _count: usize) -> A {
        acc.product
    }

    fn doubts(&self, acc: &Product<A>, _count: usize) -> bool {
        !(acc.product.is_finite() & acc.least.is_normal())
    }

    fn of_extremes(&self, least: f64, _greatest: f64) -> Option<A> {
        (least == 0.0).then_some(A::ZERO)
    }
}
