#![doc = include_str!("../README.md")]

mod bytes;
mod emit;
mod error;
mod gpu;
pub mod graph;
mod library;
pub mod print;
mod results;
pub mod run;
mod source;
mod tensor;
pub mod trace;

pub use bytes::Bytes;
pub use error::Error;
pub use gpu::{Gpu, Prepared};
pub use library::{Library, PreparedCall, Repeated, RowsOf};
pub use source::{Held, Source};
pub use tensor::{DeviceTensor, Uploaded};
