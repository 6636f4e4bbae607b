//! Rules on attributes.

use crate::diag::Diag;
use crate::model::{AttrDecl, Kind, OpSpec, Value};

/// The attributes that every reduction shares, with the kinds they may have.
const SHARED: [(&str, &[Kind], &str); 4] = [
    ("axes", &[Kind::Ints, Kind::Input], "axes: ints = all` or `axes: input = all"),
    ("axis", &[Kind::Int], "axis: int = 0"),
    ("keepdims", &[Kind::Bool], "keepdims: bool = true"),
    ("noop_with_empty_axes", &[Kind::Bool], "noop_with_empty_axes: bool = false"),
];

/// Bad: `attrs = { 1.. => [axes: ints = all], 18.. => [axes: input = all] }`.
pub(super) fn each_once_per_version(spec: &OpSpec, diag: &mut Diag) {
    for (index, attr) in spec.attrs.iter().enumerate() {
        for earlier in spec.attrs[..index].iter().filter(|earlier| earlier.name == attr.name) {
            let Some(overlap) = earlier.window.overlap(&attr.window) else {
                continue;
            };
            let name = &attr.name;
            let mut message = format!("`{name}` is declared twice for versions {overlap}");
            match attr.window.first.checked_sub(1).filter(|&end| end >= earlier.window.first) {
                Some(end) => message.push_str(&format!("; end the first window at `..={end}`")),
                None => message.push_str("; declare it once"),
            }
            diag.error(attr.span, message);
        }
    }
}

/// Bad: `keepdims: bool = 1`.
pub(super) fn default_is_of_its_kind(spec: &OpSpec, diag: &mut Diag) {
    for attr in spec.attrs.iter().filter(|attr| kind_is_free(attr)) {
        let fits = matches!(
            (attr.kind, attr.default),
            (Kind::Bool, Value::Bool(_))
                | (Kind::Int, Value::Int(_))
                | (Kind::Float, Value::Float(_))
                | (Kind::Ints | Kind::Input, Value::All)
        );
        if !fits {
            let (name, kind) = (&attr.name, attr.kind.word());
            let expected = match attr.kind {
                Kind::Bool => "`true` or `false`",
                Kind::Int => "an integer such as `0`",
                Kind::Float => "a float such as `1.0`",
                Kind::Ints | Kind::Input => "`all`",
            };
            let message = format!("`{name}` is of kind `{kind}`; its default is {expected}");
            diag.error(attr.default_span, message);
        }
    }
}

/// Whether an attribute's name does not ask for another kind.
fn kind_is_free(attr: &AttrDecl) -> bool {
    SHARED.iter().all(|(name, kinds, _)| *name != attr.name || kinds.contains(&attr.kind))
}

/// Bad: `p: float = 0.5 in 1.0..`.
pub(super) fn default_is_in_range(spec: &OpSpec, diag: &mut Diag) {
    for attr in &spec.attrs {
        #[allow(
            clippy::cast_precision_loss,
            reason = "a limit beyond 2^53 may be off by a rounding"
        )]
        let default = match attr.default {
            Value::Int(default) => default as f64,
            Value::Float(default) => default,
            Value::All | Value::Bool(_) => continue,
        };
        if let (Some(low), Some(high), Some(span)) = (attr.low, attr.high, attr.range_span)
            && low > high
        {
            diag.error(span, format!("the range ends before it starts; write `{high}..={low}`"));
            continue;
        }
        let below = attr.low.is_some_and(|low| default < low);
        if below || attr.high.is_some_and(|high| default > high) {
            let message =
                format!("the default of `{}` is outside its range; move one of them", attr.name);
            diag.error(attr.default_span, message);
        }
    }
}

/// Bad: `keepdims: bool = true in 0..=1`.
pub(super) fn range_belongs_to_a_number(spec: &OpSpec, diag: &mut Diag) {
    for attr in &spec.attrs {
        if let (Some(span), Kind::Bool | Kind::Ints | Kind::Input) = (attr.range_span, attr.kind) {
            let kind = attr.kind.word();
            diag.error(
                span,
                format!("only `int` and `float` have a range; leave it out for `{kind}`"),
            );
        }
    }
}

