//! `reduce check`: the reductions of whole models, held against the versions that govern them.
//!
//! [`map`] finds the reductions of a model, in all its graphs and functions; [`node`] holds one of them
//! against its version, by what [`value`] and [`reference`] know of its inputs and attributes; [`show`]
//! and [`json`] tell what was found. [`convert`] says what becomes of a node at another opset, [`target`]
//! tells of all, and [`fix`] writes the model that they make. [`others`] holds all
//! other operators against their versions, so that no model is written which another reader refuses.

mod convert;
mod fix;
mod json;
mod map;
mod model;
mod near;
mod node;
mod others;
mod problem;
mod reference;
mod show;
mod target;
mod text;
mod value;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use reduce_specs::ONNX;

use crate::args::CheckArgs;
use crate::error::{Error, one_line};
use crate::onnx::File;
use crate::words::counted;
use crate::{PROBLEMS, REFUSED, place};

use fix::Plan;
use map::{Map, Site};
use model::Findings;
use problem::Problem;
use target::Target;

/// Returns the text to print and the exit status, which is the worst of all models.
pub(crate) fn run(args: &CheckArgs) -> Result<(String, u8), Error> {
    if let Some(opset) = args.target_opset {
        ONNX.check_opset(opset)?;
    }
    if args.fix && args.models.len() > 1 {
        return Err(Error::new("--fix writes one model; name one"));
    }
    let (mut text, mut documents, mut status) = (String::new(), Vec::new(), 0);
    for path in &args.models {
        let answer = match File::named(path) {
            Ok(file) => one(&file, path, args)?,
            Err(error) => unreadable(path, &error, args)?,
        };
        status = status.max(answer.status);
        text += &answer.text;
        documents.extend(answer.document);
    }
    Ok((if args.json { json::document(&documents)? } else { text }, status))
}

/// What is said of one model.
#[derive(Debug)]
struct Answer {
    text: String,
    document: Option<serde_json::Value>,
    status: u8,
}

fn one(file: &File, path: &Path, args: &CheckArgs) -> Result<Answer, Error> {
    let shown = one_line(&path.display().to_string());
    let map = Map::of(file.model());
    let findings = model::check(&map, file);
    if let (true, Some(output)) = (args.fix, &args.output) {
        return mended(&map, file, &findings, args, [path, output]);
    }
    let target = args.target_opset.map(|opset| Target::of(&map, file, opset));
    let broken = target.as_ref().map_or(0, |target| target.problems.len() + target.others.len());
    let status = if findings.errors() + broken > 0 { PROBLEMS } else { 0 };
    if args.json {
        let document = Some(json::Model::of(&map, &shown, &findings, target).value()?);
        return Ok(Answer { text: String::new(), document, status });
    }
    let colours = has_colours();
    let mut text = show::problems(&map, &shown, &findings.problems, colours);
    if let Some(target) = &target {
        text += &show::problems(&map, &shown, &target.problems, colours);
        text += &show::problems(&map, &shown, &target.others, colours);
    }
    text += &show::summary(&map, &shown, &findings);
    text += &target.map(|target| target.words()).unwrap_or_default();
    Ok(Answer { text, document: None, status })
}

/// Writes a model with its reductions in the form that they have to have. To another opset all nodes come, or
/// none.
fn mended(
    map: &Map<'_>,
    file: &File,
    findings: &Findings,
    args: &CheckArgs,
    [path, output]: [&Path; 2],
) -> Result<Answer, Error> {
    let shown = one_line(&path.display().to_string());
    let plan = Plan::of(map, file, findings, args.target_opset)
        .map_err(|problem| Error::at(path, problem))?;
    // What is nearly a reduction is not changed. Of those in the standard's domain the plan tells already.
    let mut near: BTreeSet<Site> = map.near.iter().map(|(site, _)| *site).collect();
    plan.others.iter().for_each(|problem| {
        near.remove(&problem.site);
    });
    let is_near = |problem: &&Problem| near.contains(&problem.site);
    let near = findings.problems.iter().filter(is_near);
    let problems: Vec<Problem> =
        plan.problems.iter().chain(&plan.others).chain(near).cloned().collect();
    let mut text = show::problems(map, &shown, &problems, has_colours());
    let status = if problems.is_empty() { 0 } else { PROBLEMS };
    let left = if args.leave_others { 0 } else { plan.others.len() };
    let hindered = args.target_opset.map_or(0, |_| plan.problems.len() + left);
    if hindered > 0 {
        text += &format!("{shown}: {}; nothing is written\n", counted(hindered, "problem"));
    } else {
        text += &fix::write(&plan, map, file, findings, output, &shown)?;
    }
    if place::is_output(output) {
        // There the model goes alone. Nobody is left to tell if standard error is closed.
        let _ = io::stderr().write_all(text.as_bytes());
        text.clear();
    }
    Ok(Answer { text, document: None, status })
}

/// A model that cannot be read, which is told at once: others may follow.
fn unreadable(path: &Path, error: &Error, args: &CheckArgs) -> Result<Answer, Error> {
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(io::stderr(), "error: {error}");
    let shown = one_line(&path.display().to_string());
    let document = args.json.then(|| json::Model::unreadable(&shown, error).value()).transpose()?;
    Ok(Answer { text: String::new(), document, status: REFUSED })
}

/// Whether the text goes to a terminal, and nobody asked for it to be plain.
fn has_colours() -> bool {
    let asked_for_none = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !asked_for_none
}

#[cfg(test)]
mod tests;
