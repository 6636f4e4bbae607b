//! Random queries over random tables, held against plain loops.

use std::collections::BTreeMap;

use datafusion::common::Result;

use crate::cells::{Cell, agrees, rows};
use crate::oracle::{Call, expected};
use crate::random::Random;
use crate::table::{Row, context, random_rows};

/// A function, columns it may be called with, and parameters.
type Function = (&'static str, &'static [&'static [&'static str]], &'static [&'static [f64]]);

const FUNCTIONS: [Function; 38] = {
    const ANY: &[&[&str]] = &[
        &["f16"],
        &["f32"],
        &["f64"],
        &["i8"],
        &["i16"],
        &["i32"],
        &["i64"],
        &["u8"],
        &["u16"],
        &["u32"],
        &["u64"],
    ];
    const TRUTHS_TOO: &[&[&str]] =
        &[&["f16"], &["f32"], &["f64"], &["i8"], &["i16"], &["u64"], &["b"]];
    const PAIRS: &[&[&str]] =
        &[&["f32", "g32"], &["f64", "g64"], &["f16", "f16"], &["f32", "g64"], &["i8", "f64"]];
    const DOTS: &[&[&str]] =
        &[&["f32", "g32"], &["f16", "g32"], &["i64", "i64"], &["i8", "u8"], &["f64", "g32"]];
    const NONE: &[&[f64]] = &[&[]];
    [
        ("reduce_sum", ANY, NONE),
        ("reduce_mean", ANY, NONE),
        ("reduce_prod", ANY, NONE),
        ("reduce_l1", ANY, NONE),
        ("reduce_l2", ANY, NONE),
        ("reduce_sum_square", ANY, NONE),
        ("reduce_log_sum", ANY, NONE),
        ("tree_sum", ANY, NONE),
        ("tree_mean", ANY, NONE),
        ("prod", ANY, NONE),
        ("l1", ANY, NONE),
        ("l2", ANY, NONE),
        ("sum_square", ANY, NONE),
        ("log_sum", ANY, NONE),
        ("log_sum_exp", ANY, NONE),
        ("reduce_max", ANY, NONE),
        ("reduce_max", TRUTHS_TOO, NONE),
        ("reduce_min", ANY, NONE),
        ("reduce_min", TRUTHS_TOO, NONE),
        ("variance", ANY, &[&[], &[0.0], &[1.0], &[3.0]]),
        ("standard_deviation", ANY, &[&[], &[1.0]]),
        ("mean_variance", ANY, NONE),
        ("summary", ANY, NONE),
        ("shape", &[&["f16"], &["f32"], &["f64"], &["i8"]], NONE),
        ("moments", ANY, &[&[1.0], &[2.0], &[3.0], &[5.0]]),
        ("histogram", ANY, &[&[10.0, 0.0, 1.0], &[16.0, -4.0, 4.0], &[100.0, -2.0, 3.0]]),
        ("top_k", ANY, &[&[1.0], &[3.0], &[5.0], &[40.0]]),
        ("exact_sum", ANY, NONE),
        ("exact_mean", ANY, NONE),
        ("exact_dot", PAIRS, NONE),
        ("dot", DOTS, NONE),
        ("cosine", PAIRS, &[&[], &[0.0], &[1.0]]),
        ("squared_error", PAIRS, NONE),
        ("covariance", PAIRS, &[&[], &[1.0]]),
        ("correlation", PAIRS, NONE),
        ("regression", PAIRS, NONE),
        ("divergence", &[&["p64", "q64"]], NONE),
        ("cross_entropy", &[&["f32", "b"], &["f64", "b"], &["i8", "b"]], NONE),
    ]
};

/// Functions whose last column, or the last but one, has weights.
const WEIGHTED: [(&str, &[&str]); 6] = [
    ("weighted_mean", &["f64", "p64", "b"]),
    ("weighted_variance", &["f32", "p64"]),
    ("weighted_deviation", &["f64", "p64"]),
    ("weighted_covariance", &["f64", "g64", "p64"]),
    ("weighted_correlation", &["f64", "g32", "p64"]),
    ("weighted_regression", &["f64", "g64", "p64"]),
];

fn random_call(random: &mut Random) -> Call {
    if random.once_in(8) {
        let (function, columns) = random.pick(&WEIGHTED);
        return Call::new(function, columns, &[]);
    }
    let (function, columns, parameters) = *random.pick(&FUNCTIONS);
    let (columns, parameters) = (*random.pick(columns), *random.pick(parameters));
    Call::new(function, columns, parameters)
}

/// A condition: as SQL, and on a row. NULL is not true.
type Condition = (&'static str, fn(&Row) -> bool);

const CONDITIONS: [Condition; 6] = [
    ("k > 2", |row| matches!(row["k"], Cell::Int(k) if k > 2)),
    ("k IS NULL", |row| row["k"] == Cell::Null),
    ("t <> 'a'", |row| row["t"] != Cell::Text("a".to_owned())),
    ("f64 < 0.5", |row| matches!(row["f64"], Cell::Float(x) if x < 0.5)),
    ("b", |row| row["b"] == Cell::Truth(true)),
    ("k > 100", |_| false),
];

/// Nearly every row has a `u16` of its own.
const KEYS: [&[&str]; 6] = [&[], &["k"], &["t"], &["k", "t"], &["u8"], &["u16", "k"]];

pub struct Query {
    keys: &'static [&'static str],
    calls: Vec<(Call, Option<Condition>)>,
    condition: Option<Condition>,
}

