//! The floors of `reduce-onnx`, which obey the rules of those of `reduce-core`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::names::given_twice;
use super::{Source, all_circles, climbing, names_in, sources_of};

/// From the lowest up. What runs models stands below what checks and changes them, so that it cannot need them.
const FLOORS: [&str; 8] =
    ["words.rs", "elements.rs", "error.rs", "file", "run", "map", "check", "fix"];

/// What stands beside the floors.
const BESIDE: [&str; 3] = ["guide.rs", "lib.rs", "links.md"];

/// Written by a program, in names of the standard.
const GENERATED: &str = "file/generated.rs";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../onnx/src")
}

fn sources() -> Vec<Source> {
    let mut sources = sources_of(&root(), &FLOORS);
    sources.retain(|source| source.file != GENERATED);
    sources
}

#[test]
fn the_folders_are_the_floors() {
    let expected: BTreeSet<String> =
        FLOORS.iter().chain(&BESIDE).map(|&name| name.to_owned()).collect();
    assert_eq!(names_in(&root()), expected);
}

#[test]
fn no_import_climbs() {
    let (sources, floors) = (sources(), FLOORS.map(|floor| floor.trim_end_matches(".rs")));
    let found: usize = sources.iter().map(|source| source.paths().len()).sum();
    assert!(found > 200, "{found} paths: are they found?");
    let climbing: Vec<String> =
        sources.iter().flat_map(|source| climbing(source, &floors)).collect();
    assert!(climbing.is_empty(), "{} imports:\n{}", climbing.len(), climbing.join("\n"));
}

#[test]
fn no_modules_of_a_folder_form_a_circle() {
    let found = all_circles(&sources());
    assert!(found.is_empty(), "{} circles: {found:#?}", found.len());
}

#[test]
fn each_type_name_stands_for_one_thing() {
    let sources = sources();
    let twice = given_twice(&sources);
    assert!(twice.is_empty(), "{} names: {twice:#?}", twice.len());
}
