//! `reduce conformance`, on the project's vectors and on spoilt copies of them.

use std::fs;
use std::path::Path;

use reduce_core::Level;

use crate::support::{Folder, Outcome, printed, reduce, refused};

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/vectors");
const OFFICIAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/onnx-node-tests");
const TEST: &str = "test_reduce_sum_opset18_float_special";

/// The number of vectors: of folders beside their README.
fn count() -> usize {
    let entries = fs::read_dir(VECTORS).expect("the vectors");
    entries.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_dir())).count()
}

fn last_line(text: &str) -> &str {
    text.lines().next_back().unwrap_or_default()
}

/// A folder with one copied test.
fn copy(name: &str) -> Folder {
    let folder = Folder::new(name);
    let (from, to) = (Path::new(VECTORS).join(TEST), folder.0.join("deep").join(TEST));
    copy_files(&from, &to);
    copy_files(&from.join("test_data_set_0"), &to.join("test_data_set_0"));
    folder
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a vector") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
}

/// Changes a file of the copied test.
fn spoil(folder: &Folder, file: &str, change: impl Fn(&mut Vec<u8>)) {
    let path = folder.0.join("deep").join(TEST).join(file);
    let mut contents = fs::read(&path).expect("a file of the vector");
    change(&mut contents);
    fs::write(path, contents).expect("written");
}

/// Runs a copy, in which one test must fail by name.
fn fails(folder: &Folder) -> String {
    let Outcome { status, stdout, stderr } = reduce(&format!("conformance {}", folder.0.display()));
    assert_eq!((status, stderr.as_str()), (Some(1), ""), "{stdout}");
    assert_eq!(last_line(&stdout), "0 passed, 1 failed, 0 skipped", "{stdout}");
    let line = stdout.lines().next().unwrap_or_default().to_owned();
    assert!(line.starts_with(&format!("FAILED deep/{TEST}: ")), "{line}");
    line
}

#[test]
fn every_vector_passes_at_every_level() {
    for level in Level::available() {
        let report = printed(&format!("conformance {VECTORS} --level {level}"));
        assert_eq!(report, format!("{} passed, 0 failed, 0 skipped\n", count()), "{level}");
    }
}

#[test]
fn the_official_tests_do_not_fail() {
    if !Path::new(OFFICIAL).is_dir() {
        eprintln!("skipped: {OFFICIAL} is not there");
        return;
    }
    let report = printed(&format!("conformance {OFFICIAL}"));
    eprintln!("{report}");
    assert!(last_line(&report).contains(" 0 failed, "), "{report}");
}

#[test]
fn json_names_every_test() {
    let text = printed(&format!("conformance {VECTORS} --json"));
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["counts"]["passed"], count());
    assert_eq!(report["counts"]["failed"], 0);
    let passed = report["tests"]["passed"].as_array().expect("a list");
    assert!(passed.len() == count() && passed.contains(&TEST.into()));
}

#[test]
fn a_changed_output_fails() {
    let folder = copy("changed_output");
    assert!(printed(&format!("conformance {}", folder.0.display())).starts_with("1 passed"));
    spoil(&folder, "test_data_set_0/output_0.pb", |file| {
        let last = file.last_mut().expect("an output");
        *last ^= 0x40;
    });
    assert!(fails(&folder).contains("output_0: element ["));
    let outcome = reduce(&format!("conformance --json {}", folder.0.display()));
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(outcome.status, Some(1));
    assert_eq!(report["tests"]["failed"][0]["name"], format!("deep/{TEST}"));
}

#[test]
fn damaged_files_fail() {
    for (name, file, words) in [
        ("cut_model", "model.onnx", "model.onnx"),
        ("cut_input", "test_data_set_0/input_0.pb", "input_0.pb"),
        ("cut_output", "test_data_set_0/output_0.pb", "output_0.pb"),
    ] {
        let folder = copy(name);
        spoil(&folder, file, |contents| contents.truncate(contents.len() / 2));
        assert!(fails(&folder).contains(words), "{file}");
    }
    let folder = copy("empty_model");
    spoil(&folder, "model.onnx", Vec::clear);
    assert!(fails(&folder).contains("has 0 bytes"));
}

#[test]
fn every_data_set_counts() {
    let folder = copy("data_sets");
    let test = folder.0.join("deep").join(TEST);
    copy_files(&test.join("test_data_set_0"), &test.join("test_data_set_1"));
    assert!(printed(&format!("conformance {}", folder.0.display())).starts_with("1 passed"));
    fs::remove_file(test.join("test_data_set_1/output_0.pb")).expect("removed");
    let line = fails(&folder);
    assert!(line.contains("test_data_set_1: has no output_0.pb"), "{line}");
    for set in ["test_data_set_0", "test_data_set_1"] {
        fs::remove_dir_all(test.join(set)).expect("removed");
    }
    assert!(fails(&folder).contains("no folder test_data_set_0"));
}

#[test]
fn a_folder_without_tests_is_refused() {
    let folder = Folder::new("no_tests");
    let message = refused(&format!("conformance {}", folder.0.display()));
    assert!(message.contains("holds no test"), "{message}");
    let missing = folder.path("missing");
    assert!(refused(&format!("conformance {missing}")).contains("no such file or folder"));
}
