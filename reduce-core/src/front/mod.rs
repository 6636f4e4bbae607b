//! The front: what a caller builds and runs.
//!
//! [`Reduction`](crate::Reduction) and what makes one of it: planned, started from a value, computed in
//! another type, in pieces, sent back over its elements. Operators meet tensors here: a spec names a
//! kernel per storage type, an input is planned, the kernel runs, and results go where they belong.

// First, and so the first whose methods of `Reduction` rustdoc shows.
pub(crate) mod reduction;

pub(crate) mod adapt;
#[cfg(feature = "ndarray")]
pub(crate) mod arrays;
#[cfg(feature = "arrow")]
pub(crate) mod arrow;
mod cascade;
pub(crate) mod chosen;
pub(crate) mod emit;
pub(crate) mod groups;
pub(crate) mod laws;
pub(crate) mod numbering;
pub(crate) mod one_pass;
pub(crate) mod planned;
mod run;
mod scalars;
pub(crate) mod scan;
pub(crate) mod settings;
pub(crate) mod signature;
mod slices;
pub(crate) mod spec;
pub(crate) mod stream;
