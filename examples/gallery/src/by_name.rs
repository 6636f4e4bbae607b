//! The gallery's operators by name, over inputs whose types are known when the program runs.
//!
//! Their kernels are compiled here, beside those of other crates, and only for programs that ask for this feature. The
//! reason is that all of them take longer to compile than the rest of the gallery.
//!
//! An operator whose results are arrays, such as `TopK<4>`, has their length in its type. Those of one name are a
//! [`Family`]: a parameter, such as `k`, says the length, and the shortest member that is long enough
//! computes the results, which are then cut.

use reduce_core::nodes::{OpEntry, Row};
use reduce_core::{DType, OpSpec};

use crate::{
    Correlation, Cosine, Covariance, CrossEntropy, Divergence, Dot, ExactDot, ExactMean, ExactSum,
    Histogram, MeanVariance, Moments, PolynomialHash, Regression, Shape, SquaredError,
    StandardDeviation, Summary, TopK, Variance, WeightedCorrelation, WeightedCovariance,
    WeightedDeviation, WeightedMean, WeightedRegression, WeightedVariance,
};

/// An operator of the gallery, its type erased.
#[derive(Debug)]
pub struct Member {
    /// The length of its results, if they are arrays.
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
    /// The shortest first; one alone if results are no arrays.
    pub members: &'static [Member],
    /// The parameter that says the length.
    pub length: Option<&'static str>,
    /// Whether the length must be that of a member: results cannot be cut.
    pub is_exact: bool,
    /// What results are called, if there are several.
    pub results: &'static [&'static str],
    /// Other names.
    pub aliases: &'static [&'static str],
}

impl Family {
    const PLAIN: Family =
        Family { members: &[], length: None, is_exact: false, results: &[], aliases: &[] };

    /// The name that its operators have in common.
    pub fn name(&self) -> &'static str {
        self.members.first().map_or("", |member| member.entry.schema().name)
    }

    /// The lengths there are.
    pub fn lengths(&self) -> Vec<usize> {
        self.members.iter().map(|member| member.length).collect()
    }

    /// The member whose results have this length, or can be cut to it; `None` if there is none.
    pub fn member(&'static self, length: usize) -> Option<&'static Member> {
        let fits = |member: &&Member| match self.is_exact {
            true => member.length == length,
            false => length > 0 && member.length >= length,
        };
        self.members.iter().find(fits)
    }

    /// The lengths that may be asked for, in words.
    pub fn words(&self) -> String {
        let lengths = self.lengths();
        match lengths.last() {
            Some(most) if !self.is_exact => format!("from 1 to {most}"),
            _ => {
                let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
                format!("one of {}", lengths.join(", "))
            }
        }
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

/// All that can be run by name: not the steps of softmax, which are for sending results back.
pub static GALLERY: [Family; 26] = [
    family!(Variance, aliases: &["Var"]),
    family!(StandardDeviation, aliases: &["Std"]),
    family!(MeanVariance, results: &["mean", "variance"]),
    family!(Shape, results: &["skewness", "kurtosis"]),
    family!(Summary, results: &["least", "greatest", "mean", "rms"]),
    family!(Moments[4, 8], length: Some("n")),
    family!(Histogram[10, 16, 20, 32, 50, 64, 100], length: Some("bins"), is_exact: true),
    family!(TopK[4, 16, 64], length: Some("k"), results: &["values", "positions"]),
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
];
