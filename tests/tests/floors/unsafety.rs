//! Unsafe code: `docs/unsafe.md` lists the files that have some, and defines the obligations that comments name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// The folders whose files the page lists: the core, whose paths stand without it, and the other packages.
const CORE: &str = "reduce-core/src/";
const OTHERS: [&str; 7] = [
    "cli/src",
    "examples/gallery/src",
    "integrations",
    "onnx/src",
    "reduce-macros/src",
    "specs/src",
    "tour/src",
];

/// A comment that argues for unsafe code has at least this many words.
const LEAST_WORDS: usize = 6;

/// An unsafe block begins at most this many lines behind the comment that argues for it.
const NEAR: usize = 3;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page() -> String {
    fs::read_to_string(workspace().join("docs/unsafe.md")).expect("the page")
}

/// The first cells of the page's rows, without the marks around them.
fn first_cells(page: &str, mark: char) -> BTreeSet<String> {
    let cell = |line: &str| {
        let cell = line.strip_prefix("| ")?.split(" |").next()?;
        Some(cell.strip_prefix(mark)?.strip_suffix(mark)?.to_owned())
    };
    page.lines().filter_map(cell).collect()
}

/// The Rust files of a folder and of the folders in it, by their paths from the workspace. What was built is left out.
fn files(folder: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(workspace().join(folder)).expect("a folder") {
        let entry = entry.expect("a readable entry");
        let name = entry.file_name().into_string().expect("a name in UTF-8");
        let path = format!("{folder}/{name}");
        if entry.file_type().expect("a type").is_dir() {
            if name != "target" {
                files(&path, found);
            }
        } else if name.ends_with(".rs") {
            found.insert(path.clone(), fs::read_to_string(workspace().join(path)).expect("a file"));
        }
    }
}

/// How often the word stands in code. Comments are no tokens, and examples in them are text.
fn unsafe_words(tokens: TokenStream) -> usize {
    let count = |token| match token {
        TokenTree::Ident(word) => usize::from(word == "unsafe"),
        TokenTree::Group(group) => unsafe_words(group.stream()),
        _ => 0,
    };
    tokens.into_iter().map(count).sum()
}

/// The files with unsafe code.
fn unsafe_files(all: &BTreeMap<String, String>) -> BTreeSet<&str> {
    let has_some = |text: &str| unsafe_words(text.parse().expect("Rust")) > 0;
    all.iter().filter(|(_, text)| has_some(text)).map(|(path, _)| path.as_str()).collect()
}

fn all_files() -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for folder in OTHERS.into_iter().chain([CORE.trim_end_matches('/')]) {
        files(folder, &mut all);
    }
    all
}

/// An argument for unsafe code, and the number of the line in which it ends.
struct Argument {
    words: String,
    end: usize,
}

/// The comments of a file that argue for unsafe code.
fn arguments(text: &str) -> Vec<Argument> {
    let mut found: Vec<Argument> = Vec::new();
    let mut goes_on = false;
    for (number, line) in text.lines().enumerate() {
        let comment = line.trim().strip_prefix("// ");
        if let Some(words) = comment.and_then(|words| words.strip_prefix("SAFETY: ")) {
            found.push(Argument { words: words.to_owned(), end: number });
            goes_on = true;
        } else if let (Some(words), true) = (comment, goes_on) {
            let last = found.last_mut().expect("one that goes on");
            last.words = format!("{} {words}", last.words);
            last.end = number;
        } else {
            goes_on = false;
        }
    }
    found
}

/// The words in stars: names of obligations.
fn named(words: &str) -> BTreeSet<String> {
    let is_name = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
    words.split('*').skip(1).step_by(2).filter(is_name).map(str::to_owned).collect()
}

