//! Operators of nodes, as their attributes and opset say.

use reduce_core::DType;
use reduce_core::nodes::{AttrValue, OpEntry};
use reduce_specs::ONNX;

use super::attributes::Attributes;
use super::elementwise::{Binary, Unary};
use super::refusal::Refusal;
use super::shaping::Bounds;
use crate::file;

/// What a node does.
#[derive(Debug)]
pub(crate) enum Operation {
    /// A reduction, with its attributes.
    Reduce(&'static OpEntry, Vec<(String, AttrValue)>),
    Unary(Unary),
    Binary(Binary),
    /// `Max` and `Min`, which take any number of inputs.
    Fold(Binary),
    Identity,
    Cast(DType),
    CastLike,
    Shape {
        start: i64,
        end: Option<i64>,
    },
    Size,
    Gather {
        axis: i64,
    },
    Concat {
        axis: i64,
    },
    Range,
    /// Axes, or nothing if they are an input.
    Unsqueeze(Option<Vec<i64>>),
    Squeeze(Option<Vec<i64>>),
    /// Sizes, or nothing if they are an input, and whether a size of 0 is 0.
    Reshape(Option<Vec<i64>>, bool),
    /// Bounds, or nothing if they are inputs.
    Slice(Option<Bounds>),
}

/// From which opset on there is an operator of the standard beside the reductions.
pub(super) fn since(op: &str) -> Option<u32> {
    match op {
        "Abs" | "Add" | "Cast" | "Concat" | "Constant" | "Div" | "Exp" | "Gather" | "Identity"
        | "Log" | "Max" | "Min" | "Mul" | "Neg" | "Pow" | "Reshape" | "Shape" | "Size"
        | "Slice" | "Sqrt" | "Squeeze" | "Sub" | "Unsqueeze" => Some(1),
        "Range" => Some(11),
        "CastLike" => Some(15),
        _ => None,
    }
}

impl Operation {
    /// The operation of a node of the standard, other than `Constant`.
    ///
    /// # Errors
    /// If there is no such operator at the opset, or its attributes are not those of the opset.
    pub(super) fn new(op: &str, opset: u32, attrs: Attributes<'_>) -> Result<Self, Refusal> {
        if let Ok(entry) = ONNX.op(op) {
            return Ok(Operation::Reduce(entry, attrs.values()));
        }
        if since(op).is_none_or(|since| opset < since) {
            return Err(Refusal::Wrong(format!("there is no {op} at opset {opset}")));
        }
        let mut attrs = attrs;
        let operation = match arithmetic(op) {
            Some(operation) => {
                old_broadcast(&operation, opset, &mut attrs)?;
                operation
            }
            None => shaping(op, opset, &mut attrs)?,
        };
        attrs.finish()?;
        Ok(operation)
    }

