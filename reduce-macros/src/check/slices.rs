//! Rules on operators of slices, whose results have a length that is a parameter.

use syn::ext::IdentExt;

use crate::diag::Diag;
use crate::model::{Kind, OpSpec};
use crate::parse::Form;

/// Bad: `impl ReduceSlice<A>` with `dtypes = [f32]` alone.
pub(super) fn slices_have_a_length(spec: &OpSpec, diag: &mut Diag) {
    if spec.form == Form::Slice && spec.length.is_none() {
        let message =
            "missing key `length`; name the parameter that says how long results are: `length = k`";
        diag.error(spec.span, message);
    }
}

/// Bad: `impl ReduceOp<A>` with `length = k`.
pub(super) fn slices_alone_have_a_length(spec: &OpSpec, diag: &mut Diag) {
    if let (Form::Op, Some(length)) = (spec.form, &spec.length) {
        let message = "`length` is for a `ReduceSlice`; leave it out, since the type of a `ReduceOp` says how long results are";
        diag.error(length.span(), message);
    }
}

/// Bad: `length = k` without `k: int` under `attrs`.
pub(super) fn length_is_a_parameter(spec: &OpSpec, diag: &mut Diag) {
    let (Form::Slice, Some(length)) = (spec.form, &spec.length) else { return };
    let name = length.unraw();
    match spec.length_param() {
        Some(param) if param.kind == Kind::Int => {}
        Some(param) => {
            let message =
                format!("`{name}` says how long results are; write `{name}: int = 1 in 1..`");
            diag.error(param.kind_span, message);
        }
        None => {
            let message = format!(
                "no parameter `{name}`; declare it under `attrs`: `{name}: int = 1 in 1..`"
            );
            diag.error(length.span(), message);
        }
    }
}

/// Bad: `k: int = 1`.
pub(super) fn lengths_begin_at_one(spec: &OpSpec, diag: &mut Diag) {
    let Some(param) = spec.length_param().filter(|_| spec.form == Form::Slice) else { return };
    let all = spec.attrs.iter().filter(|attr| attr.name == param.name && attr.kind == Kind::Int);
    for attr in all.filter(|attr| attr.low.is_none_or(|low| low < 1.0)) {
        let name = &attr.name;
        let message = format!(
            "`{name}` says how long results are, which is at least 1; write `{name}: int = 1 in 1..`"
        );
        diag.error(attr.range_span.unwrap_or(attr.span), message);
    }
}

/// Bad: `impl ReduceSlice<A>` with `lanes = 8`.
pub(super) fn slices_have_no_lanes(spec: &OpSpec, diag: &mut Diag) {
    if let (Form::Slice, Some(lanes)) = (spec.form, &spec.lanes) {
        diag.error(
            lanes.span,
            "the accumulator of a `ReduceSlice` has no lanes; leave out `lanes`",
        );
    }
}

/// Bad: `impl ReduceSlice<A>` with `commutative = true`.
pub(super) fn slices_keep_the_order(spec: &OpSpec, diag: &mut Diag) {
    if let (Form::Slice, Some(span)) = (spec.form, spec.commutative_span) {
        let message =
            "elements of a `ReduceSlice` are pushed in their order; leave out `commutative`";
        diag.error(span, message);
    }
}
