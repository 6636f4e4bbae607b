//! What is known of the values that a reduction reads, before the model runs.

use reduce_core::nodes::{AxesInput, Dim, PartialShape};
use reduce_core::{AnyTensor, DType};

use super::reference::Env;
use crate::file::proto::tensor_shape_proto::dimension::Value as Size;
use crate::file::proto::{TensorProto, ValueInfoProto};
use crate::file::{Model, dtype, is_standard};
use crate::map::{Found, Map, Source};

/// The type of a value's elements.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Unknown,
    Of(DType),
    /// One of no reduction; a sentence without its subject.
    Other(String),
}

/// Type and shape of a value, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KnownValue {
    pub(crate) dtype: Type,
    pub(crate) shape: PartialShape,
}

impl Type {
    /// The type that has this number in the model.
    fn of(number: i32) -> Self {
        match number {
            0 => Type::Unknown,
            _ => dtype(number).map_or_else(Type::Other, Type::Of),
        }
    }
}

impl KnownValue {
    fn unknown() -> Self {
        KnownValue { dtype: Type::Unknown, shape: PartialShape::unknown() }
    }

    fn of_info(info: &ValueInfoProto) -> Self {
        let tensor = info.r#type.as_ref().and_then(|of| of.tensor_type.as_ref());
        let Some(tensor) = tensor else { return KnownValue::unknown() };
        let size = |size: &Option<Size>| match size {
            Some(Size::DimValue(size)) => usize::try_from(*size).map_or(Dim::Unknown, Dim::Known),
            Some(Size::DimParam(name)) if !name.is_empty() => Dim::Named(name.clone()),
            _ => Dim::Unknown,
        };
        let shape = tensor
            .shape
            .as_ref()
            .map(|shape| PartialShape::new(shape.dim.iter().map(|dim| size(&dim.value))));
        KnownValue { dtype: Type::of(tensor.elem_type), shape: shape.unwrap_or_default() }
    }

    fn of_tensor(tensor: &TensorProto) -> Self {
        let size = |&size: &i64| usize::try_from(size).map_or(Dim::Unknown, Dim::Known);
        let shape = PartialShape::new(tensor.dims.iter().map(size));
        KnownValue { dtype: Type::of(tensor.data_type), shape }
    }

    /// What the model says of a value: where its type is declared, or by the tensor itself.
    pub(crate) fn of(map: &Map<'_>, model: &Model, found: &Found<'_>) -> Self {
        let declared = found.info.map_or_else(KnownValue::unknown, KnownValue::of_info);
        let own = match found.source {
            Source::Initializer(tensor) => KnownValue::of_tensor(tensor),
            Source::Node(_) => {
                let constant = constant(map, model, found, None).and_then(Result::ok);
                let made = || made(map, model, found, MOST_NODES);
                constant.map_or_else(made, |tensor| KnownValue {
                    dtype: Type::Of(tensor.dtype()),
                    shape: tensor.shape().into(),
                })
            }
            Source::Caller | Source::Sparse => KnownValue::unknown(),
        };
        let dtype = if own.dtype == Type::Unknown { declared.dtype } else { own.dtype };
        let shape = if own.shape.rank().is_none() { declared.shape } else { own.shape };
        KnownValue { dtype, shape }
    }
}

/// Nodes one behind the other that are looked at for a type.
const MOST_NODES: usize = 64;

/// Operators whose result has the type and the shape of their first input.
const LIKE_INPUT: [&str; 15] = [
    "Identity",
    "Cast",
    "Abs",
    "Neg",
    "Exp",
    "Log",
    "Sqrt",
    "Relu",
    "Sigmoid",
    "Tanh",
    "Erf",
    "Softmax",
    "LogSoftmax",
    "Clip",
    "LeakyRelu",
];

