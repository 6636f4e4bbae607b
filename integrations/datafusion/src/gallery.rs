//! Operators of the gallery as aggregates.

use datafusion::prelude::SessionContext;
use reduce_gallery::{
    Correlation, Cosine, Covariance, CrossEntropy, Divergence, Dot, ExactDot, ExactMean, ExactSum,
    Histogram, MeanVariance, Moments, PolynomialHash, Regression, Shape, SquaredError,
    StandardDeviation, Summary, TopK, Variance, WeightedCorrelation, WeightedCovariance,
    WeightedDeviation, WeightedMean, WeightedRegression, WeightedVariance,
};

use crate::{Aggregate, Integers};

/// Aggregates of the operators of `reduce-gallery`, but for the steps of softmax, which are for sending results back.
///
/// | function | result |
/// |---|---|
/// | `variance(x [, correction])`, `standard_deviation(x [, correction])` | a number |
/// | `mean_variance(x)` | a struct of `mean`, `variance` |
/// | `shape(x)` | a struct of `skewness`, `kurtosis` |
/// | `summary(x)` | a struct of `least`, `greatest`, `mean`, `rms` |
/// | `moments(x, n)` | a list: the means of the powers 1 to `n`, up to 8 |
/// | `histogram(x, bins, low, high)` | a list of counts; 10, 16, 20, 32, 50, 64 or 100 bins |
/// | `top_k(x, k)` | a list of the `k` largest, up to 64; of fewer if there are fewer rows |
/// | `dot(x, y)`, `cosine(x, y [, zero_is_unlike])`, `squared_error(x, y)`, `divergence(x, y)` | a number |
/// | `covariance(x, y [, correction])`, `correlation(x, y)` | a number |
/// | `regression(x, y)` | a struct of `slope`, `intercept`, of `y` over `x` |
/// | `weighted_variance(x, y [, correction])`, `weighted_deviation(x, y [, correction])` | a number; the last column is of weights |
/// | `weighted_covariance(x, y, z [, correction])`, `weighted_correlation(x, y, z)`, `weighted_regression(x, y, z)` | as without weights, which are the last column |
/// | `cross_entropy(x, y)`, `weighted_mean(x, y, z)` | a number; the last column is of truth values |
/// | `exact_sum(x)`, `exact_mean(x)`, `exact_dot(x, y)` | a number, rounded once: the same bits in any order |
/// | `polynomial_hash(x)` | none: it says why it is refused, that rows have no order |
pub fn gallery() -> Vec<Aggregate> {
    vec![
        Aggregate::of::<Variance>().undefined_is_null(),
        Aggregate::of::<StandardDeviation>().undefined_is_null(),
        Aggregate::of::<MeanVariance>().results(["mean", "variance"]),
        Aggregate::of::<Shape>().results(["skewness", "kurtosis"]).undefined_is_null(),
        Aggregate::of::<Summary>().results(["least", "greatest", "mean", "rms"]),
        moments(),
        histogram(),
        top_k(),
        Aggregate::of::<Dot>().integers(Integers::Widest).uncounted(),
        Aggregate::of::<Cosine>().undefined_is_null().uncounted(),
        Aggregate::of::<SquaredError>(),
        Aggregate::of::<Divergence>().uncounted(),
        Aggregate::of::<CrossEntropy>().uncounted(),
        Aggregate::of::<WeightedMean>().undefined_is_null().uncounted(),
        Aggregate::of::<Covariance>().undefined_is_null(),
        Aggregate::of::<Correlation>().undefined_is_null().uncounted(),
        line(Aggregate::of::<Regression>()),
        Aggregate::of::<WeightedVariance>().undefined_is_null().uncounted(),
        Aggregate::of::<WeightedDeviation>().undefined_is_null().uncounted(),
        Aggregate::of::<WeightedCovariance>().undefined_is_null().uncounted(),
        Aggregate::of::<WeightedCorrelation>().undefined_is_null().uncounted(),
        line(Aggregate::of::<WeightedRegression>()),
        Aggregate::of::<ExactSum>(),
        Aggregate::of::<ExactMean>(),
        Aggregate::of::<ExactDot>(),
        Aggregate::of::<PolynomialHash>(),
    ]
}

fn line(regression: Aggregate) -> Aggregate {
    regression.results(["slope", "intercept"]).undefined_is_null().uncounted()
}

fn moments() -> Aggregate {
    Aggregate::sized("moments", "n")
        .size::<Moments<2>>(2)
        .size::<Moments<4>>(4)
        .size::<Moments<8>>(8)
}

fn histogram() -> Aggregate {
    let bins = Aggregate::sized("histogram", "bins").exact().required("low").required("high");
    let bins = bins.size::<Histogram<10>>(10).size::<Histogram<20>>(20).size::<Histogram<50>>(50);
    let bins = bins.size::<Histogram<16>>(16).size::<Histogram<32>>(32).size::<Histogram<64>>(64);
    bins.size::<Histogram<100>>(100)
}

/// Rows have no positions, so only the values are shown.
fn top_k() -> Aggregate {
    let largest = Aggregate::sized("top_k", "k").only(0).positions(1).selects().uncounted();
    largest.size::<TopK<1>>(1).size::<TopK<4>>(4).size::<TopK<16>>(16).size::<TopK<64>>(64)
}

/// Registers [`gallery`].
///
/// ```
/// use datafusion::prelude::SessionContext;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> datafusion::common::Result<()> {
/// let ctx = SessionContext::new();
/// reduce_datafusion::register_gallery(&ctx);
/// ctx.sql("SELECT top_k(x, 2) FROM (VALUES (1.0), (3.0), (2.0)) AS t(x)").await?.show().await?;
/// # Ok(())
/// # }
/// ```
pub fn register_gallery(ctx: &SessionContext) {
    gallery().into_iter().for_each(|aggregate| ctx.register_udaf(aggregate.into()));
}
