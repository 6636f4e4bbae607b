//! The ONNX operators as aggregates.

use datafusion::prelude::SessionContext;
use reduce_specs::{
    ArgMax, ArgMin, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean,
    ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare,
};

use crate::{Aggregate, Integers};

/// Aggregates of all operators of `reduce-specs`, under two kinds of names.
///
/// | names | types of results over integers |
/// |---|---|
/// | `reduce_sum`, `reduce_mean` and so on: ONNX's own | those of ONNX: of `Int32` all are `Int32` |
/// | `tree_sum`, `sum_square` | `Int64` or `UInt64` |
/// | `tree_mean`, `l1`, `l2`, `prod`, `log_sum`, `log_sum_exp` | `Float64` |
///
/// `reduce_max` and `reduce_min` have no second name: the types are the same. `arg_max` and `arg_min` are there to say why they are
/// refused: rows have no positions.
pub fn specs() -> Vec<Aggregate> {
    onnx().into_iter().chain(short()).collect()
}

/// As ONNX has them.
fn onnx() -> [Aggregate; 12] {
    [
        Aggregate::of::<ReduceSum>().uncounted(),
        Aggregate::of::<ReduceMean>(),
        Aggregate::of::<ReduceProd>().uncounted(),
        Aggregate::of::<ReduceL1>().uncounted(),
        Aggregate::of::<ReduceL2>().uncounted(),
        Aggregate::of::<ReduceSumSquare>().uncounted(),
        Aggregate::of::<ReduceLogSum>().uncounted(),
        Aggregate::of::<ReduceLogSumExp>().uncounted(),
        Aggregate::of::<ReduceMax>().selects().uncounted(),
        Aggregate::of::<ReduceMin>().selects().uncounted(),
        Aggregate::of::<ArgMax>(),
        Aggregate::of::<ArgMin>(),
    ]
}

/// As people who write SQL expect them. `sum` and `mean` are functions of DataFusion, which stay what they are.
fn short() -> [Aggregate; 8] {
    let sum = |aggregate: Aggregate, name| aggregate.name(name).integers(Integers::Widest);
    let float = |aggregate: Aggregate, name| aggregate.name(name).integers(Integers::Float);
    [
        sum(Aggregate::of::<ReduceSum>(), "tree_sum").uncounted(),
        sum(Aggregate::of::<ReduceSumSquare>(), "sum_square").uncounted(),
        float(Aggregate::of::<ReduceMean>(), "tree_mean"),
        float(Aggregate::of::<ReduceProd>(), "prod").uncounted(),
        float(Aggregate::of::<ReduceL1>(), "l1").uncounted(),
        float(Aggregate::of::<ReduceL2>(), "l2").uncounted(),
        float(Aggregate::of::<ReduceLogSum>(), "log_sum").uncounted(),
        float(Aggregate::of::<ReduceLogSumExp>(), "log_sum_exp").uncounted(),
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
    specs().into_iter().for_each(|aggregate| ctx.register_udaf(aggregate.into()));
}
