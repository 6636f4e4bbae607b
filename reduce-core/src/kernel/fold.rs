//! Folds: what happens to a block of elements.
//!
//! A block is at most [`STEPS`] steps of `L` lanes. Lanes go *along* the elements
//! of one result (element `i` of the block to lane `i mod L`), or *across*
//! results (lane `i` takes the elements of result `i`, one row per step).

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use std::ops::Range;

use super::block::take_block;
use super::lanes::Lanes;
use super::micro::{Block, Blocks, Elements, Steps};
use super::stored::Stored;
use crate::level::Code;

/// Steps of a block: how many elements a lane combines one after another. Short
/// enough that the error of a float sum is that of a tree, long enough that
/// merging blocks costs next to nothing.
pub(super) const STEPS: usize = 64;

/// How a kernel folds blocks of stored values into states, states into accumulators,
/// and those into stored results.
#[allow(unreachable_pub, reason = "named by a hidden type of a public trait")]
pub trait Fold<Op, T: Stored, O, const L: usize>: Sized + 'static {
    /// What lanes hold between blocks.
    type State: Copy + Send + Sync;

    /// What lanes along a block hold from step to step.
    type Moving: Copy;

    /// What is carried from element to element.
    type Acc: Copy;

    /// The last lanes of some rows.
    type Last: Copy;

    /// Whether the order of elements matters.
    const ORDERED: bool;

    /// The number of lanes for which accumulators fill the registers.
    const SUITED: usize;

    /// Elements up to which one after another is faster than lanes.
    const FEW: usize;

    /// The longest row for which lanes across results are faster than along.
    const SHORT_ROWS: usize;

    /// The longest for which they are if the rows come from memory, in which transposition
    /// jumps about. Another one only where results are the same either way: the sum of a row
    /// does not depend on how much memory the others take.
    const SHORT_ROWS_FROM_MEMORY: usize = Self::SHORT_ROWS;

    /// The longest run of several of one result for which they are.
    const SHORT_RUNS: usize;

    /// Blocks of a contiguous run that are folded as one.
    const BLOCKS: usize;

    /// How many steps take as long as one strand more, which is combined with the others by
    /// itself; none if rows may not be folded side by side: see [`Spread`].
    const STRAND: Option<usize>;

    /// Whether so little is done with an element that packed rows are read more slowly if
    /// instructions fetch them ahead.
    const LIGHT: bool = false;

    /// Whether so much is done with an element that there is time to fetch the next rows while
    /// packed ones are folded: exponentials. No spec says so, but such an operator needs the
    /// largest element and a sum.
    const HEAVY: bool = false;

    /// Whether the last lanes of several rows are combined at once: see [`abreast`]. If not,
    /// nobody asks for last lanes, and [`Fold::Last`] is empty.
    ///
    /// [`abreast`]: super::abreast
    const ABREAST: bool = false;

    /// Whether a row is searched once its accumulator is known: see [`Fold::searched`]. Then
    /// nobody asks for one row alone.
    const SEARCHED: bool = false;

    /// Whether two steps along a block are less work at once than one after the other. Not of
    /// bytes, which one instruction combines with what it reads: a register for each of the two
    /// steps is then a quarter more instructions.
    const TWO_STEPS: bool = false;

    /// Whether lanes along a block may be shifted: see [`block`](super::block). Not where they know more
    /// of their elements than the values.
    const SHIFTED: bool = false;

    /// The accumulator of no element.
    fn none(op: &Op) -> Self::Acc;

    /// The accumulator of one element.
    fn first(op: &Op, x: T, position: u64) -> Self::Acc;

    /// The accumulator of one more element.
    #[inline(always)]
    fn next(op: &Op, acc: Self::Acc, x: T, position: u64) -> Self::Acc {
        Self::combine(op, acc, Self::first(op, x, position))
    }

    /// The accumulator of two sets of elements, `a` before `b`.
    fn combine(op: &Op, a: Self::Acc, b: Self::Acc) -> Self::Acc;

    /// The result over `count` elements, as it is stored.
    fn store(op: &Op, acc: Self::Acc, count: usize) -> O;

    /// Lanes that hold no element.
    fn identity(op: &Op) -> Self::State;

    /// Lanes along a block.
    ///
    /// # Safety
    /// Its steps may be read.
    #[inline(always)]
    unsafe fn along<C: Code>(code: C, op: &Op, block: &Block) -> Self::State {
        // SAFETY: the caller's.
        unsafe { take_block::<C, Self, Op, T, O, L>(code, op, block) }
    }

    /// What lanes along a block hold before its first step.
    fn begin(op: &Op) -> Self::Moving;

    /// Lanes along a block, after one more step, the first value of which is at `position`.
    fn step<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        values: &Lanes<T::Wide, L>,
        position: u64,
    );

    /// Lanes along a block, after two more steps.
    #[inline(always)]
    fn two_steps<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        [first, second]: [&Lanes<T::Wide, L>; 2],
        position: u64,
    ) {
        Self::step(code, op, moving, first, position);
        Self::step(code, op, moving, second, position + L as u64);
    }

    /// As [`Fold::step`], of some lanes only.
    fn part<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        values: &Lanes<T::Wide, L>,
        position: u64,
        taken: Range<usize>,
    );

    /// The state after the last step of a block, of so many elements, the first in lane `shift`.
    fn end(moving: Self::Moving, number: u64, shift: usize, count: usize) -> Self::State;

    /// Lanes across results take more rows, the first at `position`. `fresh`
    /// says that they hold no element yet.
    ///
    /// # Safety
    /// The steps may be read.
    unsafe fn rows<C: Code>(
        code: C,
        op: &Op,
        state: &mut Self::State,
        fresh: bool,
        steps: &Steps,
        position: u64,
    );

    /// One lane, over one more element. A selection notes the tag: across results the position, along
    /// them the number of the block.
    fn element(op: &Op, state: &mut Self::State, lane: usize, x: T, position: u64, tag: u64);

    /// Adds the newest elements to earlier ones.
    fn merge<C: Code>(code: C, op: &Op, earlier: &mut Self::State, newest: &Self::State);

    /// The accumulator of all lanes of a result, shifted as far, of some blocks, which can be
    /// read again.
    ///
    /// # Safety
    /// The blocks are of this storage type.
    unsafe fn all_lanes<C: Code>(
        code: C,
        op: &Op,
        state: &Self::State,
        shift: usize,
        blocks: &mut dyn Blocks,
    ) -> Self::Acc;

    /// The last lanes of rows that hold no element.
    fn no_last(op: &Op) -> Self::Last;

    /// Keeps the last lanes of a row.
    fn keep_last<C: Code>(code: C, op: &Op, last: &mut Self::Last, row: usize, state: &Self::State);

    /// The accumulator of a row, given the last lanes.
    fn one_row<C: Code>(code: C, op: &Op, last: &Self::Last, row: usize) -> Self::Acc;

    /// Combines the last lanes of all rows, into the first lanes of `turned`.
    fn all_rows<C: Code>(code: C, op: &Op, last: &Self::Last, turned: &mut Self::Last);

    /// The accumulator of a row, given the first lanes of all.
    fn of_row(op: &Op, turned: &Self::Last, row: usize) -> Self::Acc;

    /// The accumulator of a row, given what its last lanes were combined to: a selection has to
    /// find its position.
    ///
    /// # Safety
    /// The elements are of this storage type.
    #[inline(always)]
    unsafe fn searched<C: Code>(
        _code: C,
        _op: &Op,
        acc: Self::Acc,
        _last: &Self::Last,
        _row: usize,
        _elements: &Elements,
    ) -> Self::Acc {
        acc
    }

    /// The accumulator of one lane.
    fn one_lane(op: &Op, state: &Self::State, lane: usize, spread: Spread) -> Self::Acc;
}

/// Where a lane's elements lie if `rows` rows were folded side by side: the
/// lane's `n`th element has position `n * rows + first`.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Fold`")]
pub struct Spread {
    pub(super) rows: u64,
    pub(super) first: u64,
}

impl Spread {
    /// Rows that were not folded side by side.
    pub(super) const NONE: Spread = Spread { rows: 1, first: 0 };

    /// The spread of a lane that begins in row `first` of `rows` side by side, if the
    /// positions of rows were counted from `start` on.
    pub(super) fn new(rows: usize, first: usize, start: u64) -> Self {
        // (start + n) * rows + first is to be start + n * rows + first.
        let rows = rows as u64;
        let first = (first as u64).wrapping_sub(start.wrapping_mul(rows - 1));
        Spread { rows, first }
    }
}
