//! What the tests have in common.

pub(crate) mod operators;
pub(crate) mod samples;
