//! Selections across results: lanes take more rows, and are merged with others.

#![allow(unsafe_code, reason = "steps are read through pointers")]

use super::super::lanes::{Steps, each, fetch};
use super::super::micro;
use super::super::reader::{Indexed, Reader};
use super::super::stored::Stored;
use super::state::{NONE, State};
use super::values::Values;
use crate::accumulator::Accumulator;
use crate::level::Code;
use crate::op::ReduceOp;
use crate::simd::{barrier, opaque};

/// The position within a block of a value that was there before it.
const BEFORE: u32 = u32::MAX;

/// Lanes take more rows. `LAST` says which of two equal elements wins. Nothing asks for it, but
/// without it the functions for either would be one, with a loop that asks for each row.
///
/// # Safety
/// The rows may be read.
#[inline(always)]
pub(super) unsafe fn take_rows<R, Op, T, K, C: Code, const L: usize, const LAST: bool>(
    code: C,
    op: &Op,
    state: &mut State<K, L>,
    fresh: bool,
    rows: &micro::Steps,
    mut position: u64,
) where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    T: Stored,
{
    let micro::Steps { mut data, ways, mut count, ahead } = *rows;
    // Asked once; the compiler, if it knew, would ask in each step.
    let fetches = ahead > 0 && opaque(1) > 0;
    let op = Values::<R, Op, C>::new(code, op);
    let mut values = state.values;
    if fresh && count > 0 {
        // SAFETY: the first row.
        let row = unsafe { T::read::<C, L>(code, &data) };
        data = micro::by(&data, &ways);
        count -= 1;
        for lane in each::<L>(C::VECTORS) {
            K::set(&mut values, lane, Steps::<T>::read(op, T::Wide::get(&row, lane), 0));
        }
        state.tags = [position; L];
        position += 1;
    }
    let mut found = [BEFORE; L];
    // No more than a block: 32 bits are plenty.
    for (step, _) in (0u32..).zip(0..count) {
        barrier();
        if fetches {
            fetch::<T, L>(&data, ahead);
        }
        // SAFETY: one of the rows.
        let row = unsafe { T::read::<C, L>(code, &data) };
        data = micro::by(&data, &ways);
        // A copy: in place, these would be stores of some lanes, which would be in memory.
        let before = values;
        for lane in each::<L>(C::VECTORS) {
            let x = Steps::<T>::read(op, T::Wide::get(&row, lane), 0);
            let (_, is_new) = op.choose::<T, K>(K::get(&before, lane), x);
            K::set(&mut values, lane, if is_new { x } else { K::get(&before, lane) });
            found[lane] = if is_new { step } else { found[lane] };
        }
    }
    state.values = values;
    let tags = state.tags;
    for lane in each::<L>(C::VECTORS) {
        let new = position + u64::from(found[lane]);
        state.tags[lane] = if found[lane] == BEFORE { tags[lane] } else { new };
    }
}

/// Adds the newest elements to earlier ones, of `P` lanes from the `first` on.
#[inline(always)]
pub(super) fn merge_some<R, Op, T, K, C: Code, const L: usize, const P: usize>(
    code: C,
    op: &Op,
    earlier: &mut State<K, L>,
    newest: &State<K, L>,
    first: usize,
) where
    K: Accumulator,
    R: Reader<T::Wide>,
    Op: ReduceOp<R::Element, Acc = Indexed<K>>,
    T: Stored,
{
    let (before, newest) = (earlier.some::<C, P>(first), newest.some::<C, P>(first));
    let op = Values::<R, Op, C>::new(code, op);
    let mut after = before;
    // Two loops, each over values of one width.
    let mut new = [0u32; P];
    for lane in each::<P>(C::VECTORS) {
        let [a, b] = [&before, &newest].map(|state| K::get(&state.values, lane));
        let (value, is_new) = op.choose::<T, K>(a, b);
        K::set(&mut after.values, lane, value);
        new[lane] = u32::from(is_new);
    }
    for lane in each::<P>(C::VECTORS) {
        let (before, tag) = (before.tags[lane], newest.tags[lane]);
        let is_new = ((new[lane] != 0) | (before == NONE)) & (tag != NONE);
        after.tags[lane] = if is_new { tag } else { before };
    }
    earlier.replace::<C, P>(first, &after);
}
