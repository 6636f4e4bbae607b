//! Attributes, as `reduce-core` validates them.

use reduce_core::nodes::AttrValue;

use super::proto::AttributeProto;
use super::proto::attribute_proto::AttributeType;

/// The name of an attribute, and its value; of kinds that no reduction has, which kind it is.
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
