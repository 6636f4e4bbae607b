//! Arguments by number and by name, and what is said of an aggregate before any query.

use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;
use datafusion::prelude::SessionContext;
use reduce_datafusion::{Aggregate, register, register_gallery};
use reduce_gallery::{Cosine, Dot, Histogram, MeanVariance, Moments, TopK, Variance};

use crate::cells::{Cell, cell, planning, refusal};

const T: &str = "FROM (VALUES (1.0, 0.0), (4.0, 0.5), (9.0, 2.0)) AS t(a, b)";

fn context() -> SessionContext {
    let ctx = SessionContext::new();
    register_gallery(&ctx);
    ctx
}

#[tokio::test]
async fn a_wrong_number_of_arguments_is_said() {
    let ctx = context();
    for (call, sentence) in [
        ("dot(a)", "`dot` takes 2 arguments, not 1; write `dot(x, y)`"),
        ("exact_sum(a, b)", "`exact_sum` takes 1 argument, not 2; write `exact_sum(x)`"),
        (
            "variance(a, 1, 2)",
            "`variance` takes 1 or 2 arguments, not 3; write `variance(x [, correction])`",
        ),
        ("top_k(a)", "`top_k` needs its parameter `k`; write `top_k(x, k)`"),
        (
            "histogram(a, 10)",
            "`histogram` needs its parameter `low`; write `histogram(x, bins, low, high)`",
        ),
        ("histogram(a, 10, 0)", "`histogram` needs its parameter `high`"),
        ("histogram(a, 10, 5, 1)", "no bins lie between 5, `low`, and 1, `high`"),
    ] {
        let message = planning(&ctx, &format!("SELECT {call} {T}")).await;
        assert!(message.contains(sentence), "{call}: {message}");
        // No list of all that the function is made of.
        assert!(message.len() < 400, "{message}");
    }
}

#[tokio::test]
async fn a_histogram_says_its_range() -> Result<()> {
    let ctx = context();
    let sql =
        "SELECT histogram(i, 10, 0, 10) FROM (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9)) AS t(i)";
    let counts = [0, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    assert_eq!(cell(&ctx, sql).await?, Cell::Many(counts.map(Cell::Int).into()));
    // A default is enough.
    let twenty = Aggregate::of::<Histogram<20>>().required("low").required("high");
    register(&ctx, [twenty.name("unit").with("low", 0).with("high", 1.0)])?;
    assert!(matches!(cell(&ctx, &format!("SELECT unit(b) {T}")).await?, Cell::Many(_)));
    Ok(())
}

#[tokio::test]
async fn arguments_have_names() -> Result<()> {
    let ctx = context();
    for (named, plain) in [
        ("variance(x => a)", "variance(a)"),
        ("variance(a, correction => 1)", "variance(a, 1)"),
        ("variance(correction => 1, x => a)", "variance(a, 1)"),
        ("dot(y => b, x => a)", "dot(a, b)"),
        ("histogram(a, bins => 10, high => 9, low => 1)", "histogram(a, 10, 1, 9)"),
        ("top_k(x => a, k => 2)", "top_k(a, 2)"),
    ] {
        let sql = |call: &str| format!("SELECT {call} {T}");
        assert_eq!(cell(&ctx, &sql(named)).await?, cell(&ctx, &sql(plain)).await?, "{named}");
    }
    let window = "SELECT max(v) FROM (SELECT variance(x => b * 2, correction => 1) OVER (ORDER BY b DESC) AS v";
    assert_eq!(cell(&ctx, &format!("{window} {T})")).await?, Cell::Float(4.5));
    let message = refusal(&ctx, &format!("SELECT variance(a, corection => 1) {T}")).await;
    assert!(message.contains("corection"), "{message}");
    assert!(message.contains("[x, correction]"), "{message}");
    Ok(())
}

#[test]
fn mistakes_are_said_when_an_aggregate_is_registered() {
    let ctx = SessionContext::new();
    let histogram = || Aggregate::of::<Histogram<10>>();
    for (mistaken, sentence) in [
        (
            histogram().with("hihg", 1.0),
            "`histogram` has no parameter `hihg`, for which it was given a default; it has `low`, `high`",
        ),
        (histogram().with("low", 5), "no bins lie between 5, `low`, and 1, `high`"),
        (
            histogram().required("width"),
            "`histogram` has no parameter `width`, for which `required` was called; it has `low`, `high`",
        ),
        (
            Aggregate::of::<Dot>().with("p", 1),
            "`dot` has no parameter `p`, for which it was given a default; it has none",
        ),
        (
            Aggregate::of::<Variance>().with("correction", -1),
            "parameter `correction` of `variance` is -1; give at least 0",
        ),
        (
            Aggregate::of::<Cosine>().with("zero_is_unlike", 0.5),
            "parameter `zero_is_unlike` of `cosine` is 0.5; give true or false",
        ),
        (
            Aggregate::of::<MeanVariance>().only(2),
            "`mean_variance` has 2 results; result 2 of `only` is none of them",
        ),
        (
            Aggregate::of::<MeanVariance>().results(["mean"]),
            "`mean_variance` has 2 results; `results` names 1 of them",
        ),
        (
            Aggregate::of::<Variance>().uncounted(),
            "`variance` depends on how many elements there were; leave out `Aggregate::uncounted`",
        ),
        (
            Aggregate::sized("powers", "n"),
            "`powers` has no operator; give one by `Aggregate::size`",
        ),
        (
            Aggregate::sized("largest", "k").size::<TopK<4>>(4).with("k", 5),
            "parameter `k` of `largest` is 5; give 1..=4",
        ),
        (
            Aggregate::sized("powers", "n")
                .exact()
                .size::<Moments<2>>(2)
                .size::<Moments<4>>(4)
                .with("n", 3),
            "`powers` has no operator of length 3; there are 2, 4",
        ),
    ] {
        let message = mistaken.check().expect_err(sentence).to_string();
        assert!(message.contains(sentence), "{message}");
        let right = Aggregate::of::<Variance>().name("right");
        let again = register(&ctx, [right, mistaken]).expect_err(sentence).to_string();
        assert_eq!(again, message);
        assert!(ctx.udaf("right").is_err(), "none is registered");
    }
}

#[test]
fn all_that_is_registered_by_one_line_is_right() {
    let all = reduce_datafusion::specs().into_iter().chain(reduce_datafusion::gallery());
    for aggregate in all {
        aggregate.check().unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn a_function_is_shown_in_few_words() {
    let shown = format!("{:?}", Aggregate::of::<Variance>().udaf());
    assert!(shown.contains("variance(x [, correction])"), "{shown}");
    assert!(shown.len() < 100, "{shown}");
}
