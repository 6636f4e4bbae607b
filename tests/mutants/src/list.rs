//! The list of mutants: which are taken, and what is known of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::areas::AREAS;
use crate::copy;
use crate::find::{Found, find};
use crate::rewrite::{Numbered, Rewritten, rewrite};

/// One mutant.
#[derive(Clone, Debug)]
pub(crate) struct Mutant {
    pub(crate) number: u32,
    pub(crate) area: &'static str,
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) kind: String,
    /// The first line of what is changed.
    pub(crate) old: String,
}

/// All mutants of the workspace, and the sources they are in.
#[derive(Debug)]
pub(crate) struct List {
    sources: BTreeMap<PathBuf, (String, Found)>,
    /// The site and the change of each mutant stand beside it.
    mutants: Vec<(Mutant, usize, usize)>,
    /// How many there are in each area, taken or not, and how many the compiler evaluates itself.
    pub(crate) totals: BTreeMap<&'static str, (usize, usize)>,
}

impl List {
    /// Finds all mutants, and takes up to `most` of each area: a sample that depends on the sources and on `seed` alone.
    pub(crate) fn new(most: usize, seed: u64) -> io::Result<Self> {
        let mut list = List { sources: BTreeMap::new(), mutants: vec![], totals: BTreeMap::new() };
        for area in &AREAS {
            let mut found = Vec::new();
            let mut left_alone = 0;
            for file in area.files(copy::root())? {
                let text = fs::read_to_string(copy::root().join(&file))?;
                let sites = find(&text).map_err(io::Error::other)?;
                left_alone += sites.left_alone;
                found.extend(mutants_of(area.name, &file, &text, &sites));
                list.sources.insert(file, (text, sites));
            }
            list.totals.insert(area.name, (found.len(), left_alone));
            found.sort_by_cached_key(|(mutant, ..)| drawn(mutant, seed));
            found.truncate(most);
            list.mutants.extend(found);
        }
        list.mutants.sort_by(|(a, ..), (b, ..)| (&a.file, a.line).cmp(&(&b.file, b.line)));
        for (number, (mutant, ..)) in (0..).zip(&mut list.mutants) {
            mutant.number = number;
        }
        Ok(list)
    }

    pub(crate) fn mutants(&self) -> impl Iterator<Item = &Mutant> {
        self.mutants.iter().map(|(mutant, ..)| mutant)
    }

    /// Whether a file is one of those that are mutated.
    pub(crate) fn has(&self, file: &Path) -> bool {
        self.sources.contains_key(file)
    }

    /// The sources with switches, without some mutants.
    pub(crate) fn rewritten(&self, without: &BTreeSet<u32>) -> BTreeMap<PathBuf, Rewritten> {
        let rewritten = |(file, (text, found)): (&PathBuf, &(String, Found))| {
            let mut sites: BTreeMap<usize, Vec<(u32, &str)>> = BTreeMap::new();
            for (mutant, site, change) in &self.mutants {
                if mutant.file == *file && !without.contains(&mutant.number) {
                    let text = found.sites[*site].changes[*change].text.as_str();
                    sites.entry(*site).or_default().push((mutant.number, text));
                }
            }
            let sites = sites.into_iter();
            let numbered = |(site, changes)| Numbered { site: &found.sites[site], changes };
            let sites: Vec<Numbered<'_>> = sites.map(numbered).collect();
            let switch = match file.starts_with("reduce-core") {
                true => "crate::mutant::is",
                false => "reduce_core::mutant::is",
            };
            (file.clone(), rewrite(text, &sites, switch))
        };
        self.sources.iter().map(rewritten).collect()
    }
}

fn mutants_of(
    area: &'static str,
    file: &Path,
    text: &str,
    found: &Found,
) -> Vec<(Mutant, usize, usize)> {
    let mut mutants = Vec::new();
    for (number, site) in found.sites.iter().enumerate() {
        let old = text[site.range.clone()].lines().next().unwrap_or_default();
        for (at, change) in site.changes.iter().enumerate() {
            let (old, kind) = (old.to_owned(), change.kind.clone());
            let file = file.to_owned();
            mutants.push((
                Mutant { number: 0, area, file, line: site.line, kind, old },
                number,
                at,
            ));
        }
    }
    mutants
}

/// A number by which mutants are drawn.
fn drawn(mutant: &Mutant, seed: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, &mutant.file, mutant.line, &mutant.kind, &mutant.old).hash(&mut hasher);
    hasher.finish()
}

impl Mutant {
    pub(crate) fn to_json(&self) -> Value {
        let Mutant { number, area, file, line, kind, old } = self;
        json!({ "number": number, "area": area, "file": file, "line": line, "kind": kind, "old": old })
    }
}
