//! Sums of long columns, whose roundings must not add up.

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
