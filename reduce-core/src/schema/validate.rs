//! Validation: a node, as a model holds it, against the schema of its version.
//!
//! Every problem of a node is reported, not the first. What passes is a
//! [`Checked`] node: types, axes and flags resolved, ready to run.

use super::{
    AXES, AXIS, AttrKind, AttrSchema, AttrValue, KEEPDIMS, NOOP_WITH_EMPTY_AXES, OpSchema, Params,
    VersionSchema, Window,
};
use crate::axes::Axes;
use crate::dtype::DType;
use crate::error::{Error, ErrorKind, Problems};
use crate::plan::{Axis, Places};
use crate::shape::Dims;
use crate::tensor::AnyView;

/// Axes as an input, which a model may leave out, know beforehand, or compute.
#[derive(Clone, Debug, Default)]
pub enum AxesInput<'a> {
    /// No second input, or one with an empty name.
    #[default]
    Absent,
    /// A constant list.
    Static(&'a [i64]),
    /// A tensor computed at run time.
    Runtime(AnyView<'a>),
}

/// One use of an operator in a model.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// The opset the model imports.
    pub opset: u32,
    /// The type of the data.
    pub dtype: DType,
    /// The attributes given.
    pub attrs: Vec<(String, AttrValue)>,
    /// The second input.
    pub axes: AxesInput<'a>,
}

impl<'a> Node<'a> {
    /// A node with no attribute and no axes input.
    pub fn new(opset: u32, dtype: DType) -> Self {
        Node { opset, dtype, attrs: Vec::new(), axes: AxesInput::Absent }
    }

    /// Adds an attribute.
    #[must_use]
    pub fn attr(mut self, name: &str, value: impl Into<AttrValue>) -> Self {
        self.attrs.push((name.to_owned(), value.into()));
        self
    }

    /// Sets the second input.
    #[must_use]
    pub fn axes(mut self, axes: AxesInput<'a>) -> Self {
        self.axes = axes;
        self
    }
}

/// A node that passed: what is left to know is the data.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub(crate) since: u32,
    pub(crate) axes: Axes,
    pub(crate) keepdims: bool,
    pub(crate) params: Params,
}

/// Holds a node against an operator.
pub(crate) fn check(schema: &OpSchema, node: &Node<'_>) -> Result<Checked, Problems> {
    let version = schema.at(node.opset)?;
    let mut problems = Vec::new();
    check_dtype(schema, &version, node.dtype, &mut problems);
    let attrs = check_attrs(schema, &version, &node.attrs, &mut problems);
    let listed = check_axes_input(schema, &version, &node.axes, &mut problems);
    Problems::none(problems).map_err(|problems| problems.about(schema.name, version.since))?;
    let default = |name| version.attr(name).is_some_and(AttrSchema::default_flag);
    let given = |name| attrs.iter().find(|(known, _)| *known == name);
    let flag = |name| given(name).map_or_else(|| default(name), is_one);
    Ok(Checked {
        since: version.since,
        axes: resolve_axes(&version, &attrs, listed, flag(NOOP_WITH_EMPTY_AXES)),
        keepdims: flag(KEEPDIMS),
        params: Params::new(&version.attrs, &attrs),
    })
}

