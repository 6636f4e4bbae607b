//! Sets whose result is not defined are NULL, as they are to the functions of DataFusion.

use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use reduce_datafusion::{Aggregate, register, register_gallery};
use reduce_gallery::Variance;

use crate::cells::{Cell, cell, rows};

fn context() -> SessionContext {
    let ctx = SessionContext::new();
    register_gallery(&ctx);
    ctx
}

async fn of(values: &str, call: &str) -> Result<Cell> {
    let sql = format!("SELECT {call} FROM (VALUES {values}) AS t(x, y, b)");
    cell(&context(), &sql).await
}

#[tokio::test]
async fn a_result_that_is_not_defined_is_null() -> Result<()> {
    let one = "(2.0, 0.0, false)";
    for call in [
        "var_samp(x)",
        "variance(x, 1)",
        "variance(x, 3)",
        "variance(x::float, 1)",
        "weighted_mean(x, x, b)",
        "weighted_mean(x, y, true)",
        "cosine(x, y)",
        "stddev_samp(x)",
        "standard_deviation(x, 1)",
        "covar_samp(x, y)",
        "covariance(x, y, 1)",
        "corr(x, y)",
        "correlation(x, y)",
        "regr_slope(y, x)",
        "get_field(regression(x, y), 'slope')",
        "get_field(regression(x, y), 'intercept')",
        "weighted_variance(x, y)",
        "get_field(shape(x), 'skewness')",
        "get_field(shape(x), 'kurtosis')",
    ] {
        assert_eq!(of(one, call).await?, Cell::Null, "{call}");
    }
    // What is defined stays, in a set of one row, too.
    for call in ["var_pop(x)", "variance(x)", "cosine(x, y, true)"] {
        assert_eq!(of(one, call).await?, Cell::Float(0.0), "{call}");
    }
    assert_eq!(of("(1.0, 1.0, true), (3.0, 1.0, true)", "variance(x, 1)").await?, Cell::Float(2.0));
    Ok(())
}

/// NaN among the elements, and what comes of infinity, is no lack of elements.
#[tokio::test]
async fn nan_of_elements_stays_nan() -> Result<()> {
    let two = "('NaN'::double, 'inf'::double, true), (1.0, 1.0, true)";
    for call in
        ["variance(x)", "variance(x, 1)", "variance(y)", "weighted_mean(x, y, b)", "cosine(x, y)"]
    {
        let found = of(two, call).await?;
        assert!(matches!(found, Cell::Float(x) if x.is_nan()), "{call}: {found:?}");
    }
    let alone = of("('NaN'::double, 1.0, true)", "get_field(shape(x), 'skewness')").await?;
    assert!(matches!(alone, Cell::Float(x) if x.is_nan()), "{alone:?}");
    Ok(())
}

#[tokio::test]
async fn each_group_and_each_frame_by_itself() -> Result<()> {
    let t = "FROM (VALUES (1, 1, 1.0), (2, 2, 2.0), (2, 3, 4.0), (3, 4, 'NaN'::double), (3, 5, 1.0)) AS t(g, i, x)";
    let sql = format!(
        "SELECT coalesce(variance(x, 1), -1) = coalesce(var_samp(x), -1), variance(x, 1) IS NULL {t} GROUP BY g ORDER BY g"
    );
    let found = rows(&context(), &sql).await?;
    let truths = |a, b| vec![Cell::Truth(a), Cell::Truth(b)];
    assert_eq!(found, [truths(true, true), truths(true, false), truths(true, false)]);
    let sql = format!(
        "SELECT variance(x, 1) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) {t} ORDER BY i LIMIT 3"
    );
    let found = rows(&context(), &sql).await?;
    assert_eq!(found, [[Cell::Null], [Cell::Float(0.5)], [Cell::Float(2.0)]]);
    Ok(())
}

/// Without `undefined_is_null`, an operator's NaN is shown.
#[tokio::test]
async fn an_operator_of_ones_own_says_it() -> Result<()> {
    let ctx = SessionContext::new();
    let plain = Aggregate::of::<Variance>().with("correction", 1);
    register(&ctx, [plain.clone().name("plain"), plain.name("null").undefined_is_null()])?;
    let found = cell(&ctx, "SELECT plain(1.0)").await?;
    assert!(matches!(found, Cell::Float(x) if x.is_nan()), "{found:?}");
    assert_eq!(cell(&ctx, "SELECT \"null\"(1.0)").await?, Cell::Null);
    Ok(())
}
