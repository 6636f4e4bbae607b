//! Lanes: many accumulators that take a step at once.
//!
//! ```text
//! for each step:  for each lane i:  lane[i] = push(lane[i], x[i])
//! ```
//!
//! The inner loop has a fixed length and no branch, so it becomes a few vector
//! instructions; the lanes stay in registers over all steps. For that, every index into the lanes has to be a constant.
//! So lanes are passed by value, and an incomplete step is taken as a whole one, from which some lanes are dropped.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use std::ops::Range;

use super::super::block::{Block, Data};
use super::{Fold, Lanes, empty};
use crate::machine::code::Code;
use crate::machine::{barrier, opaque, prefetch};
use crate::values::element::accumulator::Accumulator;
use crate::values::stored::{Stored, behind};

/// The elements of a step, one for each lane.
pub(super) type StepValues<F, const L: usize> = Lanes<<<F as Fold>::Stored as Stored>::Wide, L>;

/// Fetches the bytes of a step, `ahead` bytes ahead of the one at `data`.
#[inline(always)]
pub(in super::super) fn fetch<T: Stored, const L: usize>(data: &Data, ahead: usize) {
    for input in 0..T::DTYPES.len() {
        prefetch(data[input], ahead, L * T::SIZES[input]);
    }
}

/// Folds a block, step by step: whole ones, maybe two at a time, and an incomplete one, if there is one.
///
/// # Safety
/// *steps*: those of the block may be read.
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
            // SAFETY: *steps*, which the caller keeps: two or more whole ones are left.
            let x = unsafe { F::Stored::read::<C, L>(code, &data) };
            // SAFETY: *steps*, which the caller keeps: this is the second of two that are left.
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
        // SAFETY: *steps*, which the caller keeps: a whole one is left.
        let values = unsafe { F::Stored::read::<C, L>(code, &data) };
        take::<C, F, L>(op, &mut lanes, &values, position, 1);
        data = behind::<F::Stored>(&data, L);
        position += L as u64;
        left -= 1;
    }
    if last_lanes > 0 {
        // SAFETY: *steps*, which the caller keeps: the incomplete one may be read as a whole, too.
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

/// Takes a step. Its first element is at `position`, and each other one `way` behind the one before it.
#[inline(always)]
pub(super) fn take<C: Code, F: Fold, const L: usize>(
    op: &F::Op,
    lanes: &mut Lanes<F::Moving, L>,
    values: &StepValues<F, L>,
    position: u64,
    way: u64,
) {
    for lane in each::<L>(C::VECTORS) {
        let x = <F::Stored as Stored>::Wide::get(values, lane);
        let after = F::push(op, F::Moving::get(lanes, lane), x, position + lane as u64 * way);
        F::Moving::set(lanes, lane, after);
    }
}

/// Takes two steps along a result at once.
#[inline(always)]
pub(super) fn take_two<C: Code, F: Fold, const L: usize>(
    op: &F::Op,
    lanes: &mut Lanes<F::Moving, L>,
    values: [&StepValues<F, L>; 2],
    position: u64,
) {
    for lane in each::<L>(C::VECTORS) {
        let x = values.map(|values| <F::Stored as Stored>::Wide::get(values, lane));
        let positions = [lane, L + lane].map(|place| position + place as u64);
        let after = F::push_two(op, F::Moving::get(lanes, lane), x, positions);
        F::Moving::set(lanes, lane, after);
    }
}

/// Takes an incomplete step along a result: only the first `taken` lanes have an element.
#[inline(always)]
pub(super) fn take_part<C: Code, F: Fold, const L: usize>(
    op: &F::Op,
    lanes: &mut Lanes<F::Moving, L>,
    values: &StepValues<F, L>,
    position: u64,
    taken: usize,
) {
    // Into a copy: in place, some lanes alone would be stored, and all would be in memory.
    let lanes_before = *lanes;
    let mut lanes_after = lanes_before;
    for lane in each::<L>(C::VECTORS) {
        let x = <F::Stored as Stored>::Wide::get(values, lane);
        let before = F::Moving::get(&lanes_before, lane);
        let after = F::push(op, before, x, position + lane as u64);
        let kept = if is_below::<F::Moving, L>(lane, taken) { after } else { before };
        F::Moving::set(&mut lanes_after, lane, kept);
    }
    *lanes = lanes_after;
}

/// Whether a lane is one of the first `count`. If a lane holds a byte, numbers of lanes are compared as bytes, and
/// otherwise in 32 bits: so they are in as many registers as most lanes.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "not all of at most 256 lanes")]
fn is_below<Acc, const L: usize>(lane: usize, count: usize) -> bool {
    if size_of::<Acc>() == 1 {
        LaneNumbers::<L>::BYTES[lane] < count as u8
    } else {
        LaneNumbers::<L>::WORDS[lane] < count as u32
    }
}

/// The numbers of lanes.
struct LaneNumbers<const L: usize>;

#[allow(clippy::cast_possible_truncation, reason = "at most 256 lanes")]
impl<const L: usize> LaneNumbers<L> {
    const WORDS: [u32; L] = {
        let mut all = [0; L];
        let mut lane = 0;
        while lane < L {
            all[lane] = lane as u32;
            lane += 1;
        }
        all
    };

    const BYTES: [u8; L] = {
        let mut all = [0; L];
        let mut lane = 0;
        while lane < L {
            all[lane] = lane as u8;
            lane += 1;
        }
        all
    };
}

/// All lanes. In vectors, the compiler is to unroll the loop; otherwise it must not
/// know how often it runs.
#[inline(always)]
pub(in super::super) fn each<const L: usize>(vectors: bool) -> Each {
    Each { next: 0, end: L, vectors }
}

/// Lanes, one after the other.
pub(in super::super) struct Each {
    next: usize,
    end: usize,
    vectors: bool,
}

impl Iterator for Each {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if !self.vectors {
            barrier();
        }
        let lane = if self.vectors { self.next } else { opaque(self.next) };
        (lane < self.end).then(|| {
            self.next = lane + 1;
            lane
        })
    }
}

