//! Conversion of a node to another opset, with the same meaning.
//!
//! Attributes that the target lacks are dropped where they say what the target
//! does anyway. Axes move between attribute and input. What has no form at the
//! target is an error that says why.

use super::attrs::windows_of;
use super::axes::CheckedAxes;
use super::node::Node;
use super::validate::{Checked, check, check_dtype};
use crate::facts::error::{Error, ErrorKind, Problems};
use crate::facts::schema::{
    AXES, AttrDefault, AttrSchema, AttrValue, KEEPDIMS, NOOP_WITH_EMPTY_AXES, OpSchema,
    VersionSchema,
};
use crate::facts::shape::Dim;
use crate::facts::window::Window;

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
    let has_keepdims = converted.attrs.iter().any(|(name, _)| name == KEEPDIMS);
    if target.flag_default(KEEPDIMS) && !checked.keepdims && !has_keepdims {
        converted.attrs.push((KEEPDIMS.to_owned(), AttrValue::Int(0)));
    }
    Problems::none(problems).map_err(|problems| problems.about(schema.name, target.since))?;
    check_meaning(schema, &checked, &converted)
        .map_err(|problems| problems.about(schema.name, target.since))?;
    Ok(converted)
}

/// Checks that the converted node is valid and means what the node meant. Only an operator whose versions
/// differ in more than form fails here.
fn check_meaning(schema: &OpSchema, before: &Checked, converted: &Node) -> Result<(), Problems> {
    let after = check(schema, converted)?;
    let is_none = |axes: &CheckedAxes| matches!(axes, CheckedAxes::Known(axes) if axes.is_none());
    // A result for each element may have been put into other words.
    let reworded = is_none(&before.axes) && !is_none(&after.axes);
    let differing = if !reworded && before.axes != after.axes {
        Some(AXES)
    } else if !reworded && before.keepdims != after.keepdims {
        Some(KEEPDIMS)
    } else {
        before.params.differing(&after.params)
    };
    let reason = || "it means something else there".to_owned();
    match differing {
        None => Ok(()),
        Some(what) => Err(Error::from(ErrorKind::NoForm { what, reason: reason() }).into()),
    }
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
    // A default that the target would replace by another is written out.
    for attr in source.attrs.iter().filter(|attr| others(attr.name)) {
        let is_given = node.attrs.iter().any(|(name, _)| name == attr.name);
        let other = target.attr(attr.name).filter(|other| other.default != attr.default);
        if let Some(value) = other.filter(|_| !is_given).and_then(|_| attr.default_value()) {
            converted.attrs.push((attr.name.to_owned(), value));
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
    let windows = windows_of(schema, |other| other.name == attr.name);
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
            return set_noop(node, target, checked.noop, converted);
        }
        CheckedAxes::Runtime { .. } => {
            let reason = "they are computed when the model runs, and an attribute is a constant";
            return problems.push(no_form(AXES, reason));
        }
    };
    match axes.listed() {
        None if target.flag_default(NOOP_WITH_EMPTY_AXES) => {
            set_noop(node, target, false, converted);
        }
        None => {}
        Some([]) if target.attr(NOOP_WITH_EMPTY_AXES).is_some() => {
            set_noop(node, target, true, converted);
        }
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

/// Gives `noop_with_empty_axes` this value, if it was given before or is not the
/// target's default.
fn set_noop(node: &Node, target: &VersionSchema, noop: bool, converted: &mut Node) {
    let is_given = node.attrs.iter().any(|(name, _)| name == NOOP_WITH_EMPTY_AXES);
    let is_known = target.attr(NOOP_WITH_EMPTY_AXES).is_some();
    if is_known && (is_given || target.flag_default(NOOP_WITH_EMPTY_AXES) != noop) {
        converted.attrs.push((NOOP_WITH_EMPTY_AXES.to_owned(), AttrValue::Int(noop.into())));
    }
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

#[cfg(test)]
mod tests {
    use super::is_default;
    use crate::facts::schema::{AttrDefault, AttrKind, AttrRange, AttrSchema, AttrValue};
    use crate::facts::window::Window;

    #[test]
    fn a_value_says_what_its_absence_says() {
        let attr =
            |kind, default| AttrSchema::new("p", kind, default, AttrRange::ALL, Window::since(1));
        let float = attr(AttrKind::Float, AttrDefault::Float(1.5));
        let int = attr(AttrKind::Int, AttrDefault::Int(2));
        let flag = attr(AttrKind::Bool, AttrDefault::Bool(true));
        assert!(is_default(&float, &AttrValue::Float(1.5)));
        assert!(is_default(&int, &AttrValue::Int(2)));
        assert!(is_default(&flag, &AttrValue::Int(1)));
        assert!(!is_default(&float, &AttrValue::Float(2.0)));
        assert!(!is_default(&int, &AttrValue::Float(2.0)));
        assert!(!is_default(&flag, &AttrValue::Int(0)));
    }
}
