//! Rules on storage and compute types, and on lanes.

use proc_macro2::Span;

use crate::diag::{Diag, one_of};
use crate::model::{Compute, DTypeRow, OpSpec, Window};
use crate::parse::Form;

/// Bad: `dtypes = { 1.. => [f32], 13.. => [f32, f64] }`.
pub(super) fn each_once_per_version(spec: &OpSpec, diag: &mut Diag) {
    for (index, row) in spec.dtypes.iter().enumerate() {
        let earlier = spec.dtypes[..index].iter().filter(|earlier| earlier.inputs == row.inputs);
        if let Some(overlap) =
            earlier.filter_map(|earlier| earlier.window.overlap(&row.window)).next()
        {
            let word = row.words();
            let message = format!("`{word}` is listed twice for versions {overlap}; list it once");
            diag.error(row.span, message);
        }
    }
}

/// A storage type has one kernel, so one compute type in all versions.
///
/// Bad: `dtypes = { 1..=12 => [f16 => f32], 13.. => [f16 => f64] }`.
pub(super) fn one_compute_type_each(spec: &OpSpec, diag: &mut Diag) {
    for (index, row) in spec.dtypes.iter().enumerate() {
        let mut earlier =
            spec.dtypes[..index].iter().filter(|earlier| earlier.inputs == row.inputs);
        let differs = |earlier: &&DTypeRow| earlier.compute != row.compute;
        // In the same version it is listed twice, which is reported as such.
        let apart = |earlier: &&DTypeRow| earlier.window.overlap(&row.window).is_none();
        if let Some(earlier) = earlier.find(|earlier| differs(earlier) && apart(earlier)) {
            let (word, first, second) = (row.words(), earlier.compute.word(), row.compute.word());
            let message = format!(
                "`{word}` computes in `{first}` and in `{second}`; choose one for all versions"
            );
            diag.error(row.compute_span, message);
        }
    }
}

/// Bad: `versions = 1.., dtypes = { 1..=4 => [f32], 7.. => [f32] }`.
pub(super) fn some_at_every_version(spec: &OpSpec, diag: &mut Diag) {
    let versions = spec.since_versions();
    for (index, &since) in versions.iter().enumerate() {
        if spec.dtypes.iter().any(|row| row.window.contains(since)) {
            continue;
        }
        let next = versions.get(index + 1).map(|next| next - 1).or(spec.versions.life.last);
        let gap = Window { first: since, last: next, ..spec.versions.life };
        let message = format!("no dtypes for versions {gap}; every version needs at least one");
        diag.error(span_beside(spec, since), message);
    }
}

/// The window after a gap, or else the end of the last one before it.
fn span_beside(spec: &OpSpec, gap: u32) -> Span {
    let windows = || spec.dtypes.iter().map(|row| &row.window);
    let after = windows().filter(|window| window.first > gap).min_by_key(|window| window.first);
    let before = windows().filter(|window| window.first < gap).max_by_key(|window| window.last);
    match (after, before) {
        (Some(after), _) => after.first_span,
        (None, Some(before)) => before.last_span,
        (None, None) => spec.versions.life.first_span,
    }
}

/// Bad: `dtypes = [f64 => f32]`; and `[i32 => bool]`: which integers are true is the
/// spec's to say, in `map`.
pub(super) fn compute_types_hold_their_inputs(spec: &OpSpec, diag: &mut Diag) {
    for row in &spec.dtypes {
        // Of several inputs, the first that is wrong.
        let compute = row.compute.word();
        let wrong = row.inputs.iter().find_map(|&dtype| {
            let (input, holding) = (dtype.word(), Compute::holding(dtype));
            let remedy = match compute {
                _ if holding.contains(&compute) => return None,
                "bool" => "compare in `map` instead".to_owned(),
                _ => format!("expected {}", one_of(holding)),
            };
            Some(format!("`{input}` cannot be computed in `{compute}`; {remedy}"))
        });
        if let Some(message) = wrong {
            diag.error(row.compute_span, message);
        }
    }
}

/// Lanes are folded in halves.
pub(super) fn lanes_are_a_power_of_two(spec: &OpSpec, diag: &mut Diag) {
    if let Some(lanes) = spec.lanes.as_ref().filter(|lanes| !lanes.count.is_power_of_two()) {
        let count = lanes.count;
        let message = format!("{count} lanes; the number of lanes is a power of two, such as `32`");
        diag.error(lanes.span, message);
    }
}

/// Registers hold at most 256 lanes of any accumulator, and kernels are compiled for at most 256.
pub(super) fn lanes_are_few(spec: &OpSpec, diag: &mut Diag) {
    const MOST: usize = 256;
    let lanes = spec.lanes.as_ref().filter(|lanes| lanes.count.is_power_of_two());
    if let Some(lanes) = lanes.filter(|lanes| lanes.count > MOST) {
        let message = format!("{} lanes; an operator has at most {MOST}", lanes.count);
        diag.error(lanes.span, message);
    }
}

/// Elements of a non-commutative operator are combined in order, in lanes that the core chooses.
pub(super) fn ordered_has_one_lane(spec: &OpSpec, diag: &mut Diag) {
    if let Some(lanes) = spec.lanes.as_ref().filter(|_| !spec.commutative && spec.form == Form::Op)
    {
        let message = "`commutative = false` combines in order, in lanes of the core's choice; leave out `lanes`";
        diag.error(lanes.span, message);
    }
}
