//! What one step leaves for the next, as files of `target/mutants`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::compile::Program;
use crate::copy::{self, FOLDER};
use crate::list::{List, Mutant};

/// A test of a program.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub(crate) program: String,
    pub(crate) name: String,
    /// What it takes without a mutant.
    pub(crate) seconds: f64,
    pub(crate) reached: BTreeSet<u32>,
}

/// What is known so far.
#[derive(Debug)]
pub(crate) struct Stored {
    /// As `Mutant::to_json` writes them.
    pub(crate) mutants: Vec<Value>,
    pub(crate) refused: BTreeSet<u32>,
    pub(crate) totals: Value,
    pub(crate) programs: Vec<Program>,
    pub(crate) tests: Vec<Test>,
    /// What became of each mutant that was tested.
    pub(crate) outcomes: BTreeMap<u32, Value>,
}

pub(crate) fn path(name: &str) -> PathBuf {
    copy::root().join(FOLDER).join(name)
}

/// Stores which mutants there are, and forgets what is known of earlier ones.
pub(crate) fn write_list(list: &List, refused: &BTreeSet<u32>) -> io::Result<()> {
    let mutants: Vec<Value> = list.mutants().map(Mutant::to_json).collect();
    let value = json!({ "mutants": mutants, "refused": refused, "totals": list.totals });
    for old in ["programs.json", "tests.jsonl", "outcomes.jsonl"] {
        let _ = fs::remove_file(path(old));
    }
    fs::write(path("list.json"), value.to_string())
}

/// Stores which programs of tests there are.
pub(crate) fn write_programs(programs: &[Program]) -> io::Result<()> {
    let program = |program: &Program| {
        let Program { name, path, folder } = program;
        json!({ "name": name, "path": path, "folder": folder })
    };
    let programs: Vec<Value> = programs.iter().map(program).collect();
    fs::write(path("programs.json"), Value::from(programs).to_string())
}

/// Adds a line to a file.
pub(crate) fn add(name: &str, value: &Value) -> io::Result<()> {
    let mut file = File::options().create(true).append(true).open(path(name))?;
    writeln!(file, "{value}")
}

fn lines(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(path(name)).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub(crate) fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|number| number.try_into().ok()).unwrap_or(u32::MAX)
}

fn numbers(value: &Value) -> BTreeSet<u32> {
    value.as_array().into_iter().flatten().map(number).collect()
}

impl Stored {
    pub(crate) fn read() -> io::Result<Self> {
        let list: Value = serde_json::from_slice(&fs::read(path("list.json"))?)?;
        let items = |name: &str| list[name].as_array().cloned().unwrap_or_default();
        let program = |value: &Value| Program {
            name: text(&value["name"]),
            path: text(&value["path"]).into(),
            folder: text(&value["folder"]).into(),
        };
        let test = |value: &Value| Test {
            program: text(&value["program"]),
            name: text(&value["name"]),
            seconds: value["seconds"].as_f64().unwrap_or(0.0),
            reached: numbers(&value["reached"]),
        };
        let programs: Value =
            serde_json::from_slice(&fs::read(path("programs.json")).unwrap_or_default())
                .unwrap_or_default();
        let outcomes = lines("outcomes.jsonl").into_iter();
        Ok(Stored {
            mutants: items("mutants"),
            refused: numbers(&list["refused"]),
            totals: list["totals"].clone(),
            programs: programs.as_array().into_iter().flatten().map(program).collect(),
            tests: lines("tests.jsonl").iter().map(test).collect(),
            outcomes: outcomes.map(|value| (number(&value["number"]), value)).collect(),
        })
    }

    /// The mutants that were built.
    pub(crate) fn built(&self) -> impl Iterator<Item = &Value> {
        self.mutants.iter().filter(|mutant| !self.refused.contains(&number(&mutant["number"])))
    }
}
