//! What was found, for programs.

use std::collections::BTreeMap;

use serde::Serialize;

use reduce_onnx::{Conversion, Gravity, Model, Problem, Report, Target, Used};

use super::help;
use crate::error::{Error, plain_json};

/// A model that was checked, or could not be read.
#[derive(Debug, Serialize)]
pub(super) struct Checked<'m> {
    path: String,
    /// Why it cannot be read; then all else is empty.
    error: Option<String>,
    /// The opset of the standard domain that governs the main graph, if there is one.
    opset: Option<u32>,
    reductions: Vec<Count>,
    /// Nodes of other domains than the standard's, by domain.
    other_domains: BTreeMap<&'m str, usize>,
    problems: Vec<Entry<'m>>,
    /// With `--target-opset`: what becomes of each reduction.
    #[serde(skip_serializing_if = "Option::is_none")]
    conversions: Option<&'m [Conversion<'m>]>,
    /// With `--target-opset`: the nodes of other operators that are not the same there, as `problems` has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    others: Option<Vec<Entry<'m>>>,
}

/// How often an operator is used in a version.
#[derive(Debug, Serialize)]
struct Count {
    operator: &'static str,
    version: u32,
    count: usize,
}

/// One problem.
#[derive(Debug, Serialize)]
struct Entry<'m> {
    /// `error`, or `note` for what could not be checked.
    level: &'static str,
    /// Stable; the codes are those of the library and of `docs`.
    code: &'static str,
    operator: &'m str,
    /// The version that governs, if one does.
    version: Option<u32>,
    /// The name of the node, which may be empty.
    node: &'m str,
    /// Where the node is, in words.
    place: String,
    message: String,
    help: Option<String>,
    note: Option<&'m str>,
    /// The node as text, and the bytes of it that the problem is in.
    text: String,
    span: [usize; 2],
}

impl<'m> Checked<'m> {
    pub(super) fn of(
        model: &'m Model,
        report: &'m Report<'m>,
        path: &str,
        target: Option<&'m Target<'m>>,
    ) -> Self {
        let count = |used: Used| Count {
            operator: used.operator,
            version: used.version,
            count: used.count,
        };
        let domains = report.other_domains().iter().map(|(&domain, &count)| (domain, count));
        Checked {
            path: path.to_owned(),
            error: None,
            opset: model.opset(),
            reductions: report.reductions().map(count).collect(),
            other_domains: domains.collect(),
            problems: report.problems().map(Entry::of).collect(),
            conversions: target.map(Target::conversions),
            others: target.map(|target| target.others().map(Entry::of).collect()),
        }
    }

    pub(super) fn unreadable(path: &str, error: &Error) -> Self {
        Checked {
            path: path.to_owned(),
            error: Some(error.to_string()),
            opset: None,
            reductions: Vec::new(),
            other_domains: BTreeMap::new(),
            problems: Vec::new(),
            conversions: None,
            others: None,
        }
    }

    /// The model's part of the document.
    pub(super) fn value(&self) -> Result<serde_json::Value, Error> {
        serde_json::to_value(self).map_err(|error| Error::new(error.to_string()))
    }
}

impl<'m> Entry<'m> {
    fn of(problem: Problem<'m>) -> Self {
        let (node, text) = (problem.node(), problem.text());
        Entry {
            level: match problem.gravity() {
                Gravity::Error => "error",
                Gravity::Note => "note",
            },
            code: problem.code(),
            operator: &node.op_type,
            version: problem.version(),
            node: &node.name,
            place: problem.place(),
            message: problem.title(),
            help: help(&problem),
            note: problem.note(),
            span: [text.span.start, text.span.end],
            text: text.text,
        }
    }
}

/// The whole document: an object with a list of models, in the order of the arguments.
pub(super) fn document(models: &[serde_json::Value]) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(&serde_json::json!({ "models": models }));
    text.map(|text| plain_json(&text) + "\n").map_err(|error| Error::new(error.to_string()))
}
