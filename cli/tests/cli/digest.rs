//! `reduce digest`: the numbers that are committed, and what is said of others.
//!
//! The kernels of a debug build are slow. So it is the operators of ONNX alone that run here, and each layout is reduced in one
//! way, taken in turn. The gate runs the whole command in release. `REDUCE_BLESS=1` writes all numbers anew.

use std::fs;

use reduce_specs::ONNX;

use crate::support::{reduce, refused};

/// The numbers, which the command has within it.
const COMMITTED: &str = "src/digest/numbers/committed.txt";

#[test]
fn results_have_the_bits_that_they_had() {
    if std::env::var_os("REDUCE_BLESS").is_some() {
        fs::write(COMMITTED, reduce("digest --quick --types").stdout).expect("a file");
    }
    let names: Vec<&str> = ONNX.ops().iter().map(|entry| entry.schema().name).collect();
    let outcome = reduce(&format!("digest --quick --types {}", names.join(" ")));
    let committed = fs::read_to_string(COMMITTED).expect("a file");
    let is_onnx = |line: &&str| line.split([' ', ':']).any(|word| names.contains(&word));
    let expected: Vec<&str> = committed.lines().filter(is_onnx).collect();
    let found: Vec<&str> = outcome.stdout.lines().collect();
    assert!(expected.len() > 100, "{committed}");
    assert!(
        found == expected,
        "other bits than in cli/{COMMITTED}; if they are meant to be, tell users and run this test with REDUCE_BLESS=1:\n{}",
        outcome.stderr
    );
    // What is within the command was the old page while this test wrote another one.
    if std::env::var_os("REDUCE_BLESS").is_none() {
        assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
    }
}

#[test]
fn an_operator_has_a_line_and_one_for_its_streams() {
    let outcome = reduce("digest argmin --quick");
    let names: Vec<_> = outcome.stdout.lines().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(names, ["ArgMin", "stream:ArgMin"]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("1 operator, 14 lines of types, "), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with("\nthe numbers are those that are committed\n"));
    assert!(refused("digest Sun").contains("did you mean `Sum`"));
}
