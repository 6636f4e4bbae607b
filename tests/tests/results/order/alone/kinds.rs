//! Kinds of orders, and how many of each a test has met.

use std::collections::BTreeMap;

use reduce_core::backend::Order;

/// How many orders there were of each kind.
pub(super) type Kinds = BTreeMap<&'static str, usize>;

/// Counts an order among those of its kinds.
pub(super) fn note(order: &Order, kinds: &mut Kinds) {
    let Order { count, strands, rows, block, run, .. } = *order;
    for (kind, is) in [
        ("empty", count == 0),
        ("from the first", order.from_first),
        ("one strand", strands == 1 && !order.from_first),
        ("strands", strands > 1),
        ("rows of one", rows == strands && !rows.is_power_of_two()),
        ("rows of several", rows > 1 && rows < strands),
        ("one row", rows == 1 && strands > 1),
        ("blocks", count > block),
        ("runs", run < count),
        ("scattered", order.scatter.is_some()),
        ("joint axes", order.kept.iter().any(|axis| axis.strides.len() > 1)),
    ] {
        *kinds.entry(kind).or_default() += usize::from(is);
    }
}

/// That there were enough orders of each kind for a test to mean something.
pub(super) fn assert_kinds(kinds: &Kinds, expected: &[&str]) {
    println!("{kinds:?}");
    for kind in expected {
        assert!(kinds[kind] >= 3, "{kind}: {kinds:?}");
    }
}

/// All that one operator of one input can have.
pub(super) const KINDS: [&str; 10] = [
    "empty",
    "from the first",
    "one strand",
    "strands",
    "rows of one",
    "rows of several",
    "one row",
    "blocks",
    "runs",
    "scattered",
];
