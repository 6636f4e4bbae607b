//! What can go wrong.

use std::fmt;

use reduce_core::DType;

use crate::run::DeviceError;
use crate::trace::Untraceable;

/// Why a reduction has no result on a device.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// It would have none on the CPU either.
    Reduction(reduce_core::Error),
    /// A step of its operator cannot be traced.
    Untraceable(Untraceable),
    /// The device cannot do it.
    Device(DeviceError),
    /// A library has no such operator for inputs of these types.
    NoRow {
        /// The operator.
        operator: &'static str,
        /// The types of the inputs.
        inputs: Vec<DType>,
        /// The types that there are.
        rows: Vec<&'static [DType]>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Reduction(error) => error.fmt(f),
            Error::Untraceable(error) => error.fmt(f),
            Error::Device(error) => error.fmt(f),
            Error::NoRow { operator, rows, .. } if rows.is_empty() => {
                write!(
                    f,
                    "operator `{operator}` is not in the library; add it with `Library::with`"
                )
            }
            Error::NoRow { operator, inputs, rows } => {
                let rows: Vec<String> = rows.iter().map(|row| types(row)).collect();
                let (found, rows) = (types(inputs), rows.join(", "));
                write!(
                    f,
                    "the library has operator `{operator}` not over {found}; choose from {rows}"
                )
            }
        }
    }
}

/// The type of one input, or a tuple of those of several.
fn types(inputs: &[DType]) -> String {
    let names: Vec<String> = inputs.iter().map(|dtype| format!("`{dtype}`")).collect();
    match &names[..] {
        [name] => name.clone(),
        names => format!("({})", names.join(", ")),
    }
}

impl std::error::Error for Error {}

impl From<reduce_core::Error> for Error {
    fn from(error: reduce_core::Error) -> Self {
        Error::Reduction(error)
    }
}

impl From<Untraceable> for Error {
    fn from(error: Untraceable) -> Self {
        Error::Untraceable(error)
    }
}

impl From<DeviceError> for Error {
    fn from(error: DeviceError) -> Self {
        Error::Device(error)
    }
}