impl Query {
    pub fn random(random: &mut Random) -> Self {
        let condition = |random: &mut Random| random.once_in(3).then(|| *random.pick(&CONDITIONS));
        let calls =
            (0..=random.below(3)).map(|_| (random_call(random), condition(random))).collect();
        Query { keys: KEYS[random.below(KEYS.len())], calls, condition: condition(random) }
    }

    pub fn sql(&self) -> String {
        let call = |(call, filter): &(Call, Option<Condition>)| match filter {
            Some((filter, _)) => format!("{} FILTER (WHERE {filter})", call.sql()),
            None => call.sql(),
        };
        let calls = self.calls.iter().map(call).enumerate();
        let calls = calls.map(|(place, call)| format!("{call} AS result{place}"));
        let shown: Vec<String> = self.keys.iter().map(ToString::to_string).chain(calls).collect();
        let condition = self.condition.map_or(String::new(), |(sql, _)| format!(" WHERE {sql}"));
        let group = if self.keys.is_empty() {
            String::new()
        } else {
            format!(" GROUP BY {}", self.keys.join(", "))
        };
        format!("SELECT {} FROM t{condition}{group}", shown.join(", "))
    }

    /// The rows of each group, by its keys.
    fn groups<'a>(&self, rows: &'a [Row]) -> BTreeMap<String, Vec<&'a Row>> {
        let mut groups: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
        if self.keys.is_empty() {
            groups.insert(named(&[]), Vec::new());
        }
        for row in rows.iter().filter(|row| self.condition.is_none_or(|(_, holds)| holds(row))) {
            let keys: Vec<Cell> = self.keys.iter().map(|key| row[key].clone()).collect();
            groups.entry(named(&keys)).or_default().push(row);
        }
        groups
    }

    pub fn check(&self, found: &[Vec<Cell>], rows: &[Row]) -> std::result::Result<(), String> {
        let groups = self.groups(rows);
        if found.len() != groups.len() {
            return Err(format!("{} groups, expected {}", found.len(), groups.len()));
        }
        for row in found {
            let (keys, results) = row.split_at(self.keys.len());
            let members =
                groups.get(&named(keys)).ok_or_else(|| format!("there is no group {keys:?}"))?;
            for (result, (call, filter)) in results.iter().zip(&self.calls) {
                let members =
                    members.iter().filter(|row| filter.is_none_or(|(_, holds)| holds(row)));
                let expected = expected(call, &members.copied().collect::<Vec<_>>());
                agrees(result, &expected)
                    .map_err(|how| format!("{} of {keys:?}: {how}", call.sql()))?;
            }
        }
        Ok(())
    }
}

fn named(keys: &[Cell]) -> String {
    format!("{keys:?}")
}

#[tokio::test]
async fn random_queries_give_what_plain_loops_give() -> Result<()> {
    let mut random = Random(1);
    let mut called = std::collections::BTreeSet::new();
    for number in 0..250 {
        let size = *random.pick(&[0, 1, 5, 60, 300]);
        let table = random_rows(&mut random, size);
        let ctx = context(&mut random, &table)?;
        let query = Query::random(&mut random);
        called.extend(query.calls.iter().map(|(call, _)| call.function));
        let sql = query.sql();
        let found =
            rows(&ctx, &sql).await.unwrap_or_else(|error| panic!("{number}: {sql}: {error}"));
        if let Err(how) = query.check(&found, &table) {
            panic!("{number}: {sql} over {size} rows: {how}");
        }
    }
    let all: std::collections::BTreeSet<_> =
        FUNCTIONS.iter().map(|(name, ..)| *name).chain(WEIGHTED.map(|(name, _)| name)).collect();
    assert_eq!(called, all);
    Ok(())
}

#[tokio::test]
async fn every_function_is_right_over_every_type() -> Result<()> {
    let mut random = Random(2);
    let table = random_rows(&mut random, 150);
    for (function, columns, parameters) in FUNCTIONS {
        let ctx = context(&mut random, &table)?;
        for columns in columns {
            for parameters in parameters {
                let call = Call::new(function, columns, parameters);
                let query = Query { keys: &["k"], calls: vec![(call, None)], condition: None };
                let found = rows(&ctx, &query.sql()).await?;
                query.check(&found, &table).unwrap_or_else(|how| panic!("{}: {how}", query.sql()));
            }
        }
    }
    Ok(())
}

#[test]
fn a_wrong_row_is_seen() {
    let mut random = Random(3);
    let table = random_rows(&mut random, 20);
    let call = Call::new("reduce_max", &["i32"], &[]);
    let query = Query { keys: &[], calls: vec![(call, None)], condition: None };
    let most = table
        .iter()
        .filter_map(|row| if let Cell::Int(x) = row["i32"] { Some(x) } else { None })
        .max();
    let most = most.expect("there is one");
    assert!(query.check(&[vec![Cell::Int(most)]], &table).is_ok());
    assert!(query.check(&[vec![Cell::Int(most - 1)]], &table).is_err());
    assert!(query.check(&[], &table).is_err());
    assert!(query.check(&[vec![Cell::Null]], &table).is_err());
}