/// What is wrong with the arguments of a file.
fn faults(path: &str, text: &str, known: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    let arguments = arguments(text);
    for Argument { words, end } in &arguments {
        let mut fault = |what: String| faults.push(format!("{path}:{}: {what}: {words}", end + 1));
        if words.split_whitespace().count() < LEAST_WORDS {
            fault("too short".to_owned());
        }
        if words.starts_with("the caller's") {
            fault("says only whose it is".to_owned());
        }
        let names = named(words);
        if let Some(name) = names.difference(known).next() {
            fault(format!("`{name}` is not defined"));
        }
        let is_of_contract = words.contains("contract of microkernels");
        if path.contains("/kernel/") && names.is_empty() && !is_of_contract {
            fault("names no obligation".to_owned());
        }
    }
    for (number, line) in text.lines().enumerate() {
        let code = line.trim();
        let is_block = code.contains("unsafe {") || code.contains("unsafe impl");
        let is_argued =
            |argument: &Argument| (1..=NEAR).contains(&number.wrapping_sub(argument.end));
        if is_block && !code.starts_with("//") && !arguments.iter().any(is_argued) {
            faults.push(format!("{path}:{}: nothing argues for it: {code}", number + 1));
        }
    }
    faults
}

#[test]
fn the_page_lists_the_files_with_unsafe_code() {
    let all = all_files();
    let found: BTreeSet<String> = unsafe_files(&all)
        .into_iter()
        .map(|path| path.trim_start_matches(CORE).to_owned())
        .collect();
    let listed: BTreeSet<String> =
        first_cells(&page(), '`').into_iter().filter(|cell| cell.ends_with(".rs")).collect();
    let differing: Vec<_> = found.symmetric_difference(&listed).collect();
    assert!(found.len() > 50 && differing.is_empty(), "{differing:#?}");
}

#[test]
fn each_argument_names_what_it_rests_on() {
    let known = first_cells(&page(), '*');
    let all = all_files();
    let faults: Vec<_> = all.iter().flat_map(|(path, text)| faults(path, text, &known)).collect();
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
    let of_core = all.iter().filter(|(path, _)| path.starts_with(CORE));
    let used: BTreeSet<String> = of_core
        .flat_map(|(_, text)| arguments(text))
        .flat_map(|Argument { words, .. }| named(&words))
        .collect();
    assert_eq!(used, known, "each obligation is named somewhere");
}

#[test]
fn what_is_owed_has_names_that_are_defined() {
    let known = first_cells(&page(), '*');
    for (path, text) in all_files().iter().filter(|(path, _)| path.starts_with(CORE)) {
        let sections = text.split("/// # Safety\n").skip(1);
        for section in sections {
            let lines = section.lines().map_while(|line| line.trim().strip_prefix("///"));
            let words = lines.collect::<Vec<_>>().join(" ");
            let unknown: Vec<_> = named(&words).difference(&known).cloned().collect();
            assert!(unknown.is_empty(), "{path}: {unknown:?} in {words}");
        }
    }
}

#[test]
fn macros_write_no_unsafe_code() {
    let mut golden = BTreeMap::new();
    files("tests/golden", &mut golden);
    let written: BTreeMap<String, String> =
        golden.into_iter().filter(|(path, _)| path.ends_with(".out.rs")).collect();
    assert!(written.len() > 5, "{} files", written.len());
    assert_eq!(unsafe_files(&written), BTreeSet::new());
}

#[test]
fn poor_arguments_are_found() {
    let known = BTreeSet::from(["places".to_owned()]);
    let of = |text: &str| faults("reduce-core/src/kernel/a.rs", text, &known).len();
    assert_eq!(
        of("// SAFETY: *places*, which the caller keeps for each result.\nunsafe { f() };"),
        0
    );
    assert_eq!(
        of("// SAFETY: *places*, which the caller\n// keeps for all.\nunsafe impl Send for A {}"),
        0
    );
    assert_eq!(
        of("// SAFETY: the caller's, as it says of all *places* above.\nunsafe { f() };"),
        1
    );
    assert_eq!(of("// SAFETY: *places*.\nunsafe { f() };"), 1);
    assert_eq!(
        of("// SAFETY: *rooms*, which the caller keeps for each result.\nunsafe { f() };"),
        1
    );
    assert_eq!(
        of("// SAFETY: something that the caller keeps for each result.\nunsafe { f() };"),
        1
    );
    assert_eq!(of("let a = 1;\nunsafe { f() };"), 1);
    assert_eq!(
        unsafe_words("/// unsafe\nfn a() { b(\"unsafe\") } // unsafe".parse().expect("Rust")),
        0
    );
    assert_eq!(unsafe_words("fn a() { m!(unsafe { b() }) }".parse().expect("Rust")), 1);
}
