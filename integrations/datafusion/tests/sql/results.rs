//! Several results, and results that are arrays.

use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use reduce_datafusion::{Aggregate, register_gallery};
use reduce_gallery::{MeanVariance, Moments, Summary};

use crate::cells::{Cell, cell, refusal, rows};

const T: &str = "FROM (VALUES (1.0, 1), (3.0, 2), (NULL, 2)) AS t(x, g)";

async fn type_of(ctx: &SessionContext, call: &str) -> Result<DataType> {
    let planned = ctx.sql(&format!("SELECT {call} {T}")).await?;
    let told = planned.schema().field(0).data_type().clone();
    let given = planned.collect().await?[0].column(0).data_type().clone();
    assert_eq!(told, given, "{call}");
    Ok(told)
}

#[tokio::test]
async fn several_results_are_a_struct() -> Result<()> {
    let ctx = SessionContext::new();
    ctx.register_udaf(Aggregate::of::<MeanVariance>().name("plain").into());
    ctx.register_udaf(
        Aggregate::of::<MeanVariance>().name("named").results(["mean", "variance"]).into(),
    );
    ctx.register_udaf(Aggregate::of::<MeanVariance>().name("second").only(1).into());
    let float = |name: &str| Field::new(name, DataType::Float64, true);
    assert_eq!(
        type_of(&ctx, "plain(x)").await?,
        DataType::Struct(vec![float("c0"), float("c1")].into())
    );
    let named = vec![float("mean"), float("variance")];
    assert_eq!(type_of(&ctx, "named(x)").await?, DataType::Struct(named.into()));
    assert_eq!(type_of(&ctx, "second(x)").await?, DataType::Float64);
    let both = Cell::Many(vec![Cell::Float(2.0), Cell::Float(1.0)]);
    assert_eq!(cell(&ctx, &format!("SELECT plain(x) {T}")).await?, both);
    assert_eq!(
        cell(&ctx, &format!("SELECT get_field(named(x), 'variance') {T}")).await?,
        Cell::Float(1.0)
    );
    assert_eq!(cell(&ctx, &format!("SELECT second(x) {T}")).await?, Cell::Float(1.0));
    let grouped =
        rows(&ctx, &format!("SELECT g, get_field(named(x), 'mean') {T} GROUP BY g ORDER BY g"))
            .await?;
    assert_eq!(grouped, [[Cell::Int(1), Cell::Float(1.0)], [Cell::Int(2), Cell::Float(3.0)]]);
    Ok(())
}

#[tokio::test]
async fn an_array_is_a_list_of_fixed_size() -> Result<()> {
    let ctx = SessionContext::new();
    ctx.register_udaf(Aggregate::of::<Moments<3>>().name("three").into());
    let item = Field::new_list_field(DataType::Float64, true);
    assert_eq!(type_of(&ctx, "three(x)").await?, DataType::FixedSizeList(item.into(), 3));
    let three = Cell::Many([2.0, 5.0, 14.0].map(Cell::Float).into());
    assert_eq!(cell(&ctx, &format!("SELECT three(x) {T}")).await?, three);
    Ok(())
}

#[tokio::test]
async fn a_familys_array_is_a_list() -> Result<()> {
    let ctx = SessionContext::new();
    register_gallery(&ctx);
    let item = Field::new_list_field(DataType::Float64, true);
    assert_eq!(type_of(&ctx, "top_k(x, 2)").await?, DataType::List(item.into()));
    Ok(())
}

#[tokio::test]
async fn wrong_names_and_numbers_of_results_are_refused() {
    let ctx = SessionContext::new();
    ctx.register_udaf(Aggregate::of::<MeanVariance>().name("third").only(2).into());
    ctx.register_udaf(Aggregate::of::<Summary>().name("three").results(["a", "b", "c"]).into());
    for (call, sentence) in [
        ("third(x)", "`third` has 2 results; result 2 of `only` is none of them"),
        ("three(x)", "`three` has 4 results; `results` names 3 of them"),
    ] {
        let message = refusal(&ctx, &format!("SELECT {call} {T}")).await;
        assert!(message.contains(sentence), "{message}");
    }
}
