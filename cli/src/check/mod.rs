//! `reduce check`: the reductions of whole models, held against the versions that govern them.
//!
//! [`map`] finds the reductions of a model, in all its graphs and functions; [`node`] holds one of them
//! against its version, by what [`value`] and [`reference`] know of its inputs and attributes; [`show`]
//! and [`json`] tell what was found.

mod json;
mod map;
mod model;
mod near;
mod node;
mod opset;
mod problem;
mod reference;
mod show;
mod text;
mod value;
mod words;

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::args::CheckArgs;
use crate::error::{Error, one_line};
use crate::onnx::File;
use crate::{PROBLEMS, REFUSED};

use map::Map;

/// What to print, and the exit status: the worst of all models.
pub(crate) fn run(args: &CheckArgs) -> Result<(String, u8), Error> {
    let (mut text, mut documents, mut status) = (String::new(), Vec::new(), 0);
    for path in &args.models {
        let answer = match File::open(path) {
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
    let status = if findings.errors() > 0 { PROBLEMS } else { 0 };
    if args.json {
        let document = Some(json::Model::of(&map, &shown, &findings, None).value()?);
        return Ok(Answer { text: String::new(), document, status });
    }
    let text = show::problems(&map, &shown, &findings.problems, has_colours())
        + &show::summary(&map, &shown, &findings);
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
