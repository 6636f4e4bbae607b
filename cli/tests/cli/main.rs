//! The binary, run as a user runs it.

mod archives;
mod bench;
mod check;
mod chosen;
mod conformance;
mod digest;
mod errors;
mod formats;
mod hostile;
mod kills;
mod limits;
mod lists;
mod manners;
mod model;
mod onnx;
mod run;
mod several;
mod shown;
mod streams;
mod support;
mod tour;
mod writing;
