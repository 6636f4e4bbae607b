//! Tables 3.1 to 3.15 of the fact sheet, row by row: what this library does in
//! each case, as literals, at every level and in every version. Each test names
//! its table and row.

#![allow(clippy::doc_markdown, reason = "rows are named as they stand in the tables")]

mod args;
mod axes;
mod empty;
mod floats;
mod ints;
mod long;
mod noop;
mod support;
mod zeros;

use std::collections::BTreeMap;
use std::io::Write;

/// The number of rows of each table; of a section that is text, of its cases.
const ROWS: [usize; 15] = [12, 10, 3, 11, 2, 2, 13, 10, 7, 3, 4, 8, 7, 12, 9];

/// Every row of every table is named by a test.
#[test]
fn every_row_has_a_test() {
    let sources = [
        include_str!("args.rs"),
        include_str!("axes.rs"),
        include_str!("empty.rs"),
        include_str!("floats.rs"),
        include_str!("ints.rs"),
        include_str!("long.rs"),
        include_str!("noop.rs"),
        include_str!("zeros.rs"),
    ];
    let mut rows: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for line in sources.iter().flat_map(|source| source.lines()) {
        let Some((number, row)) =
            line.trim().strip_prefix("/// Table 3.").and_then(|rest| rest.split_once(", row "))
        else {
            continue;
        };
        rows.entry(number.parse().expect("a table's number")).or_default().push(row);
    }
    let found: Vec<usize> = (1..=15)
        .map(|table| {
            let mut rows = rows.remove(&table).unwrap_or_default();
            rows.sort_unstable();
            rows.dedup();
            rows.len()
        })
        .collect();
    let line = format!("tables: 3.1 to 3.15: {} rows\n", found.iter().sum::<usize>());
    std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
    assert_eq!(found, ROWS, "rows of the tables 3.1 to 3.15");
    assert!(rows.is_empty(), "tables that do not exist: {rows:?}");
}
