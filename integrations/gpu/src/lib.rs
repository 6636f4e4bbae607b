#![doc = include_str!("../README.md")]

mod bytes;
mod emit;
mod error;
mod gpu;
pub mod graph;
mod layout;
mod library;
mod prepared;
pub mod print;
mod results;
pub mod run;
mod source;
mod tensor;
pub mod trace;

pub use bytes::Bytes;
pub use error::Error;
pub use gpu::Gpu;
pub use layout::Layout;
pub use library::{Library, PreparedCall, Repeated, RowsOf};
pub use prepared::{Prepared, Started};
pub use source::{Held, Source};
pub use tensor::{DeviceTensor, Uploaded};

/// Compiles and runs the examples of the page of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/gpu.md")]
mod guide {}
