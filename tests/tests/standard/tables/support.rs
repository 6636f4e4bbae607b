//! What the rows share: cases as literals, run in every version and at every
//! level.

use reduce_core::nodes::{AttrValue, Node};
use reduce_tests::cases::{Layout, Request, Row, Stored, found};
use reduce_tests::compare::{self, Found};
use reduce_tests::float::Exact;
use reduce_tests::oracle::{Element, Errors, Expected, Type, Values};

pub(crate) const INF: f64 = f64::INFINITY;
pub(crate) const NAN: f64 = f64::NAN;
pub(crate) const FLOATS: [&str; 4] = ["f16", "bf16", "f32", "f64"];
pub(crate) const REDUCTIONS: [&str; 10] = [
    "ReduceSum",
    "ReduceMean",
    "ReduceProd",
    "ReduceL1",
    "ReduceL2",
    "ReduceSumSquare",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMin",
];

/// Data of a shape.
pub(crate) type Data<'a> = (&'a [usize], &'a [f64]);

/// The values given, as the type stores them.
pub(crate) fn values(ty: Type, xs: &[f64]) -> Values {
    if ty.is_float() {
        Values::Floats(xs.iter().map(|&x| ty.store(x)).collect())
    } else {
        #[allow(clippy::cast_possible_truncation, reason = "literals are whole here")]
        let whole = |&x: &f64| x as i128;
        Values::Ints(xs.iter().map(whole).collect())
    }
}

/// Literals as a result: a unit in the last place is free, since they are
/// rounded, and logarithms too.
fn expected(row: &Row, (shape, xs): Data<'_>) -> Expected {
    let ty = if row.op.is_position() { Type::named("i64") } else { row.ty };
    let elements = match (values(ty, xs), xs) {
        (Values::Ints(xs), _) => xs.into_iter().map(Element::Int).collect(),
        (Values::Floats(_), xs) => {
            let errors = Errors::Product { count: 3 };
            let element = |&x: &f64| Element::Real { exact: Exact::from(x), errors };
            xs.iter().map(element).collect()
        }
    };
    Expected { ty, shape: shape.to_vec(), elements }
}

/// Whether a version has the flags that are asked for.
pub(crate) fn can_ask(row: &Row, version: u32, request: &Request<'_>) -> bool {
    (request.noop.is_none() || row.has(version, "noop_with_empty_axes"))
        && (request.last.is_none() || row.has(version, "select_last_index"))
}

/// That every version that can be asked gives this.
#[track_caller]
pub(crate) fn expect(row: &Row, data: Data<'_>, request: &Request<'_>, result: Data<'_>) {
    let expected = expected(row, result);
    let stored = Stored::new(Layout::Contiguous, row.dtype, data.0, &values(row.ty, data.1));
    let mut ran = 0;
    for version in row.versions() {
        if !can_ask(row, version, request) {
            continue;
        }
        let result = row.run(version, &stored.view(), request);
        let result = result.unwrap_or_else(|error| panic!("{} at {version}: {error}", row.name()));
        compare::check(&expected, &found(&result))
            .unwrap_or_else(|e| panic!("{} at {version} {request:?} {e}", row.name()));
        ran += 1;
    }
    assert!(ran > 0, "no version of {} can be asked {request:?}", row.name());
}

/// That every version that can be asked refuses this, with an error of this code.
#[track_caller]
pub(crate) fn expect_error(row: &Row, data: Data<'_>, request: &Request<'_>, code: &str) {
    let stored = Stored::new(Layout::Contiguous, row.dtype, data.0, &values(row.ty, data.1));
    for version in row.versions() {
        if can_ask(row, version, request) {
            let result = row.run(version, &stored.view(), request);
            let error = result.expect_err("must be refused");
            assert_eq!(error.code(), code, "{} at {version}: {error}", row.name());
        }
    }
}

/// One result over all elements of a list, of floats or small integers.
#[track_caller]
pub(crate) fn all(op: &str, dtype: &str, xs: &[f64], result: f64) {
    let row = Row::named(op, dtype);
    let request = Request { keepdims: Some(false), ..Request::default() };
    expect(&row, (&[xs.len()], xs), &request, (&[], &[result]));
}

/// Checks the same for every float type.
#[track_caller]
pub(crate) fn floats(op: &str, xs: &[f64], result: f64) {
    for dtype in FLOATS {
        all(op, dtype, xs, result);
    }
}

/// Integers beyond 2^53, with the axis listed.
#[track_caller]
pub(crate) fn ints(op: &str, dtype: &str, xs: &[i128], expected: i128) {
    let row = Row::named(op, dtype);
    let xs = Values::Ints(xs.to_vec());
    let request = Request { axes: Some(&[-1]), keepdims: Some(false), ..Request::default() };
    let found = row.reduce((&[xs.len()], &xs), &request);
    let expected = Found { ty: row.ty, shape: vec![], values: Values::Ints(vec![expected]) };
    assert_eq!(found, expected, "{op} of {dtype} {xs:?}");
}

/// Checks that every version with the attribute refuses a value, by the same code.
#[track_caller]
pub(crate) fn refuses(row: &Row, attr: &str, value: impl Into<AttrValue>, code: &str) {
    let value = value.into();
    let versions: Vec<u32> = row.versions().into_iter().filter(|&v| row.has(v, attr)).collect();
    assert!(!versions.is_empty(), "{} has no {attr}", row.name());
    for version in versions {
        let node = Node::new(version, row.dtype).attr(attr, value.clone());
        let problems = row.entry.prepare(&node).expect_err("must be refused");
        assert_eq!(problems.errors()[0].code(), code, "{problems}");
    }
}
