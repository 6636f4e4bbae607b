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
mod state;
mod values;

use std::marker::PhantomData;
use std::ops::Range;

use self::across::{merge_some, take_rows};
use self::search::{find_in_blocks, find_in_row};
use self::state::{NONE, State};
use self::values::Values;
use super::abreast::{self, InLines, KEPT, LAST, ROWS};
use super::block::LEAST_SHIFTED;
use super::fold::{Fold, Spread};
use super::lanes;
use super::lanes::{
    Lanes, PART, Positions, Steps, combine_across, parts, take_part, take_step, take_two_steps,
};
use super::micro::{self, Blocks, Elements};
use super::reader::{Indexed, Reader};
use super::stored::Stored;
use super::together::extreme;
use crate::accumulator::Accumulator;
use crate::element::Store;
use crate::level::{Code, Simple};
use crate::op::ReduceOp;

/// The fold of an operator whose accumulator is [`Indexed`].
#[derive(Debug)]
pub struct Selecting<R>(PhantomData<R>);

/// Rows of which the value is not known yet: their last lanes, and all of them, one of which
/// is to be searched.
#[allow(unreachable_pub, missing_debug_implementations, reason = "as `Fold`")]
pub struct Kept<K: Accumulator, const L: usize> {
    last: InLines<Lanes<K, KEPT>>,
    rows: [InLines<Lanes<K, L>>; ROWS],
}

impl<K: Accumulator, const L: usize> Clone for Kept<K, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Accumulator, const L: usize> Copy for Kept<K, L> {}

