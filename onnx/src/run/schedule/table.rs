//! Which chains of nodes are one operator.
//!
//! A chain is: what is done to each element, a reduction, what is done to its result. What differs is said in
//! the table of the package's page: the chain may overflow on the way, or round more often.

use reduce_core::DType;
use reduce_core::nodes::OpEntry;
use reduce_specs::ONNX;

/// What is done to each element before it is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Nothing,
    Exp,
    Abs,
    /// Multiplied by itself.
    Square,
    /// Multiplied by the element of another tensor.
    Product,
}

/// What is done to each result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    Nothing,
    Log,
    Sqrt,
}

/// An operator that is run in the place of a chain.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operator {
    /// One of the standard's.
    Standard(&'static OpEntry),
    /// The gallery's dot product.
    Dot,
}

impl Operator {
    pub(super) fn name(self) -> &'static str {
        match self {
            Operator::Standard(entry) => entry.schema().name,
            Operator::Dot => "Dot",
        }
    }
}

/// A chain, and what it is.
pub(super) struct Row {
    pub(super) before: Before,
    core: &'static str,
    pub(super) after: After,
    /// Nothing for the dot product.
    operator: Option<&'static str>,
    types: &'static [DType],
}

const FLOATS: &[DType] = &[DType::F16, DType::BF16, DType::F32, DType::F64];
/// Types in which a sum wraps as the chain does.
const NUMBERS: &[DType] = &[
    DType::F16,
    DType::BF16,
    DType::F32,
    DType::F64,
    DType::I32,
    DType::I64,
    DType::U32,
    DType::U64,
];
const DOT: &[DType] = &[DType::F16, DType::BF16, DType::F32, DType::F64, DType::I32, DType::I64];

/// Longer chains first, and of those of one length the ones that begin before the reduction: they save a
/// whole pass. The last row is a chain only between casts.
const ROWS: [Row; 9] = [
    row(Before::Exp, "ReduceSum", After::Log, "ReduceLogSumExp", FLOATS),
    row(Before::Square, "ReduceSum", After::Sqrt, "ReduceL2", FLOATS),
    row(Before::Exp, "ReduceLogSum", After::Nothing, "ReduceLogSumExp", FLOATS),
    row(Before::Nothing, "ReduceSumSquare", After::Sqrt, "ReduceL2", FLOATS),
    row(Before::Abs, "ReduceSum", After::Nothing, "ReduceL1", NUMBERS),
    row(Before::Square, "ReduceSum", After::Nothing, "ReduceSumSquare", NUMBERS),
    Row { operator: None, ..row(Before::Product, "ReduceSum", After::Nothing, "", DOT) },
    row(Before::Nothing, "ReduceSum", After::Log, "ReduceLogSum", FLOATS),
    row(Before::Nothing, "ReduceSum", After::Nothing, "ReduceSum", FLOATS),
];

const fn row(
    before: Before,
    core: &'static str,
    after: After,
    operator: &'static str,
    types: &'static [DType],
) -> Row {
    Row { before, core, after, operator: Some(operator), types }
}

impl Row {
    /// The rows of a reduction over elements of a type, the longest first.
    pub(super) fn all(core: &str, dtype: DType) -> impl Iterator<Item = &'static Row> {
        ROWS.iter().filter(move |row| row.core == core && row.types.contains(&dtype))
    }

    /// Whether any chain has this reduction.
    pub(super) fn is_core(core: &str) -> bool {
        ROWS.iter().any(|row| row.core == core)
    }

    /// How many nodes the chain has, casts aside.
    pub(super) fn length(&self) -> usize {
        1 + usize::from(self.before != Before::Nothing) + usize::from(self.after != After::Nothing)
    }

    /// What the chain is.
    pub(super) fn operator(&self) -> Option<Operator> {
        match self.operator {
            None => Some(Operator::Dot),
            Some(name) => ONNX.op(name).ok().map(Operator::Standard),
        }
    }
}
