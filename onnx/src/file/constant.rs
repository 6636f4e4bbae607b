//! Nodes `Constant`: a tensor that an attribute holds.

use reduce_core::{AnyTensor, Element, Tensor};

use super::proto::attribute_proto::AttributeType;
use super::proto::{NodeProto, TensorProto};

/// The tensor that a node `Constant` gives, by the one of its attributes whose name begins with `value`, with a way
/// to read the tensors of a model.
pub(super) fn by(
    node: &NodeProto,
    tensor: impl Fn(&TensorProto) -> Result<AnyTensor, String>,
) -> Result<AnyTensor, String> {
    let mut values = node.attribute.iter().filter(|attr| attr.name != "sparse_value");
    let (Some(attr), None) = (values.next(), values.next()) else {
        return Err("Constant has no single dense value".to_owned());
    };
    match (attr.name.as_str(), attr.r#type(), &attr.t) {
        ("value", AttributeType::Tensor, Some(proto)) => {
            tensor(proto).map_err(|problem| format!("the value of Constant {problem}"))
        }
        ("value_int", AttributeType::Int, _) => of(vec![attr.i], &[]),
        ("value_ints", AttributeType::Ints, _) => of(attr.ints.clone(), &[attr.ints.len()]),
        ("value_float", AttributeType::Float, _) => of(vec![attr.f], &[]),
        ("value_floats", AttributeType::Floats, _) => of(attr.floats.clone(), &[attr.floats.len()]),
        (name, ..) => Err(format!("Constant has no number in `{name}`")),
    }
}

fn of<T: Element>(values: Vec<T>, shape: &[usize]) -> Result<AnyTensor, String>
where
    AnyTensor: From<Tensor<T>>,
{
    Tensor::new(values, shape).map(AnyTensor::from).map_err(|error| error.to_string())
}
