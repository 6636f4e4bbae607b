//! Microkernels: all that is compiled for each operator, storage type and CPU level.
//!
//! A *microkernel* folds elements that lie as lanes read them, and knows nothing of shapes, threads
//! or plans. A *driver* ([`walk`](super::walk)) knows all of these and no operator: it is compiled
//! once, asks a [`Table`] for the functions, and knows an accumulator by its size alone
//! ([`Sizes`]). What stands between the two is memory:
//!
//! - `op` points to the operator that the table was made for;
//! - a *state* is what all lanes hold between calls: [`Sizes::state`] bytes from a line of the
//!   cache on, which only a microkernel reads or writes;
//! - [`Data`] are the places of an element in each input.
//!
//! # Safety
//!
//! The contract of every microkernel, which a driver keeps:
//!
//! 1. The CPU has the level that the table is of.
//! 2. `op`, the storage types of the data and the type of the results are those of the table.
//! 3. Each step that is named may be read as a whole: [`Sizes::lanes`] elements of each input from
//!    its place on, those of lanes that have no element being any initialised bytes.
//! 4. States that are read were written by a microkernel of the same operator; states and results
//!    that are written are nobody else's.
//!
//! What cannot be read as a whole step is copied to where it can by the driver
//! ([`read`](super::read)).
//!
//! [`emit()`] stands beside the table, since it depends on the type of what is emitted as well. It reads
//! no more than the elements and results that are named, so that rule 3 does not hold for it. What it
//! writes may take the places of the elements, if there is one input.

#![allow(unsafe_code, reason = "microkernels read and write through pointers")]

mod across;
mod along;
mod emit;
mod few;
mod plain;
mod rows;
mod strands;

use super::fold::last::InLines;
use super::fold::{Fold, LEAST_SHIFTED, Lanes};
use super::read::Stored;

pub(crate) use across::{across, columns};
pub(crate) use along::{along, end};
pub(crate) use emit::{Emission, Emit, emit};
pub(crate) use few::{Few, few};
pub(crate) use plain::plain;
pub(crate) use rows::{Rows, has_rows, rows};
pub(crate) use strands::{Strands, strands};

/// The most inputs that are walked together.
pub(crate) const INPUTS: usize = 4;

/// Where an element lies in each input.
pub(crate) type Data = [*const u8; INPUTS];

/// From one element to another in each input, in bytes.
pub(crate) type Ways = [isize; INPUTS];

/// The place some way from another.
#[inline(always)]
pub(crate) fn by(data: &Data, way: &Ways) -> Data {
    let mut there = *data;
    for input in 0..INPUTS {
        there[input] = there[input].wrapping_offset(way[input]);
    }
    there
}

/// A block of the elements of a result, lanes along it.
///
/// Its steps are whole, but for a first and a last one, of which some lanes are taken.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "named by a hidden trait")]
pub struct Block {
    /// The incomplete step before all others, and the lanes of it that are taken, if any.
    pub(crate) first: Data,
    pub(crate) first_lanes: (usize, usize),
    /// The whole steps, one behind the other.
    pub(crate) data: Data,
    pub(crate) steps: usize,
    /// The incomplete step after them, and how many of its lanes are taken.
    pub(crate) last: Data,
    pub(crate) last_lanes: usize,
    /// How many elements there are in all.
    pub(crate) count: usize,
    /// Which of the blocks of its result it is.
    pub(crate) number: u64,
    /// The position of its first element.
    pub(crate) position: u64,
    /// How many bytes ahead of it others are fetched; 0 if none are.
    pub(crate) ahead: usize,
}

impl Block {
    /// A block of nothing.
    pub(crate) const NONE: Block = Block {
        first: [std::ptr::null(); INPUTS],
        first_lanes: (0, 0),
        data: [std::ptr::null(); INPUTS],
        steps: 0,
        last: [std::ptr::null(); INPUTS],
        last_lanes: 0,
        count: 0,
        number: 0,
        position: 0,
        ahead: 0,
    };
}

/// What becomes of a block: it is merged with so many states before it, each `apart` bytes before
/// the next. If `out` is not null, the lanes that are left are all of the result, which is stored
/// there.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Block`")]
pub struct Filing {
    pub(crate) merges: usize,
    pub(crate) apart: usize,
    pub(crate) out: *mut u8,
    /// Elements of the result.
    pub(crate) count: usize,
    /// How far lanes were shifted.
    pub(crate) shift: usize,
}

/// Rows, lanes across them, in groups of as many results as there are lanes.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Block`")]
pub struct Panel {
    /// The first element of the first row, and the way from row to row.
    pub(crate) steps: Steps,
    pub(crate) groups: usize,
    /// Lanes of the row that have elements, if they are not all: then there is one row.
    pub(crate) full: usize,
    /// Whether states hold nothing yet.
    pub(crate) fresh: bool,
    /// The position of the first row.
    pub(crate) position: u64,
    /// As for a block; `out` has room for so many results, one for each lane.
    pub(crate) filing: Filing,
    pub(crate) results: usize,
}

