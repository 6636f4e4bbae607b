//! Parameters as literals behind the inputs.

use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::AggregateUDF;
use datafusion::prelude::SessionContext;
use reduce_core::{Real, ReduceOp, reduce_op};
use reduce_datafusion::{Aggregate, register_gallery};
use reduce_gallery::{Cosine, Variance};

use crate::cells::{Cell, cell, planning, refusal};

/// The p-norm.
#[derive(Clone, Copy, Debug)]
struct LpNorm {
    p: f64,
}

impl Default for LpNorm {
    fn default() -> Self {
        LpNorm { p: 2.0 }
    }
}

/// The p-th root of the sum of the p-th powers of the magnitudes.
#[reduce_op(
    name = "acme.LpNorm",
    dtypes = [f32, f64],
    attrs = [axes: ints = all, keepdims: bool = true, p: float = 2.0 in 1.0..],
)]
impl<A: Real> ReduceOp<A> for LpNorm {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        (x.abs().ln() * A::from_f64(self.p)).exp()
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        (sum.ln() / A::from_f64(self.p)).exp()
    }
}

const T: &str = "FROM (VALUES (3.0, 0.0), (4.0, 0.0)) AS t(x, y)";

fn context() -> SessionContext {
    let ctx = SessionContext::new();
    register_gallery(&ctx);
    ctx.register_udaf(Aggregate::of::<LpNorm>().into());
    ctx.register_udaf(Aggregate::of::<LpNorm>().name("l3_norm").with("p", 3).into());
    ctx
}

async fn number(ctx: &SessionContext, call: &str) -> Result<f64> {
    match cell(ctx, &format!("SELECT {call} {T}")).await? {
        Cell::Float(number) => Ok(number),
        other => panic!("{call} gave {other:?}"),
    }
}

#[tokio::test]
async fn a_parameter_may_be_given_or_left_out() -> Result<()> {
    let ctx = context();
    let cube = 91f64.cbrt();
    for (call, expected) in [
        ("lp_norm(x)", 5.0),
        ("lp_norm(x, 2.0)", 5.0),
        ("lp_norm(x, 1)", 7.0),
        ("lp_norm(x, 2.5 + 0.5)", cube),
        ("lp_norm(x, '3'::double)", cube),
        ("l3_norm(x)", cube),
        ("l3_norm(x, 1.0)", 7.0),
        ("variance(x)", 0.25),
        ("variance(x, 1)", 0.5),
        ("cosine(x, y, true)", 0.0),
        ("lp_norm(x, 1.0) FILTER (WHERE x > 3)", 4.0),
        (
            "lp_norm(x, 1.0) OVER (ORDER BY x ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) - 0 * x",
            7.0,
        ),
    ] {
        let sql = if call.contains("OVER") {
            format!("max(v) FROM (SELECT {call} AS v {T})")
        } else {
            String::new()
        };
        let found = match sql.is_empty() {
            true => number(&ctx, call).await?,
            false => match cell(&ctx, &format!("SELECT {sql}")).await? {
                Cell::Float(found) => found,
                other => panic!("{other:?}"),
            },
        };
        assert!((found - expected).abs() < 1e-12, "{call}: {found}");
    }
    assert_eq!(cell(&ctx, &format!("SELECT cosine(x, y) {T}")).await?, Cell::Null);
    Ok(())
}

