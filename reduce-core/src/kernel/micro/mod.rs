//! Microkernels: all that is compiled for each operator, storage type and CPU level.
//!
//! A *microkernel* folds elements that lie as lanes read them, and knows nothing of shapes, threads
//! or plans. A *driver* ([`walk`](super::walk)) knows all of these, and no operator. It is compiled once, asks a
//! [`Table`] for the functions, and knows an accumulator by its size alone ([`Sizes`]). The two have memory in common:
//!
//! - `op` points to the operator that the table was made for, watched if it [`doubt`]s results;
//! - a *state* is what all lanes hold between calls: [`Sizes::state`] bytes from a line of the
//!   cache on, which only a microkernel reads or writes;
//! - [`Data`] are the places of an element in each input.
//!
//! # Safety
//!
//! The contract of every microkernel, which a driver keeps:
//!
//! 1. *level*: the CPU has the level that the table is of.
//! 2. *operator* and *types*: `op`, the storage types of the data and the type of the results are those of the table.
//! 3. *steps*: each step that is named may be read as a whole: [`Sizes::lanes`] elements of each input from its place
//!    on. Lanes that have no element find any initialised bytes there. *elements*: where a step is not read as a whole, the
//!    elements that are named are there.
//! 4. *states* and *places*: states that are read were written by a microkernel of the same operator; states and results
//!    that are written belong to nobody else.
//!
//! These are names of `docs/unsafe.md`, which says who keeps each of them. Comments on unsafe code use them everywhere.
//!
//! Debug builds assert what numbers tell of it ([`contract`]).
//!
//! Where a whole step may not be read, the driver copies elements to where it may ([`read`](super::read)).
//!
//! [`emit()`] stands beside the table, since it depends on the type that is emitted, too. It reads no more than the
//! elements and results that are named, so that it does not need rule 3. If there is one input, it may write to the
//! places of the elements.

#![allow(unsafe_code, reason = "microkernels read and write through pointers")]

mod across;
mod along;
mod contract;
mod doubt;
mod emit;
mod few;
mod levels;
mod plain;
mod rows;
mod strands;

pub(crate) use super::block::{
    Block, Blocks, Data, EvenRows, INPUTS, NoBlocks, OneBlock, ResultElements, Ways, by,
};
use super::ending::Ending;
use super::fold::last::InLines;
use super::fold::{Fold, Lanes};
use crate::values::stored::Stored;

pub(crate) use doubt::{Notes, Watched};

pub(crate) use across::{across, columns};
pub(crate) use along::{along, end};
pub use emit::EmitsEach;
pub(crate) use emit::{Emission, EmitAtLevel, emit};
pub(crate) use few::{Few, few};
pub(crate) use levels::{again, tables};
pub(crate) use plain::plain;
pub(crate) use rows::{Rows, has_rows, rows};
pub(crate) use strands::{StrandLanes, copy, halves, strands};

/// What becomes of the state of a block: it is merged with `merges` states before it, each `apart` bytes before the
/// next. If `out` is not null, the merged lanes are all of the result, which is stored there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filing {
    pub(crate) merges: usize,
    pub(crate) apart: usize,
    pub(crate) out: *mut u8,
    /// The number of elements of the result.
    pub(crate) count: usize,
}

/// Rows with lanes across them. A group is as many neighbouring results as there are lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panel {
    /// The first element of the first row, and the way from row to row.
    pub(crate) rows: EvenRows,
    pub(crate) groups: usize,
    /// How many lanes of a row have elements. If they are fewer than all, there is one row.
    pub(crate) full: usize,
    /// Whether states hold nothing yet.
    pub(crate) fresh: bool,
    /// The position of the first row.
    pub(crate) position: u64,
    /// Each state is filed as that of a block is. If `out` is not null, it has room for `results` results, one for each
    /// lane.
    pub(crate) filing: Filing,
    pub(crate) results: usize,
}

/// The end of a result, whose lanes are all in one state.
#[allow(missing_debug_implementations, reason = "named by hidden items alone")]
pub(crate) struct End<'a> {
    pub(crate) blocks: &'a mut dyn Blocks,
    pub(crate) count: usize,
    pub(crate) out: *mut u8,
}

/// The microkernels of an operator and its types at one level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    /// Folds a block, and files its state: `top` is where that of a block without merges goes.
    pub(crate) along: unsafe fn(op: *const (), top: *mut u8, block: &Block, filing: &Filing),
    /// Folds a panel into the states of its groups, which lie one behind the other.
    pub(crate) across: unsafe fn(op: *const (), states: *mut u8, panel: &Panel),
    /// Folds whole groups that hold nothing yet, and stores their results. None if [`Table::across`] is as fast.
    pub(crate) columns: Option<unsafe fn(op: *const (), panel: &Panel)>,
    /// Folds rows of one block each, and stores their results, if they are better folded abreast.
    pub(crate) rows: Option<unsafe fn(op: *const (), rows: &Rows)>,
    /// Folds results of few elements, one element after the other.
    pub(crate) few: unsafe fn(op: *const (), few: &Few),
    /// Stores the result whose lanes are all in a state.
    pub(crate) end: unsafe fn(op: *const (), state: *const u8, end: &mut End<'_>),
    /// Combines the strands of results, which are lanes of a row of states, and stores the results.
    pub(crate) strands: unsafe fn(op: *const (), states: *mut u8, strands: &StrandLanes),
    /// Copies `count` lanes of a row of states, from lane `first` on, into the first lanes of another state.
    pub(crate) copy: unsafe fn(states: *const u8, first: usize, to: *mut u8, count: usize),
}

/// All that a driver knows of an operator and its types.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// The number of lanes.
    pub(crate) lanes: usize,
    /// Bytes of a state.
    pub(crate) state: usize,
    /// Bytes of a result.
    pub(crate) result: usize,
    /// Bytes of an element of each input.
    pub(crate) elements: [usize; INPUTS],
    pub(crate) inputs: usize,
    /// Whether a result is searched for in its blocks.
    pub(crate) searched: bool,
    /// Whether positions are used in any other way.
    pub(crate) positioned: bool,
    /// Whether the operator doubts results, and is watched.
    pub(crate) doubts: bool,
    /// Up to this many strands are combined one by one.
    pub(crate) few_strands: usize,
}

impl Sizes {
    /// The sizes of a fold in `L` lanes.
    pub(crate) const fn of<F: Fold, E: Ending<F::Steps>, const L: usize>() -> Self {
        Sizes {
            lanes: L,
            state: size_of::<LaneState<F, L>>(),
            result: size_of::<E::Output>(),
            elements: F::Stored::SIZES,
            inputs: F::Stored::DTYPES.len(),
            searched: F::SEARCHED,
            positioned: F::POSITIONED,
            doubts: E::DOUBTS,
            few_strands: few_strands::<F>(),
        }
    }
}

/// Up to this many strands are combined one by one. For few of them that takes less time than groups of lanes do, and a
/// selection has to ask each of them where its elements lie.
const fn few_strands<F: Fold>() -> usize {
    match () {
        () if F::SEARCHED => usize::MAX,
        () if F::WANTS.light => 48,
        () => 16,
    }
}

/// What all lanes hold between calls.
pub(super) type LaneState<F, const L: usize> = InLines<Lanes<<F as Fold>::Acc, L>>;
