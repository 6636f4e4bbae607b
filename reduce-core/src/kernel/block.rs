//! Blocks: elements of a result that lanes fold before they are merged with others.
//!
//! Element `i` of a block goes to lane `i mod L`, whatever its address. A vector that is loaded
//! across two lines of the cache takes two accesses, and so most vectors do where a buffer begins
//! between two lines, as most allocations do. So lanes can be *shifted*: if the first element lies
//! `n` elements behind the beginning of a line, it goes to lane `n`, and each other to the lane
//! `n` further than its own. Vectors then begin with lines. Which elements a lane combines, and in
//! which order, is as before; what was lane `i` is lane `i + n`, until the result's last block is
//! merged and its lanes are put back; or until a selection is searched, which knows how far they are
//! shifted.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use super::fold::{Fold, STEPS};
use super::lanes::{Steps, fetch};
use super::micro::Block;
use super::stored::{Stored, behind};
use crate::level::Code;
use crate::simd::{barrier, opaque};

/// The fewest lanes that are shifted: fewer are less than a vector.
pub(super) const LEAST_SHIFTED: usize = 16;

/// Folds a block, step by step.
///
/// # Safety
/// Its steps may be read.
#[inline(always)]
pub(super) unsafe fn take_block<C: Code, F, Op, T, O, const L: usize>(
    code: C,
    op: &Op,
    block: &Block,
) -> F::State
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    let Block { first, first_lanes, mut data, steps, last, last_lanes, count, number, .. } = *block;
    let mut position = block.position;
    let mut moving = F::begin(op);
    if F::SHIFTED && first_lanes.1 > 0 {
        // SAFETY: the caller's.
        let values = unsafe { T::read::<C, L>(code, &first) };
        let taken = first_lanes.0..first_lanes.1;
        position += taken.len() as u64;
        F::part(code, op, &mut moving, &values, block.position, taken);
    }
    // Asked once; the compiler, if it knew, would ask in each step.
    let fetches = block.ahead > 0 && opaque(1) > 0;
    let mut left = steps;
    if F::TWO_STEPS {
        while left >= 2 {
            barrier();
            let second = behind::<T>(&data, L);
            if fetches {
                fetch::<T, L>(&data, block.ahead);
                fetch::<T, L>(&second, block.ahead);
            }
            // SAFETY: a whole step.
            let x = unsafe { T::read::<C, L>(code, &data) };
            // SAFETY: the next one.
            let y = unsafe { T::read::<C, L>(code, &second) };
            data = behind::<T>(&second, L);
            F::two_steps(code, op, &mut moving, [&x, &y], position);
            position += 2 * L as u64;
            left -= 2;
        }
    }
    while left > 0 {
        barrier();
        if fetches {
            fetch::<T, L>(&data, block.ahead);
        }
        // SAFETY: a whole step.
        let values = unsafe { T::read::<C, L>(code, &data) };
        F::step(code, op, &mut moving, &values, position);
        data = behind::<T>(&data, L);
        position += L as u64;
        left -= 1;
    }
    if last_lanes > 0 {
        // SAFETY: a step that may be read as a whole.
        let values = unsafe { T::read::<C, L>(code, &last) };
        F::part(code, op, &mut moving, &values, position, 0..last_lanes);
    }
    F::end(moving, number, first_lanes.0, count)
}

/// Strands of a whole block whose elements are taken in order.
const STRANDS: usize = 4;

/// Folds a whole block in order: as strands of neighbours, none of which waits for the
/// others, each from `none` on, which are then combined.
///
/// # Safety
/// The block may be read.
#[inline(always)]
pub(super) unsafe fn take_strands<S, T>(steps: S, none: S::Acc, block: &Block) -> S::Acc
where
    S: Steps<T>,
    T: Stored,
{
    const SIZE: usize = STEPS / STRANDS;
    let mut accs = [none; STRANDS];
    for step in 0..SIZE {
        barrier();
        for strand in 0..STRANDS {
            let place = strand * SIZE + step;
            // SAFETY: one of the block's elements.
            let x = unsafe { T::at(&block.data, place) };
            accs[strand] = steps.push(accs[strand], x.wide(), block.position + place as u64);
        }
    }
    let [a, b, c, d] = accs;
    steps.combine(steps.combine(a, b), steps.combine(c, d))
}