fn is_one((_, value): &(&'static str, AttrValue)) -> bool {
    *value == AttrValue::Int(1)
}

fn check_dtype(
    schema: &OpSchema,
    version: &VersionSchema,
    dtype: DType,
    problems: &mut Vec<Error>,
) {
    if version.dtypes.iter().any(|row| row.input == dtype) {
        return;
    }
    let allowed = version.dtypes.iter().map(|row| row.input).collect();
    let rows = schema.dtypes.iter().filter(|row| row.input == dtype);
    let elsewhere = rows.map(|row| row.window).collect();
    problems.push(ErrorKind::DTypeNotAllowed { dtype, allowed, elsewhere }.into());
}

/// The attributes of this version among those given.
fn check_attrs(
    schema: &OpSchema,
    version: &VersionSchema,
    given: &[(String, AttrValue)],
    problems: &mut Vec<Error>,
) -> Vec<(&'static str, AttrValue)> {
    let mut accepted: Vec<(&'static str, AttrValue)> = Vec::new();
    for (name, value) in given {
        let checked = known_attr(schema, version, name).and_then(|attr| {
            if accepted.iter().any(|(known, _)| *known == attr.name) {
                return Err(ErrorKind::DuplicateAttr { attr: attr.name });
            }
            check_value(&attr, value)?;
            Ok(attr.name)
        });
        match checked {
            Ok(name) => accepted.push((name, value.clone())),
            Err(kind) => problems.push(kind.into()),
        }
    }
    accepted
}

/// The attribute of this name at this version, or where it is to be found.
fn known_attr(
    schema: &OpSchema,
    version: &VersionSchema,
    name: &str,
) -> Result<AttrSchema, ErrorKind> {
    if let Some(attr) = version.attr(name) {
        return Ok(*attr);
    }
    let windows = windows_of(schema, |attr| attr.name == name && attr.kind != AttrKind::Input);
    let elsewhere = schema.attrs.iter().find(|attr| attr.name == name);
    if let (Some(attr), false) = (elsewhere, windows.is_empty()) {
        let input_here = name == AXES && version.axes_input;
        return Err(ErrorKind::AttrOfOtherVersion { attr: attr.name, windows, input_here });
    }
    let known: Vec<&'static str> = version.attrs.iter().map(|attr| attr.name).collect();
    let suggestion = crate::suggest::nearest(name, known.iter().copied());
    Err(ErrorKind::UnknownAttr { attr: name.to_owned(), known, suggestion })
}

/// The spans of versions whose attributes satisfy a condition, touching ones
/// joined.
fn windows_of(schema: &OpSchema, is_meant: impl Fn(&AttrSchema) -> bool) -> Vec<Window> {
    let mut windows: Vec<Window> = Vec::new();
    for attr in schema.attrs.iter().filter(|attr| is_meant(attr)) {
        match windows.last_mut() {
            Some(before) if before.last().is_some_and(|last| last + 1 == attr.window.first()) => {
                *before = Window::new(before.first(), attr.window.last());
            }
            _ => windows.push(attr.window),
        }
    }
    windows
}

/// Whether a value is of the attribute's kind and within its range.
fn check_value(attr: &AttrSchema, value: &AttrValue) -> Result<(), ErrorKind> {
    let out_of_range = |found: String, accepted: String| {
        Err(ErrorKind::AttrRange { attr: attr.name, found, accepted })
    };
    match (attr.kind, value) {
        (AttrKind::Bool, AttrValue::Int(0 | 1)) | (AttrKind::Ints, AttrValue::Ints(_)) => Ok(()),
        (AttrKind::Bool, AttrValue::Int(int)) => out_of_range(int.to_string(), "0 or 1".to_owned()),
        #[allow(
            clippy::cast_precision_loss,
            reason = "a limit beyond 2^53 may be off by a rounding"
        )]
        (AttrKind::Int, AttrValue::Int(int)) if !attr.range.contains(*int as f64) => {
            out_of_range(int.to_string(), attr.range.to_string())
        }
        (AttrKind::Float, AttrValue::Float(float)) if !attr.range.contains(*float) => {
            out_of_range(float.to_string(), attr.range.to_string())
        }
        (AttrKind::Int, AttrValue::Int(_)) | (AttrKind::Float, AttrValue::Float(_)) => Ok(()),
        (kind, value) => {
            let (expected, found) = (kind.words(), value.words());
            Err(ErrorKind::AttrKind { attr: attr.name, expected, found })
        }
    }
}

/// The axes listed by the second input, if it is there.
fn check_axes_input(
    schema: &OpSchema,
    version: &VersionSchema,
    input: &AxesInput<'_>,
    problems: &mut Vec<Error>,
) -> Option<Dims<i64>> {
    if !version.axes_input && !matches!(input, AxesInput::Absent) {
        let windows = windows_of(schema, |attr| attr.kind == AttrKind::Input);
        problems.push(ErrorKind::InputOfOtherVersion { input: AXES, windows }.into());
        return None;
    }
    match input {
        AxesInput::Absent => None,
        AxesInput::Static(axes) => Some(Dims::from_slice(axes)),
        AxesInput::Runtime(tensor) => match read_axes(tensor) {
            Ok(axes) => Some(axes),
            Err(kind) => {
                problems.push(kind.into());
                None
            }
        },
    }
}

fn read_axes(tensor: &AnyView<'_>) -> Result<Dims<i64>, ErrorKind> {
    let AnyView::I64(view) = tensor else {
        let (expected, found) = (DType::I64, tensor.dtype());
        return Err(ErrorKind::InputDType { input: AXES, expected, found });
    };
    let (&[size], &[stride]) = (view.shape().dims(), view.strides()) else {
        let found = view.shape().rank();
        return Err(ErrorKind::InputRank { input: AXES, expected: 1, found });
    };
    let axis = [Axis { size, stride }];
    Ok(Places::new(&axis, view.offset()).map(|place| view.data()[place]).collect())
}

/// The axes a checked node means.
///
/// An empty list and an absent one mean the same: every axis, or none where
/// `noop_with_empty_axes` is 1. A single `axis` means itself.
fn resolve_axes(
    version: &VersionSchema,
    attrs: &[(&'static str, AttrValue)],
    input: Option<Dims<i64>>,
    noop: bool,
) -> Axes {
    let given = |name| attrs.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
    if let Some(axis) = version.attr(AXIS) {
        return match given(AXIS) {
            Some(AttrValue::Int(axis)) => Axes::from(*axis),
            _ => Axes::from(axis.default_int()),
        };
    }
    let listed = match given(AXES) {
        Some(AttrValue::Ints(axes)) => Dims::from_slice(axes),
        _ => input.unwrap_or_default(),
    };
    match (listed.is_empty(), noop) {
        (true, false) => Axes::all(),
        (true, true) => Axes::none(),
        (false, _) => Axes::of(&listed),
    }
}
