//! Specs of operators whose results have a length that is a parameter.

use super::{OpSpec, Row};
use crate::facts::schema::{DTypeSchema, Empty, ResultLength};
use crate::facts::window::Window;
use crate::kernel::SliceKernel;
use crate::values::element::Slot;
use crate::values::reader::Reader;
use crate::values::slices::ReduceSlice;
use crate::values::stored::Stored;
use crate::values::written::EachWritten;

/// An operator of slices with a kernel for storage type `T`; written by [`#[reduce_op]`](macro@crate::reduce_op), not by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce tensors of `{T}` to arrays",
    label = "no row for `{T}`",
    note = "if the type is missing, add it to `dtypes` in the operator's `#[reduce_op(..)]`",
    note = "an operator of several inputs takes a tuple of views, `arrays(&(a, b))`, and one of a single input takes a view"
)]
pub trait ReducesSlices<T: Stored>: OpSpec {
    /// The reader that makes elements of the operator of stored values.
    type Reader: Reader<T>;

    /// The storage type of an element of the result, or a tuple of those of several results.
    type Output: EachWritten;

    /// The value over no elements.
    const EMPTY: Empty;

    /// The kernel.
    #[doc(hidden)]
    fn kernel() -> &'static SliceKernel<Self, T, Self::Output>;
}

impl<Op: OpSpec> Row<Op> {
    /// The row of an operator of slices for storage type `T`.
    pub const fn of_slices<T: Stored>() -> Self
    where
        Op: ReducesSlices<T>,
    {
        Self::found(T::DTYPES, || {
            let kernel = <Op as ReducesSlices<T>>::kernel();
            kernel.of_op(|op| op.array_length().unwrap_or(0))
        })
    }
}

impl DTypeSchema {
    /// The row of an operator of slices for storage type `T`; written by `#[reduce_op]`.
    #[doc(hidden)]
    pub const fn of_slices<Op: ReducesSlices<T>, T: Stored>(
        window: Window,
        compute: &'static str,
        parameter: &'static str,
    ) -> Self {
        let (input, output) = (T::DTYPES[0], <Op as ReducesSlices<T>>::Output::DTYPE);
        let length = ResultLength::Parameter(parameter);
        let empty = <Op as ReducesSlices<T>>::EMPTY;
        DTypeSchema { window, input, compute, output, length, empty }
    }
}

/// The length that a parameter says: 0 if it is none.
#[doc(hidden)]
pub fn array_length(parameter: i64) -> Option<usize> {
    Some(usize::try_from(parameter).unwrap_or(0))
}

/// What an operator of slices says is wrong with its parameters.
#[doc(hidden)]
pub fn refused_slices<Op, T>(op: &Op) -> Option<String>
where
    T: Stored,
    Op: ReducesSlices<T> + ReduceSlice<<<Op as ReducesSlices<T>>::Reader as Reader<T>>::Element>,
{
    op.refuses()
}
