//! Short names give what people who write SQL expect of integers; ONNX's names keep ONNX's types.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use reduce_datafusion::{Aggregate, Integers, register, register_gallery, register_specs};
use reduce_specs::ReduceMean;

use crate::cells::{Cell, cell};

fn context() -> SessionContext {
    let ctx = SessionContext::new();
    register_specs(&ctx);
    register_gallery(&ctx);
    ctx
}

async fn check(values: &str, calls: &[(&str, Cell)]) -> Result<()> {
    let ctx = context();
    for (call, expected) in calls {
        let sql = format!("SELECT {call} FROM (VALUES {values}) AS t(x)");
        assert_eq!(cell(&ctx, &sql).await?, *expected, "{sql}");
    }
    Ok(())
}

#[tokio::test]
async fn norms_and_means_of_integers_are_floats_and_sums_have_room() -> Result<()> {
    let most = "(2147483647::int), (2147483647::int)";
    let calls = [
        ("tree_sum(x)", Cell::Int(4_294_967_294)),
        ("l1(x)", Cell::Float(4_294_967_294.0)),
        ("l2(x)", Cell::Float(2_147_483_647.0 * 2f64.sqrt())),
        ("sum_square(x)", Cell::Int(2 * 2_147_483_647 * 2_147_483_647)),
        ("prod(x)", Cell::Float(2_147_483_647.0 * 2_147_483_647.0)),
        ("dot(x, x)", Cell::Int(2 * 2_147_483_647 * 2_147_483_647)),
        ("tree_mean(x)", Cell::Float(2_147_483_647.0)),
    ];
    check(most, &calls).await?;
    let small = [("tree_mean(x)", Cell::Float(1.5)), ("sum_square(x)", Cell::Int(5))];
    check("(1::smallint), (2::smallint)", &small).await?;
    let least = [("l1(x)", Cell::Float(9_223_372_036_854_775_808.0))];
    check("(-9223372036854775807 - 1)", &least).await?;
    let unsigned = [("tree_sum(x)", Cell::Int(510)), ("sum_square(x)", Cell::Int(2 * 255 * 255))];
    check("(255::tinyint unsigned), (255::tinyint unsigned)", &unsigned).await
}

#[tokio::test]
async fn names_of_onnx_keep_the_types_of_onnx() -> Result<()> {
    let calls = [
        ("reduce_sum(x)", Cell::Int(-2)),
        ("reduce_l1(x)", Cell::Int(-2)),
        ("reduce_l2(x)", Cell::Int(2_147_483_647)),
        ("reduce_sum_square(x)", Cell::Int(2)),
        ("reduce_prod(x)", Cell::Int(1)),
    ];
    check("(2147483647::int), (2147483647::int)", &calls).await?;
    check("(1::int), (2::int)", &[("reduce_mean(x)", Cell::Int(1))]).await
}

/// As DataFusion's own `sum`: the page says so.
#[tokio::test]
async fn a_sum_beyond_64_bits_wraps_as_that_of_datafusion() -> Result<()> {
    let values = "(9223372036854775807::bigint), (2)";
    let calls = [
        ("sum(x)", Cell::Int(i128::from(i64::MIN) + 1)),
        ("tree_sum(x)", Cell::Int(i128::from(i64::MIN) + 1)),
        ("tree_sum(x::double)", Cell::Float(9_223_372_036_854_775_808.0)),
    ];
    check(values, &calls).await
}

#[tokio::test]
async fn sums_of_halves_have_room() -> Result<()> {
    let half = "arrow_cast(60000.0, 'Float16')";
    let calls = [
        ("reduce_sum(x)", Cell::Float(120_000.0)),
        ("tree_sum(x)", Cell::Float(120_000.0)),
        ("l1(x)", Cell::Float(120_000.0)),
        ("dot(x, 1.0::float)", Cell::Float(120_000.0)),
        ("dot(x, x)", Cell::Float(7.2e9)),
        ("exact_sum(x)", Cell::Float(120_000.0)),
        ("get_field(summary(x), 'mean')", Cell::Float(60_000.0)),
        ("variance(x)", Cell::Float(0.0)),
    ];
    check(&format!("({half}), ({half})"), &calls).await?;
    // What is an element of the column stays as it is.
    let ctx = context();
    for call in ["reduce_max", "reduce_min"] {
        let rows = ctx.sql(&format!("SELECT {call}({half})")).await?.collect().await?;
        assert_eq!(rows[0].column(0).data_type(), &DataType::Float16, "{call}");
    }
    Ok(())
}

#[tokio::test]
async fn an_operator_of_ones_own_says_how_it_reads_integers() -> Result<()> {
    let ctx = SessionContext::new();
    let mean = |name| Aggregate::of::<ReduceMean>().name(name);
    register(&ctx, [mean("plain"), mean("middle").integers(Integers::Float)])?;
    let values = "FROM (VALUES (1), (2)) AS t(x)";
    assert_eq!(cell(&ctx, &format!("SELECT plain(x) {values}")).await?, Cell::Int(1));
    assert_eq!(cell(&ctx, &format!("SELECT middle(x) {values}")).await?, Cell::Float(1.5));
    Ok(())
}
