//! Operators whose accumulators are kept: their results are made later.

use crate::facts::schema::Empty;
use crate::front::one_pass::OnePass;
use crate::front::signature::Signature;
use crate::kernel::{Fold, Folds, Keepable, Kernel, Unfinished, of_fold};
use crate::values::accumulator::Accumulator;
use crate::values::element::Unrounded;
use crate::values::stored::Stored;

/// How an operator folds elements of a type.
type FoldOf<Op, T> = <<Op as OnePass<T>>::Fold as Folds<Op, T, <Op as OnePass<T>>::Result>>::Fold;

/// That an operator, or a tuple of operators, can take tensors of a storage type piece by
/// piece: every operator that reduces them can, but [`Masked`](crate::Masked) and
/// [`SkipNan`](crate::SkipNan) cannot.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce tensors of `{T}` piece by piece",
    label = "no row for `{T}`",
    note = "if the type is missing, add it to `dtypes` in the operator's `#[reduce_op(..)]`",
    note = "an operator of several inputs takes a tuple of views, `run(&(a, b))`, and one of a single input takes a view"
)]
pub trait Streams<T: Stored>: OnePass<T, Fold: Keepable> {
    /// The operator's accumulator for the type it computes in; a tuple of those of several.
    type Acc: Accumulator;

    /// How one lane folds.
    #[doc(hidden)]
    type Lane: Fold<Op = Self, Stored = T, Output = Self::Result, Acc = Self::Acc>;

    /// Whose accumulators they are: the operator with its parameters.
    fn signature(&self) -> Signature {
        let mut operator = String::new();
        self.sign(&mut operator);
        Signature::new(operator, Self::Lane::none(self))
    }

    /// The kernel whose results are accumulators.
    #[doc(hidden)]
    fn kernel_of_accumulators() -> &'static Kernel<Self, T, Unrounded<Self::Acc>> {
        const { &of_fold::<Unfinished<Self::Lane>, _, T, _>(Self::LANES, Empty::Identity) }
    }
}

impl<T: Stored, Op: OnePass<T, Fold: Keepable>> Streams<T> for Op {
    type Acc = <FoldOf<Op, T> as Fold>::Acc;
    type Lane = FoldOf<Op, T>;
}
