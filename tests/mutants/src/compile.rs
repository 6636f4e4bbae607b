//! Compiles the copy with all mutants in it, and leaves those out that the compiler refuses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::copy::{self, FOLDER};
use crate::list::List;
use crate::rewrite::Rewritten;

/// What tests are built of: packages and targets.
const TESTS: [&str; 17] = [
    "-p",
    "reduce-core",
    "-p",
    "reduce-onnx",
    "-p",
    "reduce-tests",
    "-p",
    "reduce-cli",
    "--lib",
    "--test",
    "api",
    "--test",
    "results",
    "--test",
    "standard",
    "--test",
    "cli",
];

/// The root of the core, which gets the switch as a module.
const ROOT: &str = "reduce-core/src/lib.rs";
const MODULE: &str = "\n#[doc(hidden)]\n#[allow(missing_docs)]\npub mod mutant;\n";

/// A program of tests.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// The folder of its package, in which cargo runs it.
    pub(crate) folder: PathBuf,
}

/// Writes the sources, and leaves mutants out until the compiler takes the rest. Returns those that it refused.
pub(crate) fn check(list: &List) -> io::Result<BTreeSet<u32>> {
    let source = copy::root().join(FOLDER).join("source");
    copy::copy(&source, |file| file == Path::new(ROOT) || list.has(file))?;
    copy::write(&source.join("reduce-core/src/mutant.rs"), include_bytes!("switch.rs"))?;
    let root = fs::read_to_string(copy::root().join(ROOT))?;
    copy::write(&source.join(ROOT), format!("{root}{MODULE}").as_bytes())?;
    let mut refused = BTreeSet::new();
    loop {
        let rewritten = list.rewritten(&refused);
        for (file, rewritten) in &rewritten {
            copy::write(&source.join(file), rewritten.text.as_bytes())?;
        }
        let (is_checked, errors) = errors(&source)?;
        if is_checked {
            return Ok(refused);
        }
        let found = mutants_of(&errors, &rewritten);
        eprintln!("the compiler refuses {} mutants", found.len());
        if found.is_empty() {
            return Err(io::Error::other(format!("errors without mutants: {errors:?}")));
        }
        refused.extend(found);
    }
}

/// An error: its file and bytes, and what it says.
type Complaint = (PathBuf, Range<usize>, String);

fn mutants_of(errors: &[Complaint], rewritten: &BTreeMap<PathBuf, Rewritten>) -> BTreeSet<u32> {
    let of = |(file, range, _): &Complaint| {
        rewritten.get(file).map(|source| source.mutants_at(range)).unwrap_or_default()
    };
    errors.iter().flat_map(of).collect()
}

fn errors(source: &Path) -> io::Result<(bool, Vec<Complaint>)> {
    let mut errors = Vec::new();
    let is_checked = cargo(
        source,
        &[
            "check",
            "-p",
            "reduce-core",
            "-p",
            "reduce-cli",
            "--features",
            "reduce-core/ndarray,reduce-core/serde",
        ],
        |message| {
            let message = &message["message"];
            if message["level"] != "error" {
                return;
            }
            for span in message["spans"].as_array().into_iter().flatten() {
                if span["is_primary"] == true {
                    let byte =
                        |name: &str| usize::try_from(span[name].as_u64().unwrap_or(0)).unwrap_or(0);
                    let file = PathBuf::from(span["file_name"].as_str().unwrap_or_default());
                    let said = message["message"].as_str().unwrap_or_default().to_owned();
                    errors.push((file, byte("byte_start")..byte("byte_end"), said));
                }
            }
        },
    )?;
    Ok((is_checked, errors))
}

/// Builds the programs of tests.
pub(crate) fn build() -> io::Result<Vec<Program>> {
    let source = copy::root().join(FOLDER).join("source");
    let mut programs = Vec::new();
    let arguments = [&["test", "--no-run"], &TESTS[..]].concat();
    let is_built = cargo(&source, &arguments, |message| {
        if let (Some(path), true) =
            (message["executable"].as_str(), message["profile"]["test"] == true)
        {
            let name = message["target"]["name"].as_str().unwrap_or_default().to_owned();
            let manifest = Path::new(message["manifest_path"].as_str().unwrap_or_default());
            let folder = manifest.parent().unwrap_or(manifest).to_owned();
            programs.push(Program { name, path: path.into(), folder });
        }
    })?;
    match is_built {
        true => Ok(programs),
        false => Err(io::Error::other("the tests cannot be built")),
    }
}

/// Runs cargo in the copy, and passes on its messages. Returns whether it succeeds.
fn cargo(source: &Path, arguments: &[&str], mut message: impl FnMut(&Value)) -> io::Result<bool> {
    let mut child = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(arguments)
        .args(["--message-format", "json"])
        .env("CARGO_TARGET_DIR", source.with_file_name("build"))
        .env_remove("RUSTFLAGS")
        .current_dir(source)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    for line in BufReader::new(child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?).lines() {
        if let Ok(value) = serde_json::from_str(&line?) {
            message(&value);
        }
    }
    Ok(child.wait()?.success())
}
