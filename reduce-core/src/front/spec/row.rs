//! Rows: kernels found by the types of their inputs.

use std::fmt;

use super::{OpSpec, Reduces};
use crate::facts::dtype::DType;
use crate::facts::error::ErrorKind;
use crate::kernel::{Emissions, OpEmission, OpKernel};
use crate::values::stored::Stored;

/// The kernel of an operator for one storage type, or for one of each input, its types erased.
pub struct Row<Op> {
    inputs: &'static [DType],
    kernel: fn() -> OpKernel<Op>,
    emissions: Option<fn() -> Emissions<Op>>,
}

impl<Op: OpSpec> Row<Op> {
    /// The row for storage type `T`.
    pub const fn new<T: Stored>() -> Self
    where
        Op: Reduces<T>,
    {
        let kernel = || <Op as Reduces<T>>::kernel().of_op();
        Row { inputs: T::DTYPES, kernel, emissions: Op::EMISSIONS }
    }

    /// The row for inputs of these types, over which nothing emits.
    pub(super) const fn found(inputs: &'static [DType], kernel: fn() -> OpKernel<Op>) -> Self {
        Row { inputs, kernel, emissions: None }
    }

    /// The type of each input.
    pub fn inputs(&self) -> &'static [DType] {
        self.inputs
    }

    /// The kernel.
    pub(super) fn kernel(&self) -> OpKernel<Op> {
        (self.kernel)()
    }

    /// How the operator emits over elements of these types, alone or with others beside them, if its spec says that it does.
    pub(super) fn emission(&self, has_others: bool) -> Option<OpEmission<Op>> {
        let Emissions { alone, beside } = (self.emissions?)();
        if has_others { beside } else { alone }
    }
}

impl<Op> fmt::Debug for Row<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Row").field(&self.inputs).finish()
    }
}

/// The error of an operator that has these rows, and none for inputs of these types.
pub(crate) fn no_row<Op>(rows: &[Row<Op>], inputs: &[DType]) -> ErrorKind {
    let found = inputs.len();
    match rows.first().map_or(1, |row| row.inputs.len()) {
        expected if expected != found => ErrorKind::InputCount { expected, found },
        _ => {
            // The first input that no row has in its place.
            let at = |place: usize| rows.iter().map(move |row| row.inputs[place]);
            let other = |&place: &usize| at(place).all(|dtype| dtype != inputs[place]);
            let place = (0..found).find(other).unwrap_or(0);
            let mut allowed: Vec<_> = at(place).collect();
            allowed.dedup();
            ErrorKind::DTypeNotAllowed { dtype: inputs[place], allowed, elsewhere: Vec::new() }
        }
    }
}
