//! Folds: what happens to a block of elements.
//!
//! A block is at most [`STEPS`] steps of `L` lanes. Lanes go *along* the elements
//! of one result (element `i` of the block to lane `i mod L`), or *across*
//! results (lane `i` takes the elements of result `i`, one row per step).

use std::marker::PhantomData;

use super::lanes::{
    Ahead, Lanes, Positions, Steps, combine_across, combine_lanes, take_block, take_part,
    take_step, take_steps, take_strands,
};
use super::reader::Reader;
use super::stored::Stored;
use super::{ORDERED, lanes};
use crate::accumulator::Accumulator;
use crate::element::Store;
use crate::level::Code;
use crate::op::ReduceOp;
use crate::simd::barrier;

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

    /// Whether the order of elements matters.
    const ORDERED: bool;

    /// The number of lanes for which accumulators fill the registers.
    const SUITED: usize;

    /// Elements up to which one after another is faster than lanes.
    const FEW: usize;

    /// The longest row for which lanes across results are faster than along.
    const SHORT_ROWS: usize;

    /// Blocks of a contiguous run that are folded as one.
    const BLOCKS: usize;

    /// Whether rows may be folded side by side: see [`Spread`].
    const SIDE_BY_SIDE: bool;

    /// Whether the lanes of a block go to memory before they are merged with others.
    ///
    /// If they stay in registers, the compiler sees the loop over the steps and what comes
    /// after it as one, and may form the lanes in that loop in the order which the end
    /// wants: it does so with scalars of 8 bytes (sums of f64 then read 50 GB/s where 95 are
    /// possible). Others gain up to a tenth in registers.
    const LANES_REST: bool = align_of::<Self::Acc>() == 8;

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
    #[inline(always)]
    fn along<C: Code>(code: C, op: &Op, block: Block<'_, T>) -> Self::State {
        take_block::<C, Self, Op, T, O, L>(code, op, block)
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

    /// As [`Fold::step`], of the first `count` lanes only.
    fn part<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        values: &Lanes<T::Wide, L>,
        position: u64,
        count: usize,
    );

    /// The state after the last step of a block.
    fn end(moving: Self::Moving, block: Block<'_, T>) -> Self::State;

    /// Lanes across results, over more rows, the first at `position`. `fresh`
    /// says that the state holds no element yet.
    fn rows<C: Code>(
        code: C,
        op: &Op,
        state: Self::State,
        fresh: bool,
        run: T::Run<'_>,
        position: u64,
    ) -> Self::State;

    /// One lane across results, over one more row.
    fn element(op: &Op, state: &mut Self::State, lane: usize, x: T, position: u64);

    /// Adds the newest elements to earlier ones.
    fn merge<C: Code>(code: C, op: &Op, earlier: &mut Self::State, newest: &Self::State);

    /// The accumulator of all lanes of a result of some blocks, which can be read again.
    fn all_lanes<C: Code>(
        code: C,
        op: &Op,
        state: &Self::State,
        blocks: &mut impl Blocks<T>,
    ) -> Self::Acc;

    /// The accumulator of one lane.
    fn one_lane(op: &Op, state: &Self::State, lane: usize, spread: Spread) -> Self::Acc;
}

/// A block of the elements of a result.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Fold`")]
pub struct Block<'a, T: Stored> {
    /// Its elements, and maybe others behind them.
    pub(super) data: T::Data<'a>,
    pub(super) count: usize,
    /// Which of the blocks of its result it is.
    pub(super) number: u64,
    /// The position of the first element.
    pub(super) position: u64,
    pub(super) ahead: Ahead,
}

/// The blocks of a result.
#[allow(unreachable_pub, reason = "as `Fold`")]
pub trait Blocks<T: Stored> {
    /// How many there are.
    fn count(&self) -> usize;

