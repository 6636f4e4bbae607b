//! An operator of one's own in three lines: one that makes it, two that use it.

use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use reduce_core::{Real, ReduceOp, reduce_op};
use reduce_datafusion::Aggregate;

use crate::cells::{Cell, cell};

/// The geometric mean.
#[derive(Clone, Copy, Debug, Default)]
struct GeometricMean;

/// The exponential of the mean of logarithms.
#[reduce_op(dtypes = [f32, f64])]
impl<A: Real> ReduceOp<A> for GeometricMean {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x.ln()
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> A {
        sum.div_count(count).exp()
    }
}

#[tokio::test]
async fn an_operator_of_ones_own_is_a_function() -> Result<()> {
    let ctx = SessionContext::new();
    ctx.register_udaf(Aggregate::of::<GeometricMean>().into());
    let mean =
        cell(&ctx, "SELECT geometric_mean(x) FROM (VALUES (1.0), (4.0), (2.0)) AS t(x)").await?;
    assert!(matches!(mean, Cell::Float(mean) if (mean - 2.0).abs() < 1e-12), "{mean:?}");
    Ok(())
}
