//! Selections across results: lanes take more rows, and are merged with others.

#![allow(unsafe_code, reason = "steps are read through pointers")]

use super::super::super::block::{EvenRows, by};
use super::super::Lanes;
use super::super::lanes::{each, fetch};
use super::{NONE, Selects};
use crate::machine::code::Code;
use crate::machine::{barrier, opaque};
use crate::values::element::accumulator::Accumulator;
use crate::values::reader::Indexed;
use crate::values::stored::Stored;

/// The position within a block of a value that was there before it.
const BEFORE: u32 = u32::MAX;

/// Lanes take more rows. `LAST` says which of two equal elements wins. Nothing reads it, but without it there would be
/// one function for both, with a loop that asks for each row.
///
/// # Safety
/// *steps*: all lanes of each row may be read.
#[inline(always)]
pub(super) unsafe fn take_rows<C: Code, F: Selects, const L: usize, const LAST: bool>(
    code: C,
    op: &F::Op,
    lanes: &mut Lanes<Indexed<F::Value>, L>,
    fresh: bool,
    rows: &EvenRows,
    mut position: u64,
) {
    let EvenRows { mut data, ways, mut count, ahead } = *rows;
    // This is asked once. If the compiler knew the answer, it would ask in each step.
    let fetches = ahead > 0 && opaque(1) > 0;
    let mut values = lanes.0;
    if fresh && count > 0 {
        // SAFETY: *steps*, which the caller keeps: there is a first row.
        let row = unsafe { F::Stored::read::<C, L>(code, &data) };
        data = by(&data, &ways);
        count -= 1;
        for lane in each::<L>(C::VECTORS) {
            let x = <F::Stored as Stored>::Wide::get(&row, lane);
            F::Value::set(&mut values, lane, F::value(op, x));
        }
        lanes.1 = [position; L];
        position += 1;
    }
    let mut found = [BEFORE; L];
    // No more than a block: 32 bits are plenty.
    for (step, _) in (0u32..).zip(0..count) {
        barrier();
        if fetches {
            fetch::<F::Stored, L>(&data, ahead);
        }
        // SAFETY: *steps*, which the caller keeps: this row is one of `count`.
        let row = unsafe { F::Stored::read::<C, L>(code, &data) };
        data = by(&data, &ways);
        // A copy: in place, some lanes alone would be stored, and all would be in memory.
        let before = values;
        for lane in each::<L>(C::VECTORS) {
            let x = F::value(op, <F::Stored as Stored>::Wide::get(&row, lane));
            let (_, is_new) = F::choose(op, F::Value::get(&before, lane), x);
            let value = if is_new { x } else { F::Value::get(&before, lane) };
            F::Value::set(&mut values, lane, value);
            found[lane] = if is_new { step } else { found[lane] };
        }
    }
    lanes.0 = values;
    let tags = lanes.1;
    for lane in each::<L>(C::VECTORS) {
        let new = position + u64::from(found[lane]);
        lanes.1[lane] = if found[lane] == BEFORE { tags[lane] } else { new };
    }
}

/// Adds the newest elements to earlier ones, of `P` lanes from the `first` on.
#[inline(always)]
pub(super) fn merge_some<C: Code, F: Selects, const L: usize, const P: usize>(
    op: &F::Op,
    earlier: &mut Lanes<Indexed<F::Value>, L>,
    newest: &Lanes<Indexed<F::Value>, L>,
    first: usize,
) {
    let (before, newest) = (some::<C, F, L, P>(earlier, first), some::<C, F, L, P>(newest, first));
    // Two loops, each over values of one width.
    let mut new = [0u32; P];
    for lane in each::<P>(C::VECTORS) {
        let [a, b] = [&before, &newest].map(|lanes| F::Value::get(&lanes.0, lane));
        let (value, is_new) = F::choose(op, a, b);
        F::Value::set(&mut earlier.0, first + lane, value);
        new[lane] = u32::from(is_new);
    }
    for lane in each::<P>(C::VECTORS) {
        let (before, tag) = (before.1[lane], newest.1[lane]);
        let is_new = ((new[lane] != 0) | (before == NONE)) & (tag != NONE);
        earlier.1[first + lane] = if is_new { tag } else { before };
    }
}

/// A copy of some lanes, which cannot overlap with others.
#[inline(always)]
fn some<C: Code, F: Selects, const L: usize, const P: usize>(
    lanes: &Lanes<Indexed<F::Value>, L>,
    first: usize,
) -> Lanes<Indexed<F::Value>, P> {
    let mut some = Indexed { value: F::Value::get(&lanes.0, first), index: NONE }.splat();
    for lane in each::<P>(C::VECTORS) {
        F::Value::set(&mut some.0, lane, F::Value::get(&lanes.0, first + lane));
    }
    for lane in each::<P>(C::VECTORS) {
        some.1[lane] = lanes.1[first + lane];
    }
    some
}
