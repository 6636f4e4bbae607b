//! The fold of operators that select one element, such as "the position of the
//! largest": those whose accumulator is [`Indexed`].
//!
//! A selection compares values far more often than it changes its mind, so the
//! loops carry values and as little about positions as they can.
//!
//! *Along* a result, lanes carry values alone, and per block one number: the
//! block from which each lane's value came. At the end the value is known, and the
//! block; there the lanes that hold that value, mostly one, are searched for it.
//!
//! *Across* results, a lane's position is its step: 32 bits wide within a block,
//! so that it takes a register of the width of an `f32`, and 64 bits between
//! blocks.
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
use super::super::block::{Blocks, Steps};
use super::lanes::{PART, parts};
use super::{Fold, Folds, Lanes, Length, Short, Spread, suited};
use crate::machine::code::Code;
use crate::values::accumulator::Accumulator;
use crate::values::element::Store;
use crate::values::op::ReduceOp;
use crate::values::reader::{Indexed, Reader};
use crate::values::stored::Stored;

/// The tag of a lane that has seen no element.
const NONE: u64 = u64::MAX;

/// The fold of an operator whose accumulator is [`Indexed`].
#[derive(Debug)]
pub struct Selecting<R>(PhantomData<R>);

/// The same, of an operator and its types. Between blocks a lane holds the selected value, and a
/// tag that says where it was found: along a result the number of the block, across results the
/// number of the row.
#[derive(Debug)]
pub struct Select<R, Op, T, O>(PhantomData<fn(R, Op, T) -> O>);

impl<K, R, Op, T, O> Folds<Op, T, O> for Selecting<R>
where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>> + 'static,
    T: Stored,
    O: Store<Op::Output>,
{
    type Fold = Select<R, Op, T, O>;
}

/// What a selection by an operator compares, without positions.
trait Selects: Fold<Acc = Indexed<Self::Value>, Moving = Self::Value> {
    /// What is compared.
    type Value: Accumulator;

    /// What an element is compared by.
    fn value(op: &Self::Op, x: <Self::Stored as Stored>::Wide) -> Self::Value;

    /// Of two elements, `a` before `b`, the selected value, and whether it is `b`.
    fn choose(op: &Self::Op, a: Self::Value, b: Self::Value) -> (Self::Value, bool);

    /// Whether a value is as good as the best one: then the order of the two decides between them,
    /// for the `last` or for the first.
    #[inline(always)]
    fn ties(op: &Self::Op, best: Self::Value, value: Self::Value, last: bool) -> bool {
        let (a, b) = if last { (best, value) } else { (value, best) };
        Self::choose(op, a, b).1 == last
    }
}

impl<K, R, Op, T, O> Selects for Select<R, Op, T, O>
where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>> + 'static,
    T: Stored,
    O: Store<Op::Output>,
{
    type Value = K;

    #[inline(always)]
    fn value(op: &Op, x: T::Wide) -> K {
        op.map(R::read(x, 0)).value
    }

    #[inline(always)]
    fn choose(op: &Op, a: K, b: K) -> (K, bool) {
        let a = Indexed { value: a, index: 0 };
        let chosen = op.combine(a, Indexed { value: b, index: 1 });
        (chosen.value, chosen.index == 1)
    }
}

