//! What was found in a model, for users.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use super::finding::{Finding, Gravity};
use super::findings::{Findings, check};
use super::text::{NodeText, Text};
use crate::file::Model;
use crate::file::proto::NodeProto;
use crate::file::proto::tensor_proto::DataLocation;
use crate::map::Map;
use crate::words::{counted, plain, sentence};

/// What there is to say of the reductions of a model.
///
/// Every node that is a reduction, in graphs within nodes and in functions too, was held against the version that its
/// opset selects. What only the running model knows is not judged. Elements in other files are read if axes are among
/// them.
///
/// ```
/// use reduce_onnx::Model;
///
/// // Its node has the attribute `axes`, which is an input from opset 18 on.
/// let mut proto = Model::open("data/rms.onnx")?.proto().clone();
/// proto.opset_import[0].version = 18;
/// let model = Model::from_proto(&proto)?;
/// let report = model.check();
/// let problem = report.problems().next().expect("one");
/// assert_eq!(problem.code(), "attribute-of-other-version");
/// assert_eq!(problem.place(), "node 1 `mean` of graph `rms`");
/// assert_eq!(
///     problem.title(),
///     "ReduceMean at version 18: `axes` is an attribute only at versions 1..=17"
/// );
/// assert_eq!(problem.help(), Some("here it is an input: pass it as the second input"));
/// # Ok::<(), reduce_onnx::Error>(())
/// ```
#[derive(Debug)]
pub struct Report<'m> {
    pub(crate) model: &'m Model,
    pub(crate) map: Map<'m>,
    pub(crate) findings: Findings,
}

/// How often a model uses an operator in a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Used {
    /// The operator's name.
    pub operator: &'static str,
    /// The version that governs, as the opset that it came with.
    pub version: u32,
    /// The number of nodes.
    pub count: usize,
}

impl Model {
    /// Holds all reductions of the model against the versions that govern them.
    pub fn check(&self) -> Report<'_> {
        let map = Map::of(self.proto());
        let findings = check(&map, self);
        Report { model: self, map, findings }
    }
}

impl<'m> Report<'m> {
    /// All problems, in the order of the nodes.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = Problem<'_>> + Clone {
        problems_of(&self.map, &self.findings.problems)
    }

    /// The number of problems that are no mere notes.
    pub fn errors(&self) -> usize {
        self.findings.errors()
    }

    /// The operators that are used, by name and version. Reductions of no version are not among them.
    pub fn reductions(&self) -> impl Iterator<Item = Used> + '_ {
        let used = self.findings.reductions.iter();
        used.map(|(&(operator, version), &count)| Used { operator, version, count })
    }

    /// The number of nodes of each domain that is not the standard's. These are not checked.
    pub fn other_domains(&self) -> &BTreeMap<&'m str, usize> {
        &self.map.foreign
    }

    /// Whether tensors of its graphs keep their elements in other files.
    pub fn has_external_data(&self) -> bool {
        let graphs = self.map.scopes.iter().filter_map(|scope| scope.graph);
        let mut tensors = graphs.flat_map(|graph| &graph.initializer);
        tensors.any(|tensor| tensor.data_location() == DataLocation::External)
    }
}

/// The counts, on one line: `2 reductions (1 ReduceMax-13, 1 ReduceSum-13); no problems`.
impl Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.map.reductions.len();
        write!(f, "{}", counted(all, "reduction"))?;
        let mut parts: Vec<String> = self
            .reductions()
            .map(|Used { operator, version, count }| format!("{count} {operator}-{version}"))
            .collect();
        let without = all - self.reductions().map(|used| used.count).sum::<usize>();
        if without > 0 {
            parts.push(format!("{without} of no version"));
        }
        if !parts.is_empty() {
            write!(f, " ({})", parts.join(", "))?;
        }
        let foreign = self.map.foreign.values().sum::<usize>();
        if foreign > 0 {
            let domains = counted(self.map.foreign.len(), "other domain");
            write!(f, "; {} of {domains}", counted(foreign, "node"))?;
        }
        let notes = self.findings.problems.len() - self.errors();
        if notes > 0 {
            write!(f, "; {}", counted(notes, "note"))?;
        }
        match self.errors() {
            0 => f.write_str("; no problems"),
            errors => write!(f, "; {}", counted(errors, "problem")),
        }
    }
}

/// Findings as users see them.
pub(crate) fn problems_of<'r>(
    map: &'r Map<'r>,
    found: &'r [Finding],
) -> impl ExactSizeIterator<Item = Problem<'r>> + Clone {
    found.iter().map(|found| Problem { map, found })
}

/// What is wrong with one node of a model, or could not be checked.
///
/// Displayed, it is one line: the place, the fact, and what to do.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'r> {
    map: &'r Map<'r>,
    found: &'r Finding,
}

impl<'r> Problem<'r> {
    /// Whether the model is wrong, or only could not be checked.
    pub fn gravity(&self) -> Gravity {
        self.found.gravity
    }

    /// What programs know the problem by; it stays the same from version to version.
    pub fn code(&self) -> &'static str {
        self.found.code
    }

    /// The node as the file has it.
    pub fn node(&self) -> &'r NodeProto {
        self.map.node(self.found.site)
    }

    /// Where the node is, in words, such as ``node 1 of graph `main` ``.
    pub fn place(&self) -> String {
        self.map.place(self.found.site)
    }

    /// The version of the operator that governs, if one does.
    pub fn version(&self) -> Option<u32> {
        self.found.version
    }

    /// What is wrong, without the operator.
    pub fn fact(&self) -> &'r str {
        &self.found.fact
    }

    /// The operator with its version, and what is wrong.
    pub fn title(&self) -> String {
        match self.found.version {
            Some(version) => {
                format!("{} at version {version}: {}", plain(&self.node().op_type), self.fact())
            }
            None => self.fact().to_owned(),
        }
    }

    /// What to do instead.
    pub fn help(&self) -> Option<&'r str> {
        self.found.help.as_deref()
    }

    /// What else a reader wants to know.
    pub fn note(&self) -> Option<&'r str> {
        self.found.note.as_deref()
    }

    /// A few words to stand under the part of the node that the problem is in. They may be empty.
    pub fn label(&self) -> &'r str {
        &self.found.label
    }

    /// The node as text, and the part of it that the problem is in.
    pub fn text(&self) -> NodeText {
        let text = Text::of(self.node());
        NodeText { span: text.span(self.found.part), text: text.text }
    }
}

impl Display for Problem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place(), sentence(&self.title()))?;
        self.help().map_or(Ok(()), |help| write!(f, "; {}", sentence(help)))
    }
}
