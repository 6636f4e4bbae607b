//! The operators of the command that run on a GPU.

use reduce_core::{bf16, f16};
use reduce_gallery::{
    Correlation, Cosine, Covariance, CrossEntropy, Divergence, Dot, MeanVariance, Moments,
    PolynomialHash, Regression, Shape, SquaredError, StandardDeviation, Summary, Variance,
    WeightedDeviation, WeightedMean, WeightedVariance,
};
use reduce_gpu::Library;

type Floats = (f16, bf16, f32, f64);
type Pairs = ((f16, f16), (f32, f32), (f64, f64));
type WidePairs = ((f32, f32), (f64, f64));

/// All operators of ONNX, and those of the gallery whose accumulators are a few numbers: not lists, as of `TopK` and
/// `Histogram`, nor the thousands of bits of exact sums. Weighted covariances are left out: their `doubts` make more decisions than
/// can be traced.
pub(crate) fn library() -> Library {
    Library::onnx()
        .with::<Variance, Floats>()
        .with::<StandardDeviation, Floats>()
        .with::<MeanVariance, Floats>()
        .with::<Covariance, WidePairs>()
        .with::<Correlation, WidePairs>()
        .with::<Regression, WidePairs>()
        .with::<WeightedVariance, WidePairs>()
        .with::<WeightedDeviation, WidePairs>()
        .with::<Shape, (f32, f64)>()
        .with::<Summary, (f16, f32, f64)>()
        .with::<Moments<4>, Floats>()
        .with::<Moments<8>, Floats>()
        .with::<Dot, (
            (f16, f16),
            (bf16, bf16),
            (f32, f32),
            (f64, f64),
            (i32, i32),
            (i64, i64),
            (f16, f32),
        )>()
        .with::<SquaredError, Pairs>()
        .with::<Cosine, Pairs>()
        .with::<CrossEntropy, ((f16, bool), (bf16, bool), (f32, bool), (f64, bool))>()
        .with::<Divergence, WidePairs>()
        .with::<WeightedMean, ((f16, f16, bool), (f32, f32, bool), (f64, f64, bool))>()
        .with::<PolynomialHash, (u8, u64)>()
}
