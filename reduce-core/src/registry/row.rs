//! Rows: kernels found by the types of their inputs.

use std::fmt;

use crate::dtype::DType;
use crate::element::Written;
use crate::error::Error;
use crate::kernel::Stored;
use crate::op::{OpSpec, Reduces};
use crate::reduction::Reduction;
use crate::tensor::{AnyTensor, AnyView};

/// The kernel of an operator for one storage type, or one of each input, its types
/// erased.
pub struct Row<Op> {
    inputs: &'static [DType],
    run: RunAny<Op>,
}

/// Runs a reduction if the inputs are of the row's types.
type RunAny<Op> = fn(&Reduction<Op>, &[AnyView<'_>]) -> Option<Result<Vec<AnyTensor>, Error>>;

impl<Op: OpSpec> Row<Op> {
    /// The row for storage type `T`.
    pub const fn new<T: Stored>() -> Self
    where
        Op: Reduces<T>,
    {
        Row {
            inputs: T::DTYPES,
            run: |reduction, inputs| {
                let views = T::views(inputs)?;
                Some(reduction.run(&views).map(<Op as Reduces<T>>::Output::any))
            },
        }
    }

    /// The type of each input.
    pub fn inputs(&self) -> &'static [DType] {
        self.inputs
    }

    /// The row's results, or nothing if the inputs are of other types.
    pub(crate) fn run(
        &self,
        reduction: &Reduction<Op>,
        inputs: &[AnyView<'_>],
    ) -> Option<Result<Vec<AnyTensor>, Error>> {
        (self.run)(reduction, inputs)
    }
}

impl<Op> fmt::Debug for Row<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Row").field(&self.inputs).finish()
    }
}
