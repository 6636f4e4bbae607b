//! Reductions in adaptors as aggregates: by key, in windows, with NULL, with a filter, and in two partitions.

use std::collections::BTreeMap;
use std::sync::Arc;

use datafusion::arrow::array::{Float64Array, Int64Array};
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};
use reduce_core::{Reduction, SkipNan};
use reduce_datafusion::Aggregate;
use reduce_specs::{ReduceMax, ReduceMean, ReduceSum};

use crate::cells::{Cell, rows};

const ROWS: i64 = 20_000;

/// A row: its key, what is added, and by what it is selected. Some have no value.
fn row(number: i64) -> (i64, Option<f64>, i64) {
    let mixed = number.wrapping_mul(6_364_136_223_846_793_005).rotate_left(17);
    let value = (mixed % 11 != 0).then_some((mixed % 100) as f64);
    (mixed.rem_euclid(7), value, (mixed >> 8).rem_euclid(40))
}

fn context() -> Result<SessionContext> {
    let config = SessionConfig::new().with_target_partitions(2);
    let ctx = SessionContext::new_with_config(config);
    let at_most = || Reduction::new(ReduceSum).at(ReduceMax);
    ctx.register_udaf(Aggregate::over::<ReduceSum, (f64, i64), _>("sum_at", at_most).into());
    let in_bins = || Reduction::new(ReduceSum).binned::<4>();
    ctx.register_udaf(Aggregate::over::<ReduceSum, (f64, i64), _>("sum_in_bins", in_bins).into());
    let some = || Reduction::new(SkipNan(ReduceMean)).min_count(3, -1.0);
    ctx.register_udaf(Aggregate::over::<ReduceMean, f64, _>("mean_of_3", some).into());
    let batch = |numbers: std::ops::Range<i64>| {
        let (keys, rest): (Vec<i64>, Vec<_>) =
            numbers.map(row).map(|(key, value, by)| (key, (value, by))).unzip();
        let (values, by): (Vec<Option<f64>>, Vec<i64>) = rest.into_iter().unzip();
        RecordBatch::try_from_iter([
            ("k", Arc::new(Int64Array::from(keys)) as _),
            ("x", Arc::new(Float64Array::from(values)) as _),
            ("by", Arc::new(Int64Array::from(by)) as _),
        ])
    };
    let parts = [batch(0..ROWS / 2)?, batch(ROWS / 2..ROWS)?];
    let table = MemTable::try_new(parts[0].schema(), parts.map(|part| vec![part]).into())?;
    ctx.register_table("t", Arc::new(table))?;
    Ok(ctx)
}

/// The sum over the rows with the largest `by`.
fn sum_at(rows: impl Iterator<Item = (f64, i64)>) -> f64 {
    let mut sums = BTreeMap::new();
    rows.for_each(|(x, by)| *sums.entry(by).or_insert(0.0) += x);
    sums.pop_last().map_or(0.0, |(_, sum)| sum)
}

#[tokio::test]
async fn sums_where_another_column_is_largest() -> Result<()> {
    let ctx = context()?;
    let of = |key: i64, least: i64| {
        let rows = (0..ROWS).map(row).filter(move |row| row.0 == key && row.2 >= least);
        sum_at(rows.filter_map(|(_, x, by)| Some((x?, by))).filter(|row| row.1 < 30))
    };
    let sql = "SELECT k, sum_at(x, by) FILTER (WHERE by < 30) FROM t GROUP BY k ORDER BY k";
    let found = rows(&ctx, sql).await?;
    let expected: Vec<Vec<Cell>> =
        (0..7).map(|key| vec![Cell::Int(key.into()), Cell::Float(of(key, 0))]).collect();
    assert_eq!(found, expected);
    Ok(())
}

#[tokio::test]
async fn sums_in_bins_of_another_column() -> Result<()> {
    let ctx = context()?;
    let mut sums = [0.0; 4];
    for (_, x, by) in (0..ROWS).map(row) {
        if let (Some(sum), Some(x)) = (sums.get_mut(by as usize), x) {
            *sum += x;
        }
    }
    let found = rows(&ctx, "SELECT sum_in_bins(x, by) FROM t").await?;
    assert_eq!(found, [[Cell::Many(sums.map(Cell::Float).to_vec())]]);
    Ok(())
}

#[tokio::test]
async fn means_of_few_rows() -> Result<()> {
    let ctx = context()?;
    let values =
        "(VALUES (1, 2.0), (1, 'NaN'::double), (1, 4.0), (2, 1.0), (2, 2.0), (2, 6.0)) AS t(k, x)";
    let sql = format!("SELECT mean_of_3(x) FROM {values} GROUP BY k ORDER BY k");
    assert_eq!(rows(&ctx, &sql).await?, [[Cell::Float(-1.0)], [Cell::Float(3.0)]]);
    Ok(())
}
