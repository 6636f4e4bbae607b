//! Conversion of a node to another opset, with the same meaning.
//!
//! Attributes that the target lacks are dropped where they say what the target
//! does anyway. Axes move between attribute and input. What has no form at the
//! target is an error that says why.

use super::axes::CheckedAxes;
use super::validate::{Checked, check, check_dtype};
use super::{
    AXES, AttrDefault, AttrSchema, AttrValue, KEEPDIMS, NOOP_WITH_EMPTY_AXES, Node, OpSchema,
    VersionSchema, Window,
};
use crate::error::{Error, ErrorKind, Problems};
use crate::shape::Dim;

/// The node with the same meaning at another opset.
pub(crate) fn convert(schema: &OpSchema, node: &Node, opset: u32) -> Result<Node, Problems> {
    let checked = check(schema, node)?;
    let source = schema.at(node.opset)?;
    let target = schema.at(opset)?;
    let mut problems = Vec::new();
    let mut converted = Node::new(opset, node.dtype).shape(node.shape.clone());
    check_dtype(schema, &target, node.dtype, &mut problems);
    convert_attrs(schema, node, &source, &target, &mut converted, &mut problems);
    convert_axes(schema, node, &checked, &target, &mut converted, &mut problems);
    Problems::none(problems).map_err(|problems| problems.about(schema.name, target.since))?;
    Ok(converted)
}

/// Every attribute but `axes` and `noop_with_empty_axes`, which go together.
fn convert_attrs(
    schema: &OpSchema,
    node: &Node,
    source: &VersionSchema,
    target: &VersionSchema,
    converted: &mut Node,
    problems: &mut Vec<Error>,
) {
    let others = |name: &str| name != AXES && name != NOOP_WITH_EMPTY_AXES;
    for (name, value) in node.attrs.iter().filter(|(name, _)| others(name)) {
        let known = source.attr(name);
        if target.attr(name).is_some() {
            converted.attrs.push((name.clone(), value.clone()));
        } else if let Some(attr) = known.filter(|attr| !is_default(attr, value)) {
            problems.push(ErrorKind::NoForm { what: attr.name, reason: lost(schema, attr) }.into());
        }
    }
}

/// Whether a value says what its absence says.
fn is_default(attr: &AttrSchema, value: &AttrValue) -> bool {
    match (attr.default, value) {
        (AttrDefault::Bool(default), AttrValue::Int(value)) => i64::from(default) == *value,
        (AttrDefault::Int(default), AttrValue::Int(value)) => default == *value,
        (AttrDefault::Float(default), AttrValue::Float(value)) => default == *value,
        _ => false,
    }
}

fn lost(schema: &OpSchema, attr: &AttrSchema) -> String {
    let windows = super::validate::windows_of(schema, |other| other.name == attr.name);
    let windows: Vec<String> = windows.iter().map(Window::to_string).collect();
    format!("only versions {} have it, and its value is not the default", windows.join(" and "))
}

/// Axes in the form of the target.
fn convert_axes(
    schema: &OpSchema,
    node: &Node,
    checked: &Checked,
    target: &VersionSchema,
    converted: &mut Node,
    problems: &mut Vec<Error>,
) {
    if !schema.attrs.iter().any(|attr| attr.name == AXES) {
        return;
    }
    let no_form = |what, reason: &str| ErrorKind::NoForm { what, reason: reason.to_owned() }.into();
    let axes = match &checked.axes {
        CheckedAxes::Known(axes) => axes,
        CheckedAxes::Runtime { .. } if target.axes_input => {
            converted.axes = node.axes.clone();
            return keep_noop(node, converted);
        }
        CheckedAxes::Runtime { .. } => {
            let reason = "they are computed when the model runs, and an attribute is a constant";
            return problems.push(no_form(AXES, reason));
        }
    };
    match axes.listed() {
        None => {}
        Some([]) if target.attr(NOOP_WITH_EMPTY_AXES).is_some() => keep_noop(node, converted),
        Some([]) => match axes_of_one_element(node) {
            Some(axes) => {
                converted.attrs.retain(|(name, _)| name != KEEPDIMS);
                converted.attrs.push((KEEPDIMS.to_owned(), AttrValue::Int(1)));
                set_axes(converted, target, &axes);
            }
            None => {
                let reason =
                    "an empty list means all axes there; a result for each element has no form";
                problems.push(no_form(NOOP_WITH_EMPTY_AXES, reason));
            }
        },
        Some(listed) => set_axes(converted, target, listed),
    }
}

fn keep_noop(node: &Node, converted: &mut Node) {
    let noop = node.attrs.iter().filter(|(name, _)| name == NOOP_WITH_EMPTY_AXES);
    converted.attrs.extend(noop.cloned());
}

fn set_axes(converted: &mut Node, target: &VersionSchema, listed: &[i64]) {
    if listed.is_empty() {
        return;
    }
    if target.axes_input {
        converted.axes = listed.to_vec().into();
    } else {
        converted.attrs.push((AXES.to_owned(), AttrValue::Ints(listed.to_vec())));
    }
}

/// Axes over which each element is a set of its own: those of a scalar, or one
/// known to have size 1.
fn axes_of_one_element(node: &Node) -> Option<Vec<i64>> {
    let dims = node.shape.dims()?;
    if dims.is_empty() {
        return Some(Vec::new());
    }
    let axis = dims.iter().position(|dim| *dim == Dim::Known(1))?;
    Some(vec![i64::try_from(axis).ok()?])
}
