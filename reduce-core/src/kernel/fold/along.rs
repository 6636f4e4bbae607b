//! Lanes along a block of the elements of a result.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use super::super::block::Block;
use super::lanes::{each, fetch, take, take_part, take_two};
use super::{Fold, Lanes, empty};
use crate::machine::code::Code;
use crate::machine::{barrier, opaque};
use crate::values::element::accumulator::Accumulator;
use crate::values::stored::{Stored, behind};

/// Folds a block, step by step: whole ones, maybe two at a time, and an incomplete one, if there is one.
///
/// # Safety
/// Its steps may be read.
#[inline(always)]
pub(super) unsafe fn along<C: Code, F: Fold, const L: usize>(
    code: C,
    op: &F::Op,
    block: &Block,
) -> Lanes<F::Acc, L> {
    let Block { mut data, steps, last, last_lanes, count, number, .. } = *block;
    let mut position = block.position;
    let mut lanes: Lanes<F::Moving, L> = F::begin(op).splat();
    // This is asked once. If the compiler knew the answer, it would ask in each step.
    let fetches = block.ahead > 0 && opaque(1) > 0;
    let mut left = steps;
    if F::TWO_STEPS {
        while left >= 2 {
            barrier();
            let second = behind::<F::Stored>(&data, L);
            if fetches {
                fetch::<F::Stored, L>(&data, block.ahead);
                fetch::<F::Stored, L>(&second, block.ahead);
            }
            // SAFETY: a whole step.
            let x = unsafe { F::Stored::read::<C, L>(code, &data) };
            // SAFETY: the next one.
            let y = unsafe { F::Stored::read::<C, L>(code, &second) };
            data = behind::<F::Stored>(&second, L);
            take_two::<C, F, L>(op, &mut lanes, [&x, &y], position);
            position += 2 * L as u64;
            left -= 2;
        }
    }
    while left > 0 {
        barrier();
        if fetches {
            fetch::<F::Stored, L>(&data, block.ahead);
        }
        // SAFETY: a whole step.
        let values = unsafe { F::Stored::read::<C, L>(code, &data) };
        take::<C, F, L>(op, &mut lanes, &values, position, 1);
        data = behind::<F::Stored>(&data, L);
        position += L as u64;
        left -= 1;
    }
    if last_lanes > 0 {
        // SAFETY: a step that may be read as a whole.
        let values = unsafe { F::Stored::read::<C, L>(code, &last) };
        take_part::<C, F, L>(op, &mut lanes, &values, position, last_lanes);
    }
    end::<C, F, L>(op, &lanes, number, count)
}

/// What lanes hold after a block of `count` elements.
#[inline(always)]
fn end<C: Code, F: Fold, const L: usize>(
    op: &F::Op,
    lanes: &Lanes<F::Moving, L>,
    number: u64,
    count: usize,
) -> Lanes<F::Acc, L> {
    let mut after = empty::<F>(op).splat();
    for lane in each::<L>(C::VECTORS) {
        let is_empty = lane >= count;
        F::Acc::set(&mut after, lane, F::end(F::Moving::get(lanes, lane), number, is_empty));
    }
    after
}
