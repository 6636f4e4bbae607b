//! The fuzz targets share a bound on memory, files, and arrays and messages held against one another.

mod memory;
mod stack;

pub mod arrays;
pub mod message;
pub mod scratch;

pub use memory::within;
pub use stack::prepare;
