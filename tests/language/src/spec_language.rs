//! Checks the examples of `docs/spec-language.md`. A good one stands in a spec that compiles and
//! runs. A bad one stands in a file, and the compiler's report on it has the page's message.

use std::fs;
use std::path::{Path, PathBuf};

use crate::diagnostics::files;

/// A row of the page's tables: what is written, and what is then said.
struct Example {
    key: String,
    code: String,
    message: Option<String>,
}

/// A text without what the page and a source may set differently.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !['`', '*'].contains(c)).collect()
}

fn examples() -> Vec<Example> {
    let page = fs::read_to_string("../../docs/spec-language.md").expect("a readable page");
    let mut key = String::new();
    let mut found = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            key = plain(heading);
        }
        let good = line.strip_prefix("| good | ");
        let Some(row) = good.or_else(|| line.strip_prefix("| bad | ")) else { continue };
        let code = row.split('`').nth(1).expect("code in backticks").to_owned();
        let message = row.split_once(": *").filter(|_| good.is_none());
        let message = message.map(|(_, message)| plain(message.trim_end_matches(" |")));
        assert_eq!(message.is_none(), good.is_some(), "{line}");
        found.push(Example { key: key.clone(), code: plain(&code), message });
    }
    found
}

/// Every source of a folder and its folders, with its report where there is one, both plain.
fn sources(folder: &str) -> Vec<(String, String)> {
    let source = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a readable file");
        let report = fs::read_to_string(path.with_extension("stderr")).unwrap_or_default();
        (plain(&text), plain(&report))
    };
    // Expansions would have every example that their specs have.
    let is_written = |path: &PathBuf| !path.to_string_lossy().ends_with(".out.rs");
    files(Path::new(folder), "rs").into_iter().filter(is_written).map(source).collect()
}

#[test]
fn examples_are_those_of_the_tests() {
    let sound = sources("../golden");
    let mistaken = sources("../diagnostics/ui");
    let examples = examples();
    for Example { key, code, message } in &examples {
        let is_there = match message {
            None => sound.iter().any(|(source, _)| source.contains(code)),
            Some(message) => mistaken
                .iter()
                .any(|(source, report)| source.contains(code) && report.contains(message)),
        };
        assert!(is_there, "no file has the example of `{key}`: {code} {message:?}");
    }
    for key in [
        "dtypes",
        "name",
        "versions",
        "attrs",
        "nan",
        "empty",
        "commutative",
        "output",
        "lanes",
        "length",
    ] {
        let of_key = |is_good: bool| {
            examples.iter().any(|found| found.key == key && found.message.is_none() == is_good)
        };
        assert!(of_key(true) && of_key(false), "`{key}` has no good or no bad example");
    }
}
