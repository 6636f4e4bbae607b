//! `reduce explain`: the schema that governs an opset, for a person.
//!
//! Everything comes from the schema; the values over an empty set come from
//! running the operator over one. [`changes`] tells one version from the last, [`beside`] shows several of them,
//! [`sheet`] lays the text out.

mod beside;
mod changes;
mod empty;
mod sheet;

use reduce_core::DType;
use reduce_core::schema::{AttrDefault, AttrKind, AttrSchema, NanPolicy, OpSchema, VersionSchema};
use reduce_specs::ONNX;

use crate::args::ExplainArgs;
use crate::error::Error;
use crate::operators::Operator;
use sheet::Sheet;

/// The text of the explanation.
pub(crate) fn run(args: &ExplainArgs) -> Result<String, Error> {
    let operator = Operator::find(&args.op)?;
    let schema = operator.schema();
    let check = |&opset: &u32| schema.at(ONNX.check_opset(opset)?);
    let mut versions = args.opset.iter().map(check).collect::<Result<Vec<_>, _>>()?;
    if args.diff || versions.len() > 1 {
        if versions.len() < 2 {
            versions = schema.history();
        }
        versions.sort_by_key(|version| version.since);
        versions.dedup();
        return Ok(beside::text(schema, &versions));
    }
    let version = match versions.pop() {
        Some(version) => version,
        None => schema.at(ONNX.newest())?,
    };
    let mut sheet = Sheet::new(schema.name, schema.summary);
    sheet.entry("version", [governs(&version), others(schema, &version)]);
    sheet.entry("inputs", inputs(operator, &version));
    sheet.entry("output", outputs(operator, &version));
    sheet.entry("attributes", attributes(operator, &version));
    sheet.entry("T", dtypes(&version));
    let of_empty = match operator.emits() {
        true => vec!["nothing is emitted".to_owned()],
        false => empty::values(operator, &version)?,
    };
    sheet.entry("empty set", of_empty);
    sheet.entry("NaN", [nan(schema.nan, &version).to_owned()]);
    sheet.entry("order", [order(schema.commutative).to_owned()]);
    let history = schema.history();
    if let Some(before) = history.iter().rfind(|before| before.since < version.since) {
        sheet.entry(&format!("since {}", before.since), changes::between(before, &version));
    }
    Ok(sheet.into_text())
}

fn governs(version: &VersionSchema) -> String {
    let since = version.since;
    match version.until {
        None => format!("{since}, from opset {since} on"),
        Some(until) if until == since => format!("{since}, at opset {since} only"),
        Some(until) => format!("{since}, for opsets {since} to {until}"),
    }
}

fn others(schema: &OpSchema, version: &VersionSchema) -> String {
    let others = schema.versions.iter().filter(|&&other| other != version.since);
    let others: Vec<String> = others.map(u32::to_string).collect();
    if others.is_empty() { String::new() } else { format!("others: {}", others.join(", ")) }
}

fn inputs(operator: Operator, version: &VersionSchema) -> Vec<String> {
    let mut inputs = match operator.types_of_inputs() {
        rows if operator.inputs() == 1 || rows.is_empty() => vec!["data: tensor(T)".to_owned()],
        rows => {
            let row = |row: &&[DType]| {
                row.iter().map(|dtype| dtype.name()).collect::<Vec<_>>().join(", ")
            };
            let rows: Vec<String> = rows.iter().map(|one| format!("({})", row(one))).collect();
            vec![format!("{} tensors, of types {}", operator.inputs(), rows.join(" "))]
        }
    };
    let beside =
        operator.counts().into_iter().filter_map(|count| count.checked_sub(operator.inputs()));
    for count in beside.filter(|&count| count > 0) {
        inputs.push(format!("beside the data: {count} of tensor(T), or none"));
    }
    if version.axes_input {
        let noop = version.attr("noop_with_empty_axes").is_some();
        let or = if noop { ", or none if noop_with_empty_axes is 1" } else { "" };
        inputs.push("axes: tensor(i64) of rank 1, optional".to_owned());
        inputs.push(format!("absent or empty: all axes{or}"));
    }
    inputs
}

