//! The standard: the operators accept, refuse and give what ONNX says of them, in every version.
//!
//! What is expected comes from the standard's data (`facts`), from an oracle that was written from
//! its text (`reduce_tests::oracle`), or stands there as literals (`tables`); never from the specs
//! under test, whose registry only says what there is to test.

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
