//! `reduce check --target-opset`: what becomes of each reduction at another opset, and of other nodes.

use super::convert::{self, Outcome};
use super::json::Conversion;
use super::map::Map;
use super::node::Reader;
use super::others;
use super::problem::Problem;
use crate::onnx::File;
use crate::words::{counted, plain};

/// The outcomes for the reductions of a model at another opset.
#[derive(Debug)]
pub(super) struct Target<'m> {
    opset: u32,
    /// Of reductions that have no form there.
    pub(super) problems: Vec<Problem>,
    pub(super) conversions: Vec<Conversion<'m>>,
    /// Other nodes that are not the same there.
    pub(super) others: Vec<Problem>,
}

impl<'m> Target<'m> {
    pub(super) fn of(map: &Map<'m>, file: &File, opset: u32) -> Self {
        let reader = Reader::new(map, file);
        let (mut problems, mut conversions) = (Vec::new(), Vec::new());
        for &site in &map.reductions {
            let node = map.node(site);
            let versions = convert::versions(&reader, site, opset);
            let (outcome, details) = match convert::convert(&reader, site, opset) {
                Outcome::Same => ("unchanged", Vec::new()),
                Outcome::Changed(change) => ("changed", change.words()),
                Outcome::Impossible(found) => {
                    let facts = found.iter().map(|problem| problem.fact.clone()).collect();
                    problems.extend(found);
                    ("impossible", facts)
                }
                Outcome::Invalid => ("impossible", vec!["it is not valid where it is".to_owned()]),
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
        Target { opset, problems, conversions, others: others::problems(map, opset) }
    }

    /// Describes the changes, line by line, and ends with a line of counts.
    pub(super) fn words(&self) -> String {
        let count = |outcome: &str| {
            self.conversions.iter().filter(|conversion| conversion.outcome == outcome).count()
        };
        let number = |version: Option<u32>| version.map_or("?".to_owned(), |v| v.to_string());
        let changed = self.conversions.iter().filter(|conversion| conversion.outcome == "changed");
        let mut text: String = changed
            .map(|conversion| {
                let Conversion { place, operator, from_version, to_version, details, .. } =
                    conversion;
                let (from, to) = (number(*from_version), number(*to_version));
                let details = details.join("; ");
                format!("  {place}: {} {from} -> {to}: {details}\n", plain(operator))
            })
            .collect();
        let [unchanged, changed, impossible] = ["unchanged", "changed", "impossible"].map(count);
        let opset = self.opset;
        text += &format!(
            "at opset {opset}: {unchanged} unchanged, {changed} changed, {impossible} impossible"
        );
        if !self.others.is_empty() {
            text += &format!("; {} not the same there", counted(self.others.len(), "other node"));
        }
        text + "\n"
    }
}
