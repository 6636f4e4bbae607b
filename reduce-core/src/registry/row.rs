//! Rows: kernels found by the type of their input.

use std::fmt;

use crate::dtype::DType;
use crate::element::Element;
use crate::error::Error;
use crate::op::{OpSpec, Reduces};
use crate::reduction::Reduction;
use crate::tensor::{AnyTensor, AnyView};

/// The kernel of an operator for one storage type, its types erased.
pub struct Row<Op> {
    dtype: DType,
    run: RunAny<Op>,
}

/// Runs a reduction if the input is of the row's type.
type RunAny<Op> = fn(&Reduction<Op>, &AnyView<'_>) -> Option<Result<AnyTensor, Error>>;

impl<Op: OpSpec> Row<Op> {
    /// The row for storage type `T`.
    pub const fn new<T: Element>() -> Self
    where
        Op: Reduces<T>,
    {
        Row {
            dtype: T::DTYPE,
            run: |reduction, input| {
                let view = T::view_of(input)?;
                Some(reduction.run(view).map(AnyTensor::from))
            },
        }
    }

    /// The row's result, or nothing if the input is of another type.
    pub(crate) fn run(
        &self,
        reduction: &Reduction<Op>,
        input: &AnyView<'_>,
    ) -> Option<Result<AnyTensor, Error>> {
        (self.run)(reduction, input)
    }
}

impl<Op> fmt::Debug for Row<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Row({})", self.dtype)
    }
}
