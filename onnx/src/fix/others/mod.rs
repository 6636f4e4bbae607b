//! Nodes of other operators of the standard, at another opset.
//!
//! A node comes along if it is valid at every version between its own and the one there, and means the same at
//! each. [`table`] has what the standard says of the versions, and [`valid`] holds a node against one. [`meaning`]
//! knows what else has changed, by the list in [`changes`]. [`types`] finds the types that a value may have, and
//! [`lost`] those that a version does not take.

mod changes;
mod lost;
mod meaning;
mod set;
mod table;
mod types;
mod valid;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use crate::check::finding::Finding;
use crate::check::findings::nearly;
use crate::check::text::Part;
use crate::map::{Map, Near, Site};
use crate::words::{plain, quoted};
use table::{Table, Version};
use types::Known;
use valid::Flaw;

/// What to do about a node that does not come along.
const HELP: &str = "convert it first, or leave it as it is";

/// What is known of the types of a model's values, and where the nodes are to go.
struct Comparison<'a, 'm> {
    map: &'a Map<'m>,
    table: &'static Table,
    known: Known<'a, 'm>,
    /// How often each value is read.
    uses: BTreeMap<(usize, &'m str), usize>,
    near: BTreeMap<Site, Near>,
    target: u32,
}

/// The nodes that are not valid at another opset, or mean something else there, and why. A reduction is among
/// them if its type is not known, and may be one that it does not take there.
pub(super) fn problems(map: &Map<'_>, target: u32) -> Vec<Finding> {
    let table = Table::standard();
    let near = map.near.iter().copied().collect();
    let reader = Comparison { map, table, known: Known::of(map), uses: map.uses(), near, target };
    let mut problems = imports(map);
    problems.extend(map.others.iter().filter_map(|&site| reader.other(site)));
    problems.extend(map.reductions.iter().filter_map(|&site| reader.reduction(site)));
    problems.sort_by_key(|problem| problem.site);
    problems
}

/// What is wrong with the imports that these nodes need, said at the first of them.
fn imports(map: &Map<'_>) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    let mut sites: Vec<Site> = map.others.iter().chain(&map.reductions).copied().collect();
    sites.sort();
    for site in sites {
        if !seen.insert(map.scopes[site.scope].function) {
            continue;
        }
        match map.opset(site.scope) {
            Err(flaw) => {
                let (fact, help) = flaw.sentence();
                problems.push(Finding::new(flaw.code(), site, Part::Operator, fact).help(help));
            }
            Ok(opset) => problems.extend(opset.newer.map(|newer| {
                let fact = format!("opset {newer} is newer than this build knows");
                let help = "convert it with a newer build of this program";
                Finding::new("newer-opset", site, Part::Operator, fact).help(help)
            })),
        }
    }
    problems
}

impl Comparison<'_, '_> {
    fn other(&self, site: Site) -> Option<Finding> {
        let opset = self.map.opset(site.scope).as_ref().ok()?.number;
        let node = self.map.node(site);
        let versions = self.table.versions(&node.op_type);
        if versions.is_empty() {
            return Some(match self.near.get(&site) {
                Some(&near) => nearly(self.map, site, near),
                None => unknown(site, &node.op_type),
            });
        }
        let missing = |opset: u32| {
            let fact = format!(
                "opset {opset} has no {}, which is new in opset {}",
                quoted(&node.op_type),
                versions[0].since
            );
            Finding::new("not-in-opset", site, Part::Operator, fact).help(HELP)
        };
        let Some(from) = Version::at(versions, opset) else { return Some(missing(opset)) };
        let Some(to) = Version::at(versions, self.target) else {
            return Some(missing(self.target));
        };
        let inputs = self.known.inputs(site, &versions[from]);
        let flaw = |[before, after]: [&Version; 2]| {
            let flaw = valid::flaw(node, after);
            let counts = |output: &str| self.counts(site, output);
            let flaw = flaw.or_else(|| meaning::flaw(self.map, site, [before, after], &counts));
            flaw.or_else(|| lost::flaw(node, [&versions[from], after], &inputs, &counts))
        };
        self.along(site, versions, [from, to], flaw)
    }

    /// Types that an operator loses, where the model does not say which it has.
    fn reduction(&self, site: Site) -> Option<Finding> {
        let opset = self.map.opset(site.scope).as_ref().ok()?.number;
        let node = self.map.node(site);
        let versions = self.table.versions(&node.op_type);
        let from = Version::at(versions, opset)?;
        let to = Version::at(versions, self.target)?;
        let inputs = self.known.inputs(site, &versions[from]);
        // Of a type that is known the library says it.
        inputs.first().filter(|types| !types.is_one())?;
        let flaw = |[_, after]: [&Version; 2]| {
            let counts = |output: &str| self.counts(site, output);
            lost::flaw(node, [&versions[from], after], &inputs[..1], &counts)
        };
        self.along(site, versions, [from, to], flaw)
    }

    /// Whether it counts what a node gives: somebody reads it, or the model says its type.
    fn counts(&self, site: Site, output: &str) -> bool {
        let infos = &self.map.scopes[site.scope].infos;
        self.uses.contains_key(&(site.scope, output)) || infos.contains_key(output)
    }

    /// The first flaw on the way from one version to another, as a problem.
    fn along(
        &self,
        site: Site,
        versions: &[Version],
        [from, to]: [usize; 2],
        flaw: impl Fn([&Version; 2]) -> Option<Flaw>,
    ) -> Option<Finding> {
        let steps: Vec<[usize; 2]> = match from <= to {
            true => (from..to).map(|step| [step, step + 1]).collect(),
            false => (to..from).rev().map(|step| [step + 1, step]).collect(),
        };
        let found = |step: [usize; 2]| Some((flaw(step.map(|step| &versions[step]))?, step[1]));
        let (Flaw { part, fact }, step) = steps.into_iter().find_map(found)?;
        let op = plain(&self.map.node(site).op_type);
        let [own, there] = [from, to].map(|place| versions[place].since);
        let mut problem = Finding::new("other-operator", site, part, fact).help(HELP);
        problem.version = Some(versions[step].since);
        let target = self.target;
        problem.note = Some(format!("it is {op}-{own} here, and {op}-{there} at opset {target}"));
        Some(problem)
    }
}

fn unknown(site: Site, op: &str) -> Finding {
    let fact = format!("{} is no operator of the standard", quoted(op));
    let help = "give it the domain that it is of, or leave it as it is";
    Finding::new("other-operator", site, Part::Operator, fact).help(help)
}

#[cfg(test)]
mod tests;
