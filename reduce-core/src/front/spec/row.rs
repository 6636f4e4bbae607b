//! Rows: kernels found by the types of their inputs.

use std::fmt;

use super::{OpSpec, Reduces};
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::kernel::OpKernel;
use crate::values::stored::Stored;

/// The kernel of an operator for one storage type, or for one of each input, its types erased.
pub struct Row<Op> {
    inputs: &'static [DType],
    kernel: fn() -> OpKernel<Op>,
}

impl<Op: OpSpec> Row<Op> {
    /// The row for storage type `T`.
    pub const fn new<T: Stored>() -> Self
    where
        Op: Reduces<T>,
    {
        Row { inputs: T::DTYPES, kernel: || <Op as Reduces<T>>::kernel().of_op() }
    }

    /// The type of each input.
    pub fn inputs(&self) -> &'static [DType] {
        self.inputs
    }

    /// The kernel of the operator for inputs of these types.
    ///
    /// # Errors
    /// If it has no such row.
    pub(crate) fn kernel_for(inputs: &[DType]) -> Result<OpKernel<Op>, Error> {
        match Op::ROWS.iter().find(|row| row.inputs == inputs) {
            Some(row) => Ok((row.kernel)()),
            None => Err(no_row::<Op>(inputs).into()),
        }
    }
}

impl<Op> fmt::Debug for Row<Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Row").field(&self.inputs).finish()
    }
}

/// The error of an operator without a row for inputs of these types.
pub(crate) fn no_row<Op: OpSpec>(inputs: &[DType]) -> ErrorKind {
    let found = inputs.len();
    match Op::ROWS.first().map_or(1, |row| row.inputs().len()) {
        expected if expected != found => ErrorKind::InputCount { expected, found },
        _ => {
            // The first input that no row has in its place.
            let at = |place: usize| Op::ROWS.iter().map(move |row| row.inputs()[place]);
            let other = |&place: &usize| at(place).all(|dtype| dtype != inputs[place]);
            let place = (0..found).find(other).unwrap_or(0);
            let mut allowed: Vec<_> = at(place).collect();
            allowed.dedup();
            ErrorKind::DTypeNotAllowed { dtype: inputs[place], allowed, elsewhere: Vec::new() }
        }
    }
}
