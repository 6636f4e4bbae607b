//! The fold of operators that combine all elements: each lane holds an accumulator.

#![allow(unsafe_code, reason = "rows are read through pointers")]

use std::marker::PhantomData;

use super::super::block::{Block, Blocks, EvenRows, by};
use super::lanes::{self, each, fetch, take};
use super::{Fold, LaneSpread, Lanes, Wants, in_parts, in_place};
use crate::facts::order::{Entry, MOST_PARTS, ONE_STRAND, ORDERED, Short, blocks};
use crate::machine::code::Code;
use crate::machine::{barrier, opaque};
use crate::values::element::accumulator::Accumulator;
use crate::values::steps::{Holds, Steps, Through, Wide, entry, suited};
use crate::values::stored::Stored;

/// The fold of any steps: every element is pushed into an accumulator.
#[derive(Debug)]
pub struct Combine<S>(PhantomData<S>);

impl<S: Steps<Op: 'static>> Combine<S> {
    const IN_PLACE: bool = !matches!(entry::<S>(), Entry::Pushed);

    /// Whether lanes take parts of a block.
    const IN_PARTS: bool = S::ORDERED && !S::POSITIONED && !Self::IN_PLACE;

    /// The number of lanes for which accumulators fill the registers.
    const LANES: usize = match suited::<S>() {
        lanes if Self::IN_PARTS && lanes > MOST_PARTS => MOST_PARTS,
        _ if S::ORDERED && !Self::IN_PARTS => ORDERED,
        lanes => lanes,
    };
}

impl<S: Steps<Op: 'static>> Fold for Combine<S> {
    type Op = S::Op;
    type Stored = S::Stored;
    type Acc = S::Acc;
    type Steps = S;
    type Moving = S::Acc;
    type Through<Outer: Holds<S::Op>> = Combine<Through<Outer, S>>;

    const WANTS: Wants = Wants {
        lanes: Self::LANES,
        ordered: S::POSITIONED || S::ORDERED,
        in_parts: Self::IN_PARTS,
        few: ONE_STRAND,
        short: match Self::IN_PARTS {
            true => Short::OF_PARTS,
            false => Short::of(S::Acc::SCALARS, S::Stored::TURNED),
        },
        blocks: blocks(entry::<S>(), suited::<S>()),
        any_order: false,
        spreads: !S::POSITIONED && !S::ORDERED,
        light: S::Acc::SCALARS == 1,
    };
    const TWO_STEPS: bool = S::PUSHES_TWO && size_of::<S::Acc>() > 1;
    const SEARCHED: bool = false;
    const POSITIONED: bool = S::POSITIONED;

    #[inline(always)]
    fn begin(op: &S::Op) -> S::Acc {
        S::none(op)
    }

    #[inline(always)]
    fn push(op: &S::Op, lane: S::Acc, x: Wide<S>, position: u64) -> S::Acc {
        S::next(op, lane, x, position)
    }

    #[inline(always)]
    fn push_two(op: &S::Op, lane: S::Acc, x: [Wide<S>; 2], positions: [u64; 2]) -> S::Acc {
        S::next_two(op, lane, x, positions)
    }

    #[inline(always)]
    fn join(op: &S::Op, a: S::Acc, b: S::Acc) -> S::Acc {
        S::combine(op, a, b)
    }

    #[inline(always)]
    fn end(lane: S::Acc, _number: u64, _is_empty: bool) -> S::Acc {
        lane
    }

    #[inline(always)]
    fn moving<const L: usize>(lanes: &Lanes<S::Acc, L>) -> Lanes<S::Acc, L> {
        *lanes
    }

    #[inline(always)]
    fn take(op: &S::Op, lane: S::Acc, x: Wide<S>, position: u64, _tag: u64) -> S::Acc {
        S::next(op, lane, x, position)
    }

    #[inline(always)]
    fn of_lane(lane: S::Acc, _spread: LaneSpread) -> S::Acc {
        lane
    }

    #[inline(always)]
    unsafe fn along<C: Code, const L: usize>(
        code: C,
        op: &S::Op,
        block: &Block,
    ) -> Lanes<S::Acc, L> {
        if Self::IN_PLACE {
            // SAFETY: *steps*, which the caller keeps for this block.
            return unsafe { in_place::along::<C, S, L>(code, op, block) };
        }
        // What is known here is not even generated where it is not true.
        if const { in_parts::folds_parts::<Self, L>() } {
            // SAFETY: *elements*, which the caller keeps: those of a block lie side by side.
            return unsafe { in_parts::along::<C, Self, L>(code, op, block) };
        }
        // SAFETY: *steps*, which the caller keeps for this block.
        unsafe { lanes::along::<C, Self, L>(code, op, block) }
    }

    #[inline(always)]
    unsafe fn across<C: Code, const L: usize>(
        code: C,
        op: &S::Op,
        lanes: &mut Lanes<S::Acc, L>,
        _fresh: bool,
        rows: &EvenRows,
        mut position: u64,
    ) {
        if Self::IN_PLACE {
            // SAFETY: *steps*, which the caller keeps for these rows.
            return unsafe { in_place::across::<C, S, L>(code, op, lanes, rows, position) };
        }
        let EvenRows { mut data, ways, count, ahead } = *rows;
        // This is asked once. If the compiler knew the answer, it would ask in each step.
        let fetches = ahead > 0 && opaque(1) > 0;
        let mut after = *lanes;
        for _ in 0..count {
            barrier();
            if fetches {
                fetch::<S::Stored, L>(&data, ahead);
            }
            // SAFETY: *steps*, which the caller keeps: this row is one of `count`.
            let values = unsafe { S::Stored::read::<C, L>(code, &data) };
            take::<C, Self, L>(op, &mut after, &values, position, 0);
            position += 1;
            data = by(&data, &ways);
        }
        *lanes = after;
    }

    #[inline(always)]
    fn merge<C: Code, const L: usize>(
        _code: C,
        op: &S::Op,
        earlier: &mut Lanes<S::Acc, L>,
        newest: &Lanes<S::Acc, L>,
    ) {
        // A copy, which cannot overlap with the others.
        let newest = *newest;
        for lane in each::<L>(C::VECTORS) {
            let both = S::combine(op, S::Acc::get(earlier, lane), S::Acc::get(&newest, lane));
            S::Acc::set(earlier, lane, both);
        }
    }

    #[inline(always)]
    unsafe fn found<C: Code, const L: usize>(
        _code: C,
        _op: &S::Op,
        best: S::Acc,
        _moving: &Lanes<S::Acc, L>,
        _lanes: Option<&Lanes<S::Acc, L>>,
        _blocks: &mut dyn Blocks,
    ) -> S::Acc {
        best
    }
}
