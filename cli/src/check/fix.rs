//! `reduce check --fix`: the model whose reductions are in the form that they have to have, in its place.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use reduce_onnx::{Model, Report, Revision};

use super::{Answer, has_colours, show};
use crate::PROBLEMS;
use crate::args::CheckArgs;
use crate::contents::Contents;
use crate::error::{Error, one_line};
use crate::place::{self, Place};
use crate::words::{counted, plain};

/// Writes the model, and tells what was changed and what was not. To another opset all nodes come, or none.
pub(super) fn answer(
    model: &Model,
    report: &Report<'_>,
    args: &CheckArgs,
    [path, output]: [&Path; 2],
) -> Result<Answer, Error> {
    let shown = one_line(&path.display().to_string());
    let revision = match args.target_opset {
        None => report.mended(),
        Some(opset) => {
            report.converted(opset).map_err(|error| Error::at(path, error.sentence()))?
        }
    };
    let problems = revision.problems().chain(revision.others()).chain(revision.nearly());
    let status = if problems.clone().next().is_none() { 0 } else { PROBLEMS };
    let mut text = show::problems(problems, &shown, has_colours());
    let left = if args.leave_others { 0 } else { revision.others().len() };
    let hindered = args.target_opset.map_or(0, |_| revision.problems().len() + left);
    if hindered > 0 {
        text += &format!("{shown}: {}; nothing is written\n", counted(hindered, "problem"));
    } else {
        write(&revision, model, output, &shown)?;
        text += &said(&revision, model, report, output);
    }
    if place::is_output(output) {
        // There the model goes alone. Nobody is left to tell if standard error is closed.
        let _ = io::stderr().write_all(text.as_bytes());
        text.clear();
    }
    Ok(Answer { text, document: None, status })
}

/// Writes the changed model, and puts it in its place if it is as good as the one before.
fn write(revision: &Revision<'_>, model: &Model, to: &Path, shown: &str) -> Result<(), Error> {
    let place = Place::new(to)?;
    let rewritten = revision.rewritten();
    let rewritten = rewritten.map_err(|error| Error::at(Path::new(shown), error.sentence()))?;
    let check = |written: &Path| {
        let written = model.with_bytes(Contents::of(written)?);
        let verified = written.and_then(|written| revision.verify(&written));
        verified.map_err(|error| Error::at(to, error.sentence()))
    };
    place.write_checked(|out| rewritten.write(out), check)
}

/// What was written.
fn said(revision: &Revision<'_>, model: &Model, report: &Report<'_>, to: &Path) -> String {
    let name = match place::is_output(to) {
        true => "the standard output".to_owned(),
        false => plain(&to.display().to_string()),
    };
    let changed = counted(revision.changes(), "reduction");
    let mut text = format!("{revision}wrote {name}: {changed} changed\n");
    if let (Some(opset), left @ 1..) = (revision.opset(), revision.others().len()) {
        let nodes = counted(left, "node");
        text += &format!("{nodes} stayed as before, not the same at opset {opset}\n");
    }
    if report.has_external_data() && !is_beside(to, model) {
        text += "its tensors in other files are not copied; put them beside it\n";
    }
    text
}

/// Whether a file is in the folder of a model.
fn is_beside(file: &Path, model: &Model) -> bool {
    fs::canonicalize(file).is_ok_and(|file| file.parent() == model.folder())
}
