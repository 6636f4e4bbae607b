//! What the tests have in common.

pub mod operators;
pub mod samples;
