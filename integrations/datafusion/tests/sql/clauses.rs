//! Clauses that are heeded, and those that are refused: none is silently ignored.

use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use reduce_datafusion::{Aggregate, register_gallery, register_specs};
use reduce_gallery::TopK;

use crate::cells::{Cell, cell, planning, refusal};

fn context() -> SessionContext {
    let ctx = SessionContext::new();
    register_specs(&ctx);
    register_gallery(&ctx);
    ctx
}

const T: &str = "FROM (VALUES (1.0, 'a'), (1.0, 'b'), (3.0, 'c'), (NULL, 'd')) AS t(x, s)";

#[tokio::test]
async fn distinct_is_refused() {
    let ctx = context();
    let sentence = "`reduce_sum` takes no DISTINCT; select distinct rows in a subquery";
    for sql in [
        format!("SELECT reduce_sum(DISTINCT x) {T}"),
        format!("SELECT s, reduce_sum(DISTINCT x), reduce_max(x) {T} GROUP BY s"),
        format!("SELECT reduce_sum(DISTINCT x) OVER (ORDER BY s) {T}"),
        format!("SELECT reduce_sum(DISTINCT x) OVER (ORDER BY s ROWS 1 PRECEDING) {T}"),
    ] {
        let message = refusal(&ctx, &sql).await;
        assert!(message.contains(sentence), "{sql}: {message}");
    }
    let message = planning(&ctx, &format!("SELECT reduce_sum(DISTINCT x) {T}")).await;
    assert!(message.contains(sentence), "{message}");
}

#[tokio::test]
async fn what_the_sentence_says_helps() -> Result<()> {
    let sql = format!("SELECT reduce_sum(x) FROM (SELECT DISTINCT x {T})");
    assert_eq!(cell(&context(), &sql).await?, Cell::Float(4.0));
    Ok(())
}

#[tokio::test]
async fn nulls_never_count_and_the_clause_is_refused() -> Result<()> {
    let ctx = context();
    assert_eq!(cell(&ctx, &format!("SELECT reduce_min(x) {T}")).await?, Cell::Float(1.0));
    for treatment in ["IGNORE NULLS", "RESPECT NULLS"] {
        let message = refusal(&ctx, &format!("SELECT reduce_min(x) {treatment} {T}")).await;
        assert!(message.contains("NULLS"), "{message}");
    }
    let message =
        refusal(&ctx, &format!("SELECT reduce_min(0) WITHIN GROUP (ORDER BY x) {T}")).await;
    assert!(message.contains("WITHIN GROUP"), "{message}");
    Ok(())
}

#[tokio::test]
async fn order_within_an_aggregate_changes_nothing() -> Result<()> {
    let ctx = context();
    for order in ["x", "x DESC", "s DESC NULLS FIRST"] {
        assert_eq!(
            cell(&ctx, &format!("SELECT reduce_sum(x ORDER BY {order}) {T}")).await?,
            Cell::Float(5.0)
        );
        let sql = format!(
            "SELECT reduce_sum(v) FROM (SELECT reduce_max(x ORDER BY {order}) AS v {T} GROUP BY s)"
        );
        assert_eq!(cell(&ctx, &sql).await?, Cell::Float(5.0));
    }
    Ok(())
}

#[tokio::test]
async fn operators_that_depend_on_order_are_refused() {
    let ctx = context();
    ctx.register_udaf(Aggregate::of::<TopK<2>>().name("pairs").into());
    ctx.register_udaf(Aggregate::of::<TopK<2>>().name("places").only(1).into());
    ctx.register_udaf(Aggregate::of::<reduce_specs::ArgMax>().name("place").only(0).into());
    for (call, sentence) in [
        (
            "polynomial_hash(7::bigint unsigned)",
            "`polynomial_hash` depends on the order of its elements",
        ),
        ("polynomial_hash(7::bigint unsigned ORDER BY x)", "rows of a query have none"),
        ("arg_max(x)", "`arg_max` gives positions of elements"),
        ("arg_min(x)", "`Aggregate::only`"),
        ("pairs(x)", "`pairs` gives positions of elements"),
        ("places(x)", "`places` gives positions of elements"),
        ("place(x)", "`place` gives positions of elements"),
    ] {
        let message = refusal(&ctx, &format!("SELECT {call} {T}")).await;
        assert!(message.contains(sentence), "{call}: {message}");
    }
}

#[tokio::test]
async fn a_group_without_elements_is_null() -> Result<()> {
    let ctx = context();
    for call in
        ["reduce_sum(x)", "reduce_mean(1)", "top_k(x, 2)", "summary(x)", "moments(x, 1)", "prod(x)"]
    {
        assert_eq!(
            cell(&ctx, &format!("SELECT {call} {T} WHERE x > 5")).await?,
            Cell::Null,
            "{call}"
        );
        let sql = format!(
            "SELECT {call} FILTER (WHERE x > 5) {T} GROUP BY x IS NOT NULL HAVING count(*) > 1"
        );
        assert_eq!(cell(&ctx, &sql).await?, Cell::Null, "{call}");
    }
    let sql = format!("SELECT get_field(summary(x), 'mean') {T} WHERE x > 5");
    assert_eq!(cell(&ctx, &sql).await?, Cell::Null);
    Ok(())
}
