//! `reduce conformance`: ONNX node tests, run and compared.
//!
//! [`find`] finds the tests, `reduce-onnx` reads and runs a model, [`compare`] holds
//! its results against the stored ones, [`report`] tells the outcome.

mod compare;
mod find;
mod report;

use std::fmt::Display;
use std::path::PathBuf;

use reduce_core::{AnyTensor, Level};
use reduce_onnx::{Error as ModelError, ErrorKind, Program, Value, read_tensor};

use crate::args::ConformanceArgs;
use crate::error::{Error, one_line, sentence};
use crate::{call, files, models};
use find::{Case, DataSet, Found};
use report::Report;

/// The outcome of one test; the text is the reason.
enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
}

/// Why a test was not passed.
enum Hindrance {
    /// The model may be sound, but is not run.
    NotRun(String),
    Wrong(String),
}

impl Hindrance {
    /// Says in front of the reason what it is about.
    fn about(self, what: impl Display) -> Self {
        match self {
            Hindrance::NotRun(reason) => Hindrance::NotRun(format!("{what}: {reason}")),
            Hindrance::Wrong(reason) => Hindrance::Wrong(format!("{what}: {reason}")),
        }
    }
}

impl From<String> for Hindrance {
    fn from(reason: String) -> Self {
        Hindrance::Wrong(reason)
    }
}

impl From<&str> for Hindrance {
    fn from(reason: &str) -> Self {
        Hindrance::Wrong(reason.to_owned())
    }
}

impl From<ModelError> for Hindrance {
    fn from(error: ModelError) -> Self {
        let reason = error.sentence().to_owned();
        match error.kind() {
            ErrorKind::NotRun => Hindrance::NotRun(reason),
            _ => Hindrance::Wrong(reason),
        }
    }
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
        Ok(()) => Verdict::Passed,
        Err(Hindrance::NotRun(reason)) => Verdict::Skipped(sentence(&reason)),
        Err(Hindrance::Wrong(reason)) => Verdict::Failed(sentence(&reason)),
    }
}

/// Nothing, or why the test is skipped or failed.
fn try_check(case: &Case, level: Level) -> Result<(), Hindrance> {
    let model = models::open(&case.model()).map_err(|error| error.to_string())?;
    let program = Program::new(&model)?;
    let sets = case.data_sets().map_err(|error| error.to_string())?;
    if sets.is_empty() {
        return Err("has no folder test_data_set_0".into());
    }
    for set in &sets {
        check_set(&program, set, level).map_err(|hindrance| match sets.len() {
            1 => hindrance,
            _ => hindrance.about(set.name()),
        })?;
    }
    Ok(())
}

/// Runs the model as it is, and with chains of nodes joined.
fn check_set(program: &Program<'_>, set: &DataSet, level: Level) -> Result<(), Hindrance> {
    let inputs = inputs(program, tensors(set, "input")?)?;
    let expected = tensors(set, "output")?;
    if expected.is_empty() {
        return Err("has no output_0.pb to compare with".into());
    }
    let dtypes: Vec<_> = inputs.iter().map(|value| value.as_ref().map(Value::dtype)).collect();
    for joins in [false, true] {
        let plan = program.plan(&dtypes, joins)?.level(level);
        if joins && !plan.joins() {
            continue;
        }
        let results = plan.run(inputs.clone())?;
        compare_all(&results, &expected)
            .map_err(|problem| if joins { format!("joined, {problem}") } else { problem })?;
    }
    Ok(())
}

fn compare_all(results: &[Value<'_>], expected: &[AnyTensor]) -> Result<(), String> {
    if results.len() != expected.len() {
        let (results, expected) = (results.len(), expected.len());
        return Err(format!("the model has {results} outputs, the test has {expected}"));
    }
    for (index, (got, want)) in results.iter().zip(expected).enumerate() {
        if let Some(difference) = compare::difference(&*got.tensor().map_err(said)?, want) {
            return Err(format!("output_{index}: {difference}"));
        }
    }
    Ok(())
}

/// The sentence of an error.
#[allow(clippy::needless_pass_by_value, reason = "what `map_err` takes")]
fn said(error: ModelError) -> String {
    error.sentence().to_owned()
}

/// A value for each input of the model. One with a constant of its own name need not be given, so files of
/// tests may leave it out.
fn inputs(
    program: &Program<'_>,
    given: Vec<AnyTensor>,
) -> Result<Vec<Option<Value<'static>>>, String> {
    let (inputs, count) = (program.inputs(), given.len());
    let needed = inputs.iter().filter(|input| !input.has_default()).count();
    let takes_all = count == inputs.len();
    if !takes_all && count != needed {
        return Err(format!("the model has {} inputs, the test has {count}", inputs.len()));
    }
    let mut given = given.into_iter().map(Value::from);
    let value = |takes: bool| if takes { given.next() } else { None };
    Ok(inputs.iter().map(|input| takes_all || !input.has_default()).map(value).collect())
}

fn tensors(set: &DataSet, kind: &str) -> Result<Vec<AnyTensor>, String> {
    let read = |path: &PathBuf| {
        let file = files::read(path).map_err(|error| error.to_string())?;
        let name = path.file_name().unwrap_or_default().display();
        read_tensor(&file).map_err(|error| format!("{name} {}", error.sentence()))
    };
    set.files(kind).iter().map(read).collect()
}
