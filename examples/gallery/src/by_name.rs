//! The gallery's operators by name, over inputs whose types are known when the program runs.
//!
//! Their kernels are compiled here, beside those of other crates, and only for programs that ask for this feature. The
//! reason is that all of them take longer to compile than the rest of the gallery.
//!
//! Most operators are one entry, also those whose results are arrays of any length, such as `TopK`. `Moments<4>` has the length
//! of its results in its type. So `Moments` is a [`Family`] of several members, and a parameter, `n`, says the length. The
//! shortest member that is long enough computes the results. They are then cut.

use reduce_core::nodes::{OpEntry, Row};
use reduce_core::{DType, OpSpec};

use crate::{
    Bins, Correlation, Cosine, Covariance, CrossEntropy, Divergence, Dot, ExactDot, ExactMean,
    ExactSum, LayerNorm, LogSoftmax, MeanVariance, Moments, PolynomialHash, Regression, RmsNorm,
    Shape, Softmax, SquaredError, StandardDeviation, Summary, Top, UnitLength, Variance,
    WeightedBins, WeightedCorrelation, WeightedCovariance, WeightedDeviation, WeightedMean,
    WeightedRegression, WeightedVariance,
};

/// An operator of the gallery, its type erased.
#[derive(Debug)]
pub struct Member {
    /// The length of its results, if its type says it.
    pub length: usize,
    /// Its schema, and what runs it.
    pub entry: OpEntry,
    /// The types of the inputs, for each row of the schema.
    pub rows: fn() -> Vec<&'static [DType]>,
}

impl Member {
    const fn of<Op: OpSpec>(length: usize) -> Self {
        Member {
            length,
            entry: OpEntry::of::<Op>(),
            rows: || Op::ROWS.iter().map(Row::inputs).collect(),
        }
    }
}

/// Operators of one name.
#[derive(Debug)]
pub struct Family {
    /// The shortest first; mostly one alone.
    pub members: &'static [Member],
    /// The parameter that says which of several members computes the results.
    pub length: Option<&'static str>,
    /// Whether its operators are there to send their results back over the elements: by a
    /// [`Call::emit`](reduce_core::nodes::Call::emit), and not by a run.
    pub emits: bool,
    /// What results are called, if there are several.
    pub results: &'static [&'static str],
    /// Other names.
    pub aliases: &'static [&'static str],
}

impl Family {
    const PLAIN: Family =
        Family { members: &[], length: None, emits: false, results: &[], aliases: &[] };

    /// The name that its operators have in common.
    pub fn name(&self) -> &'static str {
        self.members.first().map_or("", |member| member.entry.schema().name)
    }

    /// The lengths there are.
    pub fn lengths(&self) -> Vec<usize> {
        self.members.iter().map(|member| member.length).collect()
    }

    /// The member whose results can be cut to this length; `None` if there is none.
    pub fn member(&'static self, length: usize) -> Option<&'static Member> {
        self.members.iter().find(|member| length > 0 && member.length >= length)
    }

    /// The lengths that may be asked for, in words.
    pub fn words(&self) -> String {
        format!("from 1 to {}", self.lengths().last().unwrap_or(&1))
    }
}

macro_rules! family {
    ($op:ty $(, $field:ident: $value:expr)*) => {
        Family { members: &[Member::of::<$op>(0)], $($field: $value,)* ..Family::PLAIN }
    };
    ($op:ident[$($length:literal),*] $(, $field:ident: $value:expr)*) => {
        Family {
            members: &[$(Member::of::<$op<$length>>($length)),*],
            $($field: $value,)*
            ..Family::PLAIN
        }
    };
}

/// The results of a regression line.
const LINE: &[&str] = &["slope", "intercept"];

/// All that can be run by name. The two operators that make up the chain `softmax` are left out: alone they are of no use.
pub static GALLERY: [Family; 32] = [
    family!(Variance, aliases: &["Var"]),
    family!(StandardDeviation, aliases: &["Std"]),
    family!(MeanVariance, results: &["mean", "variance"]),
    family!(Shape, results: &["skewness", "kurtosis"]),
    family!(Summary, results: &["least", "greatest", "mean", "rms"]),
    family!(Moments[4, 8], length: Some("n")),
    family!(Bins),
    family!(WeightedBins),
    family!(Top, results: &["values", "positions"]),
    family!(Dot, aliases: &["DotProduct"]),
    family!(SquaredError, aliases: &["MeanSquaredError"]),
    family!(Cosine, aliases: &["CosineSimilarity"]),
    family!(CrossEntropy),
    family!(Divergence),
    family!(Covariance, aliases: &["Cov"]),
    family!(Correlation, aliases: &["Corr"]),
    family!(Regression, results: LINE, aliases: &["LinearRegression"]),
    family!(WeightedMean),
    family!(WeightedVariance, aliases: &["WeightedVar"]),
    family!(WeightedDeviation, aliases: &["WeightedStd"]),
    family!(WeightedCovariance, aliases: &["WeightedCov"]),
    family!(WeightedCorrelation, aliases: &["WeightedCorr"]),
    family!(WeightedRegression, results: LINE),
    family!(ExactSum),
    family!(ExactMean),
    family!(ExactDot),
    family!(PolynomialHash),
    family!(Softmax, emits: true),
    family!(LogSoftmax, emits: true),
    family!(LayerNorm, emits: true, aliases: &["LayerNormalization"]),
    family!(RmsNorm, emits: true, aliases: &["RMSNormalization"]),
    family!(UnitLength, emits: true, aliases: &["L2Normalize"]),
];
