//! Lanes of an operator that is not commutative: each takes a part of a block, and parts follow one another.
//!
//! A block has up to [`STEPS`] elements for each lane. Lane 0 takes the first [`STEPS`], lane 1 those behind them, and so
//! on; the last lane that has any may have fewer. So that lanes can read a step at once, elements are first *dealt*: the
//! `i`th of each part come to lie side by side. In the end neighbours are joined, in their order, until one lane is
//! left. That is the tree of parts of [`STEPS`] elements, whatever the number of lanes: results have the bits that one
//! lane would give, which folds part after part.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use std::mem::MaybeUninit;

use super::super::block::{Block, Data, INPUTS};
use super::lanes::{take, take_part};
use super::last::InLines;
use super::{Fold, Lanes};
use crate::facts::order::STEPS;
use crate::machine::barrier;
use crate::machine::code::Code;
use crate::values::element::accumulator::Accumulator;
use crate::values::stored::{Stored, behind};

/// Steps that are dealt at once.
const DEALT: usize = 16;

/// Up to one part in this many lanes, parts are folded one after another: a step of many lanes takes as long as that of
/// one lane would of some.
const SHARE: usize = 3;

/// Steps of elements of any size.
type DealtSteps<const L: usize> = InLines<[[u64; L]; DEALT]>;

/// Folds a block; lane 0 holds all of it in the end, and the others nothing.
///
/// # Safety
/// *elements*: the `count` of the block lie one behind the other in each input.
#[inline(always)]
pub(super) unsafe fn along<C: Code, F: Fold, const L: usize>(
    code: C,
    op: &F::Op,
    block: &Block,
) -> Lanes<F::Moving, L> {
    let parts = block.count.div_ceil(STEPS);
    let mut lanes = if parts * SHARE <= L || !C::VECTORS {
        // SAFETY: *elements*, which the caller keeps for this block.
        InLines(unsafe { one_by_one::<F, L>(op, block) })
    } else {
        // SAFETY: *elements*, which the caller keeps for this block.
        InLines(unsafe { dealt::<C, F, L>(code, op, block) })
    };
    let mut left = parts;
    while left > 1 {
        let half = left.div_ceil(2);
        for lane in 0..half {
            barrier();
            let first = F::Moving::get(&lanes.0, 2 * lane);
            let joined = match 2 * lane + 1 < left {
                true => F::join(op, first, F::Moving::get(&lanes.0, 2 * lane + 1)),
                false => first,
            };
            F::Moving::set(&mut lanes.0, lane, joined);
        }
        left = half;
    }
    let mut all = F::begin(op).splat();
    F::Moving::set(&mut all, 0, F::Moving::get(&lanes.0, 0));
    all
}

/// Folds part after part.
///
/// # Safety
/// As for [`along`].
#[inline(always)]
unsafe fn one_by_one<F: Fold, const L: usize>(op: &F::Op, block: &Block) -> Lanes<F::Moving, L> {
    let mut lanes: Lanes<F::Moving, L> = F::begin(op).splat();
    for lane in 0..block.count.div_ceil(STEPS) {
        let mut part = F::begin(op);
        for place in lane * STEPS..block.count.min((lane + 1) * STEPS) {
            barrier();
            // SAFETY: *elements*, which the caller keeps: `place` is less than `count`.
            let x = unsafe { F::Stored::at(&block.data, place) };
            part = F::push(op, part, x.wide(), 0);
        }
        F::Moving::set(&mut lanes, lane, part);
    }
    lanes
}

/// Folds all parts side by side.
///
/// # Safety
/// As for [`along`].
#[inline(always)]
unsafe fn dealt<C: Code, F: Fold, const L: usize>(
    code: C,
    op: &F::Op,
    block: &Block,
) -> Lanes<F::Moving, L> {
    let mut lanes: Lanes<F::Moving, L> = F::begin(op).splat();
    let mut rooms = [const { MaybeUninit::<DealtSteps<L>>::uninit() }; INPUTS];
    let (whole, rest) = (block.count / STEPS, block.count % STEPS);
    for first in (0..STEPS).step_by(DEALT) {
        let mut data: Data = [std::ptr::null(); INPUTS];
        for input in 0..F::Stored::DTYPES.len() {
            let room = rooms[input].as_mut_ptr().cast::<u8>();
            data[input] = room;
            let parts = DealtParts { data: block.data[input], first, count: block.count, lanes: L };
            // SAFETY: *elements*, which the caller keeps for each input; and *room* for sixteen steps of eight bytes a
            // lane.
            unsafe { parts.deal(F::Stored::SIZES[input], room) };
        }
        for step in first..first + DEALT {
            barrier();
            // SAFETY: *steps*: `deal` just wrote `DEALT` steps of each input, zeros where there is no element.
            let values = unsafe { F::Stored::read::<C, L>(code, &data) };
            if whole == L {
                take::<C, F, L>(op, &mut lanes, &values, 0, 0);
            } else {
                let taken = whole + usize::from(step < rest);
                take_part::<C, F, L>(op, &mut lanes, &values, 0, taken);
            }
            data = behind::<F::Stored>(&data, L);
        }
    }
    lanes
}

/// The parts of a block of `count` elements, of which steps from the `first` on are dealt.
struct DealtParts {
    data: *const u8,
    first: usize,
    count: usize,
    lanes: usize,
}

impl DealtParts {
    /// Deals elements of a size; where a part has none, there is a zero.
    ///
    /// # Safety
    /// *elements*: there are `count` of this size. *room*: [`DEALT`] steps of as many lanes fit.
    unsafe fn deal(&self, size: usize, room: *mut u8) {
        let deal = match size {
            1 => Self::deal_as::<u8>,
            2 => Self::deal_as::<u16>,
            4 => Self::deal_as::<u32>,
            _ => Self::deal_as::<u64>,
        };
        // SAFETY: *elements* and *room*, which the caller keeps; and *bytes*, since elements are read as numbers of
        // their size.
        unsafe { deal(self, room) };
    }

    /// Deals elements as numbers.
    ///
    /// # Safety
    /// As for [`DealtParts::deal`], for elements as large as `T`.
    #[inline(never)]
    unsafe fn deal_as<T: Copy + Default>(&self, room: *mut u8) {
        let (data, room) = (self.data.cast::<T>(), room.cast::<T>());
        for lane in 0..self.lanes {
            let place = lane * STEPS + self.first;
            let some = self.count.saturating_sub(place).min(DEALT);
            for step in 0..DEALT {
                let x = match step < some {
                    // SAFETY: *elements*, which the caller keeps: `place + step` is less than `count`.
                    true => unsafe { data.wrapping_add(place + step).read() },
                    false => T::default(),
                };
                // SAFETY: *room*, which the caller keeps: this is a lane of one of `DEALT` steps.
                unsafe { room.wrapping_add(step * self.lanes + lane).write(x) };
            }
        }
    }
}

/// Whether a fold in this many lanes folds parts.
pub(in super::super) const fn folds_parts<F: Fold, const L: usize>() -> bool {
    F::WANTS.in_parts && L > 1
}

/// The accumulator of a result whose parts are all in lane 0.
#[inline(always)]
pub(in super::super) fn first<F: Fold, const L: usize>(lanes: &Lanes<F::Moving, L>) -> F::Moving {
    F::Moving::get(lanes, 0)
}