impl<R, Op, T, O, K, const L: usize> Fold<Op, T, O, L> for Selecting<R>
where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    T: Stored,
    O: Store<Op::Output>,
{
    type State = State<K, L>;
    type Moving = Lanes<K, L>;
    type Acc = Indexed<K>;
    type Last = Kept<K, L>;

    const ORDERED: bool = true;
    const SUITED: usize = lanes::<K>();
    const FEW: usize = 32;
    // A few vectors at least: in less, the search for a place takes longer than all else.
    const SHORT_ROWS: usize = extreme(&[7 * L / 4, L + 80], true);
    const SHORT_ROWS_FROM_MEMORY: usize = extreme(&[5 * L / 4, 80], true);
    const SHORT_RUNS: usize = 3 * L;
    // Values are only compared, so no sum grows long; more would be longer to search.
    const BLOCKS: usize = 4;
    const STRAND: Option<usize> = Some(1);
    const ABREAST: bool = L >= LAST;
    const SEARCHED: bool = true;
    const TWO_STEPS: bool = Op::PUSHES_TWO && size_of::<K>() > 1;
    const SHIFTED: bool = K::SCALARS == 1 && L >= LEAST_SHIFTED;

    #[inline(always)]
    fn none(op: &Op) -> Indexed<K> {
        op.identity()
    }

    #[inline(always)]
    fn first(op: &Op, x: T, position: u64) -> Indexed<K> {
        op.map(R::read(x.wide(), position))
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
    fn identity(op: &Op) -> Self::State {
        State { values: op.identity().value.splat(), tags: [NONE; L] }
    }

    #[inline(always)]
    fn begin(op: &Op) -> Self::Moving {
        op.identity().value.splat()
    }

    #[inline(always)]
    fn step<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        values: &Lanes<T::Wide, L>,
        _position: u64,
    ) {
        let steps = Values::<R, Op, C>::new(code, op);
        take_step::<_, T, L>(steps, moving, values, Positions::along(0));
    }

    #[inline(always)]
    fn two_steps<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        values: [&Lanes<T::Wide, L>; 2],
        _position: u64,
    ) {
        let steps = Values::<R, Op, C>::new(code, op);
        take_two_steps::<_, T, L>(steps, moving, values, 0);
    }

    #[inline(always)]
    fn part<C: Code>(
        code: C,
        op: &Op,
        moving: &mut Self::Moving,
        values: &Lanes<T::Wide, L>,
        _position: u64,
        taken: Range<usize>,
    ) {
        let steps = Values::<R, Op, C>::new(code, op);
        take_part::<_, T, L>(steps, moving, values, Positions::along(0), taken);
    }

    #[inline(always)]
    fn end(values: Self::Moving, number: u64, shift: usize, count: usize) -> Self::State {
        let mut tags = [NONE; L];
        for (lane, tag) in tags.iter_mut().enumerate() {
            *tag = if lane.wrapping_sub(shift) % L < count { number } else { NONE };
        }
        State { values, tags }
    }

    #[inline(always)]
    unsafe fn rows<C: Code>(
        code: C,
        op: &Op,
        state: &mut Self::State,
        fresh: bool,
        steps: &micro::Steps,
        position: u64,
    ) {
        let none = op.identity().value;
        // Asked here, so that which of two equal elements wins is known in each of the loops.
        if Values::<R, Op, C>::new(code, op).choose::<T, K>(none, none).1 {
            // SAFETY: the caller's.
            unsafe {
                take_rows::<R, Op, T, K, C, L, true>(code, op, state, fresh, steps, position);
            }
        } else {
            // SAFETY: the caller's.
            unsafe {
                take_rows::<R, Op, T, K, C, L, false>(code, op, state, fresh, steps, position);
            }
        }
    }

    #[inline(always)]
    fn element(op: &Op, state: &mut Self::State, lane: usize, x: T, _position: u64, tag: u64) {
        let op = Values::<R, Op, Simple>::new(Simple, op);
        let x = Steps::<T>::read(op, x.wide(), 0);
        let (value, is_new) = op.choose::<T, K>(K::get(&state.values, lane), x);
        let is_first = state.tags[lane] == NONE;
        if is_first | is_new {
            state.set(lane, Indexed { value: if is_first { x } else { value }, index: tag });
        }
    }

    #[inline(always)]
    fn merge<C: Code>(code: C, op: &Op, earlier: &mut Self::State, newest: &Self::State) {
        for part in parts::<L>(C::VECTORS) {
            if part.len() == PART {
                merge_some::<R, Op, T, K, C, L, PART>(code, op, earlier, newest, part.start);
                continue;
            }
            for lane in part {
                merge_some::<R, Op, T, K, C, L, 1>(code, op, earlier, newest, lane);
            }
        }
    }

    #[inline(always)]
    unsafe fn all_lanes<C: Code>(
        code: C,
        op: &Op,
        state: &Self::State,
        shift: usize,
        blocks: &mut dyn Blocks,
    ) -> Indexed<K> {
        let values = Values::<R, Op, C>::new(code, op);
        let best = abreast::combine_in_memory::<_, T, L>(values, &state.values);
        // SAFETY: the caller's.
        unsafe { find_in_blocks::<R, Op, T, K, C, L>(values, best, state, shift, blocks) }
    }

    #[inline(always)]
    fn no_last(op: &Op) -> Self::Last {
        let value = op.identity().value;
        Kept { last: InLines(value.splat()), rows: [InLines(value.splat()); ROWS] }
    }

    #[inline(always)]
    fn keep_last<C: Code>(
        code: C,
        op: &Op,
        last: &mut Self::Last,
        row: usize,
        state: &Self::State,
    ) {
        let values = Values::<R, Op, C>::new(code, op);
        let Kept { last, rows } = last;
        rows[row % ROWS] = InLines(state.values);
        abreast::keep::<K>(&mut last.0, row, abreast::last_lanes::<_, T, L>(values, state.values));
    }

    #[inline(always)]
    fn one_row<C: Code>(code: C, op: &Op, last: &Self::Last, row: usize) -> Indexed<K> {
        let values = Values::<R, Op, C>::new(code, op);
        let value = combine_across::<_, T, LAST>(values, abreast::kept::<K>(&last.last.0, row));
        Indexed { value, index: 0 }
    }

    #[inline(always)]
    fn all_rows<C: Code>(code: C, op: &Op, last: &Self::Last, turned: &mut Self::Last) {
        let values = Values::<R, Op, C>::new(code, op);
        abreast::combine_all::<_, T>(values, &last.last.0, &mut turned.last.0);
    }

    #[inline(always)]
    fn of_row(_op: &Op, turned: &Self::Last, row: usize) -> Indexed<K> {
        Indexed { value: K::get(&turned.last.0, row), index: 0 }
    }

    #[inline(always)]
    unsafe fn searched<C: Code>(
        code: C,
        op: &Op,
        Indexed { value, .. }: Indexed<K>,
        last: &Self::Last,
        row: usize,
        elements: &Elements,
    ) -> Indexed<K> {
        let values = Values::<R, Op, C>::new(code, op);
        let lanes = &last.rows[row % ROWS].0;
        // SAFETY: the caller's.
        unsafe { find_in_row::<R, Op, T, K, C, L>(values, value, lanes, elements) }
    }

    #[inline(always)]
    fn one_lane(_op: &Op, state: &Self::State, lane: usize, spread: Spread) -> Indexed<K> {
        let Indexed { value, index } = state.get(lane);
        Indexed { value, index: index.wrapping_mul(spread.rows).wrapping_add(spread.first) }
    }
}
