//! The binary, run as a user runs it.

mod bench;
mod check;
mod chosen;
mod conformance;
mod errors;
mod hostile;
mod limits;
mod lists;
mod model;
mod onnx;
mod run;
mod support;
mod tour;
