//! The ONNX operators as aggregates.

use datafusion::prelude::SessionContext;
use reduce_specs::{
    ArgMax, ArgMin, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean,
    ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare,
};

use crate::{Aggregate, register};

/// Aggregates of all operators of `reduce-specs`: `reduce_sum` and so on. Those that DataFusion has no function for have a
/// shorter name, too: `log_sum_exp`. `arg_max` and `arg_min` are there to say why they are refused: rows have no
/// positions.
pub fn specs() -> Vec<Aggregate> {
    vec![
        Aggregate::of::<ReduceSum>(),
        Aggregate::of::<ReduceMean>(),
        Aggregate::of::<ReduceProd>().alias("prod"),
        Aggregate::of::<ReduceL1>().alias("l1"),
        Aggregate::of::<ReduceL2>().alias("l2"),
        Aggregate::of::<ReduceSumSquare>().alias("sum_square"),
        Aggregate::of::<ReduceLogSum>().alias("log_sum"),
        Aggregate::of::<ReduceLogSumExp>().alias("log_sum_exp"),
        Aggregate::of::<ReduceMax>(),
        Aggregate::of::<ReduceMin>(),
        Aggregate::of::<ArgMax>(),
        Aggregate::of::<ArgMin>(),
    ]
}

/// Registers [`specs`].
///
/// ```
/// use datafusion::prelude::SessionContext;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> datafusion::common::Result<()> {
/// let ctx = SessionContext::new();
/// reduce_datafusion::register_specs(&ctx);
/// ctx.sql("SELECT log_sum_exp(x) FROM (VALUES (1.0), (3.0)) AS t(x)").await?.show().await?;
/// # Ok(())
/// # }
/// ```
pub fn register_specs(ctx: &SessionContext) {
    register(ctx, specs());
}