/// All lanes, a vector at a time: for loops over lanes in memory, which would be
/// unrolled to no use.
#[inline(always)]
pub(super) fn parts<const L: usize>(vectors: bool) -> impl Iterator<Item = Range<usize>> {
    let part = if vectors { L.min(PART) } else { 1 };
    let numbers = Each { next: 0, end: if vectors { opaque(L / part) } else { L }, vectors };
    // The mask changes nothing (both are powers of two) but tells the compiler that
    // lanes are in range: it does not vectorise loops that may panic.
    numbers.map(move |number| {
        let first = (number * part) & (L - 1);
        first..first + part
    })
}

/// About this many lanes are in a vector.
pub(super) const PART: usize = 16;

/// Joins the lanes of a result to one.
#[inline(always)]
pub(super) fn join_all<C: Code, F: Fold, const L: usize>(
    op: &F::Op,
    mut lanes: Lanes<F::Moving, L>,
) -> F::Moving {
    halve::<C, F, L>(op, &mut lanes, 1);
    F::Moving::get(&lanes, 0)
}

/// Joins the upper half of the lanes to the lower half, until `left` of them are left.
#[inline(always)]
pub(super) fn halve<C: Code, F: Fold, const L: usize>(
    op: &F::Op,
    lanes: &mut Lanes<F::Moving, L>,
    left: usize,
) {
    let mut width = L / 2;
    while width >= left {
        for lane in (Each { next: 0, end: width, vectors: C::VECTORS }) {
            let upper = F::Moving::get(lanes, lane + width);
            let both = F::join(op, F::Moving::get(lanes, lane), upper);
            F::Moving::set(lanes, lane, both);
        }
        width /= 2;
    }
}
