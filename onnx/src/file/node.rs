//! Nodes, as `reduce-core` validates them.

use reduce_core::DType;
use reduce_core::nodes::Node;

use super::attribute;
use super::proto::NodeProto;

/// A node of a model, as [`Registry::prepare`](reduce_core::nodes::Registry::prepare) takes it: its attributes, at an opset,
/// over data of a type.
///
/// A registry may need two more things. [`Node::axes`] says the axes, if a second input gives them. [`Node::shape`] says the
/// shape of the data, if it is known.
///
/// ```
/// use reduce_core::DType;
/// use reduce_onnx::{Model, node};
/// use reduce_specs::ONNX;
///
/// let model = Model::open("data/rms.onnx")?;
/// let opset = model.opset().expect("one is imported");
/// let graph = model.proto().graph.as_ref().expect("a model has one");
/// let mean = graph.node.iter().find(|node| node.op_type == "ReduceMean").expect("one mean");
/// let call = ONNX.prepare(&mean.op_type, &node(mean, opset, DType::F32))?;
/// assert_eq!(call.name(), "ReduceMean");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn node(proto: &NodeProto, opset: u32, dtype: DType) -> Node {
    let attributes = proto.attribute.iter().map(attribute);
    attributes.fold(Node::new(opset, dtype), |node, (name, value)| node.attr(&name, value))
}