/// Each result.
fn outputs(operator: Operator, version: &VersionSchema) -> Vec<String> {
    match operator.results() {
        [] if operator.emits() => vec!["emitted: tensor(T), of the shape of the inputs".to_owned()],
        [] => vec![output(version).to_owned()],
        names => names.iter().map(|name| format!("{name}: a tensor")).collect(),
    }
}

fn output(version: &VersionSchema) -> &'static str {
    if version.dtypes.iter().all(|row| row.output == row.input) {
        "reduced: tensor(T)"
    } else {
        version.dtypes.first().map_or("reduced", |row| match row.output {
            DType::I64 => "reduced: tensor(i64)",
            _ => "reduced: a tensor of another type than T",
        })
    }
}

fn attributes(operator: Operator, version: &VersionSchema) -> Vec<String> {
    let line = |attr: &AttrSchema| (attr.name, format!("{}; {}", accepted(attr), default(attr)));
    let mut lines: Vec<(&str, String)> = version.attrs.iter().map(line).collect();
    lines.extend(
        operator.length().map(|(name, lengths)| (name, format!("int, {lengths}; no default"))),
    );
    if lines.is_empty() {
        return vec!["none".to_owned()];
    }
    let widest = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    lines.iter().map(|(name, text)| format!("{name:<widest$}  {text}")).collect()
}

/// The kind of an attribute and the values it takes.
fn accepted(attr: &AttrSchema) -> String {
    let range = attr.range.to_string();
    match (attr.kind, attr.is_param()) {
        (AttrKind::Bool, _) => "int, 0 or 1".to_owned(),
        (AttrKind::Int, true) => format!("int, {range}"),
        (AttrKind::Int, false) => "int".to_owned(),
        (AttrKind::Float, _) => format!("float, {range}"),
        (AttrKind::Ints, _) => "list of ints".to_owned(),
        (AttrKind::Input, _) => "input".to_owned(),
    }
}

/// What holds when an attribute is not given.
fn default(attr: &AttrSchema) -> String {
    match attr.default {
        AttrDefault::All => "absent or empty: all axes".to_owned(),
        AttrDefault::Bool(flag) => format!("default {}", u8::from(flag)),
        AttrDefault::Int(int) => format!("default {int}"),
        AttrDefault::Float(float) => format!("default {float:?}"),
    }
}

fn nan(policy: NanPolicy, version: &VersionSchema) -> &'static str {
    let floats = version.dtypes.iter().filter(|row| row.input.is_float());
    let has_nan = floats.clone().all(|row| row.output.is_float());
    match policy {
        NanPolicy::Propagate if has_nan => "a NaN anywhere makes the result NaN",
        NanPolicy::Propagate => "a NaN anywhere decides the result, which cannot be NaN itself",
        NanPolicy::Ignore => "a NaN changes nothing",
        NanPolicy::Unspecified => "no promise",
    }
}

fn order(commutative: bool) -> &'static str {
    if commutative {
        "elements are combined in any order; the same one at every CPU level"
    } else {
        "elements are combined in the order of the data"
    }
}

/// The types of the data, by what they are computed in.
fn dtypes(version: &VersionSchema) -> Vec<String> {
    grouped(version.dtypes.iter().map(|row| match row.compute {
        compute if compute == row.input.name() => ("computed as they are".to_owned(), row.input),
        compute => (format!("computed in {compute}"), row.input),
    }))
}

/// One line per text, with the types it is said of, in their usual order.
fn grouped(said: impl IntoIterator<Item = (String, DType)>) -> Vec<String> {
    let mut groups: Vec<(Vec<DType>, String)> = Vec::new();
    for (text, dtype) in said {
        match groups.iter_mut().find(|(_, known)| *known == text) {
            Some((dtypes, _)) => dtypes.push(dtype),
            None => groups.push((vec![dtype], text)),
        }
    }
    groups.iter_mut().for_each(|(dtypes, _)| dtypes.sort_unstable());
    groups.sort_unstable();
    let line = |(dtypes, text): &(Vec<DType>, String)| {
        let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
        format!("{}: {text}", names.join(", "))
    };
    groups.iter().map(line).collect()
}
