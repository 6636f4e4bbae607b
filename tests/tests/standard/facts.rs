//! The standard's schemas, as the onnx package has them, read from
//! `data/onnx-reductions.json`; and what it takes to hold nodes against them.

use std::sync::LazyLock;

use reduce_core::Problems;
use reduce_core::nodes::{Call, OpEntry};
use reduce_specs::ONNX;
use serde_json::{Map, Value};

/// The newest opset the data knows of.
pub(crate) const NEWEST: u32 = 28;

/// One version of one operator.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    /// The opset that introduced it.
    pub(crate) since: u32,
    /// The last opset it governs, if there is a later version.
    pub(crate) until: Option<u32>,
    /// All of it.
    pub(crate) json: Map<String, Value>,
}

impl Version {
    fn of(json: &Value) -> Version {
        let json = json.as_object().expect("a version is an object").clone();
        let number = |key: &str| json[key].as_u64().and_then(|n| u32::try_from(n).ok());
        Version { since: number("since").expect("a number"), until: number("until"), json }
    }

    /// Tells whether it governs an opset.
    pub(crate) fn governs(&self, opset: u32) -> bool {
        self.since <= opset && self.until.is_none_or(|until| opset <= until)
    }

    /// The standard's names of the types allowed.
    pub(crate) fn dtypes(&self) -> Vec<&str> {
        strings(&self.json["dtypes"])
    }

    /// The attributes by name.
    pub(crate) fn attributes(&self) -> &Map<String, Value> {
        self.json["attributes"].as_object().expect("an object")
    }

    /// The inputs in order.
    pub(crate) fn inputs(&self) -> &[Value] {
        self.json["inputs"].as_array().expect("a list")
    }

    /// Whether the axes are a second input.
    pub(crate) fn takes_axes_input(&self) -> bool {
        self.inputs().iter().any(|input| input["name"] == "axes")
    }

    /// What was read out of the documentation.
    pub(crate) fn derived(&self, key: &str) -> &Value {
        &self.json["derived"][key]
    }
}

/// The versions of an operator, the oldest first.
///
/// # Panics
/// If the standard has no such operator.
pub(crate) fn history(op: &str) -> Vec<Version> {
    static DATA: LazyLock<Value> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../data/onnx-reductions.json")).expect("JSON")
    });
    let data = &*DATA;
    let versions = data[op].as_array();
    let versions = versions.unwrap_or_else(|| panic!("the standard has no operator `{op}`"));
    versions.iter().map(Version::of).collect()
}

/// The version that governs an opset.
///
/// # Panics
/// If there is none.
pub(crate) fn governing(op: &str, opset: u32) -> Version {
    let found = history(op).into_iter().find(|version| version.governs(opset));
    found.unwrap_or_else(|| panic!("no version of {op} governs opset {opset}"))
}

/// The standard's name of a type.
pub(crate) fn onnx_name(dtype: &str) -> String {
    match dtype {
        "f16" => "float16".to_owned(),
        "bf16" => "bfloat16".to_owned(),
        "f32" => "float".to_owned(),
        "f64" => "double".to_owned(),
        "bool" => "bool".to_owned(),
        integer => match integer.split_at(1) {
            ("u", bits) => format!("uint{bits}"),
            (_, bits) => format!("int{bits}"),
        },
    }
}

/// A list of strings.
pub(crate) fn strings(list: &Value) -> Vec<&str> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| item.as_str().expect("a string")).collect()
}

/// The spans of opsets whose versions satisfy a condition, as messages write
/// them: `1..=12 and 20..`.
pub(crate) fn spans(op: &str, meant: impl Fn(&Version) -> bool) -> String {
    let mut spans: Vec<(u32, Option<u32>)> = Vec::new();
    for version in history(op).iter().filter(|version| meant(version)) {
        match spans.last_mut() {
            Some((_, last)) if *last == Some(version.since - 1) => *last = version.until,
            _ => spans.push((version.since, version.until)),
        }
    }
    let write = |(first, last): (u32, Option<u32>)| match last {
        None => format!("{first}.."),
        Some(last) if last == first => first.to_string(),
        Some(last) => format!("{first}..={last}"),
    };
    spans.into_iter().map(write).collect::<Vec<_>>().join(" and ")
}

/// Runs something for every operator at every opset.
pub(crate) fn everywhere(mut work: impl FnMut(&'static OpEntry, u32, &Version)) {
    for entry in ONNX.ops() {
        for opset in 1..=NEWEST {
            work(entry, opset, &governing(entry.schema().name, opset));
        }
    }
}

/// The only problem of a node, after making sure that it names the operator and
/// its version.
pub(crate) fn only_problem(
    entry: &OpEntry,
    standard: &Version,
    result: Result<Call, Problems>,
) -> String {
    let problems = result.expect_err("a node that is wrong");
    assert_eq!(problems.errors().len(), 1, "{problems}");
    let message = problems.to_string();
    let start = format!("{} at version {}: ", entry.schema().name, standard.since);
    assert!(message.starts_with(&start), "{message:?} does not start with {start:?}");
    message
}

/// That a message says all of this.
#[track_caller]
pub(crate) fn assert_contains(message: &str, words: &[&str]) {
    for words in words {
        assert!(message.contains(words), "{message:?} does not say {words:?}");
    }
}
