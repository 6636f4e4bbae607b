//! Facts: what is known of a reduction before any memory is looked at.
//!
//! This is the lowest floor. It has types and shapes by name, axes, and the versions and attributes of an
//! operator. It has the CPU levels there are, the threads that a caller allows, how far they are, and everything that can be
//! wrong with a request. All of it is plain data. Nothing here knows an element or an instruction.

pub(crate) mod axes;
pub(crate) mod dtype;
pub(crate) mod error;
pub(crate) mod level;
pub(crate) mod level_table;
pub(crate) mod order;
pub(crate) mod progress;
pub(crate) mod schema;
pub(crate) mod shape;
pub(crate) mod threads;
pub(crate) mod window;
