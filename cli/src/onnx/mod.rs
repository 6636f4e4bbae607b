//! ONNX files: the few messages that a model of reductions is made of.
//!
//! [`File`] is a model in its file, with the tensors that are in others.
//! [`proto`] is generated from `proto/onnx.proto`, which says how. What a file
//! holds is converted here to what `reduce-core` takes.

#[rustfmt::skip]
#[path = "generated.rs"]
#[allow(
    missing_docs,
    unreachable_pub,
    clippy::doc_markdown,
    reason = "written by prost-build; see proto/README.md"
)]
pub(crate) mod proto;
mod constant;
mod external;
mod file;
mod opset;
mod tensor;

use prost::Message;
use reduce_core::AnyTensor;
use reduce_core::nodes::AttrValue;

use proto::attribute_proto::AttributeType;
use proto::{AttributeProto, TensorProto};

pub(crate) use file::File;
pub(crate) use opset::{NoOpset, Opset, imported};
pub(crate) use tensor::{dtype, tensor};

/// The tensor in the contents of a file.
pub(crate) fn parse_tensor(file: &[u8]) -> Result<AnyTensor, String> {
    let proto = TensorProto::decode(file).map_err(|error| damaged(&error))?;
    tensor(&proto)
}

/// Whether a domain is that of the standard, by either of its names.
pub(crate) fn is_standard(domain: &str) -> bool {
    domain.is_empty() || domain == "ai.onnx"
}

/// The domain, by the shorter of the two names of the standard's.
pub(crate) fn standard_name(domain: &str) -> &str {
    if is_standard(domain) { "" } else { domain }
}

/// What is wrong with a model that has nothing to run.
pub(crate) const NO_GRAPH: &str = "has no graph, so it is no model; name a whole one";

fn damaged(error: &prost::DecodeError) -> String {
    format!("is damaged or no ONNX file ({error})")
}

/// An attribute as `reduce-core` validates it.
pub(crate) fn attribute(attr: &AttributeProto) -> (String, AttrValue) {
    let value = match attr.r#type() {
        AttributeType::Int => AttrValue::Int(attr.i),
        AttributeType::Ints => AttrValue::Ints(attr.ints.clone()),
        AttributeType::Float => AttrValue::Float(attr.f.into()),
        AttributeType::Floats => AttrValue::Other("a list of floats"),
        AttributeType::String => AttrValue::Other("a string"),
        AttributeType::Strings => AttrValue::Other("a list of strings"),
        AttributeType::Tensor | AttributeType::SparseTensor => AttrValue::Other("a tensor"),
        AttributeType::Tensors | AttributeType::SparseTensors => {
            AttrValue::Other("a list of tensors")
        }
        AttributeType::Graph => AttrValue::Other("a graph"),
        AttributeType::Graphs => AttrValue::Other("a list of graphs"),
        AttributeType::TypeProto => AttrValue::Other("a type"),
        AttributeType::TypeProtos => AttrValue::Other("a list of types"),
        AttributeType::Undefined => AttrValue::Other("a value of no type"),
    };
    (attr.name.clone(), value)
}
