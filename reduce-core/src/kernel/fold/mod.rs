//! Folds: how lanes take the steps of an operator.
//!
//! A *lane* takes elements one after another. Lanes go *along* the elements of one result, element
//! `i` of a block to lane `i mod L`, or *across* results, each lane with one of its own. The operator's
//! [`Steps`] say what one accumulator does. A fold says what a lane holds, and how many of them take a step at once.
//!
//! There are two folds, and tuples of them. In [`Combine`] each lane holds an accumulator. In [`Select`], for
//! operators that select one of their elements, lanes hold values alone, and the selected element is searched for in
//! the end. What all folds have in common is in [`lanes`], and for the end of a result in [`last`].

#![allow(unsafe_code, reason = "blocks are read through pointers")]

mod combine;
mod in_parts;
mod in_place;
pub(super) mod lanes;
pub(super) mod last;
mod select;
mod tuple;

pub use combine::Combine;
pub(super) use in_parts::{first, folds_parts};
pub use last::KEPT;
pub use select::Select;

use super::block::{Block, Blocks, EvenRows};
use crate::facts::order::Short;
use crate::machine::code::Code;
use crate::values::element::accumulator::Accumulator;
pub(super) use crate::values::element::accumulator::Lanes;
use crate::values::steps::{Holds, NoSteps, OpSteps, Steps, Through};
use crate::values::stored::Stored;

/// The fold of an operator that combines all elements that reader `R` makes of storage type `T`.
pub type Combining<R, Op, T> = Combine<OpSteps<R, Op, T, false>>;

/// The fold of an operator whose accumulator is [`Indexed`](crate::Indexed).
pub type Selecting<R, Op, T> = Select<OpSteps<R, Op, T, true>>;

/// The fold of an operator whose spec has mistakes: it is never run.
pub type Inert<Op, T> = Combine<NoSteps<Op, T>>;

/// Room for the last lanes of rows.
#[inline(always)]
pub(super) fn none_kept<F: Fold>(op: &F::Op) -> last::InLines<Lanes<F::Moving, KEPT>> {
    last::InLines(F::begin(op).splat())
}

/// What a lane holds that has had no element.
#[inline(always)]
pub(super) fn empty<F: Fold>(op: &F::Op) -> F::Acc {
    F::end(F::begin(op), 0, true)
}

/// What a fold wants of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Wants {
    /// The number of lanes for which accumulators fill the registers.
    pub(crate) lanes: usize,
    /// Whether results depend on the order of elements.
    pub(crate) ordered: bool,
    /// Whether lanes take parts of a block that follow one another, as if there were one lane.
    pub(crate) in_parts: bool,
    /// Up to this many elements, one after another is faster than lanes.
    pub(crate) few: usize,
    /// The longest rows for which lanes across results are faster than along.
    pub(crate) short: Short,
    /// How many blocks of a contiguous run are folded as one.
    pub(crate) blocks: usize,
    /// Whether results are the same in whichever order elements are combined.
    pub(crate) any_order: bool,
    /// Whether rows may be folded side by side: see [`LaneSpread`].
    pub(crate) spreads: bool,
    /// Whether little is done with an element: packed rows are then read more slowly if
    /// instructions fetch them ahead.
    pub(crate) light: bool,
}