impl<K, R, Op, T, O> Fold for Select<R, Op, T, O>
where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>> + 'static,
    T: Stored,
    O: Store<Op::Output>,
{
    type Op = Op;
    type Stored = T;
    type Output = O;
    type Acc = Indexed<K>;
    type Moving = K;

    const SUITED: usize = suited::<K>();
    const ORDERED: bool = true;
    const FEW: usize = 32;
    // A few vectors at least: in less, the search for a place takes longer than all else.
    const SHORT: Short = Short {
        rows: Length { eighths: 8, more: 80, least: 0 },
        from_memory: Length { eighths: 10, more: 0, least: 80 },
    };
    // Values are only compared, so no sum grows long; more would be longer to search.
    const BLOCKS: usize = 4;
    const ANY_ORDER: bool = true;
    const SPREADS: bool = true;
    const LIGHT: bool = false;
    const TWO_STEPS: bool = Op::PUSHES_TWO && size_of::<K>() > 1;
    const SHIFTED: bool = K::SCALARS == 1;
    const SEARCHED: bool = true;

    #[inline(always)]
    fn none(op: &Op) -> Indexed<K> {
        op.identity()
    }

    #[inline(always)]
    fn first(op: &Op, x: T, position: u64) -> Indexed<K> {
        op.map(R::read(x.wide(), position))
    }

    #[inline(always)]
    fn next(op: &Op, acc: Indexed<K>, x: T, position: u64) -> Indexed<K> {
        op.combine(acc, Self::first(op, x, position))
    }

    #[inline(always)]
    fn combine(op: &Op, a: Indexed<K>, b: Indexed<K>) -> Indexed<K> {
        op.combine(a, b)
    }

    #[inline(always)]
    fn store(op: &Op, acc: Indexed<K>, count: usize) -> O {
        O::store(op.finalize(acc, count))
    }

    #[inline(always)]
    fn begin(op: &Op) -> K {
        op.identity().value
    }

    #[inline(always)]
    fn push(op: &Op, lane: K, x: T::Wide, _position: u64) -> K {
        Self::choose(op, lane, Self::value(op, x)).0
    }

    #[inline(always)]
    fn push_two(op: &Op, lane: K, [x, y]: [T::Wide; 2], _positions: [u64; 2]) -> K {
        let lane = Indexed { value: lane, index: 0 };
        op.push_two(lane, R::read(x, 1), R::read(y, 2)).value
    }

    #[inline(always)]
    fn join(op: &Op, a: K, b: K) -> K {
        Self::choose(op, a, b).0
    }

    #[inline(always)]
    fn end(lane: K, number: u64, is_empty: bool) -> Indexed<K> {
        Indexed { value: lane, index: if is_empty { NONE } else { number } }
    }

    #[inline(always)]
    fn moving<const L: usize>(lanes: &Lanes<Indexed<K>, L>, _shift: usize) -> Lanes<K, L> {
        lanes.0
    }

    #[inline(always)]
    fn identity(op: &Op) -> Indexed<K> {
        Indexed { value: op.identity().value, index: NONE }
    }

    #[inline(always)]
    fn take(op: &Op, lane: Indexed<K>, x: T, _position: u64, tag: u64) -> Indexed<K> {
        let x = Self::value(op, x.wide());
        let (value, is_new) = Self::choose(op, lane.value, x);
        match lane.index {
            NONE => Indexed { value: x, index: tag },
            _ if is_new => Indexed { value, index: tag },
            _ => lane,
        }
    }

    #[inline(always)]
    fn of_lane(lane: Indexed<K>, spread: Spread) -> Indexed<K> {
        let index = lane.index.wrapping_mul(spread.rows).wrapping_add(spread.first);
        Indexed { index, ..lane }
    }

    #[inline(always)]
    unsafe fn across<C: Code, const L: usize>(
        code: C,
        op: &Op,
        lanes: &mut Lanes<Indexed<K>, L>,
        fresh: bool,
        steps: &Steps,
        position: u64,
    ) {
        let none = op.identity().value;
        // Asked here, so that which of two equal elements wins is known in each of the loops.
        if Self::choose(op, none, none).1 {
            // SAFETY: the caller's.
            unsafe { take_rows::<C, Self, L, true>(code, op, lanes, fresh, steps, position) };
        } else {
            // SAFETY: the caller's.
            unsafe { take_rows::<C, Self, L, false>(code, op, lanes, fresh, steps, position) };
        }
    }

    #[inline(always)]
    fn merge<C: Code, const L: usize>(
        _code: C,
        op: &Op,
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
        op: &Op,
        best: K,
        moving: &Lanes<K, L>,
        lanes: Option<&Lanes<Indexed<K>, L>>,
        shift: usize,
        blocks: &mut dyn Blocks,
    ) -> Indexed<K> {
        let tags = lanes.map(|lanes| &lanes.1);
        // SAFETY: the caller's.
        unsafe { find::<C, Self, L>(op, best, moving, tags, shift, blocks) }
    }
}
