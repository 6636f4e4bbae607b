//! The floors of `reduce-core`: each folder of its sources imports only those below it, and the modules
//! of a floor do not import one another in a circle. The root has few names, and the README's index has them all.
//!
//! So a reader who begins at the bottom meets nothing that is explained further up. A change to a floor can affect only
//! those above it.

mod names;
mod onnx;
mod paths;
mod rooms;
mod unsafety;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use paths::paths_of;

/// From the lowest up.
const FLOORS: [&str; 7] = ["facts", "machine", "values", "plan", "kernel", "front", "model"];

/// What stands beside the floors: what other engines must know of a reduction, the public paths for users and those for the
/// macros, and the guide for rustdoc.
const BESIDE: [&str; 7] =
    ["backend", "guide.rs", "lib.rs", "links.md", "plumbing.rs", "private.rs", "rooms"];

/// A source: its file from the root of the sources, its module, and its text.
struct Source {
    file: String,
    module: Vec<String>,
    text: String,
}

impl Source {
    fn new(file: &str, text: &str) -> Self {
        let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
        let module = path.split('/').map(str::to_owned).collect();
        Source { file: file.to_owned(), module, text: text.to_owned() }
    }

    fn paths(&self) -> Vec<paths::Named> {
        let module: Vec<&str> = self.module.iter().map(String::as_str).collect();
        paths_of(&self.text, &module)
    }

