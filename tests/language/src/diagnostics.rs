//! Diagnostics: every mistake the macros know of, in a file of its own, and what
//! the user then reads.
//!
//! The first lines of a file name the errors it must cause, `// error: ..`. They
//! are held against the `.stderr` beside it, which `tests/diagnostics` holds against
//! the compiler: neither can drift into testing something else.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// The files, from this package's folder.
const FOLDER: &str = "../diagnostics";

/// A file with a mistake, and the report that the compiler makes of it.
struct Case {
    path: PathBuf,
    expected: Vec<String>,
    stderr: String,
}

impl Case {
    fn read(path: PathBuf) -> Self {
        let source = fs::read_to_string(&path).expect("a readable test file");
        let expected = source.lines().map_while(|line| line.strip_prefix("// error: "));
        let stderr = fs::read_to_string(path.with_extension("stderr"));
        Case {
            expected: expected.map(str::to_owned).collect(),
            stderr: stderr
                .unwrap_or_else(|error| panic!("{}: no .stderr: {error}", path.display())),
            path,
        }
    }

    fn errors(&self) -> Vec<&str> {
        self.stderr.lines().filter_map(|line| line.strip_prefix("error: ")).collect()
    }

    /// Returns what each `^^^` underlines, up to the end of its line.
    fn underlined(&self) -> Vec<&str> {
        let lines: Vec<&str> = self.stderr.lines().collect();
        let marks = lines.windows(2).filter(|pair| pair[1].contains('^'));
        marks.map(|pair| &pair[0][pair[1].find('^').unwrap_or(0)..]).collect()
    }
}

/// Mistakes that the macros find, or in `types` those that only the compiler finds.
fn cases_in(folder: &str) -> Vec<Case> {
    let mut sources = files(&Path::new(FOLDER).join(folder), "rs");
    sources.sort();
    sources.into_iter().map(Case::read).collect()
}

fn cases() -> Vec<Case> {
    cases_in("ui")
}

/// The files with this extension in a folder and its folders.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path, extension),
            false => vec![path],
        })
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect()
}

/// Mistakes that only the compiler finds, for it alone knows types: told in our words, once
/// each, at the user's own word.
#[test]
fn each_mistake_in_a_type_is_told_once() {
    for case in cases_in("types") {
        let path = case.path.display();
        let is_error = |line: &&str| line.starts_with("error");
        let errors: Vec<&str> = case.stderr.lines().filter(is_error).collect();
        assert_eq!(errors.len(), case.expected.len(), "{path}:\n{}", case.stderr);
        for (error, expected) in errors.iter().zip(&case.expected) {
            assert!(error.contains(expected), "{path}: {error}\nis not about: {expected}");
        }
        // What follows the first are places that explain it.
        let first = case.underlined().into_iter().next().unwrap_or_default();
        assert!(!first.starts_with("#["), "{path}: the error is at the whole attribute");
    }
}

/// Every trait that a user can name says, in our words, what is missing.
#[test]
fn every_public_trait_says_what_is_missing() {
    let root = Path::new("../../reduce-core/src/lib.rs").to_path_buf();
    let mut exported = BTreeSet::new();
    for path in files(Path::new("../../reduce-core/src/rooms"), "rs").into_iter().chain([root]) {
        let source = fs::read_to_string(&path).expect("a readable source");
        let uses = source.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next());
        let words = uses.flat_map(|names| names.split(|c: char| !c.is_alphanumeric()));
        exported.extend(words.map(str::to_owned));
    }
    let mut checked = 0;
    for path in files(Path::new("../../reduce-core/src"), "rs") {
        let file = syn::parse_file(&fs::read_to_string(&path).expect("a readable source"));
        for item in file.expect("source that parses").items {
            let syn::Item::Trait(item) = item else { continue };
            let is_public = matches!(item.vis, syn::Visibility::Public(_));
            if is_public && exported.contains(&item.ident.to_string()) {
                let says = |attr: &syn::Attribute| attr.path().segments.len() == 2;
                assert!(item.attrs.iter().any(says), "{}: {}", path.display(), item.ident);
                checked += 1;
            }
        }
    }
    assert!(checked >= 20, "{checked} traits");
}

