//! Lanes along a block of the elements of a result.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use super::super::block::Block;
use super::lanes::{each, fetch, take, take_part, take_two};
use super::{Fold, Lanes};
use crate::machine::code::Code;
use crate::machine::{barrier, opaque};
use crate::values::accumulator::Accumulator;
use crate::values::stored::{Stored, behind};

/// The fewest lanes that are shifted: fewer are less than a vector.
pub(in super::super) const LEAST_SHIFTED: usize = 16;

/// Folds a block, step by step: an incomplete one, if there is one, then whole ones, maybe two at a
/// time, and another incomplete one.
///
/// # Safety
/// Its steps may be read.
#[inline(always)]
pub(super) unsafe fn along<C: Code, F: Fold, const L: usize>(
    code: C,
    op: &F::Op,
    block: &Block,
) -> Lanes<F::Acc, L> {
    let Block { first, first_lanes, mut data, steps, last, last_lanes, count, number, .. } = *block;
    let mut position = block.position;
    let mut lanes: Lanes<F::Moving, L> = F::begin(op).splat();
    if F::SHIFTED && first_lanes.1 > 0 {
        // SAFETY: the caller's.
        let values = unsafe { F::Stored::read::<C, L>(code, &first) };
        let taken = first_lanes.0..first_lanes.1;
        position += taken.len() as u64;
        take_part::<C, F, L>(op, &mut lanes, &values, block.position, taken);
    }
    // Asked once; the compiler, if it knew, would ask in each step.
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
        take_part::<C, F, L>(op, &mut lanes, &values, position, 0..last_lanes);
    }
    end::<C, F, L>(op, &lanes, (number, first_lanes.0, count))
}

/// What lanes hold after a block of so many elements, the first of which went to lane `shift`.
#[inline(always)]
fn end<C: Code, F: Fold, const L: usize>(
    op: &F::Op,
    lanes: &Lanes<F::Moving, L>,
    (number, shift, count): (u64, usize, usize),
) -> Lanes<F::Acc, L> {
    let mut after = F::identity(op).splat();
    for lane in each::<L>(C::VECTORS) {
        let is_empty = lane.wrapping_sub(shift) % L >= count;
        F::Acc::set(&mut after, lane, F::end(F::Moving::get(lanes, lane), number, is_empty));
    }
    after
}
