//! Aggregates of this crate against those of DataFusion, and against one written by hand as its guide teaches.
//!
//! `cargo bench --bench against_builtin [rows]` takes 10⁷ rows of `f64` in memory unless told otherwise, and 2·10⁵ of them for
//! windows. Each query runs five times, the two sides in turn; the shortest time of each counts. With the word `windows`, only
//! windows are measured.

#![allow(unreachable_pub, reason = "the operator of the page is a module here")]

mod by_hand;
#[rustfmt::skip]
#[path = "../../examples/geometric_mean.rs"]
mod geometric_mean;
mod windows;

use std::sync::Arc;
use std::time::Instant;

use datafusion::arrow::array::{ArrayRef, Float64Array, Int64Array};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};
use reduce_datafusion::{Aggregate, register_gallery, register_specs};

use by_hand::HandWritten;
use geometric_mean::GeometricMean;

/// DataFusion's function, and ours.
const PAIRS: [(&str, &str); 4] = [
    ("sum(x)", "reduce_sum(x)"),
    ("avg(x)", "reduce_mean(x)"),
    ("var_pop(x)", "variance(x)"),
    ("max(x)", "reduce_max(x)"),
];

/// Over a column of positive numbers.
const BY_HAND: (&str, &str) = ("geometric_mean_by_hand(p)", "geometric_mean(p)");

/// Numbers of groups; none is a query without `GROUP BY`.
const GROUPS: [usize; 4] = [0, 10, 1_000, 1_000_000];

const RUNS: usize = 5;

/// Rows of one batch.
const BATCH: usize = 8192;

#[tokio::main]
async fn main() -> Result<()> {
    let rows = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(10_000_000);
    println!("{rows} rows, the shortest of {RUNS} runs in milliseconds");
    windows::measure(rows).await?;
    if std::env::args().any(|word| word == "windows") {
        return Ok(());
    }
    for partitions in [1, 2] {
        let ctx = context(rows, partitions)?;
        let mut ratios = Vec::new();
        for (theirs, ours) in PAIRS {
            for groups in GROUPS {
                let name = format!("{partitions} partitions, {groups} groups, {theirs}");
                ratios.push((compare(&ctx, &name, theirs, ours, groups).await?, name));
            }
        }
        let mean = ratios.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / ratios.len() as f64;
        let worst = ratios.iter().max_by(|(a, _), (b, _)| a.total_cmp(b)).expect("there are some");
        println!("geometric mean {:.2}; worst {:.2}: {}", mean.exp(), worst.0, worst.1);
        for groups in GROUPS {
            let (theirs, ours) = BY_HAND;
            compare(
                &ctx,
                &format!("{partitions} partitions, {groups} groups, by hand"),
                theirs,
                ours,
                groups,
            )
            .await?;
        }
    }
    Ok(())
}

/// Our time over theirs, of aggregates of groups.
async fn compare(
    ctx: &SessionContext,
    name: &str,
    theirs: &str,
    ours: &str,
    groups: usize,
) -> Result<f64> {
    let sql = |call: &str| match groups {
        0 => format!("SELECT {call} FROM t"),
        _ => format!("SELECT g{groups}, {call} FROM t GROUP BY g{groups}"),
    };
    race(ctx, name, [sql(theirs), sql(ours)], groups.max(1)).await
}

/// Our time over theirs, of queries that give at most some number of rows.
async fn race(ctx: &SessionContext, name: &str, sides: [String; 2], most: usize) -> Result<f64> {
    let mut shortest = [f64::INFINITY; 2];
    for _ in 0..RUNS {
        for (side, sql) in sides.iter().enumerate() {
            let frame = ctx.sql(sql).await?;
            let start = Instant::now();
            let found: usize = frame.collect().await?.iter().map(RecordBatch::num_rows).sum();
            shortest[side] = shortest[side].min(start.elapsed().as_secs_f64());
            assert!(found <= most);
        }
    }
    let [theirs, ours] = shortest.map(|seconds| seconds * 1e3);
    println!("{name:<52} theirs {theirs:9.2} ours {ours:9.2} ratio {:5.2}", ours / theirs);
    Ok(ours / theirs)
}

fn context(rows: usize, partitions: usize) -> Result<SessionContext> {
    let ctx =
        SessionContext::new_with_config(SessionConfig::new().with_target_partitions(partitions));
    register_specs(&ctx);
    register_gallery(&ctx);
    ctx.register_udaf(Aggregate::of::<GeometricMean>().into());
    ctx.register_udaf(HandWritten::new().into());
    let mut state = 1u64;
    let mut parts = vec![Vec::new(); partitions];
    for (number, start) in (0..rows).step_by(BATCH).enumerate() {
        parts[number % partitions].push(batch(&mut state, BATCH.min(rows - start))?);
    }
    let schema = parts[0][0].schema();
    ctx.register_table("t", Arc::new(MemTable::try_new(schema, parts)?))?;
    Ok(ctx)
}

/// Random numbers, and random keys of some numbers of groups.
fn batch(state: &mut u64, rows: usize) -> Result<RecordBatch> {
    let random = |state: &mut u64| {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state >> 11
    };
    let unit = 1.0 / (1u64 << 53) as f64;
    let x: Vec<f64> = (0..rows).map(|_| random(state) as f64 * unit * 200.0 - 100.0).collect();
    let p: Vec<f64> = x.iter().map(|x| x.abs() + 0.5).collect();
    let mut columns: Vec<(String, ArrayRef)> = vec![
        ("x".to_owned(), Arc::new(Float64Array::from(x))),
        ("p".to_owned(), Arc::new(Float64Array::from(p))),
    ];
    for groups in GROUPS.into_iter().filter(|&groups| groups > 0) {
        let keys: Vec<i64> =
            (0..rows).map(|_| (random(state) % groups as u64).cast_signed()).collect();
        columns.push((format!("g{groups}"), Arc::new(Int64Array::from(keys))));
    }
    Ok(RecordBatch::try_from_iter(columns)?)
}