/// Operators whose result has the type of their first input, and a shape of its own.
const OF_ONE_TYPE: [&str; 13] = [
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Pow",
    "Reshape",
    "Transpose",
    "Squeeze",
    "Unsqueeze",
    "Slice",
    "Concat",
    "MatMul",
    "Gather",
];

/// What follows of a value from the operator that makes it, and from its inputs.
fn made(map: &Map<'_>, model: &Model, found: &Found<'_>, most: usize) -> KnownValue {
    let Source::Node(index) = found.source else { return KnownValue::of(map, model, found) };
    let node = &map.scopes[found.scope].nodes[index];
    if !is_standard(&node.domain) || most == 0 {
        return KnownValue::unknown();
    }
    let op = node.op_type.as_str();
    let first = || {
        let first = node.input.first().and_then(|name| map.find(found.scope, name));
        // A node that reads itself, or what is behind it, is told elsewhere.
        let before = first.filter(|first| match first.source {
            Source::Node(at) => first.scope != found.scope || at < index,
            _ => true,
        });
        before.map_or_else(KnownValue::unknown, |first| match first.info.map(KnownValue::of_info) {
            Some(value) if value.dtype != Type::Unknown => value,
            _ => made(map, model, &first, most - 1),
        })
    };
    match op {
        "Shape" | "Size" => KnownValue { dtype: Type::Of(DType::I64), ..KnownValue::unknown() },
        "Cast" => {
            let to = node.attribute.iter().find(|attr| attr.name == "to");
            let number = to.and_then(|to| i32::try_from(to.i).ok()).unwrap_or_default();
            KnownValue { dtype: Type::of(number), ..first() }
        }
        _ if LIKE_INPUT.contains(&op) => first(),
        _ if OF_ONE_TYPE.contains(&op) => {
            KnownValue { dtype: first().dtype, ..KnownValue::unknown() }
        }
        _ => KnownValue::unknown(),
    }
}

/// Elements of the longest tensor that is read for its elements: more axes than any tensor has.
const MOST: i64 = 1 << 20;

/// The tensor, if the model has it: an initializer, or what a node `Constant` gives.
fn constant(
    map: &Map<'_>,
    model: &Model,
    found: &Found<'_>,
    env: Option<&Env<'_>>,
) -> Option<Result<AnyTensor, String>> {
    let is_short = |tensor: &TensorProto| {
        let product = |all: i64, size: &i64| all.checked_mul(*size);
        tensor.dims.iter().try_fold(1, product).is_some_and(|count| count <= MOST)
    };
    match found.source {
        Source::Initializer(tensor) if is_short(tensor) => Some(model.read(tensor)),
        Source::Node(index) => {
            let node = &map.scopes[found.scope].nodes[index];
            let is_constant = is_standard(&node.domain) && node.op_type == "Constant";
            if !is_constant
                || !node.attribute.iter().filter_map(|attr| attr.t.as_ref()).all(is_short)
            {
                return None;
            }
            if node.attribute.iter().all(|attr| attr.ref_attr_name.is_empty()) {
                return Some(model.constant(node));
            }
            Some(model.constant(&env?.resolved(node)?))
        }
        _ => None,
    }
}

/// The axes that a name means: known from the model alone, or only when it runs.
///
/// # Errors
/// A sentence without its subject, if the model has a tensor that cannot be read.
pub(crate) fn axes(
    map: &Map<'_>,
    model: &Model,
    found: &Found<'_>,
    env: &Env<'_>,
) -> Result<AxesInput, String> {
    if let Some(tensor) = constant(map, model, found, Some(env)) {
        return tensor.map(AxesInput::Static);
    }
    let value = KnownValue::of(map, model, found);
    match value.dtype {
        Type::Unknown => Ok(AxesInput::Runtime { dtype: DType::I64, shape: value.shape }),
        Type::Of(dtype) => Ok(AxesInput::Runtime { dtype, shape: value.shape }),
        Type::Other(problem) => Err(problem),
    }
}