/// Steps, each at the same distance from the one before.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Block`")]
pub struct Steps {
    pub(crate) data: Data,
    pub(crate) ways: Ways,
    pub(crate) count: usize,
    /// How many bytes ahead of each others are fetched; 0 if none are. Of packed elements, what is
    /// fetched lies in another buffer.
    pub(crate) ahead: usize,
}

/// Elements of a result, one behind the other.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Block`")]
pub struct Elements {
    data: Data,
    count: usize,
    /// The position of the first.
    pub(crate) position: u64,
}

impl Elements {
    /// So many elements from a place on.
    ///
    /// # Safety
    /// They may be read, as long as these are used.
    pub(crate) unsafe fn new(data: Data, count: usize, position: u64) -> Self {
        Elements { data, count, position }
    }

    /// How many there are.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// One of them.
    ///
    /// # Safety
    /// They are of these types.
    #[inline(always)]
    pub(crate) unsafe fn at<T: Stored>(&self, place: usize) -> T {
        assert!(place < self.count, "an element beyond the last");
        // SAFETY: it is one of those that may be read.
        unsafe { T::at(&self.data, place) }
    }
}

/// The blocks of a result, for what must look at one again: a selection knows the block that its
/// element came from, and searches it.
#[allow(unreachable_pub, reason = "as `Block`")]
pub trait Blocks {
    /// How many there are.
    fn count(&self) -> usize;

    /// The elements of one.
    fn block(&mut self, number: u64) -> Elements;
}

/// The one block of a result.
pub(crate) struct OneBlock(pub(crate) Elements);

impl Blocks for OneBlock {
    fn count(&self) -> usize {
        1
    }

    fn block(&mut self, _number: u64) -> Elements {
        self.0
    }
}

/// No blocks, for folds that do not look at them again.
pub(crate) struct NoBlocks;

impl Blocks for NoBlocks {
    fn count(&self) -> usize {
        0
    }

    fn block(&mut self, _number: u64) -> Elements {
        Elements { data: [std::ptr::null(); INPUTS], count: 0, position: 0 }
    }
}

/// A state whose lanes are all of one result.
#[allow(unreachable_pub, missing_debug_implementations, reason = "as `Block`")]
pub struct End<'a> {
    pub(crate) blocks: &'a mut dyn Blocks,
    pub(crate) shift: usize,
    pub(crate) count: usize,
    pub(crate) out: *mut u8,
}

/// The microkernels of an operator and its types at one level.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Block`")]
pub struct Table {
    /// Folds a block, and files its state: `top` is where that of a block without merges goes.
    pub(crate) along: unsafe fn(op: *const (), top: *mut u8, block: &Block, filing: &Filing),
    /// Folds a panel into the states of its groups, which lie one behind the other.
    pub(crate) across: unsafe fn(op: *const (), states: *mut u8, panel: &Panel),
    /// The same of whole groups that hold nothing yet, of which it stores the results; if that is
    /// faster.
    pub(crate) columns: Option<unsafe fn(op: *const (), panel: &Panel)>,
    /// Folds rows of one block each, and stores their results, if they are better folded abreast.
    pub(crate) rows: Option<unsafe fn(op: *const (), rows: &Rows)>,
    /// Folds results of few elements, one element after the other.
    pub(crate) few: unsafe fn(op: *const (), few: &Few),
    /// Stores the result that a state is all of.
    pub(crate) end: unsafe fn(op: *const (), state: *const u8, end: &mut End<'_>),
    /// Stores results of which each has several lanes of a row of states.
    pub(crate) strands: unsafe fn(op: *const (), states: *mut u8, strands: &Strands),
}

/// What a driver knows of an operator and its types.
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
    /// Whether lanes along a block may be shifted: see [`read::block`](super::read).
    pub(crate) shifted: bool,
    /// Whether a result is searched for in its blocks.
    pub(crate) searched: bool,
}

impl Sizes {
    /// Of nothing.
    pub(crate) const NONE: Sizes = Sizes {
        lanes: 1,
        state: 0,
        result: 0,
        elements: [0; INPUTS],
        inputs: 1,
        shifted: false,
        searched: false,
    };
}

impl Sizes {
    /// Of a fold in so many lanes.
    pub(crate) const fn of<F: Fold, const L: usize>() -> Self {
        Sizes {
            lanes: L,
            state: size_of::<State<F, L>>(),
            result: size_of::<F::Output>(),
            elements: F::Stored::SIZES,
            inputs: F::Stored::DTYPES.len(),
            shifted: F::SHIFTED && L >= LEAST_SHIFTED,
            searched: F::SEARCHED,
        }
    }
}

/// What all lanes hold between calls.
pub(super) type State<F, const L: usize> = InLines<Lanes<<F as Fold>::Acc, L>>;
