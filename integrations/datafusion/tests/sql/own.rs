//! An operator of one's own: one line makes a function of it.

use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use reduce_datafusion::Aggregate;

use crate::cells::{Cell, cell};
use crate::geometric_mean::GeometricMean;

#[tokio::test]
async fn an_operator_of_ones_own_is_a_function() -> Result<()> {
    let ctx = SessionContext::new();
    ctx.register_udaf(Aggregate::of::<GeometricMean>().into());
    let mean =
        cell(&ctx, "SELECT geometric_mean(x) FROM (VALUES (1.0), (4.0), (2.0)) AS t(x)").await?;
    assert!(matches!(mean, Cell::Float(mean) if (mean - 2.0).abs() < 1e-12), "{mean:?}");
    Ok(())
}
