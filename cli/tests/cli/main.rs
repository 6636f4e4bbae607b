//! The binary, run as a user runs it.

mod conformance;
mod errors;
mod hostile;
mod lists;
mod run;
mod support;
mod tour;
