//! What becomes of each reduction at another opset, and of other nodes.

use std::fmt::{self, Display};

use serde::Serialize;

use super::convert::{self, Form};
use super::others;
use crate::check::finding::Finding;
use crate::check::node::Reader;
use crate::check::{Problem, Report, problems_of};
use crate::error::Error;
use crate::file::check_opset;
use crate::map::Map;
use crate::words::{counted, plain};

/// What becomes of the nodes of a model at another opset.
///
/// Displayed, it has a line for each reduction that changes, and ends with a line of counts.
#[derive(Debug)]
pub struct Target<'r> {
    map: &'r Map<'r>,
    opset: u32,
    /// Of reductions that have no form there.
    problems: Vec<Finding>,
    conversions: Vec<Conversion<'r>>,
    /// Other nodes that are not the same there.
    others: Vec<Finding>,
}

/// What becomes of a reduction at another opset. It can be serialised with `serde`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Conversion<'r> {
    /// The operator's name.
    pub operator: &'r str,
    /// The node's name, which may be empty.
    pub node: &'r str,
    /// Where the node is, in words.
    pub place: String,
    /// The version that governs where it is, if one does.
    pub from_version: Option<u32>,
    /// The version that governs at the other opset, if one does.
    pub to_version: Option<u32>,
    /// Whether it has a form there.
    pub outcome: Outcome,
    /// What changes, or why it is impossible.
    pub details: Vec<String>,
}

/// Whether a reduction has a form at another opset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is valid as it stands, and means the same.
    Unchanged,
    /// It has to be written in another way, and means the same then.
    Changed,
    /// It has no form there, or is not valid where it is.
    Impossible,
}

impl Report<'_> {
    /// What becomes of the nodes at another opset. Nothing is changed.
    ///
    /// # Errors
    /// If there is no such opset ([`ErrorKind::Opset`](crate::ErrorKind::Opset)).
    ///
    /// ```
    /// use reduce_onnx::{Model, Outcome};
    ///
    /// let model = Model::open("data/rms.onnx")?;
    /// let report = model.check();
    /// let target = report.at_opset(18)?;
    /// let [mean] = target.conversions() else { panic!("one reduction") };
    /// assert_eq!((mean.from_version, mean.to_version), (Some(13), Some(18)));
    /// assert_eq!(mean.outcome, Outcome::Changed);
    /// assert_eq!(mean.details, ["axes = [1]: an attribute before, now an input"]);
    /// # Ok::<(), reduce_onnx::Error>(())
    /// ```
    pub fn at_opset(&self, opset: u32) -> Result<Target<'_>, Error> {
        check_opset(opset)?;
        let map = &self.map;
        let reader = Reader::new(map, self.model);
        let (mut problems, mut conversions) = (Vec::new(), Vec::new());
        for &site in &map.reductions {
            let node = map.node(site);
            let versions = convert::versions(&reader, site, opset);
            let (outcome, details) = match convert::convert(&reader, site, opset) {
                Form::Same => (Outcome::Unchanged, Vec::new()),
                Form::Changed(change) => (Outcome::Changed, change.words()),
                Form::Impossible(found) => {
                    let facts = found.iter().map(|problem| problem.fact.clone()).collect();
                    problems.extend(found);
                    (Outcome::Impossible, facts)
                }
                Form::Invalid => {
                    (Outcome::Impossible, vec!["it is not valid where it is".to_owned()])
                }
            };
            conversions.push(Conversion {
                operator: &node.op_type,
                node: &node.name,
                place: map.place(site),
                from_version: versions.before,
                to_version: versions.after,
                outcome,
                details,
            });
        }
        let others = others::problems(map, opset);
        Ok(Target { map, opset, problems, conversions, others })
    }
}

impl<'r> Target<'r> {
    /// The opset.
    pub fn opset(&self) -> u32 {
        self.opset
    }

    /// What becomes of each reduction, in the order of the nodes.
    pub fn conversions(&self) -> &[Conversion<'r>] {
        &self.conversions
    }

    /// Why reductions have no form there. What is wrong with them where they are is told by the report.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = Problem<'_>> + Clone {
        problems_of(self.map, &self.problems)
    }

    /// The nodes of other operators that are not valid there, or mean something else.
    pub fn others(&self) -> impl ExactSizeIterator<Item = Problem<'_>> + Clone {
        problems_of(self.map, &self.others)
    }
}

impl Display for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |outcome: Outcome| {
            self.conversions.iter().filter(move |conversion| conversion.outcome == outcome)
        };
        let number = |version: Option<u32>| version.map_or("?".to_owned(), |v| v.to_string());
        for conversion in of(Outcome::Changed) {
            let (from, to) = (number(conversion.from_version), number(conversion.to_version));
            let (place, operator) = (&conversion.place, plain(conversion.operator));
            let details = conversion.details.join("; ");
            writeln!(f, "  {place}: {operator} {from} -> {to}: {details}")?;
        }
        let [unchanged, changed, impossible] =
            [Outcome::Unchanged, Outcome::Changed, Outcome::Impossible]
                .map(|outcome| of(outcome).count());
        let opset = self.opset;
        write!(
            f,
            "at opset {opset}: {unchanged} unchanged, {changed} changed, {impossible} impossible"
        )?;
        match self.others.len() {
            0 => Ok(()),
            others => write!(f, "; {} not the same there", counted(others, "other node")),
        }
    }
}
