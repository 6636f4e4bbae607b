//! Devices, and kernels that run on them.

mod adapter;
mod device;
mod emission;
mod error;
mod kernel;
mod passes;
mod probe;
mod tiles;

pub use adapter::{Adapter, Kind};
pub(crate) use device::{Buffer, Device};
pub(crate) use emission::Emission;
pub use error::DeviceError;
pub(crate) use passes::{Came, Reducing};
pub(crate) use probe::probe;
pub(crate) use tiles::Numbers;
