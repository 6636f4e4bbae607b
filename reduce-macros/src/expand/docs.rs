//! The facts of a spec as a table, below what its author wrote.

use quote::quote;

use crate::model::{AttrDecl, DType, DTypeRow, Empty, Kind, Nan, OpSpec, Output, Value, Window};

/// The table, a line each.
pub(super) fn table(spec: &OpSpec) -> Vec<String> {
    let versions: Vec<String> = spec.since_versions().iter().map(u32::to_string).collect();
    let versions = match spec.versions.life.last {
        Some(last) => format!("{}, the last one {last}", versions.join(", ")),
        None => format!("{} and later", versions.join(", ")),
    };
    let rows = [
        ("name", code(&spec.name)),
        ("versions", versions),
        ("types", in_windows(&spec.dtypes, spec, |row| row.window, types)),
        ("result", results(spec)),
        ("attributes", in_windows(&spec.attrs, spec, |attr| attr.window, attribute)),
        ("order", order(spec.commutative).to_owned()),
        ("NaN", nan(spec).to_owned()),
        ("over no elements", empty(spec)),
        ("emits", emits(spec)),
    ];
    let rows = rows.into_iter().filter(|(_, value)| !value.is_empty());
    let rows = rows.map(|(what, value)| format!(" | {what} | {value} |"));
    let head = ["", " | | |", " |---|---|"].map(str::to_owned);
    head.into_iter().chain(rows).collect()
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Parts of a spec by their windows, in the order in which these are written.
fn in_windows<T>(
    parts: &[T],
    spec: &OpSpec,
    window: impl Fn(&T) -> Window,
    words: impl Fn(&T) -> String,
) -> String {
    let mut groups: Vec<(Window, String)> = Vec::new();
    for part in parts {
        let (window, words) = (window(part), words(part));
        let is_same = |known: &Window| (known.first, known.last) == (window.first, window.last);
        match groups.iter_mut().find(|(known, _)| is_same(known)) {
            Some((_, group)) => *group = format!("{group}, {words}"),
            None => groups.push((window, words)),
        }
    }
    let life = spec.versions.life;
    let group = |(window, words): (Window, String)| match window.last {
        last if (window.first, last) == (life.first, life.last) => words,
        None => format!("from version {} on: {words}", window.first),
        last if last == life.last => format!("from version {} on: {words}", window.first),
        Some(last) if last == window.first => format!("version {last}: {words}"),
        Some(last) => format!("versions {} to {last}: {words}", window.first),
    };
    groups.into_iter().map(group).collect::<Vec<_>>().join("; ")
}

/// Storage types, and what they are computed in.
fn types(row: &DTypeRow) -> String {
    let (input, compute) = (row.words(), row.compute.word());
    if input == compute { code(&input) } else { format!("`{input}` computed in `{compute}`") }
}

fn results(spec: &OpSpec) -> String {
    let word = |output: &Output| {
        let element = match output.dtype {
            Some(dtype) => code(dtype.word()),
            None => "as the input".to_owned(),
        };
        match (&output.length, &spec.length) {
            (Some(length), _) => format!("{} times {element}", code(&quote!(#length).to_string())),
            (None, Some(length)) => format!("{} times {element}", code(&length.to_string())),
            (None, None) => element,
        }
    };
    spec.outputs.iter().map(word).collect::<Vec<_>>().join(", ")
}

fn attribute(attr: &AttrDecl) -> String {
    let (name, kind) = (&attr.name, attr.kind.word());
    let default = match attr.default {
        Value::All => "all".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
    };
    let limit = |limit: Option<f64>| match (limit, attr.kind) {
        (None, _) => String::new(),
        (Some(limit), Kind::Int) => format!("{limit}"),
        (Some(limit), _) => format!("{limit:?}"),
    };
    let range = match (attr.low, attr.high) {
        (None, None) => String::new(),
        (low, None) => format!(" in {}..", limit(low)),
        (low, high) => format!(" in {}..={}", limit(low), limit(high)),
    };
    format!("`{name}: {kind} = {default}{range}`")
}

fn order(commutative: bool) -> &'static str {
    match commutative {
        true => "any grouping and order of elements",
        false => "any grouping of elements, in their order",
    }
}

/// What becomes of NaN; nothing, if no type of an element has it.
fn nan(spec: &OpSpec) -> &'static str {
    if !spec.dtypes.iter().any(|row| row.inputs.iter().any(|input| input.is_float())) {
        return "";
    }
    let is_float = |output: &Output| output.dtype.is_none_or(DType::is_float);
    match spec.nan {
        Nan::Propagate if spec.outputs.iter().all(is_float) => "the result is NaN if an element is",
        Nan::Propagate if spec.outputs.iter().any(is_float) => {
            "floats of the result are NaN if an element is"
        }
        Nan::Propagate => "the result is no float, and cannot be NaN",
        Nan::Ignore => "left out, as if it were not there",
        Nan::Unspecified => "not specified",
    }
}

fn empty(spec: &OpSpec) -> String {
    let of = |floats: bool| {
        spec.dtypes.iter().find(|row| row.inputs[0].is_float() == floats).map(|row| row.empty)
    };
    let words = |empty: Empty| match empty {
        Empty::Identity => "`finalize(identity(), 0)`",
        Empty::Error => "an error",
    };
    match (of(true), of(false)) {
        (Some(floats), Some(ints)) if words(floats) != words(ints) => {
            format!("floats: {}; integers: {}", words(floats), words(ints))
        }
        (Some(empty), _) | (None, Some(empty)) => words(empty).to_owned(),
        (None, None) => String::new(),
    }
}

/// What lies beside the elements when results are sent back over them; nothing if none are.
fn emits(spec: &OpSpec) -> String {
    let way = |beside: usize| match beside {
        0 => "over its elements".to_owned(),
        1 => "with one input beside them".to_owned(),
        _ => format!("with {beside} inputs beside them"),
    };
    spec.beside().map(way).collect::<Vec<_>>().join(", or ")
}