    /// How many inputs there are, at least and at most, in this form.
    pub(super) fn arity(&self, opset: u32) -> (usize, usize) {
        match self {
            Operation::Reduce(..) => (1, 2),
            Operation::Unary(_)
            | Operation::Identity
            | Operation::Cast(_)
            | Operation::Shape { .. }
            | Operation::Size
            | Operation::Squeeze(Some(_))
            | Operation::Unsqueeze(Some(_))
            | Operation::Reshape(Some(_), _)
            | Operation::Slice(Some(_)) => (1, 1),
            // Before 13 no axes are an attribute that is left out.
            Operation::Squeeze(None) => (1, if opset < 13 { 1 } else { 2 }),
            Operation::Binary(_)
            | Operation::CastLike
            | Operation::Gather { .. }
            | Operation::Unsqueeze(None)
            | Operation::Reshape(None, _) => (2, 2),
            Operation::Range => (3, 3),
            Operation::Slice(None) => (3, 5),
            Operation::Fold(_) | Operation::Concat { .. } => (1, usize::MAX),
        }
    }
}

/// An operation that works element by element and has no attributes.
fn arithmetic(op: &str) -> Option<Operation> {
    Some(match op {
        "Abs" => Operation::Unary(Unary::Abs),
        "Exp" => Operation::Unary(Unary::Exp),
        "Log" => Operation::Unary(Unary::Log),
        "Neg" => Operation::Unary(Unary::Neg),
        "Sqrt" => Operation::Unary(Unary::Sqrt),
        "Add" => Operation::Binary(Binary::Add),
        "Sub" => Operation::Binary(Binary::Sub),
        "Mul" => Operation::Binary(Binary::Mul),
        "Div" => Operation::Binary(Binary::Div),
        "Pow" => Operation::Binary(Binary::Pow),
        "Max" => Operation::Fold(Binary::Max),
        "Min" => Operation::Fold(Binary::Min),
        _ => return None,
    })
}

/// Reads the attributes that arithmetic had at first: a hint, and before opset 7 the way to broadcast.
fn old_broadcast(
    operation: &Operation,
    opset: u32,
    attrs: &mut Attributes<'_>,
) -> Result<(), Refusal> {
    if opset < 6 {
        attrs.ints("consumed_inputs")?;
    }
    if opset < 7 && matches!(operation, Operation::Binary(_)) {
        attrs.int("axis")?;
        if attrs.int("broadcast")?.is_some_and(|broadcast| broadcast != 0) {
            let sentence = "the broadcasting of opsets before 7 is not run";
            return Err(Refusal::NotRun(sentence.to_owned()));
        }
    }
    Ok(())
}

fn shaping(op: &str, opset: u32, attrs: &mut Attributes<'_>) -> Result<Operation, Refusal> {
    // What became an input later is an attribute before.
    let axes_before_13 =
        |attrs: &mut Attributes<'_>| if opset < 13 { attrs.ints("axes") } else { Ok(None) };
    Ok(match op {
        "Identity" => Operation::Identity,
        "Size" => Operation::Size,
        "Range" => Operation::Range,
        "Cast" => Operation::Cast(target(opset, attrs)?),
        "CastLike" => {
            rounding(opset, attrs)?;
            Operation::CastLike
        }
        "Shape" if opset < 15 => Operation::Shape { start: 0, end: None },
        "Shape" => {
            Operation::Shape { start: attrs.int("start")?.unwrap_or(0), end: attrs.int("end")? }
        }
        "Gather" => Operation::Gather { axis: attrs.int("axis")?.unwrap_or(0) },
        "Concat" => match (attrs.int("axis")?, opset) {
            (Some(axis), _) => Operation::Concat { axis },
            (None, ..4) => Operation::Concat { axis: 1 },
            _ => return Err("has no attribute `axis`, which it needs".into()),
        },
        "Squeeze" => Operation::Squeeze(axes_before_13(attrs)?),
        "Unsqueeze" => match axes_before_13(attrs)? {
            None if opset < 13 => return Err("has no attribute `axes`, which it needs".into()),
            axes => Operation::Unsqueeze(axes),
        },
        "Reshape" => {
            if opset < 5 {
                attrs.ints("consumed_inputs")?;
            }
            let sizes = if opset < 5 { attrs.ints("shape")? } else { None };
            let zero = if opset < 14 { None } else { attrs.int("allowzero")? };
            match sizes {
                None if opset < 5 => return Err("has no attribute `shape`, which it needs".into()),
                sizes => Operation::Reshape(sizes, zero.unwrap_or(0) != 0),
            }
        }
        // Slice, the one that is left.
        _ if opset < 10 => {
            let (starts, ends) = (attrs.ints("starts")?, attrs.ints("ends")?);
            let needed = "has no attributes `starts` and `ends`, which it needs";
            let (starts, ends) = starts.zip(ends).ok_or(needed)?;
            Operation::Slice(Some(Bounds { starts, ends, axes: attrs.ints("axes")?, steps: None }))
        }
        _ => Operation::Slice(None),
    })
}

/// The type that a `Cast` is to: by its name before opset 6, by its number from then on.
fn target(opset: u32, attrs: &mut Attributes<'_>) -> Result<DType, Refusal> {
    rounding(opset, attrs)?;
    let needed = "has no attribute `to`, which it needs";
    let number = if opset < 6 {
        let name = std::str::from_utf8(attrs.string("to")?.ok_or(needed)?);
        let known = name.ok().and_then(file::proto::tensor_proto::DataType::from_str_name);
        known.map_or(-1, i32::from)
    } else {
        i32::try_from(attrs.int("to")?.ok_or(needed)?).unwrap_or(-1)
    };
    file::dtype(number).map_err(|problem| Refusal::NotRun(format!("its result {problem}")))
}

/// How floats of 8 bits are rounded: to nearest, and those beyond the greatest number to that number.
fn rounding(opset: u32, attrs: &mut Attributes<'_>) -> Result<(), Refusal> {
    if opset >= 19 && attrs.int("saturate")? == Some(0) {
        let problem = "has `saturate` = 0, which is not run; leave it out to saturate";
        return Err(Refusal::NotRun(problem.to_owned()));
    }
    if opset >= 24 {
        attrs.string("round_mode")?;
    }
    Ok(())
}
