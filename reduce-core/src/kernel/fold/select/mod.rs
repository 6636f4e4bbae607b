//! The fold of operators that select one element, such as "the position of the
//! largest": those whose accumulator is [`Indexed`].
//!
//! A selection compares values far more often than it changes its mind, so the
//! loops carry values and as little about positions as they can.
//!
//! *Along* a result, lanes carry values alone within a block, and between blocks the number of the block that each
//! value came from. At the end the best value is known, and its block. The lanes of this block that hold the value,
//! mostly one, are searched for it.
//!
//! *Across* results, a lane's position is its step. Within a block it is 32 bits wide, so that it takes a register of
//! the width of an `f32`; between blocks it has 64 bits.
//!
//! `combine` is asked with indices 0 and 1 where only the order of two elements
//! is known, and `push_two` with 0, 1 and 2. That is why they may look at no more of
//! indices than their order.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

mod across;
mod search;

use std::marker::PhantomData;

use self::across::{merge_some, take_rows};
use self::search::find;
use super::super::block::{Blocks, EvenRows};
use super::lanes::{PART, parts};
use super::{Fold, LaneSpread, Lanes, Wants};
use crate::facts::order::{self, Entry, Short};
use crate::machine::code::Code;
use crate::values::element::accumulator::Accumulator;
use crate::values::reader::Indexed;
use crate::values::steps::{Holds, Steps, Through, Wide};
use crate::values::stored::Stored;

/// The tag of a lane that has seen no element.
const NONE: u64 = u64::MAX;

/// The fold of steps whose accumulator is [`Indexed`]. Between blocks a lane holds the selected value, and a tag that
/// says where it was found. Along a result this is the number of the block, and across results the number of the row.
#[derive(Debug)]
pub struct Select<S>(PhantomData<S>);

/// A fold that compares values, without positions.
trait Selects: Fold<Acc = Indexed<Self::Value>, Moving = Self::Value> {
    /// What is compared.
    type Value: Accumulator;

    /// What an element is compared by.
    fn value(op: &Self::Op, x: <Self::Stored as Stored>::Wide) -> Self::Value;

    /// Of two elements, `a` before `b`, the selected value, and whether it is `b`.
    fn choose(op: &Self::Op, a: Self::Value, b: Self::Value) -> (Self::Value, bool);

    /// Whether a value is as good as the best one. If it is, the order of the two decides: the `last` is selected, or
    /// the first.
    #[inline(always)]
    fn ties(op: &Self::Op, best: Self::Value, value: Self::Value, last: bool) -> bool {
        let (a, b) = if last { (best, value) } else { (value, best) };
        Self::choose(op, a, b).1 == last
    }
}

impl<K: Accumulator, S: Steps<Acc = Indexed<K>, Op: 'static>> Selects for Select<S> {
    type Value = K;

    #[inline(always)]
    fn value(op: &S::Op, x: Wide<S>) -> K {
        S::first(op, x, 0).value
    }

    #[inline(always)]
    fn choose(op: &S::Op, a: K, b: K) -> (K, bool) {
        let a = Indexed { value: a, index: 0 };
        let chosen = S::combine(op, a, Indexed { value: b, index: 1 });
        (chosen.value, chosen.index == 1)
    }
}

