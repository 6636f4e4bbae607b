//! Stages: one operator's part in an emission, its types erased.

use super::super::Untyped;
use super::super::chosen::Filter;
use super::super::micro::{EmitAtLevel, INPUTS, Sizes, Table};
use super::again::Again;
use crate::facts::dtype::DType;
use crate::machine::level::PerLevel;
use crate::plan::Needs;

/// What is known of an operator that emits, and of its types.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    /// Its kernel, and the elements that it is given.
    pub(super) kernel: &'static Untyped,
    pub(super) tables: &'static PerLevel<Table>,
    pub(super) sizes: &'static Sizes,
    pub(super) filter: Filter,
    /// The first inputs, which are reduced, masks among them.
    pub(super) reduced: usize,
    /// How many inputs there are, those among them that are read beside the others when elements are emitted. And the
    /// type of each, and the bytes of an element.
    pub(super) inputs: usize,
    pub(super) dtypes: &'static [DType],
    pub(super) elements: [usize; INPUTS],
    pub(super) needs: Needs,
    pub(super) emit: EmitAtLevel,
    /// The function that emits over sets whose results the operator doubts, if there is one.
    pub(super) again: Option<Again>,
    /// The type that is emitted, and its size in bytes.
    pub(super) emitted: (DType, usize),
}
