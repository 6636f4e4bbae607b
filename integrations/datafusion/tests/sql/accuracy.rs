//! Sums and variances of long columns, whose roundings must not add up.

use std::sync::Arc;

use datafusion::arrow::array::{Float32Array, Int64Array};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};
use reduce_datafusion::{register_gallery, register_specs};

use crate::cells::{Cell, rows};

/// Rows, each with a key, in some partitions: the first rows are in the first.
fn context(
    rows: usize,
    partitions: usize,
    row: impl Fn(usize) -> (i64, f32),
) -> Result<SessionContext> {
    let config = SessionConfig::new().with_target_partitions(partitions);
    let ctx = SessionContext::new_with_config(config);
    register_specs(&ctx);
    register_gallery(&ctx);
    let batch = |start: usize| {
        let (keys, values): (Vec<i64>, Vec<f32>) =
            (start..rows.min(start + 8192)).map(&row).unzip();
        RecordBatch::try_from_iter([
            ("k", Arc::new(Int64Array::from(keys)) as _),
            ("x", Arc::new(Float32Array::from(values)) as _),
        ])
    };
    let batches = (0..rows).step_by(8192).map(batch).collect::<std::result::Result<Vec<_>, _>>()?;
    let parts = batches.chunks(batches.len().div_ceil(partitions)).map(<[_]>::to_vec);
    let table = MemTable::try_new(batches[0].schema(), parts.collect())?;
    ctx.register_table("t", Arc::new(table))?;
    Ok(ctx)
}

async fn floats(ctx: &SessionContext, sql: &str) -> Result<Vec<f64>> {
    let rows = rows(ctx, sql).await?.into_iter();
    Ok(rows.map(|row| if let Cell::Float(x) = row[0] { x } else { panic!("{row:?}") }).collect())
}

/// A first element far from all others, as a sensor gives that was just switched on.
#[tokio::test]
async fn a_first_element_far_from_all_others_spoils_no_variance() -> Result<()> {
    const ROWS: usize = 1_000_000;
    let sign = |row: usize| if row.is_multiple_of(2) { 1.0 } else { -1.0 };
    type Element = fn(usize, f32) -> f32;
    let columns: [(Element, f64); 2] = [
        (|row, sign| if row == 0 { 1e4 } else { sign }, 100.999_899_019_999),
        (|row, sign| if row == 0 { 0.0 } else { 1000.0 + sign }, 1.999_997_997_999),
    ];
    for (element, expected) in columns {
        for partitions in [1, 2] {
            let ctx = context(ROWS, partitions, |row| (0, element(row, sign(row))))?;
            for sql in [
                "SELECT variance(x) FROM t",
                "SELECT variance(x) FROM t GROUP BY k",
                "SELECT get_field(mean_variance(x), 'variance') FROM t",
            ] {
                let found = floats(&ctx, sql).await?[0];
                let error = (found - expected).abs() / expected;
                assert!(error < 1e-4, "{sql}: {found}, expected {expected}");
            }
        }
    }
    Ok(())
}

/// Within the bound that `numerics.md` gives for every sum of floats.
#[tokio::test]
async fn sums_by_key_are_as_exact_as_others() -> Result<()> {
    const KEYS: usize = 300;
    const EACH: usize = 10_000;
    let exact = f64::from(0.1f32) * EACH as f64;
    for partitions in [1, 2] {
        let ctx = context(KEYS * EACH, partitions, |row| ((row % KEYS) as i64, 0.1))?;
        for call in ["reduce_sum(x)", "tree_sum(x)", "l1(x)"] {
            let sums = floats(&ctx, &format!("SELECT {call} FROM t GROUP BY k")).await?;
            assert_eq!(sums.len(), KEYS);
            for sum in sums {
                assert!((sum - exact).abs() / exact < 4.7e-6, "{call}: {sum}, exact {exact}");
            }
        }
        for (call, exact) in [
            ("reduce_mean(x)", f64::from(0.1f32)),
            ("sum_square(x)", f64::from(0.1f32).powi(2) * EACH as f64),
            ("dot(x, x)", f64::from(0.1f32).powi(2) * EACH as f64),
        ] {
            for found in floats(&ctx, &format!("SELECT {call} FROM t GROUP BY k")).await? {
                assert!((found - exact).abs() / exact < 4.7e-6, "{call}: {found}, exact {exact}");
            }
        }
    }
    Ok(())
}
