//! Stable codes: what programs and documentation call a mistake.

use super::ErrorKind;

impl ErrorKind {
    /// The mistake's code. It stays the same when the sentence is reworded.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SizeOverflow { .. } | Self::CountTooLarge { .. } => "size-overflow",
            Self::LengthMismatch { .. } => "length-mismatch",
            Self::OtherLayout { .. } => "other-layout",
            Self::RankMismatch { .. } => "rank-mismatch",
            Self::ViewOutOfBounds { .. } => "view-out-of-bounds",
            Self::ViewOverlaps { .. } => "view-overlaps",
            Self::OutputShape { .. } => "output-shape",
            Self::NotAPermutation { .. } => "not-a-permutation",
            Self::NoSuchAxis { .. } => "no-such-axis",
            Self::BadSlice { .. } => "bad-slice",
            Self::ZeroStep { .. } => "zero-step",
            Self::CannotBroadcast { .. } => "cannot-broadcast",
            Self::ShapesDiffer { .. } => "shapes-differ",
            Self::OtherResult { .. } => "other-result",
            Self::OtherOperator { .. } => "other-operator",
            Self::OtherAxes { .. } => "other-axes",
            Self::BadState { .. } => "bad-state",
            Self::InputCount { .. } => "input-count",
            Self::SeveralResults { .. } => "several-results",
            Self::AxisOutOfRange { .. } => "axis-out-of-range",
            Self::DuplicateAxis { .. } => "duplicate-axis",
            Self::EmptySet { .. } => "empty-set",
            Self::NoneCounts { .. } => "none-counts",
            Self::ResultTooLarge { .. } => "result-too-large",
            Self::NoMemory { .. } => "no-memory",
            Self::RankTooLarge { .. } => "rank-too-large",
            Self::KeyOutOfRange { .. } => "key-out-of-range",
            Self::EmptyGroup { .. } => "empty-group",
            Self::NoInverse => "no-inverse",
            Self::NoOrder => "no-order",
            Self::TooFew { .. } => "too-few",
            Self::OtherArray { .. } => "other-array",
            Self::OtherColumns { .. } => "other-columns",
            Self::LevelUnavailable { .. } => "level-unavailable",
            Self::UnknownOp { .. } => "unknown-op",
            Self::OpsetOutOfRange { .. } => "opset-out-of-range",
            Self::NotInOpset { .. } => "not-in-opset",
            Self::DTypeNotAllowed { .. } => "dtype-not-allowed",
            Self::UnknownAttr { .. } => "unknown-attribute",
            Self::AttrOfOtherVersion { .. } => "attribute-of-other-version",
            Self::DuplicateAttr { .. } => "duplicate-attribute",
            Self::AttrKind { .. } => "attribute-kind",
            Self::AttrRange { .. } => "attribute-range",
            Self::InputOfOtherVersion { .. } => "input-of-other-version",
            Self::InputDType { .. } => "input-dtype",
            Self::InputRank { .. } => "input-rank",
            Self::AxesNotGiven => "axes-not-given",
            Self::NoForm { .. } => "no-form",
        }
    }
}
