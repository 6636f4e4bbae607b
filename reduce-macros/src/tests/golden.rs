//! The whole expansion of each spec, as a file that people read and a test of
//! the workspace compiles. `REDUCE_BLESS=1` writes the files anew.

use std::fs;

use super::{Golden, folder, read, specs};

const HEADER: &str =
    "// The `.in.rs` beside this file, expanded: see `reduce-macros/src/tests`.\n\n";

#[test]
fn expansions_are_as_written_down() {
    let specs = specs();
    assert!(specs.len() >= 10, "{} specs", specs.len());
    let is_blessed = std::env::var_os("REDUCE_BLESS").is_some();
    for Golden { name, expansion, .. } in specs {
        let path = folder().join(format!("{name}.out.rs"));
        let found = format!("{HEADER}{expansion}");
        if is_blessed {
            fs::write(&path, &found).expect("a writable folder");
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        let first = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
        let same = found == expected;
        assert!(
            same,
            "{name} expands to something else, first at {first:#?}; REDUCE_BLESS=1 writes it"
        );
    }
}

/// `docs/generated-code.md` shows one spec and its expansion as they are.
#[test]
fn the_page_shows_what_is_generated() {
    let path = folder().join("../../docs/generated-code.md");
    let page = fs::read_to_string(&path).expect("a readable page");
    let spec = specs().into_iter().find(|spec| spec.name == "shortest").expect("a golden spec");
    let shown = [spec.source.trim(), spec.expansion.trim()];
    let mut blocks = page.split("```rust,ignore\n");
    let mut found = blocks.next().unwrap_or_default().to_owned();
    for (block, shown) in blocks.zip(shown) {
        let words = block.split_once("\n```").map_or("", |(_, words)| words);
        found.push_str(&format!("```rust,ignore\n{shown}\n```{words}"));
    }
    if std::env::var_os("REDUCE_BLESS").is_some() {
        fs::write(&path, &found).expect("a writable page");
    } else {
        assert!(page == found, "the page shows something else; REDUCE_BLESS=1 writes it");
    }
    assert!(found.contains(shown[0]) && found.contains(shown[1]), "two blocks of Rust");
}

#[test]
fn the_same_spec_expands_to_the_same_bytes() {
    for spec in specs() {
        let again = read(spec.name.clone(), spec.source);
        assert_eq!(again.expansion, spec.expansion, "{}", spec.name);
    }
}