    fn floor(&self) -> &str {
        &self.module[0]
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../reduce-core/src")
}

fn names_in(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("a name in UTF-8");
    entries.map(|entry| name(entry.expect("a readable entry"))).collect()
}

/// The sources of all floors.
fn sources() -> Vec<Source> {
    sources_of(&root(), &FLOORS)
}

/// The sources of some floors, each a folder or a file.
fn sources_of(root: &Path, floors: &[&str]) -> Vec<Source> {
    let mut left: Vec<String> = floors.iter().map(|&floor| floor.to_owned()).collect();
    let mut sources = Vec::new();
    while let Some(name) = left.pop() {
        let path = root.join(&name);
        if path.is_dir() {
            left.extend(names_in(&path).into_iter().map(|inner| format!("{name}/{inner}")));
        } else if name.ends_with(".rs") {
            sources.push(Source::new(&name, &fs::read_to_string(path).expect("a readable source")));
        }
    }
    sources.sort_by(|a, b| a.file.cmp(&b.file));
    sources
}

fn height(floors: &[&str], floor: &str) -> Option<usize> {
    floors.iter().position(|&known| known == floor)
}

/// The imports of a source that do not go to its own floor or to one below it.
fn climbing(source: &Source, floors: &[&str]) -> Vec<String> {
    let own = height(floors, source.floor()).expect("a source of a floor");
    let described = |named: paths::Named| {
        let floor = named.path.first().map_or("", String::as_str);
        let why = match height(floors, floor) {
            Some(height) if height <= own => return None,
            Some(_) => format!("climbs from `{}` to `{floor}`", source.floor()),
            // A macro for users names what is at the root.
            None if named.is_of_macro => return None,
            None => "does not say on which floor it is".to_owned(),
        };
        let (file, line, path) = (&source.file, named.line, named.path.join("::"));
        Some(format!("{file}:{line}: `crate::{path}` {why}"))
    };
    source.paths().into_iter().filter_map(described).collect()
}

/// The folders of the sources, from the floors down, as modules.
fn folders(sources: &[Source]) -> BTreeSet<Vec<String>> {
    let of_source = |source: &Source| {
        let parents = (1..source.module.len()).map(|length| source.module[..length].to_vec());
        parents.collect::<Vec<_>>()
    };
    sources.iter().flat_map(of_source).collect()
}

/// Which modules of a folder each of them imports.
fn imports_within(folder: &[String], sources: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let depth = folder.len();
    let of_folder = || sources.iter().filter(|source| source.module.starts_with(folder));
    let names = of_folder().filter_map(|source| source.module.get(depth).cloned());
    let names: BTreeSet<String> = names.collect();
    // What the folder's own file passes on from one of its modules is that module's.
    let mut passed_on = BTreeMap::new();
    for named in of_folder().filter(|source| source.module.len() == depth).flat_map(Source::paths) {
        let inner = named.path.strip_prefix(folder).and_then(<[String]>::first);
        if let Some(module) = inner.filter(|module| names.contains(*module)) {
            passed_on.insert(named.name, module.clone());
        }
    }
    let mut imports = BTreeMap::new();
    for source in of_folder() {
        let Some(from) = source.module.get(depth) else { continue };
        let to: &mut BTreeSet<String> = imports.entry(from.clone()).or_default();
        for named in source.paths() {
            let Some(first) = named.path.strip_prefix(folder).and_then(<[String]>::first) else {
                continue;
            };
            to.extend(names.get(first).or_else(|| passed_on.get(first)).cloned());
        }
        to.remove(from);
    }
    imports
}

/// Returns the largest sets of modules in which each leads to each other.
fn circles(imports: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<BTreeSet<String>> {
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut left: Vec<&String> = imports[from].iter().collect();
        while let Some(next) = left.pop() {
            if reached.insert(next.clone()) {
                left.extend(&imports[next]);
            }
        }
        reached
    };
    let all: BTreeMap<&String, BTreeSet<String>> =
        imports.keys().map(|name| (name, reached(name))).collect();
    let circle = |name: &String| -> BTreeSet<String> {
        all[name].iter().filter(|other| all[*other].contains(name)).cloned().collect()
    };
    imports.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

/// The circles of all folders, each with its folder.
fn all_circles(sources: &[Source]) -> Vec<(String, BTreeSet<String>)> {
    let of_folder = |folder: &Vec<String>| {
        let circles = circles(&imports_within(folder, sources)).into_iter();
        circles.map(|circle| (folder.join("/"), circle)).collect::<Vec<_>>()
    };
    folders(sources).iter().flat_map(of_folder).collect()
}

#[test]
fn the_folders_are_the_floors() {
    let expected = FLOORS.iter().chain(&BESIDE).map(|&name| name.to_owned()).collect();
    assert_eq!(names_in(&root()), expected);
}

#[test]
fn no_import_climbs() {
    let sources = sources();
    let found: usize = sources.iter().map(|source| source.paths().len()).sum();
    assert!(found > 1000, "{found} paths: are they found?");
    let climbing: Vec<String> =
        sources.iter().flat_map(|source| climbing(source, &FLOORS)).collect();
    assert!(climbing.is_empty(), "{} imports:\n{}", climbing.len(), climbing.join("\n"));
}

#[test]
fn no_modules_of_a_folder_form_a_circle() {
    let found = all_circles(&sources());
    assert!(found.is_empty(), "{} circles: {found:#?}", found.len());
}

/// The imports that climb of a source of the plan.
fn climbing_in(file: &str, text: &str) -> Vec<String> {
    climbing(&Source::new(file, text), &FLOORS)
}

#[test]
fn what_climbs_is_found_wherever_it_stands() {
    let climbing_here = |text: &str| climbing_in("plan/axis.rs", text);
    assert_eq!(
        climbing_here("\nuse crate::kernel::Kernel;"),
        ["plan/axis.rs:2: `crate::kernel::Kernel` climbs from `plan` to `kernel`"]
    );
    for text in [
        "use crate::{facts::shape::Shape, front::{reduction::Reduction, stream}};",
        "use super::super::kernel::fold::Fold as Other;",
        "use crate::model::*;",
        "fn f() { let x = crate::kernel::SMALL; }",
        "fn f(x: &dyn Fn(crate::front::input::Layout)) {}",
        "impl<T: crate::kernel::Fold> X for T {}",
        "macro_rules! m { ($x:expr) => { $crate::kernel::f::<$x>() }; }",
        "macro_rules! m { ($x:ident) => { mod $x { use super::super::super::kernel::$x; } }; }",
        "mod inner { use super::super::super::kernel::Kernel; }",
        "pub(in crate::kernel) fn f() {}",
        "use crate::Reduction;",
        "use super::super::Reduction;",
    ] {
        assert!(!climbing_here(text).is_empty(), "{text}");
    }
    assert_eq!(climbing_here("use crate::{front::{a, b}, model};").len(), 3);
}

#[test]
fn what_does_not_climb_is_let_be() {
    for text in [
        "use crate::{facts::shape::{self, Shape}, machine::Machine, values::*};",
        "use super::{Axis, grid::Grid};",
        "mod inner { use super::super::{Axis, super::facts}; }",
        "macro_rules! m { ($x:ident) => { mod $x { use super::super::Axis; } }; }",
        "macro_rules! m { () => { $crate::DType::F16 }; }",
        "/// See [`Kernel`](crate::kernel::Kernel).\npub(in crate::plan) fn f() {}",
        "pub(crate) fn f(&self) { self.kernel() }",
        "fn f() { \"crate::kernel::Kernel\" }",
    ] {
        let climbing = climbing_in("plan/axis.rs", text);
        assert!(climbing.is_empty(), "{text}: {climbing:?}");
    }
}

#[test]
fn a_circle_is_found_whatever_it_is_passed_through() {
    let sources = [
        Source::new("plan/mod.rs", "mod a; mod b; mod c; pub(crate) use a::{A, Other as O};"),
        Source::new("plan/a.rs", "use super::b::B; use super::Plan;"),
        Source::new("plan/b/mod.rs", "use crate::facts::a::A;"),
        Source::new("plan/b/inner.rs", "use crate::plan::c::C;"),
        Source::new("plan/c.rs", "use crate::plan::{O, c::Own};"),
        Source::new("plan/d.rs", "use super::{a, c};"),
    ];
    let circle = ["a", "b", "c"].map(str::to_owned).into();
    assert_eq!(circles(&imports_within(&["plan".to_owned()], &sources)), BTreeSet::from([circle]));
    assert!(circles(&imports_within(&["plan".to_owned()], &sources[1..])).is_empty());
}
