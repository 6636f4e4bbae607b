//! Validation: a node, as a model holds it, against the schema of its version.
//!
//! Every problem of a node is reported, not the first. What passes is a
//! [`Checked`] node: types, axes and flags resolved, ready to run.

use super::attrs::{check_attrs, flag};
use super::axes::{CheckedAxes, check_axes, check_axes_input};
use super::node::Node;
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind, Problems};
use crate::facts::schema::{KEEPDIMS, NOOP_WITH_EMPTY_AXES, OpSchema, Params, VersionSchema};

/// A node that passed: what is left to know is the data.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub(crate) since: u32,
    pub(crate) axes: CheckedAxes,
    /// True if an empty list of axes means none instead of all.
    pub(crate) noop: bool,
    pub(crate) keepdims: bool,
    pub(crate) params: Params,
}

/// Holds a node against an operator.
pub(crate) fn check(schema: &OpSchema, node: &Node) -> Result<Checked, Problems> {
    let version = schema.at(node.opset)?;
    let mut problems = Vec::new();
    check_dtype(schema, &version, node.dtype, &mut problems);
    let attrs = check_attrs(schema, &version, &node.attrs, &mut problems);
    let listed = check_axes_input(schema, &version, &node.axes, &mut problems);
    let axes = check_axes(&version, &attrs, listed, &node.shape, &mut problems);
    Problems::none(problems).map_err(|problems| problems.about(schema.name, version.since))?;
    let keepdims = flag(&version, &attrs, KEEPDIMS);
    let noop = flag(&version, &attrs, NOOP_WITH_EMPTY_AXES);
    let params = Params::new(&version.attrs, &attrs);
    Ok(Checked { since: version.since, axes, noop, keepdims, params })
}

/// Checks that a version allows a type.
pub(in crate::model) fn check_dtype(
    schema: &OpSchema,
    version: &VersionSchema,
    dtype: DType,
    problems: &mut Vec<Error>,
) {
    if version.dtypes.iter().any(|row| row.input == dtype) {
        return;
    }
    let mut allowed: Vec<DType> = version.dtypes.iter().map(|row| row.input).collect();
    allowed.sort_unstable();
    let rows = schema.dtypes.iter().filter(|row| row.input == dtype);
    let elsewhere = rows.map(|row| row.window).collect();
    problems.push(ErrorKind::DTypeNotAllowed { dtype, allowed, elsewhere }.into());
}
