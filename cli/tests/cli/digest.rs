//! `reduce digest`: the numbers that are committed, and what is said of others.
//!
//! Each layout is reduced in one way alone, taken in turn: the kernels of a debug build are slow. All ways are for the whole
//! command in release, which the gate runs. `REDUCE_BLESS=1` writes the numbers anew.

use std::fs;

use crate::support::{reduce, refused};

/// The numbers, which the command has within it.
const COMMITTED: &str = "src/digest/numbers/committed.txt";

#[test]
fn results_have_the_bits_that_they_had() {
    let outcome = reduce("digest --quick --types");
    if std::env::var_os("REDUCE_BLESS").is_some() {
        fs::write(COMMITTED, &outcome.stdout).expect("a file");
    }
    let committed = fs::read_to_string(COMMITTED).expect("a file");
    assert!(
        outcome.stdout == committed,
        "other bits than in cli/{COMMITTED}; if they are meant to be, tell users and run this test with REDUCE_BLESS=1:\n{}",
        outcome.stderr
    );
    if std::env::var_os("REDUCE_BLESS").is_none() {
        assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
    }
}

#[test]
fn an_operator_has_a_line_and_one_for_its_streams() {
    let outcome = reduce("digest sum --quick");
    let names: Vec<_> = outcome.stdout.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(names, ["ReduceSum", "stream:ReduceSum"]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("1 operator, 10 lines of types, "), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with("\nthe numbers are those that are committed\n"));
    assert!(refused("digest Sun").contains("did you mean `Sum`"));
}
