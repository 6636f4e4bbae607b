//! A digest of results, so that no change of their bits goes unseen.
//!
//! `tests/data/bits.txt` has a line for each operator and float type: what all its results over the cases of
//! [`path_cases`] are mixed into. A change of it is a change that users must be told of in
//! the changelog; `REDUCE_BLESS=1` writes it anew.

use std::fmt::Write as _;
use std::sync::Mutex;

use reduce_tests::cases::{Case, Request, Row, bits, ordinary, path_cases, spelled};
use reduce_tests::oracle::Type;

const FILE: &str = "data/bits.txt";

/// A mix of numbers, in which every bit of each counts, and their order.
fn mix(before: u64, number: u64) -> u64 {
    (before ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// The digest of an operator and a type.
fn digest(row: &Row, cases: &[Case]) -> u64 {
    let mut digest = 0;
    for (seed, Case { recipe, axes }) in (1..).zip(cases) {
        let walk = recipe.walk();
        let values = ordinary(row.op, row.ty, recipe.count(), seed);
        let buffer = walk.buffer(row.dtype, &values);
        let spelled = spelled(axes, walk.shape.len());
        let request = Request { axes: Some(&spelled), ..Request::default() };
        let prepared = request.prepare(row.entry, row.newest(), row.dtype).expect("valid axes");
        let result = request.run(&prepared, &recipe.any_view(&buffer));
        digest = match result {
            Ok(result) => bits(&result).into_iter().fold(digest, mix),
            Err(_) => mix(digest, 0),
        };
    }
    digest
}

#[test]
fn results_have_the_bits_that_they_had() {
    let cases = path_cases();
    let digests = Mutex::new(Vec::new());
    Row::for_each(|row| {
        if matches!(row.ty, Type::Float { .. }) && !row.takes_one_axis() {
            let digest = digest(row, &cases);
            digests.lock().expect("no panic").push((row.name(), digest));
        }
    });
    let mut digests = digests.into_inner().expect("no panic");
    digests.sort();
    let mut page = String::new();
    for (name, digest) in &digests {
        writeln!(page, "{digest:016x} {name}").expect("room");
    }
    if std::env::var_os("REDUCE_BLESS").is_some() {
        std::fs::write(FILE, &page).expect("a file");
    }
    let committed = std::fs::read_to_string(FILE).expect("a file");
    let changed: Vec<&str> =
        page.lines().filter(|line| !committed.lines().any(|old| old == *line)).collect();
    assert!(
        page == committed,
        "other bits than in tests/{FILE}; if they are meant to be, tell users and run this test with REDUCE_BLESS=1:\n{}",
        changed.join("\n")
    );
}

#[test]
fn every_bit_and_their_order_count() {
    let of = |numbers: &[u64]| numbers.iter().copied().fold(0, mix);
    assert_ne!(of(&[1, 2]), of(&[2, 1]));
    for bit in 0..64 {
        assert_ne!(of(&[5, 7, 9]), of(&[5, 7 ^ (1 << bit), 9]), "bit {bit}");
    }
}
