//! The fold of operators that combine all elements: what a lane holds is an accumulator.

#![allow(unsafe_code, reason = "steps are read through pointers")]

use std::marker::PhantomData;

use super::super::block::{Block, Blocks, Steps, by};
use super::lanes::{each, fetch, take, unshifted};
use super::{Fold, Folds, Lanes, Length, Short, Spread, along, in_place};
use crate::machine::code::Code;
use crate::machine::{barrier, opaque};
use crate::plan::FEW;
use crate::values::accumulator::Accumulator;
use crate::values::element::Store;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::stored::Stored;

/// The fold of any operator: every element into an accumulator.
#[derive(Debug)]
pub struct Combining<R>(PhantomData<R>);

/// The same, of an operator and its types.
#[derive(Debug)]
pub struct Combine<R, Op, T, O>(PhantomData<fn(R, Op, T) -> O>);

impl<R, Op, T, O> Folds<Op, T, O> for Combining<R>
where
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element> + 'static,
    T: Stored,
    O: Store<Op::Output>,
{
    type Fold = Combine<R, Op, T, O>;
}

/// The more work it is to combine lanes with one another, the longer are rows that are better turned:
/// of accumulators of two scalars, whose lanes are joined by some exponentials each, the longest.
const fn short<A: Accumulator>(is_turned: bool) -> Short {
    let rows = match A::SCALARS {
        1 if is_turned => Length { eighths: 7, more: 0, least: FEW },
        1 => Length { eighths: 3, more: 0, least: FEW },
        2 => Length { eighths: 0, more: 128, least: FEW },
        _ => Length { eighths: 0, more: 40, least: FEW },
    };
    Short { rows, from_memory: rows }
}

