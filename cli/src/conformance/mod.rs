//! `reduce conformance`: ONNX node tests, run and compared.
//!
//! [`find`] finds the tests, [`model`] reads and runs a model, [`compare`] holds
//! its results against the stored ones, [`report`] tells the outcome.

mod compare;
mod find;
mod model;
mod report;

use std::path::PathBuf;

use reduce_core::{AnyTensor, Level};

use crate::args::ConformanceArgs;
use crate::error::{Error, one_line};
use crate::{call, files, onnx};
use find::{Case, DataSet, Found};
use model::Model;
use report::Report;

/// The outcome of one test; the text is the reason.
enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
}

/// The report, and the exit status.
pub(crate) fn run(args: &ConformanceArgs) -> Result<(String, u8), Error> {
    let level = call::check_level(args.level)?;
    let Found { cases, unreadable } = find::cases(&args.dir)?;
    if cases.is_empty() && unreadable.is_empty() {
        let problem = "holds no test; a test is a folder test_*/ with a model.onnx";
        return Err(Error::at(&args.dir, problem));
    }
    let mut report = Report::default();
    for (name, error) in unreadable {
        report.add(one_line(&name), Verdict::Failed(error.to_string()));
    }
    for case in cases {
        let verdict = check(&case, level);
        report.add(one_line(&case.name), verdict);
    }
    let text = if args.json { report.json()? } else { report.text() };
    Ok((text, u8::from(report.has_failures())))
}

/// Runs one test. Whatever its files hold, the answer is a verdict.
fn check(case: &Case, level: Level) -> Verdict {
    match try_check(case, level) {
        Ok(None) => Verdict::Passed,
        Ok(Some(reason)) => Verdict::Skipped(one_line(&reason)),
        Err(reason) => Verdict::Failed(one_line(&reason)),
    }
}

/// Nothing, the reason to skip the test, or the reason why it failed.
fn try_check(case: &Case, level: Level) -> Result<Option<String>, String> {
    let file = files::read(&case.model()).map_err(|error| error.to_string())?;
    let proto = onnx::parse_model(&file).map_err(|problem| format!("model.onnx {problem}"))?;
    let graph = proto.graph.as_ref().ok_or("model.onnx has no graph")?;
    if let Some(reason) = model::reason_to_skip(graph) {
        return Ok(Some(reason));
    }
    let model = Model::new(&proto, graph)?;
    let sets = case.data_sets().map_err(|error| error.to_string())?;
    if sets.is_empty() {
        return Err("has no folder test_data_set_0".to_owned());
    }
    for set in &sets {
        check_set(&model, set, level).map_err(|problem| match sets.len() {
            1 => problem,
            _ => format!("{}: {problem}", set.name()),
        })?;
    }
    Ok(None)
}

fn check_set(model: &Model<'_>, set: &DataSet, level: Level) -> Result<(), String> {
    let inputs = tensors(set, "input")?;
    let expected = tensors(set, "output")?;
    if expected.is_empty() {
        return Err("has no output_0.pb to compare with".to_owned());
    }
    let values = model.run(inputs, level)?;
    let results = model.outputs(&values)?;
    if results.len() != expected.len() {
        let (results, expected) = (results.len(), expected.len());
        return Err(format!("the model has {results} outputs, the test has {expected}"));
    }
    for (index, (got, want)) in results.into_iter().zip(&expected).enumerate() {
        if let Some(difference) = compare::difference(got, want) {
            return Err(format!("output_{index}: {difference}"));
        }
    }
    Ok(())
}

fn tensors(set: &DataSet, kind: &str) -> Result<Vec<AnyTensor>, String> {
    let read = |path: &PathBuf| {
        let file = files::read(path).map_err(|error| error.to_string())?;
        let name = path.file_name().unwrap_or_default().display();
        onnx::parse_tensor(&file).map_err(|problem| format!("{name} {problem}"))
    };
    set.files(kind).iter().map(read).collect()
}
