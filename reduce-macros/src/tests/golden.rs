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

#[test]
fn the_same_spec_expands_to_the_same_bytes() {
    for spec in specs() {
        let again = read(spec.name.clone(), spec.source);
        assert_eq!(again.expansion, spec.expansion, "{}", spec.name);
    }
}
