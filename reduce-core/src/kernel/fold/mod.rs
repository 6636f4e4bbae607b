//! Folds: what lanes do with the elements that they are given.
//!
//! A *lane* takes elements one after another. Lanes go *along* the elements of one result, element
//! `i` of a block to lane `i mod L`, or *across* results, each lane with one of its own. A fold says
//! what one lane does; how many of them do it at once is written once for all folds: [`along`] and
//! [`lanes`], and for the end of a result [`last`].
//!
//! There are folds of operators that [`combine`] all elements, of those that [`select`] one, and of
//! a [`tuple`] of folds.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

mod along;
mod combine;
mod in_place;
mod inert;
pub(super) mod lanes;
pub(super) mod last;
mod select;
mod tuple;
mod unfinished;

pub(super) use along::LEAST_SHIFTED;
pub use combine::Combining;
#[allow(unreachable_pub, reason = "named by implementations of a public trait")]
pub use inert::Elsewhere;
pub use inert::Inert;
pub use last::KEPT;
pub use select::Selecting;
#[allow(unreachable_pub, reason = "bound, or named by, public traits")]
pub use unfinished::{Keepable, Unfinished};

use super::block::{Block, Blocks, Steps};
use crate::machine::code::Code;
use crate::values::accumulator::Accumulator;
pub(super) use crate::values::accumulator::Lanes;
use crate::values::element::Slot;
use crate::values::stored::Stored;

/// The number of lanes of an operator that is not commutative: with one lane,
/// elements are combined in their order.
pub const ORDERED: usize = 1;

/// Bytes of accumulators that a block keeps in all its lanes.
///
/// Measured: twice as many spill out of AVX2's registers, half as many wait for
/// the latency of an addition.
const LANE_BYTES: usize = 256;

/// The fewest bytes of the lanes of a scalar, of accumulators of a few scalars: two registers of
/// AVX-512, for in less each step would wait for the one before it.
const SCALAR_BYTES: usize = 128;
const FEW_SCALARS: usize = 64;

/// Bytes of an accumulator of which several would fill the nearest cache.
const LARGE: usize = 2048;

/// The number of lanes for accumulators of type `Acc`: a power of two that
/// depends on the type alone, so that the order of combination is the same at
/// every CPU level.
pub(crate) const fn suited<Acc: Accumulator>() -> usize {
    let size = if size_of::<Acc>() == 0 { 1 } else { size_of::<Acc>() };
    let scalar = size.div_ceil(if Acc::SCALARS == 0 { 1 } else { Acc::SCALARS });
    let (count, least) = (LANE_BYTES / size, SCALAR_BYTES / scalar);
    match size {
        _ if count >= least && count > 0 => 1 << count.ilog2(),
        _ if size <= FEW_SCALARS => 1 << least.ilog2(),
        _ if size <= LARGE => 4,
        _ => 1,
    }
}

/// Room for the last lanes of rows.
#[inline(always)]
pub(super) fn none_kept<F: Fold>(op: &F::Op) -> last::InLines<Lanes<F::Moving, KEPT>> {
    last::InLines(F::begin(op).splat())
}

/// That there is a fold for an operator, a storage type, and the type of a result.
#[allow(unreachable_pub, reason = "named by a hidden type of a public trait")]
pub trait Folds<Op, T: Stored, O: Slot>: 'static {
    /// The fold.
    type Fold: Fold<Op = Op, Stored = T, Output = O>;
}

