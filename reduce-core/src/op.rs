//! The traits of an operator: what its author writes, and what `#[reduce_op]` adds.

use crate::accumulator::Accumulator;
use crate::element::Written;
use crate::kernel::{Fold, Folds, Kernel, Reader, Stored};
use crate::registry::Row;
use crate::schema::{Empty, OpSchema, Params};

/// A reduction, as four steps over elements of type `X`.
///
/// Written by hand under [`#[reduce_op]`](macro@crate::reduce_op), usually generic over
/// the compute type: `impl<A: Real> ReduceOp<A> for MyOp`. The result over
/// elements `x1, x2, .. xn` is
///
/// ```text
/// finalize(combine(map(x1), combine(map(x2), .. map(xn))), n)
/// ```
///
/// in whatever grouping, and unless the spec says `commutative = false`
/// whatever order, the kernel finds fastest. That order is a function of shape
/// and layout alone, so the result has the same bits at every CPU level.
///
/// # Laws
///
/// ```text
/// combine(identity(), a)      = a
/// combine(a, combine(b, c))   ≈ combine(combine(a, b), c)
/// combine(a, b)               ≈ combine(b, a)      unless commutative = false
/// push(a, x)                  ≈ combine(a, map(x))
/// push_two(a, x, y)           = push(push(a, x), y)
/// ```
///
/// `#[reduce_op]` writes a test of these laws into the crate of the operator.
/// Steps must not panic, and are fastest without branches: `if a > b { a } else
/// { b }` is a select, an early `return` is not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce elements of type `{X}`",
    label = "no `ReduceOp<{X}>` for this type"
)]
pub trait ReduceOp<X> {
    /// What is carried from element to element.
    type Acc: Accumulator;

    /// The result over a set of elements.
    type Output;

    /// The accumulator of no elements.
    fn identity(&self) -> Self::Acc;

    /// The accumulator of one element.
    fn map(&self, x: X) -> Self::Acc;

    /// The accumulator of two sets of elements, `a` before `b`.
    fn combine(&self, a: Self::Acc, b: Self::Acc) -> Self::Acc;

    /// The accumulator of one more element. Written by itself only where that is less
    /// work than combining: a variance that keeps sums of distances from a shift, say,
    /// moves sums when it combines, but not when it takes an element.
    #[inline(always)]
    fn push(&self, acc: Self::Acc, x: X) -> Self::Acc {
        self.combine(acc, self.map(x))
    }

    /// The accumulator of two more elements, `x` before `y`: to the last bit that of one after the
    /// other. Written by itself only where that is less work: a maximum, say, asks at once whether
    /// one of two elements is NaN.
    #[inline(always)]
    fn push_two(&self, acc: Self::Acc, x: X, y: X) -> Self::Acc {
        self.push(self.push(acc, x), y)
    }

    /// Whether the operator has a `push_two` of its own.
    #[doc(hidden)]
    const PUSHES_TWO: bool = false;

    /// The result, from the accumulator of `count` elements.
    fn finalize(&self, acc: Self::Acc, count: usize) -> Self::Output;
}

/// The facts of an operator; written by [`#[reduce_op]`](macro@crate::reduce_op), not by
/// hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reduction operator",
    label = "no spec for this type",
    note = "write `#[reduce_op(dtypes = [..])]` on its `impl ReduceOp` block, and `#[derive(Default)]` on the struct"
)]
pub trait OpSpec: Default + Send + Sync + 'static {
    /// Name, versions, types, attributes and policies.
    const SCHEMA: OpSchema;

    /// One kernel per storage type.
    const ROWS: &'static [Row<Self>];

    /// Takes its parameters from validated attributes.
    fn fill(&mut self, _params: &Params) {}

    /// The default operator with its parameters taken from validated attributes.
    fn configure(params: &Params) -> Self {
        let mut op = Self::default();
        op.fill(params);
        op
    }
}

/// The number of lanes that suits an operator's accumulator.
const fn suited<Op: Reduces<T>, T: Stored>() -> usize {
    <<Op::Fold as Folds<Op, T, Op::Output>>::Fold as Fold>::SUITED
}

/// That an operator has a kernel for a storage type; written by
/// [`#[reduce_op]`](macro@crate::reduce_op), not by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce tensors of `{T}`",
    label = "no row for `{T}`",
    note = "add `{T}` to `dtypes` in the operator's `#[reduce_op(..)]`"
)]
pub trait Reduces<T: Stored>: OpSpec {
    /// How a stored value becomes an element of the operator.
    type Reader: Reader<T>;

    /// The storage type of the result, or a tuple of those of several.
    type Output: Written;

    /// How the kernel folds.
    #[doc(hidden)]
    type Fold: Folds<Self, T, Self::Output>;

    /// The number of lanes.
    #[doc(hidden)]
    const LANES: usize = suited::<Self, T>();

    /// The value over no elements.
    const EMPTY: Empty;

    /// The kernel.
    fn kernel() -> &'static Kernel<Self, T, Self::Output>;
}
