//! A whole model: every reduction is read and held against its version.

use std::collections::{BTreeMap, BTreeSet};

use reduce_specs::ONNX;

use super::finding::{Finding, Gravity};
use super::node::Reader;
use super::reference::{Env, envs};
use super::text::Part;
use crate::file::Model;
use crate::map::Near;
use crate::map::{Map, Site};
use crate::words::quoted;

/// What was found in a model.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) problems: Vec<Finding>,
    /// How often each operator is used, by the version that governs.
    pub(crate) reductions: BTreeMap<(&'static str, u32), usize>,
}

impl Findings {
    /// The number of problems that are no mere notes.
    pub(crate) fn errors(&self) -> usize {
        self.problems.iter().filter(|problem| problem.gravity == Gravity::Error).count()
    }

    /// The problems of a node.
    pub(crate) fn of(&self, site: Site) -> impl Iterator<Item = &Finding> {
        self.problems.iter().filter(move |problem| problem.site == site)
    }
}

/// Checks all of a model.
pub(crate) fn check<'m>(map: &Map<'m>, model: &'m Model) -> Findings {
    let mut problems = opsets(map);
    let mut reductions = BTreeMap::new();
    let mut reader = Reader::new(map, model);
    let functions = envs(map);
    let outside = [Env::default()];
    for &site in &map.reductions {
        let Ok(opset) = map.opset(site.scope) else { continue };
        let function = map.scopes[site.scope].function;
        let envs = function.map_or(&outside[..], |function| &functions[function][..]);
        problems.extend(in_all(&mut reader, site, opset.number, envs));
        if let Ok(entry) = ONNX.op(&map.node(site).op_type)
            && let Ok(version) = entry.schema().resolve(opset.number)
        {
            *reductions.entry((entry.schema().name, version)).or_default() += 1;
        }
    }
    problems.extend(map.near.iter().map(|&(site, near)| nearly(map, site, near)));
    problems.sort_by_key(|problem| problem.site);
    Findings { problems, reductions }
}

/// What is wrong with a node in any call of its function, each said once.
fn in_all<'m>(
    reader: &mut Reader<'_, 'm>,
    site: Site,
    opset: u32,
    envs: &[Env<'m>],
) -> Vec<Finding> {
    let mut problems: Vec<Finding> = Vec::new();
    let refers = reader.map.node(site).attribute.iter().any(|attr| !attr.ref_attr_name.is_empty());
    let is_known = |problems: &[Finding], found: &Finding| {
        problems.iter().any(|known| known.code == found.code && known.fact == found.fact)
    };
    for env in envs {
        for mut found in reader.check(site, opset, env) {
            if is_known(&problems, &found) {
                continue;
            }
            if let (true, None, Some(call)) = (refers, &found.note, &env.call) {
                found.note = Some(format!("so it is in the call by {call}"));
            }
            problems.push(found);
        }
    }
    problems
}

/// What is wrong with the imports of opsets, said where one is needed first.
fn opsets(map: &Map<'_>) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let mut problems = Vec::new();
    for &site in &map.reductions {
        if !seen.insert(map.scopes[site.scope].function) {
            continue;
        }
        match map.opset(site.scope) {
            Err(flaw) => {
                let (fact, help) = flaw.sentence();
                let problem = Finding::new(flaw.code(), site, Part::Operator, fact);
                problems.push(problem.help(help).label("of no version"));
            }
            Ok(opset) => problems.extend(opset.newer.map(|asked| {
                let newest = opset.number;
                let fact = format!("opset {asked} is newer than this build knows");
                let mut note = Finding::new("newer-opset", site, Part::Operator, fact)
                    .help(format!("all is checked by the rules of opset {newest}"));
                note.gravity = Gravity::Note;
                note
            })),
        }
    }
    problems
}

/// What is wrong with a node that is no reduction, but nearly.
pub(crate) fn nearly(map: &Map<'_>, site: Site, near: Near) -> Finding {
    let node = map.node(site);
    let op = quoted(&node.op_type);
    let (code, fact, help) = match near {
        Near::Name(name) => {
            ("unknown-op", format!("unknown operator {op}"), format!("did you mean `{name}`"))
        }
        Near::Domain => (
            "unknown-domain",
            format!("{op} of the domain {} is not the standard's", quoted(&node.domain)),
            "did you mean the domain `ai.onnx`, which may be left out".to_owned(),
        ),
    };
    Finding::new(code, site, Part::Operator, fact).help(help).label("nearly a reduction")
}
