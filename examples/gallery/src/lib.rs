#![doc = include_str!("../README.md")]
//!
//! # Files
//!
//! | file | what | shows |
//! |---|---|---|
//! | `variance` | variance and standard deviation | `push`, a parameter |
//! | `standardised` | mean and variance together, layer norm | several results, `Store`, `emit`, `emit_beside` |
//! | `scaled` | RMS norm, vectors of length 1 | `emit_beside`, `emits`, `doubts` |
//! | `together` | covariance, correlation, a regression line | two inputs, coupled |
//! | `weighted` | variance to regression line of weighted elements | weights that are not positive |
//! | `shape` | skewness and kurtosis | an accumulator of five coupled fields |
//! | `summary` | least, greatest, mean, root mean square | four results in one pass |
//! | `pairs` | dot product, squared error, cosine similarity | two inputs |
//! | `masked` | weighted mean where a mask is true | three inputs, one of them `bool` |
//! | `softmax` | softmax and log-softmax | `emit`, `emits`, one operator after another |
//! | `entropy` | cross-entropy with logits, divergence | two inputs, a coupled accumulator |
//! | `top` | the K largest and where they are | a const parameter, `enters`, positions |
//! | `histogram` | counts in equal bins | an array as accumulator, `push_into`, `remove` |
//! | `ranked` | the k largest or smallest, k a parameter | `ReduceSlice`, positions, `finish` |
//! | `bins` | counts and weights in equal bins, their number a parameter | `ReduceSlice`, two inputs |
//! | `moments` | means of powers | an array in lanes |
//! | `exact` | sum, mean and dot product, correctly rounded | `Exact` as accumulator, `push_into`, `remove` |
//! | `hash` | polynomial hash of a sequence | order matters |
//! | `by_name` (feature `by-name`) | all of these by name | types known when the program runs, families of sizes |
//!
//! Each is checked against plain loops in `f64` (`tests/`), and timed against what one would
//! write with iterators (`benches/`).

mod bins;
#[cfg(feature = "by-name")]
pub mod by_name;
mod entropy;
mod exact;
mod grid;
mod hash;
mod histogram;
mod joint;
mod masked;
mod moments;
mod pairs;
mod ranked;
mod scaled;
mod shape;
mod shifted;
mod softmax;
mod standardised;
mod summary;
mod together;
mod top;
mod variance;
mod weighted;

pub use bins::{Bins, WeightedBins};
pub use entropy::{CrossEntropy, Divergence};
pub use exact::{ExactDot, ExactMean, ExactSum};
pub use hash::PolynomialHash;
pub use histogram::Histogram;
pub use masked::WeightedMean;
pub use moments::Moments;
pub use pairs::{Cosine, Dot, SquaredError};
pub use ranked::Top;
pub use scaled::{Norm, RmsNorm, UnitLength, rms_norm};
pub use shape::Shape;
pub use softmax::{Exponentials, LogSoftmax, LogTotal, Shares, Softmax, Total, softmax};
pub use standardised::{LayerNorm, Mean, MeanVariance, Spread, layer_norm};
pub use summary::Summary;
pub use together::{Correlation, Covariance, Regression};
pub use top::TopK;
pub use variance::{StandardDeviation, Variance};
pub use weighted::{
    WeightedCorrelation, WeightedCovariance, WeightedDeviation, WeightedRegression,
    WeightedVariance,
};
