//! The binary, run as a user runs it.

mod bench;
mod chosen;
mod conformance;
mod errors;
mod hostile;
mod limits;
mod lists;
mod run;
mod several;
mod support;
mod tour;
