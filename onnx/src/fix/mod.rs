//! Models at other opsets, and models mended.
//!
//! [`convert`] finds the form that a reduction has at another opset. [`others`] holds all other operators against their
//! versions, so that no model is written which another reader refuses. [`target`] tells of all nodes. [`revision`] makes the
//! model that they make: [`edit`] says what is to be changed, and [`rewrite`] makes the bytes of the changed model from those of
//! its file, by the format in [`wire`].

mod convert;
mod edit;
mod others;
mod revision;
mod rewrite;
mod target;
mod wire;

pub use revision::{Revision, Rewritten};
pub use target::{Conversion, Outcome, Target};

#[cfg(test)]
mod tests;
