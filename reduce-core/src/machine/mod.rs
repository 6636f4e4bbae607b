//! The machine: what is asked of the CPU that the compiler does not find by itself in safe code.
//!
//! This folder has levels of features and their detection, and in `levels/` the steps of kernels that want
//! particular instructions. It has caches and fetching ahead, memory that cannot be had, and threads that work
//! together. An element is its bits here: nothing knows what is computed.
//!
//! All is safe to call: a level comes with its proof, and bounds are checked once per call.

mod barrier;
pub(crate) mod bits;
pub(crate) mod caches;
pub(crate) mod code;
pub(crate) mod float8;
pub(crate) mod half_bits;
mod incomplete;
mod index;
pub(crate) mod level;
mod levels;
pub(crate) mod memory;
mod prefetch;
pub(crate) mod team;
mod transpose;

pub(crate) use barrier::{barrier, opaque, settle, settled};
pub(crate) use caches::{FAR_AHEAD, LINE, Machine};
pub(crate) use code::{TURNED, TURNED_COLUMNS, TURNED_ROWS};
pub(crate) use incomplete::stage;
pub(crate) use index::{index_f32, index_f64};
pub(crate) use prefetch::prefetch;
pub(crate) use transpose::transpose;
