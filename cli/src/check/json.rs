//! What was found, for programs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::map::Map;
use super::model::Findings;
use super::problem::{Gravity, Problem};
use super::show;
use super::target::Target;
use super::text::Text;
use crate::error::{Error, plain_json};

/// A model that was checked, or could not be read.
#[derive(Debug, Serialize)]
pub(super) struct Model<'m> {
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
    conversions: Option<Vec<Conversion<'m>>>,
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
    note: Option<String>,
    /// The node as text, and the bytes of it that the problem is in.
    text: String,
    span: [usize; 2],
}

/// The outcome for a reduction at another opset.
#[derive(Debug, Serialize)]
pub(super) struct Conversion<'m> {
    pub(super) operator: &'m str,
    pub(super) node: &'m str,
    pub(super) place: String,
    pub(super) from_version: Option<u32>,
    pub(super) to_version: Option<u32>,
    /// `unchanged`, `changed` or `impossible`.
    pub(super) outcome: &'static str,
    /// What changes, or why it is impossible.
    pub(super) details: Vec<String>,
}

impl<'m> Model<'m> {
    pub(super) fn of(
        map: &Map<'m>,
        path: &str,
        findings: &Findings,
        target: Option<Target<'m>>,
    ) -> Self {
        let entry = |problem: &Problem| Entry::of(map, problem);
        let others = target.as_ref().map(|target| target.others.iter().map(entry).collect());
        let counts = findings.reductions.iter().map(|(&(operator, version), &count)| Count {
            operator,
            version,
            count,
        });
        Model {
            path: path.to_owned(),
            error: None,
            opset: map.main_opset(),
            reductions: counts.collect(),
            other_domains: map.foreign.clone(),
            problems: findings.problems.iter().map(entry).collect(),
            conversions: target.map(|target| target.conversions),
            others,
        }
    }

    pub(super) fn unreadable(path: &str, error: &Error) -> Self {
        Model {
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
}

impl Model<'_> {
    /// The model's part of the document.
    pub(super) fn value(&self) -> Result<serde_json::Value, Error> {
        serde_json::to_value(self).map_err(|error| Error::new(error.to_string()))
    }
}

impl<'m> Entry<'m> {
    fn of(map: &Map<'m>, problem: &Problem) -> Self {
        let node = map.node(problem.site);
        let text = Text::of(node);
        let span = text.span(problem.part);
        Entry {
            level: match problem.gravity {
                Gravity::Error => "error",
                Gravity::Note => "note",
            },
            code: problem.code,
            operator: &node.op_type,
            version: problem.version,
            node: &node.name,
            place: map.place(problem.site),
            message: show::title(map, problem),
            help: problem.help.clone(),
            note: problem.note.clone(),
            span: [span.start, span.end],
            text: text.text,
        }
    }
}

/// The whole document: an object with a list of models, in the order of the arguments.
pub(super) fn document(models: &[serde_json::Value]) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(&serde_json::json!({ "models": models }));
    text.map(|text| plain_json(&text) + "\n").map_err(|error| Error::new(error.to_string()))
}
