//! The standard: the operators accept, refuse and give what ONNX says of them, in every version.
//!
//! The expected results come from the standard's data (`facts`), from an oracle written from its
//! text (`reduce_tests::oracle`), or from literals (`tables`). They never come from the specs under
//! test: the registry of these only says what there is to test.

mod axes;
mod convert;
mod convert_rows;
mod facts;
mod forms;
mod infer;
mod matrix;
mod meaning;
mod operators_page;
mod problems;
mod schemas;
mod shapes;
mod tables;
mod validation;
