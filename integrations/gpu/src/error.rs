//! What can go wrong.

use std::fmt;

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
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Reduction(error) => error.fmt(f),
            Error::Untraceable(error) => error.fmt(f),
            Error::Device(error) => error.fmt(f),
        }
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
