//! ONNX files: the few messages that a model of reductions is made of.
//!
//! [`Model`] is a model in its file, with the tensors that are in others.
//! [`proto`] is generated from `proto/onnx.proto`, which says how. What a file
//! holds is converted here to what `reduce-core` takes.

/// The messages of the ONNX format, as far as this crate reads them. Fields that are not here are passed over, and kept by
/// what changes a model.
///
/// ```
/// use reduce_onnx::Model;
/// use reduce_onnx::proto::{GraphProto, ModelProto, NodeProto, OperatorSetIdProto};
///
/// let node = NodeProto {
///     op_type: "ReduceSum".to_owned(),
///     input: vec!["x".to_owned()],
///     output: vec!["y".to_owned()],
///     ..NodeProto::default()
/// };
/// let graph = GraphProto { name: "main".to_owned(), node: vec![node], ..GraphProto::default() };
/// let proto = ModelProto {
///     ir_version: 8,
///     opset_import: vec![OperatorSetIdProto { domain: String::new(), version: 13 }],
///     graph: Some(graph),
///     ..ModelProto::default()
/// };
/// let model = Model::from_proto(&proto)?;
/// let report = model.check();
/// let problem = report.problems().next().expect("there is no `x`");
/// assert_eq!(problem.fact(), "nothing gives `x`");
/// # Ok::<(), reduce_onnx::Error>(())
/// ```
#[rustfmt::skip]
#[path = "generated.rs"]
#[allow(
    missing_docs,
    unreachable_pub,
    clippy::doc_markdown,
    reason = "written by prost-build; see proto/README.md"
)]
pub mod proto;
mod attribute;
mod constant;
mod disk;
mod external;
mod model;
mod node;
mod opset;
#[cfg(test)]
mod sample;
mod tensor;

pub(crate) use attribute::attribute;
pub(crate) use opset::{NoOpset, Opset, check_opset, imported, is_standard, standard_name};
pub(crate) use tensor::dtype;

pub use model::Model;
pub use node::node;
pub use tensor::{read_tensor, write_tensor};
