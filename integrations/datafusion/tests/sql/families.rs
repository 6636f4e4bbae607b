//! Families of operators, whose first parameter is the length of the result.

use datafusion::common::Result;
use datafusion::prelude::SessionContext;
use reduce_datafusion::{Aggregate, register_gallery};
use reduce_gallery::{Moments, TopK};

use crate::cells::{Cell, cell, refusal};

const T: &str = "FROM (VALUES (1.0), (4.0), (NULL), (2.0), (3.0)) AS t(x)";

fn context() -> SessionContext {
    let ctx = SessionContext::new();
    register_gallery(&ctx);
    ctx
}

fn floats<const N: usize>(list: [f64; N]) -> Cell {
    Cell::Many(list.map(Cell::Float).into())
}

#[tokio::test]
async fn a_result_has_the_length_that_was_asked_for() -> Result<()> {
    let ctx = context();
    for (call, expected) in [
        ("top_k(x, 1)", floats([4.0])),
        ("top_k(x, 2)", floats([4.0, 3.0])),
        ("top_k(x, 4)", floats([4.0, 3.0, 2.0, 1.0])),
        // No more than there are rows.
        ("top_k(x, 5)", floats([4.0, 3.0, 2.0, 1.0])),
        ("top_k(x, 64)", floats([4.0, 3.0, 2.0, 1.0])),
        ("moments(x, 3)", floats([2.5, 7.5, 25.0])),
    ] {
        assert_eq!(cell(&ctx, &format!("SELECT {call} {T}")).await?, expected, "{call}");
        let grouped =
            format!("SELECT {call} {T} GROUP BY x > 100 OR x IS NULL HAVING count(x) > 0");
        assert_eq!(
            cell(&ctx, &grouped).await.map_err(|error| error.context(grouped))?,
            expected,
            "{call}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn other_lengths_are_refused() {
    let ctx = context();
    for (call, sentence) in [
        ("top_k(x, 65)", "parameter `k` of `top_k` is 65; give 1..=64"),
        ("top_k(x, 0)", "parameter `k` of `top_k` is 0; give 1..=64"),
        ("top_k(x)", "`top_k` needs its parameter `k`"),
        ("top_k(x, 2.5)", "parameter `k` of `top_k` is of type Float64; give an integer"),
        ("top_k(x, x::bigint)", "; give a literal"),
        (
            "histogram(x, 11, 0, 1)",
            "`histogram` has no operator of length 11; there are 10, 16, 20, 32, 50, 64, 100",
        ),
    ] {
        let message = refusal(&ctx, &format!("SELECT {call} {T}")).await;
        assert!(message.contains(sentence), "{call}: {message}");
    }
}

#[tokio::test]
async fn a_length_may_have_a_default() -> Result<()> {
    let ctx = context();
    let three = Aggregate::sized("top3", "k").size::<TopK<4>>(4).only(0).positions(1).with("k", 3);
    ctx.register_udaf(three.into());
    ctx.register_udaf(Aggregate::sized("powers", "n").size::<Moments<2>>(2).into());
    assert_eq!(cell(&ctx, &format!("SELECT top3(x) {T}")).await?, floats([4.0, 3.0, 2.0]));
    assert_eq!(cell(&ctx, &format!("SELECT top3(x, 1) {T}")).await?, floats([4.0]));
    Ok(())
}