#[tokio::test]
async fn wrong_parameters_are_refused_where_a_query_is_planned() {
    let ctx = context();
    ctx.register_udaf(Aggregate::of::<LpNorm>().name("bad_range").with("p", 0.5).into());
    ctx.register_udaf(Aggregate::of::<LpNorm>().name("bad_name").with("q", 3.0).into());
    ctx.register_udaf(Aggregate::of::<Variance>().name("bad_kind").with("correction", 0.5).into());
    for (call, sentence) in [
        ("lp_norm(x, 0.5)", "parameter `p` of `lp_norm` is 0.5; give at least 1"),
        ("lp_norm(x, 0)", "parameter `p` of `lp_norm` is 0; give at least 1"),
        ("lp_norm(x, 'three')", "parameter `p` of `lp_norm` is of type Utf8; give a number"),
        ("lp_norm(x, NULL)", "parameter `p` of `lp_norm` is NULL; give a number"),
        ("lp_norm(x, NULL::double)", "parameter `p` of `lp_norm` is NULL; give a number"),
        ("lp_norm(x, y)", "; give a literal"),
        (
            "lp_norm(x, random() + 1)",
            "parameter `p` of `lp_norm` is random() + Float64(1); give a literal",
        ),
        (
            "lp_norm(x, 1.0, 2.0)",
            "`lp_norm` takes 1 or 2 arguments, not 3; write `lp_norm(x [, p])`",
        ),
        ("lp_norm()", "`lp_norm` takes 1 or 2 arguments, not 0"),
        (
            "variance(x, 1.5)",
            "parameter `correction` of `variance` is of type Float64; give an integer",
        ),
        ("variance(x, -1)", "parameter `correction` of `variance` is -1; give at least 0"),
        (
            "cosine(x, y, 1)",
            "parameter `zero_is_unlike` of `cosine` is of type Int64; give true or false",
        ),
        ("bad_range(x)", "parameter `p` of `bad_range` is 0.5; give at least 1"),
        ("bad_name(x)", "`bad_name` has no parameter `q`, for which it was given a default"),
        ("bad_kind(x)", "parameter `correction` of `bad_kind` is 0.5; give an integer"),
        ("lp_norm(x, 0.5) OVER (ORDER BY y)", "parameter `p` of `lp_norm` is 0.5; give at least 1"),
    ] {
        let message = refusal(&ctx, &format!("SELECT {call} {T}")).await;
        assert!(message.contains(sentence), "{call}: {message}");
        if !call.contains("OVER") {
            let message = planning(&ctx, &format!("SELECT {call} {T}")).await;
            assert!(message.contains(sentence), "{call}: {message}");
        }
    }
}

#[tokio::test]
async fn a_prepared_statement_gives_its_parameter_later() -> Result<()> {
    let ctx = context();
    let plan = ctx.sql(&format!("SELECT lp_norm(x, $1) {T}")).await?;
    let rows = plan.clone().with_param_values(vec![ScalarValue::from(1.0)])?.collect().await?;
    let norm = ScalarValue::try_from_array(rows[0].column(0), 0)?;
    assert!(
        matches!(norm, ScalarValue::Float64(Some(norm)) if (norm - 7.0).abs() < 1e-12),
        "{norm}"
    );
    let error = plan
        .with_param_values(vec![ScalarValue::from(0.5)])?
        .collect()
        .await
        .expect_err("too small");
    assert!(error.to_string().contains("is 0.5; give at least 1"), "{error}");
    Ok(())
}

#[test]
fn functions_are_equal_if_they_do_the_same() {
    let udaf = |aggregate: Aggregate| -> AggregateUDF { aggregate.into() };
    let plain = || Aggregate::of::<LpNorm>();
    assert_eq!(udaf(plain()), udaf(plain()));
    assert_eq!(udaf(plain().with("p", 3.0)), udaf(plain().with("p", 1.0).with("p", 3.0)));
    assert_ne!(udaf(plain()), udaf(plain().with("p", 3.0)));
    assert_ne!(udaf(plain().with("p", 1.5)), udaf(plain().with("p", 3.0)));
    assert_ne!(udaf(plain()), udaf(plain().name("other")));
    assert_ne!(udaf(plain()), udaf(Aggregate::of::<Cosine>().name("lp_norm")));
    let hash = |aggregate: Aggregate| {
        use std::hash::{BuildHasher, RandomState};
        static STATE: std::sync::LazyLock<RandomState> = std::sync::LazyLock::new(RandomState::new);
        STATE.hash_one(udaf(aggregate))
    };
    assert_eq!(hash(plain()), hash(plain()));
    assert_ne!(hash(plain()), hash(plain().with("p", 3.0)));
}
