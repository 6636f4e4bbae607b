//! `reduce ops --json`: the fields that the help of the command names.

use reduce_core::schema::{
    AttrDefault, AttrKind, AttrSchema, Empty, NanPolicy, ResultLength, VersionSchema,
};
use reduce_gallery::by_name::Family;
use reduce_specs::ONNX;
use serde::Serialize;
use serde_json::{Value, json};

use crate::error::Error;
use crate::operators::{GALLERY, Operator, short};

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    short: &'static str,
    set: &'static str,
    summary: &'static str,
    inputs: usize,
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    emits: &'static [usize],
    results: &'static [&'static str],
    nan: &'static str,
    commutative: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<Value>,
    versions: Vec<Version>,
}

#[derive(Serialize)]
struct Version {
    since: u32,
    until: Option<u32>,
    axes: &'static str,
    attributes: Vec<Value>,
    dtypes: Vec<Value>,
}

/// The list, one operator after another.
pub(super) fn list() -> Result<String, Error> {
    let onnx = ONNX.ops().iter().map(Operator::Onnx);
    let entries: Vec<Entry> =
        onnx.chain(GALLERY.iter().map(Operator::Gallery)).map(entry).collect();
    let text = serde_json::to_string_pretty(&entries);
    text.map(|text| text + "\n").map_err(|error| Error::new(error.to_string()))
}

fn entry(operator: Operator) -> Entry {
    let schema = operator.schema();
    let (set, length) = match operator {
        Operator::Onnx(_) => ("onnx", None),
        Operator::Gallery(family) => ("gallery", length(family)),
    };
    Entry {
        name: schema.name,
        short: short(schema.name),
        set,
        summary: schema.summary,
        inputs: operator.inputs(),
        emits: schema.emits,
        results: operator.results(),
        nan: match schema.nan {
            NanPolicy::Propagate => "propagate",
            NanPolicy::Ignore => "ignore",
            NanPolicy::Unspecified => "unspecified",
        },
        commutative: schema.commutative,
        length,
        versions: schema.history().iter().map(version).collect(),
    }
}

/// The parameter that says how long results are, and the most that it may be, if there is a most.
fn length(family: &Family) -> Option<Value> {
    if let Some(name) = family.length {
        return Some(json!({"name": name, "most": family.lengths().last()}));
    }
    match family.members.first()?.entry.schema().dtypes.first()?.length {
        ResultLength::Parameter(name) => Some(json!({"name": name})),
        ResultLength::One | ResultLength::Fixed(_) => None,
    }
}

fn version(version: &VersionSchema) -> Version {
    let dtype = |row: &reduce_core::schema::DTypeSchema| {
        let empty = if row.empty == Empty::Error { "error" } else { "value" };
        let (input, output) = (row.input.name(), row.output.name());
        json!({"input": input, "compute": row.compute, "output": output, "empty": empty})
    };
    Version {
        since: version.since,
        until: version.until,
        axes: match super::axes(version) {
            "one, attribute" => "one",
            axes => axes,
        },
        attributes: version.attrs.iter().map(attribute).collect(),
        dtypes: version.dtypes.iter().map(dtype).collect(),
    }
}

fn attribute(attr: &AttrSchema) -> Value {
    let kind = match attr.kind {
        AttrKind::Bool => "bool",
        AttrKind::Int => "int",
        AttrKind::Float => "float",
        AttrKind::Ints => "ints",
        AttrKind::Input => "input",
    };
    let default = match attr.default {
        AttrDefault::All => json!("all"),
        AttrDefault::Bool(flag) => json!(u8::from(flag)),
        AttrDefault::Int(int) => json!(int),
        AttrDefault::Float(float) => json!(float),
    };
    let mut object = json!({"name": attr.name, "kind": kind, "default": default});
    for (name, limit) in [("low", attr.range.low), ("high", attr.range.high)] {
        if let Some(limit) = limit {
            object[name] = json!(limit);
        }
    }
    object
}
