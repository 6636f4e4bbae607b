//! The compute types that a storage type may have are those that the core loads it into.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::model::{Compute, DType};

/// The pairs in the tables of the core's source: `from => to: ..` and `from => [to, ..]`.
fn loads() -> BTreeSet<(String, String)> {
    let core = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../reduce-core/src");
    let path = core.join("values/element/load.rs");
    let source = fs::read_to_string(path).expect("a readable source");
    let rows = source.lines().filter_map(|line| line.trim().split_once(" => "));
    let mut found = BTreeSet::new();
    for (from, to) in rows.filter(|(from, _)| DType::parse(from).is_some()) {
        let to = match to.split_once(": ") {
            Some((to, _)) => to,
            None => to.trim_start_matches('[').trim_end_matches("];"),
        };
        found.extend(to.split(", ").map(|to| (from.to_owned(), to.to_owned())));
    }
    found
}

#[test]
fn compute_types_are_those_of_the_core() {
    let dtypes = DType::WORDS.into_iter().filter_map(DType::parse);
    let known = dtypes.flat_map(|dtype| {
        let holding = Compute::holding(dtype).iter();
        holding.map(move |compute| (dtype.word().to_owned(), (*compute).to_owned()))
    });
    assert_eq!(known.collect::<BTreeSet<_>>(), loads());
}
