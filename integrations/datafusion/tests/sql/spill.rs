//! Aggregations that have little memory put groups on disk, as those of DataFusion's functions do.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, Float64Array, Int64Array};
use datafusion::arrow::compute::{concat_batches, sort_to_indices, take_record_batch};
use datafusion::arrow::datatypes::Float64Type;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::Result;
use datafusion::datasource::MemTable;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::{SessionConfig, SessionContext};
use reduce_core::{AnyGroups, AnyView, DType, View};
use reduce_datafusion::{register_gallery, register_specs};

use crate::random::Random;

/// Ten rows of each of some groups, in any order: a key, and a small integer as a float. Sums of those are exact.
fn table(groups: usize) -> Result<MemTable> {
    let mut random = Random(9);
    let mut keys: Vec<i64> = (0..10 * groups).map(|row| (row % groups) as i64).collect();
    for place in (1..keys.len()).rev() {
        keys.swap(place, random.below(place + 1));
    }
    let batches = keys.chunks(8192).map(|keys| {
        let values = keys.iter().map(|_| random.below(1000) as f64);
        let values: ArrayRef = Arc::new(Float64Array::from_iter_values(values));
        RecordBatch::try_from_iter([
            ("k", Arc::new(Int64Array::from(keys.to_vec())) as _),
            ("x", values),
        ])
    });
    let batches = batches.collect::<std::result::Result<Vec<_>, _>>()?;
    MemTable::try_new(batches[0].schema(), vec![batches])
}

fn context(groups: usize, partitions: usize, bytes: Option<usize>) -> Result<SessionContext> {
    let mut runtime = RuntimeEnvBuilder::new();
    if let Some(bytes) = bytes {
        runtime = runtime.with_memory_pool(Arc::new(FairSpillPool::new(bytes)));
    }
    let config = SessionConfig::new().with_target_partitions(partitions);
    let ctx = SessionContext::new_with_config_rt(config, runtime.build_arc()?);
    register_specs(&ctx);
    register_gallery(&ctx);
    ctx.register_table("t", Arc::new(table(groups)?))?;
    Ok(ctx)
}

/// How often a plan has spilled.
fn spills(plan: &Arc<dyn ExecutionPlan>) -> usize {
    let own = plan.metrics().and_then(|metrics| metrics.spill_count()).unwrap_or(0);
    own + plan.children().into_iter().map(spills).sum::<usize>()
}

/// What a query gives, all in one batch, and how often it spilled.
async fn run(ctx: &SessionContext, calls: &str) -> Result<(RecordBatch, usize)> {
    let sql = format!("SELECT k, {calls} FROM t GROUP BY k");
    let plan = ctx.sql(&sql).await?.create_physical_plan().await?;
    let found = collect(Arc::clone(&plan), ctx.task_ctx()).await?;
    let whole = concat_batches(&found[0].schema(), &found)?;
    let order = sort_to_indices(whole.column(0), None, None)?;
    Ok((take_record_batch(&whole, &order)?, spills(&plan)))
}

/// All columns have the same bits, but for the variance, which depends on the order of rows.
fn agree(found: &RecordBatch, expected: &RecordBatch) {
    for (place, column) in expected.columns().iter().enumerate() {
        if place != VARIANCE {
            assert_eq!(found.column(place), column, "column {place}");
        }
    }
    let [found, expected] = [found, expected]
        .map(|batch| batch.column(VARIANCE).as_primitive::<Float64Type>().values());
    for (group, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= 1e-9, "group {group}: {found}, expected {expected}");
    }
}

const BUILT_IN: &str =
    "sum(x), avg(x), var_pop(x), max(x), min(x), count(x), sum(x + 1), max(x + 1)";

const OURS: &str = "tree_sum(x), tree_mean(x), variance(x), reduce_max(x), reduce_min(x), sum_square(x), l1(x), l2(x)";

/// Eight sums of ours take little more memory than eight of DataFusion's.
#[tokio::test]
async fn sums_are_spilled_in_as_little_memory() -> Result<()> {
    let calls = |function: &str| {
        let calls = (0..8).map(|add| format!("{function}(x + {add})"));
        calls.collect::<Vec<_>>().join(", ")
    };
    let ctx = context(10_000, 1, Some(1_300_000))?;
    let (expected, _) = run(&ctx, &calls("sum")).await?;
    let (found, spills) = run(&ctx, &calls("tree_sum")).await?;
    assert!(spills > 0, "there is enough memory");
    assert_eq!(found.columns(), expected.columns());
    Ok(())
}

/// Its column, behind the key.
const VARIANCE: usize = 3;

/// Numbers of groups, of partitions, and of bytes.
const CASES: [[usize; 3]; 3] =
    [[10_000, 1, 1_500_000], [10_000, 2, 4_000_000], [20_000, 1, 2_500_000]];

#[tokio::test]
async fn groups_are_spilled_where_those_of_datafusion_are() -> Result<()> {
    for case in CASES {
        let [groups, partitions, bytes] = case;
        let (expected, none) = run(&context(groups, partitions, None)?, OURS).await?;
        assert_eq!((expected.num_rows(), none), (groups, 0));
        let small = context(groups, partitions, Some(bytes))?;
        let (theirs, _) = run(&small, BUILT_IN).await?;
        assert_eq!(theirs.num_rows(), groups);
        let (found, spills) = run(&small, OURS).await?;
        assert!(spills > 0, "{case:?} is enough memory");
        agree(&found, &expected);
    }
    Ok(())
}

/// What DataFusion counts on after it has spilled: groups that were all taken out leave no memory behind.
#[test]
fn groups_that_were_taken_out_take_no_memory() -> std::result::Result<(), reduce_core::Error> {
    let mut groups = AnyGroups::new(reduce_gallery::Variance::default(), &[DType::F64])?;
    let none = groups.bytes();
    let values = vec![1.0f64; 8192];
    let keys: Vec<usize> = (0..8192).map(|row| row * 7 % 100).collect();
    let view: AnyView<'_> = View::new(&values, &[8192])?.into();
    groups.grow(100)?;
    groups.update(&[view], &keys, None)?;
    assert!(groups.bytes() > 100_000 + none, "the test is of no use");
    let taken = groups.take_first(100)?;
    assert_eq!((groups.bytes(), taken.len()), (none, 100));
    Ok(())
}
