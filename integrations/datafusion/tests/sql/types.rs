//! Which columns a function takes.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use reduce_datafusion::{register_gallery, register_specs};

use crate::cells::{Cell, cell, refusal};

fn context() -> SessionContext {
    let ctx = SessionContext::new();
    register_specs(&ctx);
    register_gallery(&ctx);
    ctx
}

#[tokio::test]
async fn a_column_becomes_the_narrowest_type_that_holds_it() -> Result<()> {
    let ctx = context();
    for (value, call, expected) in [
        ("1::tinyint", "reduce_sum", DataType::Int32),
        ("1::tinyint", "reduce_max", DataType::Int8),
        ("1::smallint unsigned", "reduce_sum", DataType::UInt32),
        ("1::bigint unsigned", "reduce_sum", DataType::UInt64),
        ("1::bigint unsigned, 1::bigint unsigned", "dot", DataType::Float64),
        ("1", "log_sum_exp", DataType::Float64),
        ("1.5::float", "log_sum_exp", DataType::Float32),
        ("1.5::decimal(10, 2)", "reduce_sum", DataType::Float64),
        ("true", "reduce_max", DataType::Boolean),
        ("NULL", "reduce_sum", DataType::Float64),
        ("arrow_cast('1', 'Dictionary(Int32, Utf8)')::double", "reduce_sum", DataType::Float64),
        ("arrow_cast(1, 'Dictionary(Int32, Int64)')", "reduce_sum", DataType::Int64),
    ] {
        let sql = format!("SELECT {call}({value})");
        let rows = ctx.sql(&sql).await?.collect().await?;
        assert_eq!(rows[0].column(0).data_type(), &expected, "{sql}");
    }
    Ok(())
}

#[tokio::test]
async fn decimals_are_computed_as_floats() -> Result<()> {
    let sql = "SELECT reduce_sum(x) FROM (VALUES (1.25::decimal(5, 2)), (2.5)) AS t(x)";
    assert_eq!(cell(&context(), sql).await?, Cell::Float(3.75));
    Ok(())
}

#[tokio::test]
async fn other_columns_are_refused() {
    let ctx = context();
    for (call, sentence) in [
        ("reduce_sum('a')", "`reduce_sum` does not take (Utf8); cast to one of (Int32), (Int64)"),
        ("reduce_sum(true)", "`reduce_sum` does not take (Boolean)"),
        ("log_sum(now())", "`log_sum` does not take (Timestamp"),
        (
            "cross_entropy(1.0, 1)",
            "`cross_entropy` does not take (Float64, Int64); cast to one of (Float16, Boolean)",
        ),
    ] {
        let message = refusal(&ctx, &format!("SELECT {call}")).await;
        assert!(message.contains(sentence), "{call}: {message}");
    }
}
