//! The step of an operator that emits with other inputs beside its elements, such as a scale and a bias.

use crate::values::op::ReduceOp;

/// The fifth step of an operator that emits with elements of other inputs beside its own, such as a scale and a bias. These
/// are not reduced. They broadcast with the elements.
///
/// It is written beside an [`Emit`](crate::Emit), or in its place, and run by [`Reduction::beside`](crate::Reduction::beside).
///
/// ```
/// use reduce_core::{EmitBeside, Real, ReduceOp, Reduction, View, reduce_op};
///
/// /// The inverse of the root of the mean square.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct RootMeanSquare;
///
/// #[reduce_op(dtypes = [f32, f64])]
/// impl<A: Real> ReduceOp<A> for RootMeanSquare {
///     type Acc = A;
///     type Output = A;
///     fn identity(&self) -> A { A::ZERO }
///     fn map(&self, x: A) -> A { x * x }
///     fn combine(&self, a: A, b: A) -> A { a + b }
///     fn finalize(&self, sum: A, count: usize) -> A { A::ONE / (sum + A::ZERO).div_count(count).sqrt() }
/// }
///
/// /// One input beside the elements: the scale.
/// impl<A: Real> EmitBeside<A> for RootMeanSquare {
///     type Beside = A;
///     type Emitted = A;
///
///     #[inline(always)]
///     fn emit_beside(&self, x: A, scale: A, inverse: &A) -> A { x * *inverse * scale }
/// }
///
/// let rows = View::new(&[3.0f32, -3.0, 0.5, 0.5], &[2, 2])?;
/// let scale = View::new(&[1.0f32, 10.0], &[2])?;
/// // The first input is reduced. Those behind it are beside it.
/// let norm = Reduction::new(RootMeanSquare).beside::<1>().axes([1]).emit(&(rows, scale))?;
/// assert_eq!(norm.data(), [1.0, -10.0, 1.0, 10.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// Write `#[inline(always)]` on `emit_beside`: it is then compiled for the kernel's CPU level. Write `emits = beside(1)` into
/// the spec, with as many inputs as there are beside, if the operator is found by name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` emits nothing over elements of type `{X}` with others beside them",
    label = "no `EmitBeside<{X}>` for this operator",
    note = "write `impl<A: Real> EmitBeside<A>` beside its `ReduceOp` block"
)]
pub trait EmitBeside<X>: ReduceOp<X> {
    /// An element of the other input, or a tuple of an element of each.
    type Beside;

    /// The type that an element becomes.
    type Emitted;

    /// Returns what element `x` becomes, given the elements beside it, and the result over the set that it belongs to.
    fn emit_beside(&self, x: X, beside: Self::Beside, result: &Self::Output) -> Self::Emitted;
}
