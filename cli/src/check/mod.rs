//! `reduce check`: the reductions of whole models, held against the versions that govern them.
//!
//! What is found is `reduce-onnx`'s. [`show`] and [`json`] tell it, and [`fix`] puts the model that comes of it in its place.

mod fix;
mod json;
mod show;

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use reduce_onnx::{Model, Problem};
use reduce_specs::ONNX;

use crate::args::CheckArgs;
use crate::error::{Error, one_line};
use crate::{PROBLEMS, REFUSED, models};

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
        let answer = match models::named(path) {
            Ok(model) => one(&model, path, args)?,
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

fn one(model: &Model, path: &Path, args: &CheckArgs) -> Result<Answer, Error> {
    let shown = one_line(&path.display().to_string());
    let report = model.check();
    if let (true, Some(output)) = (args.fix, &args.output) {
        return fix::answer(model, &report, args, [path, output]);
    }
    let target = args.target_opset.map(|opset| report.at_opset(opset)).transpose()?;
    let broken =
        target.as_ref().map_or(0, |target| target.problems().len() + target.others().len());
    let status = if report.errors() + broken > 0 { PROBLEMS } else { 0 };
    if args.json {
        let document = Some(json::Checked::of(model, &report, &shown, target.as_ref()).value()?);
        return Ok(Answer { text: String::new(), document, status });
    }
    let colours = has_colours();
    let mut text = show::problems(report.problems(), &shown, colours);
    if let Some(target) = &target {
        text += &show::problems(target.problems().chain(target.others()), &shown, colours);
    }
    text += &format!("{shown}: {report}\n");
    text += &target.map(|target| format!("{target}\n")).unwrap_or_default();
    Ok(Answer { text, document: None, status })
}

/// A model that cannot be read, which is told at once: others may follow.
fn unreadable(path: &Path, error: &Error, args: &CheckArgs) -> Result<Answer, Error> {
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(io::stderr(), "error: {error}");
    let shown = one_line(&path.display().to_string());
    let document =
        args.json.then(|| json::Checked::unreadable(&shown, error).value()).transpose()?;
    Ok(Answer { text: String::new(), document, status: REFUSED })
}

/// What to do about a problem: where a node may be left, how the command is told to.
fn help(problem: &Problem<'_>) -> Option<String> {
    problem.help().map(|help| match help.ends_with("leave it as it is") {
        true => format!("{help} with --leave-others"),
        false => help.to_owned(),
    })
}

/// Whether the text goes to a terminal, and nobody asked for it to be plain.
fn has_colours() -> bool {
    let asked_for_none = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !asked_for_none
}