    /// The values of one, and the position of the first.
    fn block(&mut self, number: u64) -> (T::Data<'_>, u64);
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

/// The fold of any operator: every element into an accumulator.
#[derive(Debug)]
pub struct Combining<R>(PhantomData<R>);

/// Lanes that begin with a line of the cache when they are in memory: a vector across two
/// lines takes twice as long.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Fold`")]
#[repr(align(64))]
pub struct InLines<A>(A);

/// An operator with its reader.
struct Combine<'a, R, Op, C>(&'a Op, C, PhantomData<R>);

impl<R, Op, C: Copy> Clone for Combine<'_, R, Op, C> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, Op, C: Copy> Copy for Combine<'_, R, Op, C> {}

impl<R, Op, T, C> Steps<T> for Combine<'_, R, Op, C>
where
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element>,
    T: Stored,
    C: Code,
{
    type Acc = Op::Acc;
    type Code = C;

    #[inline(always)]
    fn code(self) -> C {
        self.1
    }

    #[inline(always)]
    fn read(self, x: T::Wide, position: u64) -> Op::Acc {
        self.0.map(R::read(x, position))
    }

    #[inline(always)]
    fn combine(self, a: Op::Acc, b: Op::Acc) -> Op::Acc {
        if !C::VECTORS {
            barrier();
        }
        self.0.combine(a, b)
    }

    #[inline(always)]
    fn push(self, acc: Op::Acc, x: T::Wide, position: u64) -> Op::Acc {
        if !C::VECTORS {
            barrier();
        }
        self.0.push(acc, R::read(x, position))
    }
}

impl<R, Op, T, O, const L: usize> Fold<Op, T, O, L> for Combining<R>
where
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element>,
    T: Stored,
    O: Store<Op::Output>,
{
    type State = InLines<Lanes<Op::Acc, L>>;
    type Moving = Lanes<Op::Acc, L>;
    type Acc = Op::Acc;

    const ORDERED: bool = R::POSITIONED || L == ORDERED;
    const SUITED: usize = lanes::<Op::Acc>();
    const FEW: usize = 16;
    // The more work it is to combine lanes with one another, the longer; but no row is
    // so long that a few elements one after another would be faster.
    const SHORT_ROWS: usize = match 3 * L / 8 {
        _ if Op::Acc::SCALARS > 1 => 8 * L,
        0..16 => 16,
        short => short,
    };
    const BLOCKS: usize = 1;
    const SIDE_BY_SIDE: bool = !R::POSITIONED;

    #[inline(always)]
    fn none(op: &Op) -> Op::Acc {
        op.identity()
    }

    #[inline(always)]
    fn first(op: &Op, x: T, position: u64) -> Op::Acc {
        op.map(R::read(x.wide(), position))
    }

    #[inline(always)]
    fn next(op: &Op, acc: Op::Acc, x: T, position: u64) -> Op::Acc {
        op.push(acc, R::read(x.wide(), position))
    }

    #[inline(always)]
    fn combine(op: &Op, a: Op::Acc, b: Op::Acc) -> Op::Acc {
        op.combine(a, b)
    }

    #[inline(always)]
    fn store(op: &Op, acc: Op::Acc, count: usize) -> O {
        O::store(op.finalize(acc, count))
    }

    #[inline(always)]
    fn identity(op: &Op) -> Self::State {
        InLines(op.identity().splat())
    }

    #[inline(always)]
    fn along<C: Code>(code: C, op: &Op, block: Block<'_, T>) -> Self::State {
        if L == ORDERED && block.count == STEPS {
            let steps = Combine::<R, Op, C>(op, code, PhantomData);
            return InLines(take_strands::<_, T>(steps, op.identity(), block).splat());
        }
        take_block::<C, Self, Op, T, O, L>(code, op, block)
    }

    #[inline(always)]
    fn begin(op: &Op) -> Self::Moving {
        op.identity().splat()
    }

    #[inline(always)]
    fn step<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        values: &Lanes<T::Wide, L>,
        position: u64,
    ) {
        let steps = Combine::<R, Op, C>(op, code, PhantomData);
        take_step::<_, T, L>(steps, moving, values, Positions::along(position));
    }

    #[inline(always)]
    fn part<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        values: &Lanes<T::Wide, L>,
        position: u64,
        count: usize,
    ) {
        let steps = Combine::<R, Op, C>(op, code, PhantomData);
        take_part::<_, T, L>(steps, moving, values, Positions::along(position), count);
    }

    #[inline(always)]
    fn end(moving: Self::Moving, _block: Block<'_, T>) -> Self::State {
        InLines(moving)
    }

    #[inline(always)]
    fn rows<C: Code>(
        code: C,
        op: &Op,
        state: Self::State,
        _fresh: bool,
        run: T::Run<'_>,
        position: u64,
    ) -> Self::State {
        let positions = Positions { start: position, step: 1, lane: 0 };
        let op = Combine::<R, Op, C>(op, code, PhantomData);
        InLines(take_steps::<_, T, L>(op, state.0, T::rows(run), positions))
    }

    #[inline(always)]
    fn element(op: &Op, state: &mut Self::State, lane: usize, x: T, position: u64) {
        let acc = Op::Acc::get(&state.0, lane);
        Op::Acc::set(&mut state.0, lane, <Self as Fold<Op, T, O, L>>::next(op, acc, x, position));
    }

    #[inline(always)]
    fn merge<C: Code>(code: C, op: &Op, earlier: &mut Self::State, newest: &Self::State) {
        let op = Combine::<R, Op, C>(op, code, PhantomData);
        combine_lanes::<_, T, L>(op, &mut earlier.0, &newest.0);
    }

    #[inline(always)]
    fn all_lanes<C: Code>(
        code: C,
        op: &Op,
        state: &Self::State,
        _blocks: &mut impl Blocks<T>,
    ) -> Op::Acc {
        combine_across::<_, T, L>(Combine::<R, Op, C>(op, code, PhantomData), state.0)
    }

    #[inline(always)]
    fn one_lane(_op: &Op, state: &Self::State, lane: usize, _spread: Spread) -> Op::Acc {
        Op::Acc::get(&state.0, lane)
    }
}