/// What one lane does with elements.
#[allow(unreachable_pub, reason = "as `Folds`")]
pub trait Fold: Sized + 'static {
    /// The operator.
    type Op;

    /// What is read at each index.
    type Stored: Stored;

    /// A result as it is stored.
    type Output: Slot;

    /// What a lane holds between blocks, and what a result is made of.
    type Acc: Accumulator;

    /// What a lane holds along a block, from step to step.
    type Moving: Accumulator;

    /// The number of lanes for which accumulators fill the registers.
    const SUITED: usize;

    /// Whether the order of elements matters.
    const ORDERED: bool;

    /// Elements up to which one after another is faster than lanes.
    const FEW: usize;

    /// The longest rows for which lanes across results are faster than along.
    const SHORT: Short;

    /// Blocks of a contiguous run that are folded as one.
    const BLOCKS: usize;

    /// Whether results are the same in whichever order elements are combined.
    const ANY_ORDER: bool;

    /// Whether rows may be folded side by side: see [`Spread`].
    const SPREADS: bool;

    /// Whether little is done with an element: packed rows are then read more slowly if
    /// instructions fetch them ahead.
    const LIGHT: bool;

    /// Whether two steps along a block are less work at once than one after the other. Not of
    /// bytes, which one instruction combines with what it reads: a register for each of the two
    /// steps is then a quarter more instructions.
    const TWO_STEPS: bool;

    /// Whether lanes along a block may be shifted: see [`walk`](super::walk). Not where they know
    /// more of their elements than the values.
    const SHIFTED: bool;

    /// Whether a result is searched for once its value is known: see [`Fold::found`].
    const SEARCHED: bool;

    /// Whether results depend on positions otherwise than through such a search.
    const POSITIONED: bool = false;

    /// Whether results may be doubted.
    const DOUBTS: bool = false;

    /// The number of operators, each of which may doubt its result.
    const MEMBERS: u32 = 1;

    /// Which of the operators doubt their results: a bit for each.
    #[inline(always)]
    fn doubts(_op: &Self::Op, _acc: &Self::Acc, _count: usize) -> u32 {
        0
    }

    /// A result that follows from the least and the greatest magnitude of its elements.
    #[inline(always)]
    fn of_extremes(_op: &Self::Op, _least: f64, _greatest: f64) -> Option<Self::Output> {
        None
    }

    /// The accumulator of no element.
    fn none(op: &Self::Op) -> Self::Acc;

    /// The accumulator of one element.
    fn first(op: &Self::Op, x: Self::Stored, position: u64) -> Self::Acc;

    /// The accumulator of one more element.
    fn next(op: &Self::Op, acc: Self::Acc, x: Self::Stored, position: u64) -> Self::Acc;

    /// Makes the accumulator that of one more element, where it is.
    #[inline(always)]
    fn next_into(op: &Self::Op, acc: &mut Self::Acc, x: Self::Stored, position: u64) {
        *acc = Self::next(op, *acc, x, position);
    }

    /// Whether elements can be taken out of an accumulator again.
    const REMOVES: bool = false;

    /// The accumulator without an element that was taken before.
    #[inline(always)]
    fn remove(_op: &Self::Op, acc: Self::Acc, _x: Self::Stored) -> Self::Acc {
        acc
    }

    /// The accumulator of two sets of elements, `a` before `b`.
    fn combine(op: &Self::Op, a: Self::Acc, b: Self::Acc) -> Self::Acc;

    /// The result over `count` elements, as it is stored.
    fn store(op: &Self::Op, acc: Self::Acc, count: usize) -> Self::Output;

    /// What a lane holds before a block.
    fn begin(op: &Self::Op) -> Self::Moving;

    /// After one more element.
    fn push(
        op: &Self::Op,
        lane: Self::Moving,
        x: <Self::Stored as Stored>::Wide,
        position: u64,
    ) -> Self::Moving;

    /// After two more elements.
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

    /// What lanes held at the end of a block. If they were shifted so far they are put back, unless
    /// they are to be searched.
    fn moving<const L: usize>(lanes: &Lanes<Self::Acc, L>, shift: usize) -> Lanes<Self::Moving, L>;

    /// What a lane holds that has had no element.
    fn identity(op: &Self::Op) -> Self::Acc;

    /// A lane after one more element. A selection notes the tag: across results the position, along
    /// them the number of the block.
    fn take(op: &Self::Op, lane: Self::Acc, x: Self::Stored, position: u64, tag: u64) -> Self::Acc;

    /// What a lane is as the accumulator of a result, or of a strand of one.
    fn of_lane(lane: Self::Acc, spread: Spread) -> Self::Acc;

    /// Lanes along a block.
    ///
    /// # Safety
    /// Its steps may be read.
    #[inline(always)]
    unsafe fn along<C: Code, const L: usize>(
        code: C,
        op: &Self::Op,
        block: &Block,
    ) -> Lanes<Self::Acc, L> {
        // SAFETY: the caller's.
        unsafe { along::along::<C, Self, L>(code, op, block) }
    }

    /// Lanes across results take more rows, the first at `position`. `fresh` says that they hold no
    /// element yet.
    ///
    /// # Safety
    /// The steps may be read.
    unsafe fn across<C: Code, const L: usize>(
        code: C,
        op: &Self::Op,
        lanes: &mut Lanes<Self::Acc, L>,
        fresh: bool,
        steps: &Steps,
        position: u64,
    );

    /// Adds what lanes hold of newer elements to what they hold of earlier ones.
    fn merge<C: Code, const L: usize>(
        code: C,
        op: &Self::Op,
        earlier: &mut Lanes<Self::Acc, L>,
        newest: &Lanes<Self::Acc, L>,
    );

    /// The accumulator of a result of which all lanes were joined to `best`: a selection has to be
    /// found in its blocks, of which the `lanes` know theirs if there are several. They were shifted
    /// so far.
    ///
    /// # Safety
    /// The blocks are of this storage type.
    unsafe fn found<C: Code, const L: usize>(
        code: C,
        op: &Self::Op,
        best: Self::Moving,
        moving: &Lanes<Self::Moving, L>,
        lanes: Option<&Lanes<Self::Acc, L>>,
        shift: usize,
        blocks: &mut dyn Blocks,
    ) -> Self::Acc;
}

