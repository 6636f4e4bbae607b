//! The fold of operators that combine all elements.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use std::marker::PhantomData;
use std::ops::Range;

use super::abreast::{self, InLines, KEPT, LAST};
use super::block::{LEAST_SHIFTED, take_block, take_strands};
use super::fold::{Fold, STEPS, Spread};
use super::lanes::{
    Lanes, Positions, Steps, combine_across, combine_lanes, take_part, take_step, take_steps,
    take_two_steps,
};
use super::micro::{self, Block, Blocks};
use super::reader::Reader;
use super::stored::Stored;
use super::{ORDERED, lanes};
use crate::accumulator::Accumulator;
use crate::element::Store;
use crate::level::Code;
use crate::op::ReduceOp;
use crate::simd::barrier;

/// The fold of any operator: every element into an accumulator.
#[derive(Debug)]
pub struct Combining<R>(PhantomData<R>);

/// Elements up to which one after another is faster.
const FEW: usize = 16;

const fn at_least(least: usize, count: usize) -> usize {
    if count < least { least } else { count }
}

/// Lanes that were shifted as far, put back. Not inlined: it reads lanes at any index, so they are
/// in memory.
#[inline(never)]
pub(super) fn unshifted<A: Accumulator, const L: usize>(
    lanes: &Lanes<A, L>,
    shift: usize,
) -> Lanes<A, L> {
    let mut back = *lanes;
    // Two loops, each of which copies neighbours.
    let shift = shift.min(L);
    for lane in 0..L - shift {
        A::set(&mut back, lane, A::get(lanes, lane + shift));
    }
    for lane in 0..shift {
        A::set(&mut back, L - shift + lane, A::get(lanes, lane));
    }
    back
}

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

    #[inline(always)]
    fn push_two(self, acc: Op::Acc, x: [T::Wide; 2], positions: [u64; 2]) -> Op::Acc {
        if !C::VECTORS {
            barrier();
        }
        let [x, y] = [0, 1].map(|step| R::read(x[step], positions[step]));
        self.0.push_two(acc, x, y)
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
    type Last = InLines<Lanes<Op::Acc, KEPT>>;

    const ORDERED: bool = R::POSITIONED || L == ORDERED;
    const SUITED: usize = lanes::<Op::Acc>();
    const FEW: usize = FEW;
    // The more work it is to combine lanes with one another, and the more of them there are, the
    // longer, but no shorter than what is a few elements.
    const SHORT_ROWS: usize = match Op::Acc::SCALARS {
        3.. if size_of::<Op::Acc>() / Op::Acc::SCALARS == 8 => at_least(FEW, 5 * L / 2),
        3.. => at_least(FEW, L * size_of::<Op::Acc>() / Op::Acc::SCALARS / 2),
        2 => at_least(FEW, L * size_of::<Op::Acc>() / 2),
        _ if T::TURNED => at_least(FEW, 7 * L / 8),
        _ if size_of::<Op::Acc>() == 8 => at_least(FEW, 3 * L / 4),
        _ => at_least(FEW, 3 * L / 8),
    };
    const SHORT_RUNS: usize = match Op::Acc::SCALARS {
        2.. => 8 * L,
        _ => at_least(FEW, 2 * L),
    };
    const BLOCKS: usize = 1;
    // Combining moments divides, where one more element only adds.
    const STRAND: Option<usize> = match Op::Acc::SCALARS {
        _ if R::POSITIONED => None,
        3.. => Some(6),
        _ => Some(1),
    };
    const LIGHT: bool = Op::Acc::SCALARS == 1;
    const HEAVY: bool = Op::Acc::SCALARS == 2;
    const ABREAST: bool = L >= LAST;
    const TWO_STEPS: bool = Op::PUSHES_TWO && size_of::<Op::Acc>() > 1;
    const SHIFTED: bool = Op::Acc::SCALARS == 1 && !R::POSITIONED && L >= LEAST_SHIFTED;

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
    unsafe fn along<C: Code>(code: C, op: &Op, block: &Block) -> Self::State {
        if L == ORDERED && block.count == STEPS {
            let steps = Combine::<R, Op, C>(op, code, PhantomData);
            // SAFETY: the caller's.
            let acc = unsafe { take_strands::<_, T>(steps, op.identity(), block) };
            return InLines(acc.splat());
        }
        // SAFETY: the caller's.
        unsafe { take_block::<C, Self, Op, T, O, L>(code, op, block) }
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
    fn two_steps<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        values: [&Lanes<T::Wide, L>; 2],
        position: u64,
    ) {
        let steps = Combine::<R, Op, C>(op, code, PhantomData);
        take_two_steps::<_, T, L>(steps, moving, values, position);
    }

    #[inline(always)]
    fn part<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        values: &Lanes<T::Wide, L>,
        position: u64,
        taken: Range<usize>,
    ) {
        let steps = Combine::<R, Op, C>(op, code, PhantomData);
        take_part::<_, T, L>(steps, moving, values, Positions::along(position), taken);
    }

    #[inline(always)]
    fn end(moving: Self::Moving, _number: u64, _shift: usize, _count: usize) -> Self::State {
        InLines(moving)
    }

    #[inline(always)]
    unsafe fn rows<C: Code>(
        code: C,
        op: &Op,
        state: &mut Self::State,
        _fresh: bool,
        steps: &micro::Steps,
        position: u64,
    ) {
        let positions = Positions { start: position, step: 1, lane: 0 };
        let op = Combine::<R, Op, C>(op, code, PhantomData);
        // SAFETY: the caller's.
        state.0 = unsafe { take_steps::<_, T, L>(op, state.0, steps, positions) };
    }

    #[inline(always)]
    fn element(op: &Op, state: &mut Self::State, lane: usize, x: T, position: u64, _tag: u64) {
        let acc = Op::Acc::get(&state.0, lane);
        Op::Acc::set(&mut state.0, lane, <Self as Fold<Op, T, O, L>>::next(op, acc, x, position));
    }

    #[inline(always)]
    fn merge<C: Code>(code: C, op: &Op, earlier: &mut Self::State, newest: &Self::State) {
        let op = Combine::<R, Op, C>(op, code, PhantomData);
        combine_lanes::<_, T, L>(op, &mut earlier.0, &newest.0);
    }

    #[inline(always)]
    unsafe fn all_lanes<C: Code>(
        code: C,
        op: &Op,
        InLines(lanes): &Self::State,
        shift: usize,
        _blocks: &mut dyn Blocks,
    ) -> Op::Acc {
        let op = Combine::<R, Op, C>(op, code, PhantomData);
        let put_back;
        let lanes = if shift > 0 && <Self as Fold<Op, T, O, L>>::SHIFTED {
            put_back = unshifted::<Op::Acc, L>(lanes, shift);
            &put_back
        } else {
            lanes
        };
        abreast::combine_in_memory::<_, T, L>(op, lanes)
    }

    #[inline(always)]
    fn no_last(op: &Op) -> Self::Last {
        InLines(op.identity().splat())
    }

    #[inline(always)]
    fn keep_last<C: Code>(
        code: C,
        op: &Op,
        last: &mut Self::Last,
        row: usize,
        state: &Self::State,
    ) {
        let op = Combine::<R, Op, C>(op, code, PhantomData);
        abreast::keep::<Op::Acc>(&mut last.0, row, abreast::last_lanes::<_, T, L>(op, state.0));
    }

    #[inline(always)]
    fn one_row<C: Code>(code: C, op: &Op, last: &Self::Last, row: usize) -> Op::Acc {
        let op = Combine::<R, Op, C>(op, code, PhantomData);
        combine_across::<_, T, LAST>(op, abreast::kept::<Op::Acc>(&last.0, row))
    }

    #[inline(always)]
    fn all_rows<C: Code>(code: C, op: &Op, last: &Self::Last, turned: &mut Self::Last) {
        let op = Combine::<R, Op, C>(op, code, PhantomData);
        abreast::combine_all::<_, T>(op, &last.0, &mut turned.0);
    }

    #[inline(always)]
    fn of_row(_op: &Op, turned: &Self::Last, row: usize) -> Op::Acc {
        Op::Acc::get(&turned.0, row)
    }

    #[inline(always)]
    fn one_lane(_op: &Op, state: &Self::State, lane: usize, _spread: Spread) -> Op::Acc {
        Op::Acc::get(&state.0, lane)
    }
}