/// `axes`, `axis`, `keepdims` and `noop_with_empty_axes` mean the same in every
/// operator; no other attribute is a list or an input.
///
/// Bad: `keepdims: int = 1`.
pub(super) fn shared_names_keep_their_kind(spec: &OpSpec, diag: &mut Diag) {
    for attr in &spec.attrs {
        let shared = SHARED.iter().find(|(name, ..)| *name == attr.name);
        match shared {
            Some((_, kinds, form)) if !kinds.contains(&attr.kind) => {
                let name = &attr.name;
                diag.error(
                    attr.kind_span,
                    format!("`{name}` means the same in every op; write `{form}`"),
                );
            }
            None if matches!(attr.kind, Kind::Ints | Kind::Input) => {
                let kind = attr.kind.word();
                let message = format!(
                    "only `axes` is of kind `{kind}`; a parameter is a `bool`, `int` or `float`"
                );
                diag.error(attr.kind_span, message);
            }
            _ => {}
        }
    }
}

/// A name that is a slip away from a shared one is asked about: it would be a parameter, which no caller
/// means.
///
/// Bad: `keepdim: bool = true`.
pub(super) fn parameters_are_not_taken_for_shared_names(spec: &OpSpec, diag: &mut Diag) {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    for attr in &spec.attrs {
        let name = &attr.name;
        if SHARED.iter().any(|(shared, ..)| shared == name) {
            continue;
        }
        let is_near = |shared: &str| strsim::osa_distance(&plain(name), &plain(shared)) <= 1;
        if let Some((shared, ..)) = SHARED.iter().find(|(shared, ..)| is_near(shared)) {
            let message = format!(
                "did you mean `{shared}`, as every op has it? give a parameter that is not meant so a name \
                 further from it than `{name}`"
            );
            diag.error(attr.span, message);
        }
    }
}

/// A parameter is one field of the struct, so of one kind in all versions.
///
/// Bad: `attrs = { 1..=12 => [p: int = 2], 13.. => [p: float = 2.0] }`.
pub(super) fn one_kind_per_parameter(spec: &OpSpec, diag: &mut Diag) {
    for (index, attr) in spec.attrs.iter().enumerate().filter(|(_, attr)| attr.is_param()) {
        let mut earlier = spec.attrs[..index].iter().filter(|earlier| earlier.name == attr.name);
        let differs = |earlier: &&AttrDecl| earlier.kind != attr.kind;
        // In the same version it is declared twice, which is reported as such.
        let apart = |earlier: &&AttrDecl| earlier.window.overlap(&attr.window).is_none();
        if let Some(earlier) = earlier.find(|earlier| differs(earlier) && apart(earlier)) {
            let (name, first, second) = (&attr.name, earlier.kind.word(), attr.kind.word());
            let message = format!(
                "`{name}` is of kind `{first}` and of kind `{second}`; choose one for its field"
            );
            diag.error(attr.kind_span, message);
        }
    }
}

/// Bad: `attrs = [noop_with_empty_axes: bool = false]` alone.
pub(super) fn noop_needs_axes(spec: &OpSpec, diag: &mut Diag) {
    for attr in spec.attrs.iter().filter(|attr| attr.name == "noop_with_empty_axes") {
        let mut versions = spec.since_versions().into_iter();
        let is_alone = |version: u32| {
            let mut axes = spec.attrs.iter().filter(|axes| axes.name == "axes");
            attr.window.contains(version) && !axes.any(|axes| axes.window.contains(version))
        };
        if versions.any(is_alone) {
            let message = "`noop_with_empty_axes` needs `axes` in the same versions; declare both";
            diag.error(attr.span, message);
        }
    }
}

/// Bad: `attrs = [axis: int = 0, axes: ints = all]`.
pub(super) fn axis_or_axes(spec: &OpSpec, diag: &mut Diag) {
    for attr in spec.attrs.iter().filter(|attr| attr.name == "axis") {
        let mut axes = spec.attrs.iter().filter(|axes| axes.name == "axes");
        if axes.any(|axes| axes.window.overlap(&attr.window).is_some()) {
            let message = "`axis` and `axes` in the same versions; leave one of them out";
            diag.error(attr.span, message);
        }
    }
}
