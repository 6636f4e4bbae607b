//! The laws of every operator of the gallery: those of exact sums are in `exact`.

use reduce_core::__private::{check_laws, check_slice_laws};
use reduce_core::{bf16, f16};
use reduce_gallery::{
    Bins, Correlation, Cosine, Covariance, CrossEntropy, Divergence, Dot, Exponentials, Histogram,
    LayerNorm, LogSoftmax, MeanVariance, Moments, PolynomialHash, Regression, RmsNorm, Shape,
    Shares, Softmax, SquaredError, StandardDeviation, Summary, Top, TopK, UnitLength, Variance,
    WeightedBins, WeightedCorrelation, WeightedCovariance, WeightedDeviation, WeightedMean,
    WeightedRegression, WeightedVariance,
};

macro_rules! slice_laws {
    ($($test:ident: $op:ty, [$($type:ty),*];)*) => {$(
        #[test]
        fn $test() {
            $(check_slice_laws::<$op, $type>();)*
        }
    )*};
}

slice_laws! {
    any_top: Top, [f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64];
    any_bins: Bins, [f16, bf16, f32, f64, i8, i64, u64];
    weighted_bins: WeightedBins, [(f16, f16), (f32, f32), (f64, f64), (f32, f64), (i32, f64)];
}

macro_rules! laws {
    ($($test:ident: $op:ty, [$($type:ty),*];)*) => {$(
        #[test]
        fn $test() {
            $(check_laws::<$op, $type>();)*
        }
    )*};
}

laws! {
    variance: Variance, [f16, bf16, f32, f64];
    standard_deviation: StandardDeviation, [f16, bf16, f32, f64];
    mean_variance: MeanVariance, [f16, bf16, f32, f64];
    layer_norm: LayerNorm, [f16, bf16, f32, f64];
    rms_norm: RmsNorm, [f16, bf16, f32, f64];
    unit_length: UnitLength, [f16, bf16, f32, f64];
    covariance: Covariance, [(f32, f32), (f64, f64)];
    correlation: Correlation, [(f32, f32), (f64, f64)];
    regression: Regression, [(f32, f32), (f64, f64)];
    weighted_variance: WeightedVariance, [(f32, f32), (f64, f64)];
    weighted_deviation: WeightedDeviation, [(f32, f32), (f64, f64)];
    weighted_covariance: WeightedCovariance, [(f32, f32, f32), (f64, f64, f64)];
    weighted_correlation: WeightedCorrelation, [(f32, f32, f32), (f64, f64, f64)];
    weighted_regression: WeightedRegression, [(f32, f32, f32), (f64, f64, f64)];
    weighted_mean: WeightedMean, [(f32, f32, bool), (f64, f64, bool)];
    shape: Shape, [f32, f64];
    summary: Summary, [f16, f32, f64];
    moments: Moments<3>, [f16, bf16, f32, f64];
    dot: Dot, [(f16, f16), (f32, f32), (f64, f64), (i32, i32), (f16, f32)];
    squared_error: SquaredError, [(f16, f16), (f32, f32), (f64, f64)];
    cosine: Cosine, [(f16, f16), (f32, f32), (f64, f64)];
    exponentials: Exponentials, [f16, f32, f64];
    shares: Shares, [f16, f32, f64];
    softmax: Softmax, [f16, f32, f64];
    log_softmax: LogSoftmax, [f16, f32, f64];
    cross_entropy: CrossEntropy, [(f16, bool), (f32, bool), (f64, bool)];
    divergence: Divergence, [(f32, f32), (f64, f64)];
    top: TopK<3>, [f32, f64];
    histogram: Histogram<5>, [f16, bf16, f32, f64];
    hash: PolynomialHash, [u8, u64];
}