#[test]
fn each_file_causes_the_errors_it_names() {
    let cases = cases();
    for case in &cases {
        let (errors, path) = (case.errors(), case.path.display());
        assert!(!case.expected.is_empty(), "{path}: the first line is not `// error: ..`");
        assert_eq!(errors.len(), case.expected.len(), "{path}: {errors:#?}");
        for (error, expected) in errors.iter().zip(&case.expected) {
            assert!(error.contains(expected), "{path}: {error}\nis not about: {expected}");
        }
    }
    let reports = files(&Path::new(FOLDER).join("ui"), "stderr").len();
    assert_eq!(reports, cases.len(), "a .stderr without its .rs");
    let sound = files(&Path::new(FOLDER).join("pass"), "rs").len();
    println!("{reports} files in ui, {sound} in pass");
}

#[test]
fn reports_hold_our_errors_and_nothing_else() {
    let foreign = ["error[", "warning", "note:", "help:", "originates in", "$RUST", "/rustc/"];
    for case in cases() {
        let found = foreign.iter().find(|foreign| case.stderr.contains(**foreign));
        assert_eq!(found, None, "{}:\n{}", case.path.display(), case.stderr);
    }
}

#[test]
fn errors_stand_at_a_token_of_the_user() {
    for case in cases() {
        let (underlined, path) = (case.underlined(), case.path.display());
        assert_eq!(underlined.len(), case.expected.len(), "{path}:\n{}", case.stderr);
        let whole = underlined.iter().find(|text| text.starts_with("#["));
        assert_eq!(whole, None, "{path}: the error is at the whole attribute");
    }
}

#[test]
fn messages_keep_to_one_grammar() {
    for case in cases() {
        for error in case.errors() {
            let path = case.path.display();
            let first = error.chars().next().expect("a message");
            assert!(!first.is_uppercase(), "{path}: a capital: {error}");
            assert!(!error.ends_with('.'), "{path}: a full stop: {error}");
            assert_eq!(error.matches('`').count() % 2, 0, "{path}: a lone backtick: {error}");
            assert!(error.matches("; ").count() <= 1, "{path}: more than two clauses: {error}");
        }
    }
}

/// Every string with a space in the macros' sources is a message or a part of
/// one, and some file must show it to the user.
#[test]
fn every_message_has_a_file() {
    let cases = cases();
    let shown: Vec<&str> = cases.iter().flat_map(Case::errors).collect();
    let is_shown = |message: &String| shown.iter().any(|error| has_pieces(error, message));
    let sources = files(Path::new("../../reduce-macros/src"), "rs");
    // The words of tests, and those of the table of facts, are no messages.
    let others = ["tests", "docs.rs"];
    let is_other =
        |path: &PathBuf| path.iter().any(|name| others.iter().any(|other| name == *other));
    let sources = sources.iter().filter(|path| !is_other(path));
    let mut messages = Vec::new();
    for path in sources {
        let source = fs::read_to_string(path).expect("a readable source");
        messages_in(source.parse().expect("source that parses"), &mut messages);
    }
    println!("{} messages and parts of messages", messages.len());
    assert!(messages.len() > 80, "too few messages: {messages:#?}");
    messages.retain(|message| !is_shown(message));
    assert!(messages.is_empty(), "no file in ui shows: {messages:#?}");
}

/// Collects the strings with a space, except those in attributes and tests. The text of an
/// `Option::expect` is for us, so it is no message.
fn messages_in(tokens: TokenStream, messages: &mut Vec<String>) {
    let mut before = [String::new(), String::new()];
    for token in tokens {
        let words = [before[0].as_str(), before[1].as_str()];
        match &token {
            TokenTree::Group(_) if matches!(words, [_, "#" | "tests"] | ["#", "!"]) => {}
            TokenTree::Group(group) => {
                let inside = group.stream();
                if before[1] != "expect" || inside.clone().into_iter().count() > 1 {
                    messages_in(inside, messages);
                }
            }
            TokenTree::Literal(literal) => {
                let text = syn::parse_str::<syn::LitStr>(&literal.to_string());
                let text = text.map(|text| text.value()).ok();
                messages.extend(text.filter(|text| text.contains(' ')));
            }
            _ => {}
        }
        before.swap(0, 1);
        before[1] = token.to_string();
    }
}

/// Whether a text has the parts of a template between its `{..}`, in order.
fn has_pieces(text: &str, template: &str) -> bool {
    let pieces = template.split('{').enumerate().map(|(index, piece)| match index {
        0 => piece,
        _ => piece.split_once('}').map_or(piece, |(_, after)| after),
    });
    let mut rest = text;
    pieces.into_iter().all(|piece| match rest.find(piece) {
        Some(place) => {
            rest = &rest[place + piece.len()..];
            true
        }
        None => false,
    })
}