impl<R, Op, T, O> Fold for Combine<R, Op, T, O>
where
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element> + 'static,
    T: Stored,
    O: Store<Op::Output>,
{
    type Op = Op;
    type Stored = T;
    type Output = O;
    type Acc = Op::Acc;
    type Moving = Op::Acc;

    const SUITED: usize = in_place::lanes::<R::Element, Op>();
    const ORDERED: bool = R::POSITIONED;
    const FEW: usize = FEW;
    const SHORT: Short = short::<Op::Acc>(T::TURNED);
    const BLOCKS: usize = in_place::blocks::<R::Element, Op>();
    const ANY_ORDER: bool = false;
    const SPREADS: bool = !R::POSITIONED;
    const LIGHT: bool = Op::Acc::SCALARS == 1;
    const TWO_STEPS: bool = Op::PUSHES_TWO && size_of::<Op::Acc>() > 1;
    const SHIFTED: bool =
        Op::Acc::SCALARS == 1 && !R::POSITIONED && !in_place::is_in_place::<R::Element, Op>();
    const SEARCHED: bool = false;
    const POSITIONED: bool = R::POSITIONED;
    const DOUBTS: bool = Op::DOUBTS;
    const MEMBERS: u32 = 1;
    const REMOVES: bool = Op::REMOVES && !R::POSITIONED;

    #[inline(always)]
    fn doubts(op: &Op, acc: &Op::Acc, count: usize) -> u32 {
        u32::from(Op::DOUBTS && op.doubts(acc, count))
    }

    #[inline(always)]
    fn of_extremes(op: &Op, least: f64, greatest: f64) -> Option<O> {
        op.of_extremes(least, greatest).map(O::store)
    }

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
    fn next_into(op: &Op, acc: &mut Op::Acc, x: T, position: u64) {
        op.push_into(acc, R::read(x.wide(), position));
    }

    #[inline(always)]
    fn remove(op: &Op, acc: Op::Acc, x: T) -> Op::Acc {
        op.remove(acc, R::read(x.wide(), 0))
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
    fn begin(op: &Op) -> Op::Acc {
        op.identity()
    }

    #[inline(always)]
    fn push(op: &Op, lane: Op::Acc, x: T::Wide, position: u64) -> Op::Acc {
        op.push(lane, R::read(x, position))
    }

    #[inline(always)]
    fn push_two(op: &Op, lane: Op::Acc, [x, y]: [T::Wide; 2], positions: [u64; 2]) -> Op::Acc {
        op.push_two(lane, R::read(x, positions[0]), R::read(y, positions[1]))
    }

    #[inline(always)]
    fn join(op: &Op, a: Op::Acc, b: Op::Acc) -> Op::Acc {
        op.combine(a, b)
    }

    #[inline(always)]
    fn end(lane: Op::Acc, _number: u64, _is_empty: bool) -> Op::Acc {
        lane
    }

    #[inline(always)]
    fn moving<const L: usize>(lanes: &Lanes<Op::Acc, L>, shift: usize) -> Lanes<Op::Acc, L> {
        if Self::SHIFTED && shift > 0 { unshifted::<Op::Acc, L>(lanes, shift) } else { *lanes }
    }

    #[inline(always)]
    fn identity(op: &Op) -> Op::Acc {
        op.identity()
    }

    #[inline(always)]
    fn take(op: &Op, lane: Op::Acc, x: T, position: u64, _tag: u64) -> Op::Acc {
        Self::next(op, lane, x, position)
    }

    #[inline(always)]
    fn of_lane(lane: Op::Acc, _spread: Spread) -> Op::Acc {
        lane
    }

    #[inline(always)]
    unsafe fn along<C: Code, const L: usize>(code: C, op: &Op, block: &Block) -> Lanes<Op::Acc, L> {
        if in_place::is_in_place::<R::Element, Op>() {
            // SAFETY: the caller's.
            return unsafe { in_place::along::<C, R, T, Op, L>(code, op, block) };
        }
        // SAFETY: the caller's.
        unsafe { along::along::<C, Self, L>(code, op, block) }
    }

    #[inline(always)]
    unsafe fn across<C: Code, const L: usize>(
        code: C,
        op: &Op,
        lanes: &mut Lanes<Op::Acc, L>,
        _fresh: bool,
        steps: &Steps,
        mut position: u64,
    ) {
        if in_place::is_in_place::<R::Element, Op>() {
            // SAFETY: the caller's.
            return unsafe { in_place::across::<C, R, T, Op, L>(code, op, lanes, steps, position) };
        }
        let Steps { mut data, ways, count, ahead } = *steps;
        // Asked once; the compiler, if it knew, would ask in each step.
        let fetches = ahead > 0 && opaque(1) > 0;
        let mut after = *lanes;
        for _ in 0..count {
            barrier();
            if fetches {
                fetch::<T, L>(&data, ahead);
            }
            // SAFETY: the caller's.
            let values = unsafe { T::read::<C, L>(code, &data) };
            take::<C, Self, L>(op, &mut after, &values, position, 0);
            position += 1;
            data = by(&data, &ways);
        }
        *lanes = after;
    }

    #[inline(always)]
    fn merge<C: Code, const L: usize>(
        _code: C,
        op: &Op,
        earlier: &mut Lanes<Op::Acc, L>,
        newest: &Lanes<Op::Acc, L>,
    ) {
        // A copy, which cannot overlap with the others.
        let newest = *newest;
        for lane in each::<L>(C::VECTORS) {
            let both = op.combine(Op::Acc::get(earlier, lane), Op::Acc::get(&newest, lane));
            Op::Acc::set(earlier, lane, both);
        }
    }

    #[inline(always)]
    unsafe fn found<C: Code, const L: usize>(
        _code: C,
        _op: &Op,
        best: Op::Acc,
        _moving: &Lanes<Op::Acc, L>,
        _lanes: Option<&Lanes<Op::Acc, L>>,
        _shift: usize,
        _blocks: &mut dyn Blocks,
    ) -> Op::Acc {
        best
    }
}
