//! `reduce check --fix`: the reductions of a model in another form, and nothing else.
//!
//! [`edit`] says what is to be changed. [`rewrite`] makes the bytes of the changed model from those of its file. The
//! file is neither decoded nor encoded as a whole, so that what is not understood stays as it is.

mod edit;
mod rewrite;
mod wire;

use std::fs;
use std::path::Path;

use super::convert::{self, Change, Outcome};
use super::map::{Map, Site};
use super::model::{self, Findings};
use super::node::Reader;
use super::others;
use super::problem::{Gravity, Problem};
use crate::contents::Contents;
use crate::error::Error;
use crate::onnx::File;
use crate::onnx::proto::tensor_proto::DataLocation;
use crate::place::Place;
use crate::words::{counted, plain};
use edit::Edit;
use wire::Segments;

/// What is to be done to a model.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) changes: Vec<(Site, Change)>,
    /// Why it cannot be done.
    pub(super) problems: Vec<Problem>,
    /// Nodes of other operators that are not valid there, or not the same.
    pub(super) others: Vec<Problem>,
    target: Option<u32>,
}

impl Plan {
    /// Plans how the model comes to an opset. Without an opset, it plans how nodes become valid at their own.
    ///
    /// # Errors
    /// If there is an opset to come to, and the model has none.
    pub(super) fn of(
        map: &Map<'_>,
        file: &File,
        findings: &Findings,
        target: Option<u32>,
    ) -> Result<Self, String> {
        if target.is_some() && map.main_opset().is_none() {
            return Err("imports no opset of the standard domain; mend that first".to_owned());
        }
        let reader = Reader::new(map, file);
        let (mut changes, mut problems) = (Vec::new(), Vec::new());
        for &site in &map.reductions {
            match convert::mend(&reader, site, target) {
                Outcome::Same => {}
                Outcome::Changed(change) => changes.push((site, *change)),
                Outcome::Impossible(found) => problems.extend(found),
                Outcome::Invalid => problems.extend(findings.of(site).cloned()),
            }
            // What is wrong in a call of its function alone stays, whatever the node becomes.
            if convert::is_valid(&reader, site) {
                let errors = findings.of(site).filter(|problem| problem.gravity == Gravity::Error);
                problems.extend(errors.cloned());
            }
        }
        let others = target.map_or_else(Vec::new, |target| others::problems(map, target));
        Ok(Plan { changes, problems, others, target })
    }

    /// The bytes of the changed model.
    ///
    /// # Errors
    /// A sentence whose subject is the model, if the file is written as nobody writes one.
    fn segments(&self, map: &Map<'_>, file: &File) -> Result<Segments, String> {
        let edit = Edit::of(map, &self.changes, self.target);
        rewrite::model(file.bytes(), map, &edit).map_err(str::to_owned)
    }

    /// The changed model, as [`write`] writes it.
    #[cfg(test)]
    pub(super) fn bytes(&self, map: &Map<'_>, file: &File) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let written = self.segments(map, file)?.write(file.bytes(), &mut bytes);
        written.map(|()| bytes).map_err(|error| error.to_string())
    }

    /// Describes the changes, line by line.
    pub(super) fn words(&self, map: &Map<'_>) -> String {
        let line = |(site, change): &(Site, Change)| {
            let (place, op) = (map.place(*site), plain(&map.node(*site).op_type));
            format!("  {place}: {op}: {}\n", change.words().join("; "))
        };
        self.changes.iter().map(line).collect()
    }

    /// What stayed as it was, though it is not valid at the opset that the model came to.
    fn left(&self) -> String {
        match (self.target, self.others.len()) {
            (Some(target), left @ 1..) => {
                let nodes = counted(left, "node");
                format!("{nodes} stayed as before, not the same at opset {target}\n")
            }
            _ => String::new(),
        }
    }
}

/// Writes the changed model; what to say of it.
pub(super) fn write(
    plan: &Plan,
    map: &Map<'_>,
    file: &File,
    findings: &Findings,
    to: &Path,
    shown: &str,
) -> Result<String, Error> {
    let place = Place::new(to)?;
    let name = match place.is_output() {
        true => "the standard output".to_owned(),
        false => plain(&to.display().to_string()),
    };
    let segments =
        plan.segments(map, file).map_err(|problem| Error::at(Path::new(shown), problem))?;
    let check = |written: &Path| {
        let written = File::of(Contents::of(written)?.into(), file.folder().to_owned());
        is_as_good(&written.map_err(|problem| Error::at(to, problem))?, findings, to)
    };
    place.write_checked(|out| segments.write(file.bytes(), out), check)?;
    let changed = counted(plan.changes.len(), "reduction");
    let mut text = plan.words(map);
    text += &format!("wrote {name}: {changed} changed\n");
    text += &plan.left();
    if has_external_data(map) && !is_in(to, file.folder()) {
        text += "its tensors in other files are not copied; put them beside it\n";
    }
    Ok(text)
}

/// Holds what was written against what was read.
fn is_as_good(written: &File, before: &Findings, to: &Path) -> Result<(), Error> {
    let after = model::check(&Map::of(written.model()), written);
    let [known, found] =
        [before, &after].map(|findings| findings.reductions.values().sum::<usize>());
    match after.errors() > before.errors() || found != known {
        true => Err(Error::at(to, "is not written: what would be written has new problems")),
        false => Ok(()),
    }
}

fn is_in(file: &Path, folder: &Path) -> bool {
    let own = fs::canonicalize(file);
    own.is_ok_and(|own| own.parent() == Some(folder))
}

fn has_external_data(map: &Map<'_>) -> bool {
    let graphs = map.scopes.iter().filter_map(|scope| scope.graph);
    let mut tensors = graphs.flat_map(|graph| &graph.initializer);
    tensors.any(|tensor| tensor.data_location() == DataLocation::External)
}

#[cfg(test)]
mod tests;