/// How lanes take the steps of an operator.
pub trait Fold: Sized + 'static {
    /// The operator.
    type Op: 'static;

    /// What is read at each index.
    type Stored: Stored;

    /// What a lane holds between blocks, and what a result is made of.
    type Acc: Accumulator;

    /// The operator's steps.
    type Steps: Steps<Op = Self::Op, Stored = Self::Stored, Acc = Self::Acc>;

    /// What a lane holds along a block, from step to step.
    type Moving: Accumulator;

    /// The fold of an adaptor that takes the steps of this operator.
    type Through<Outer: Holds<Self::Op>>: Fold<
            Op = Outer,
            Stored = Self::Stored,
            Acc = Self::Acc,
            Steps = Through<Outer, Self::Steps>,
        >;

    /// What it wants of a plan.
    const WANTS: Wants;

    /// Whether two steps along a block are less work at once than one after the other. For bytes they are not, since
    /// one instruction combines these with what it reads: a register for each of the two steps takes a quarter more
    /// instructions.
    const TWO_STEPS: bool;

    /// Whether a result is searched for once its value is known: see [`Fold::found`].
    const SEARCHED: bool;

    /// Whether positions are used in any other way than by such a search.
    const POSITIONED: bool;

    /// What a lane holds before a block.
    fn begin(op: &Self::Op) -> Self::Moving;

    /// What a lane holds after one more element.
    fn push(
        op: &Self::Op,
        lane: Self::Moving,
        x: <Self::Stored as Stored>::Wide,
        position: u64,
    ) -> Self::Moving;

    /// What a lane holds after two more elements.
    fn push_two(
        op: &Self::Op,
        lane: Self::Moving,
        x: [<Self::Stored as Stored>::Wide; 2],
        positions: [u64; 2],
    ) -> Self::Moving;

    /// Two lanes of a result as one.
    fn join(op: &Self::Op, a: Self::Moving, b: Self::Moving) -> Self::Moving;

    /// What a lane holds after a block, the `number`th of its result; it may have had no element.
    fn end(lane: Self::Moving, number: u64, is_empty: bool) -> Self::Acc;

    /// Returns what lanes held when a block ended, without the tags of a selection.
    fn moving<const L: usize>(lanes: &Lanes<Self::Acc, L>) -> Lanes<Self::Moving, L>;

    /// A lane after one more element. A selection notes the tag: across results the position, along
    /// them the number of the block.
    fn take(
        op: &Self::Op,
        lane: Self::Acc,
        x: <Self::Stored as Stored>::Wide,
        position: u64,
        tag: u64,
    ) -> Self::Acc;

    /// What a lane is as the accumulator of a result, or of a strand of one.
    fn of_lane(lane: Self::Acc, spread: LaneSpread) -> Self::Acc;

    /// Lanes along a block.
    ///
    /// # Safety
    /// *steps*: those of the block may be read.
    #[inline(always)]
    unsafe fn along<C: Code, const L: usize>(
        code: C,
        op: &Self::Op,
        block: &Block,
    ) -> Lanes<Self::Acc, L> {
        // SAFETY: *steps*, which the caller keeps for this block.
        unsafe { lanes::along::<C, Self, L>(code, op, block) }
    }

    /// Lanes across results take more rows, the first at `position`. `fresh` says that they hold no
    /// element yet.
    ///
    /// # Safety
    /// *steps*: all lanes of each row may be read.
    unsafe fn across<C: Code, const L: usize>(
        code: C,
        op: &Self::Op,
        lanes: &mut Lanes<Self::Acc, L>,
        fresh: bool,
        rows: &EvenRows,
        position: u64,
    );

    /// Adds what lanes hold of newer elements to what they hold of earlier ones.
    fn merge<C: Code, const L: usize>(
        code: C,
        op: &Self::Op,
        earlier: &mut Lanes<Self::Acc, L>,
        newest: &Lanes<Self::Acc, L>,
    );

    /// The accumulator of a result whose lanes were all joined to `best`. A selection has to be
    /// found in its blocks; if there are several, the `lanes` know which of them each value came from.
    ///
    /// # Safety
    /// *elements*: the blocks are of this storage type.
    unsafe fn found<C: Code, const L: usize>(
        code: C,
        op: &Self::Op,
        best: Self::Moving,
        moving: &Lanes<Self::Moving, L>,
        lanes: Option<&Lanes<Self::Acc, L>>,
        blocks: &mut dyn Blocks,
    ) -> Self::Acc;
}

/// Where a lane's elements lie if `rows` rows were folded side by side: the
/// lane's `n`th element has position `n * rows + first`.
#[derive(Clone, Copy, Debug)]
pub struct LaneSpread {
    pub(super) rows: u64,
    pub(super) first: u64,
}

impl LaneSpread {
    /// Rows that were not folded side by side.
    pub(super) const NONE: LaneSpread = LaneSpread { rows: 1, first: 0 };

    /// The spread of a lane that begins in row `first` of `rows` side by side, if the
    /// positions of rows were counted from `start` on.
    pub(super) fn new(rows: usize, first: usize, start: u64) -> Self {
        // (start + n) * rows + first is to be start + n * rows + first.
        let rows = rows as u64;
        let first = (first as u64).wrapping_sub(start.wrapping_mul(rows - 1));
        LaneSpread { rows, first }
    }
}
