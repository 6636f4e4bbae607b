//! Operators whose accumulators are kept: their results are made later.

use crate::front::one_pass::OnePass;
use crate::front::signature::Signature;
use crate::kernel::{Ending, Fold, Kernel};
use crate::values::chooser::Uncounted;
use crate::values::element::Unrounded;
use crate::values::element::accumulator::Accumulator;
use crate::values::steps::Steps;
use crate::values::stored::Stored;

/// Operators that take tensors of storage type `T` piece by piece: one, or a tuple of them. Every operator that reduces
/// such tensors can.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce tensors of `{T}` piece by piece",
    label = "no row for `{T}`",
    note = "if the type is missing, add it to `dtypes` in the operator's `#[reduce_op(..)]`",
    note = "an operator of several inputs takes a tuple of views, `run(&(a, b))`, and one of a single input takes a view"
)]
pub trait Streams<T: Stored>: OnePass<T> {
    /// The operator's accumulator for the type it computes in; a tuple of those of several.
    type Acc: Accumulator;

    /// The steps of the operator.
    #[doc(hidden)]
    type Steps: Steps<Op = Self, Stored = T, Acc = Self::Acc>;

    /// The result of an accumulator of `count` elements.
    #[doc(hidden)]
    fn result(&self, acc: Self::Acc, count: usize) -> Self::Result;

    /// Whose accumulators they are: the operator with its parameters.
    fn signature(&self) -> Signature {
        let mut operator = String::new();
        self.sign(&mut operator);
        Signature::new(operator, Self::Steps::none(self))
    }

    /// Whether an accumulator of `count` elements has no value.
    #[doc(hidden)]
    fn lacks(acc: Self::Acc, count: usize) -> bool;

    /// The kernel whose results are accumulators.
    #[doc(hidden)]
    fn accumulating() -> &'static Kernel<Self, T, Unrounded<Self::Acc>>;
}

impl<T: Stored, Op: OnePass<T>> Streams<T> for Op {
    type Acc = <Op::Fold as Fold>::Acc;
    type Steps = <Op::Fold as Fold>::Steps;

    fn result(&self, acc: Self::Acc, count: usize) -> Op::Result {
        Op::Ending::store(self, acc, count)
    }

    fn lacks(acc: Self::Acc, count: usize) -> bool {
        Op::lacks_value(acc, count)
    }

    fn accumulating() -> &'static Kernel<Op, T, Unrounded<Self::Acc>> {
        Op::kernel_of_accumulators::<Uncounted>()
    }
}