impl<K: Accumulator, S: Steps<Acc = Indexed<K>, Op: 'static>> Fold for Select<S> {
    type Op = S::Op;
    type Stored = S::Stored;
    type Acc = Indexed<K>;
    type Steps = S;
    type Moving = K;
    type Through<Outer: Holds<S::Op>> = Select<Through<Outer, S>>;

    const WANTS: Wants = Wants {
        lanes: order::lanes(Entry::Pushed, size_of::<K>(), K::SCALARS),
        ordered: true,
        in_parts: false,
        few: order::ONE_STRAND_OF_SELECTION,
        short: Short::OF_SELECTION,
        blocks: order::SELECTED_BLOCKS,
        any_order: true,
        spreads: true,
        light: false,
    };
    const TWO_STEPS: bool = S::PUSHES_TWO && size_of::<K>() > 1;
    const SEARCHED: bool = true;
    const POSITIONED: bool = false;

    #[inline(always)]
    fn begin(op: &S::Op) -> K {
        S::none(op).value
    }

    #[inline(always)]
    fn push(op: &S::Op, lane: K, x: Wide<S>, _position: u64) -> K {
        Self::choose(op, lane, Self::value(op, x)).0
    }

    #[inline(always)]
    fn push_two(op: &S::Op, lane: K, x: [Wide<S>; 2], _positions: [u64; 2]) -> K {
        S::next_two(op, Indexed { value: lane, index: 0 }, x, [1, 2]).value
    }

    #[inline(always)]
    fn join(op: &S::Op, a: K, b: K) -> K {
        Self::choose(op, a, b).0
    }

    #[inline(always)]
    fn end(lane: K, number: u64, is_empty: bool) -> Indexed<K> {
        Indexed { value: lane, index: if is_empty { NONE } else { number } }
    }

    #[inline(always)]
    fn moving<const L: usize>(lanes: &Lanes<Indexed<K>, L>) -> Lanes<K, L> {
        lanes.0
    }

    #[inline(always)]
    fn take(op: &S::Op, lane: Indexed<K>, x: Wide<S>, _position: u64, tag: u64) -> Indexed<K> {
        let x = Self::value(op, x);
        let (value, is_new) = Self::choose(op, lane.value, x);
        match lane.index {
            NONE => Indexed { value: x, index: tag },
            _ if is_new => Indexed { value, index: tag },
            _ => lane,
        }
    }

    #[inline(always)]
    fn of_lane(lane: Indexed<K>, spread: LaneSpread) -> Indexed<K> {
        let index = lane.index.wrapping_mul(spread.rows).wrapping_add(spread.first);
        Indexed { index, ..lane }
    }

    #[inline(always)]
    unsafe fn across<C: Code, const L: usize>(
        code: C,
        op: &S::Op,
        lanes: &mut Lanes<Indexed<K>, L>,
        fresh: bool,
        rows: &EvenRows,
        position: u64,
    ) {
        let none = S::none(op).value;
        // Asked here, so that which of two equal elements wins is known in each of the loops.
        if Self::choose(op, none, none).1 {
            // SAFETY: *steps*, which the caller keeps for these rows.
            unsafe { take_rows::<C, Self, L, true>(code, op, lanes, fresh, rows, position) };
        } else {
            // SAFETY: *steps*, which the caller keeps for these rows.
            unsafe { take_rows::<C, Self, L, false>(code, op, lanes, fresh, rows, position) };
        }
    }

    #[inline(always)]
    fn merge<C: Code, const L: usize>(
        _code: C,
        op: &S::Op,
        earlier: &mut Lanes<Indexed<K>, L>,
        newest: &Lanes<Indexed<K>, L>,
    ) {
        for part in parts::<L>(C::VECTORS) {
            if part.len() == PART {
                merge_some::<C, Self, L, PART>(op, earlier, newest, part.start);
                continue;
            }
            for lane in part {
                merge_some::<C, Self, L, 1>(op, earlier, newest, lane);
            }
        }
    }

    #[inline(always)]
    unsafe fn found<C: Code, const L: usize>(
        _code: C,
        op: &S::Op,
        best: K,
        moving: &Lanes<K, L>,
        lanes: Option<&Lanes<Indexed<K>, L>>,
        blocks: &mut dyn Blocks,
    ) -> Indexed<K> {
        let tags = lanes.map(|lanes| &lanes.1);
        // SAFETY: *elements*, which the caller keeps: the blocks are of this storage type.
        unsafe { find::<C, Self, L>(op, best, moving, tags, blocks) }
    }
}
