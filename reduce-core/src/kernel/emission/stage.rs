//! Stages: one operator's part in an emission, its types erased.

use super::super::chosen::Filter;
use super::super::micro::{EmitAtLevel, INPUTS, Sizes, Table, emit};
use super::super::{MadeOf, Untyped};
use super::Keeps;
use super::again::Again;
use crate::facts::dtype::DType;
use crate::machine::LINE;
use crate::machine::level::PerLevel;
use crate::plan::Needs;
use crate::values::element::Slot;
use crate::values::stored::Stored;

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

impl Stage {
    /// The stage of an operator that emits elements of type `O` over storage type `T`.
    pub(super) fn of<Op: Keeps<T, O>, T: Stored, O: Slot>() -> Self {
        const { assert!(align_of::<Op::Kept>() <= LINE, "results are aligned to lines of the cache") };
        let (kernel, filter) = Op::keeping().with_filter();
        let MadeOf::Tables(tables, sizes) = &kernel.made_of else {
            unreachable!("made of the operator's fold")
        };
        Stage {
            kernel,
            tables,
            sizes,
            filter,
            reduced: kernel.dtypes.len() + filter.masks,
            inputs: T::DTYPES.len(),
            dtypes: T::DTYPES,
            elements: T::SIZES,
            needs: Op::keeping().needs(),
            emit: emit::<Op, T, O>,
            again: Op::again(),
            emitted: (O::DTYPE, size_of::<O>()),
        }
    }
}