/// Lengths up to which rows are short, for so many lanes.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Folds`")]
pub struct Short {
    /// Rows that are in a cache, and whatever lies apart.
    pub(super) rows: Length,
    /// Rows from memory, in which transposition jumps about. Other ones only where results are the
    /// same either way: the sum of a row does not depend on how much memory the others take.
    pub(super) from_memory: Length,
}

/// A length that depends on the number of lanes: so many eighths of it, and so much more; but not
/// less than the least.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Folds`")]
pub struct Length {
    pub(super) eighths: usize,
    pub(super) more: usize,
    pub(super) least: usize,
}

impl Length {
    /// For so many lanes.
    pub(super) const fn of(self, lanes: usize) -> usize {
        let length = lanes * self.eighths / 8 + self.more;
        if length < self.least { self.least } else { length }
    }

    /// No less than either.
    pub(super) const fn or(self, other: Self) -> Self {
        const fn larger(a: usize, b: usize) -> usize {
            if a < b { b } else { a }
        }
        Length {
            eighths: larger(self.eighths, other.eighths),
            more: larger(self.more, other.more),
            least: larger(self.least, other.least),
        }
    }
}

/// Where a lane's elements lie if `rows` rows were folded side by side: the
/// lane's `n`th element has position `n * rows + first`.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Folds`")]
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

#[cfg(test)]
mod tests {
    use super::suited;

    type Four = (f64, f64, f64, f64);

    #[test]
    fn lane_counts_fill_the_registers_and_no_more() {
        assert_eq!(suited::<f32>(), 64);
        assert_eq!(suited::<(f32, f32)>(), 32);
        assert_eq!(suited::<(f64, f64, f64)>(), 16);
        assert_eq!(suited::<(f32, f32, f32, f32)>(), 32);
        assert_eq!(suited::<(Four, Four)>(), 16);
        assert_eq!(suited::<(Four, Four, f64)>(), 4);
        assert_eq!(suited::<[f32; 4]>(), suited::<(f32, f32, f32, f32)>());
        assert_eq!((suited::<[u64; 64]>(), suited::<[u64; 1024]>()), (4, 1));
        assert_eq!(suited::<i128>(), 16);
        assert_eq!(suited::<bool>(), 256);
    }
}
