//! Lanes of operators that push in place: accumulators in memory, each as a whole.
//!
//! An element changes a small part of a large accumulator, and computes which: a count of a histogram, a place among
//! the largest eight. A register cannot be found by a computed number. Lanes as arrays of fields would not help, since
//! each lane changes another field. So while a block is folded, each lane is an accumulator as its operator knows it,
//! and elements are added where it lies:
//!
//! ```text
//! for each group of elements:
//!     for each i for which enters(lane[i mod L], x[i]):  push_into(lane[i mod L], x[i])
//! ```
//!
//! Where most elements change nothing, a group takes a few vector instructions and one branch. Lanes are few
//! ([`order::lanes`](crate::facts::order::lanes)), so that all of them stay in the nearest cache. Where several fit, an
//! element need not wait until the count that the one before it changed is in memory. Blocks are long
//! ([`order::blocks`](crate::facts::order::blocks)): each begins with empty accumulators, and at its end all of them
//! are merged.

#![allow(unsafe_code, reason = "steps are read through pointers")]

use super::super::block::{Block, Data, EvenRows, by};
use super::Lanes;
use super::lanes::fetch;
use crate::machine::code::Code;
use crate::machine::{barrier, opaque};
use crate::values::element::accumulator::Accumulator;
use crate::values::steps::{Steps, Wide};
use crate::values::stored::{Stored, behind};

/// Up to this many elements are asked at once whether they enter.
const GROUP: usize = 64;

/// This many steps are taken in one loop, which reads the operator's parameters once.
const PUSHED: usize = 64;

/// Accumulators side by side, and the operator that adds elements to them.
struct SideBySide<'a, S: Steps, const L: usize> {
    op: &'a S::Op,
    accs: [S::Acc; L],
}

impl<'a, S: Steps, const L: usize> SideBySide<'a, S, L> {
    #[inline(always)]
    fn new(op: &'a S::Op) -> Self {
        SideBySide { op, accs: [S::none(op); L] }
    }

    #[inline(always)]
    fn push(&mut self, lane: usize, x: Wide<S>, position: u64) {
        S::next_into(self.op, &mut self.accs[lane], x, position);
    }

    /// Takes whole steps of `count` elements in all. Each element is read where it lies, since a vector would have to
    /// be written to memory to take it out.
    ///
    /// # Safety
    /// *elements*: there are `count`, a multiple of `L`.
    #[inline(always)]
    unsafe fn steps(&mut self, data: &Data, count: usize, position: u64) {
        for from in (0..count).step_by(L) {
            for lane in 0..L {
                // SAFETY: *elements*, which the caller keeps: `count` is a multiple of `L`, and this is one of so many.
                let x = unsafe { S::Stored::at(data, from + lane) };
                self.push(lane, x.wide(), position + (from + lane) as u64);
            }
        }
    }

    /// Takes `count` elements. The first of them is element `first` of its block.
    ///
    /// # Safety
    /// *elements*: there are `count`.
    #[inline(always)]
    unsafe fn some(&mut self, data: &Data, count: usize, first: usize, position: u64) {
        for number in 0..count {
            barrier();
            // SAFETY: *elements*, which the caller keeps: `number` is less than `count`.
            let x = unsafe { S::Stored::at(data, number) };
            self.push((first + number) % L, x.wide(), position + number as u64);
        }
    }

    /// Takes the elements of a group that enter. The group begins with element `first` of its block. All are asked at
    /// once. If any enters, all are asked again, one after the other, since one of them may keep out the next. They are
    /// then read where they lie, for the reason above.
    ///
    /// # Safety
    /// *elements*: there are [`GROUP`].
    #[inline(always)]
    unsafe fn entering<C: Code>(&mut self, code: C, data: &Data, first: usize, position: u64) {
        // A group begins with lane 0, unless it has fewer elements than there are lanes.
        let lane = |number: usize| if L <= GROUP { number % L } else { (first + number) % L };
        // SAFETY: *elements*, which the caller keeps: there is a whole group.
        let values = unsafe { S::Stored::read::<C, GROUP>(code, data) };
        let mut any = false;
        for number in 0..GROUP {
            let x = Wide::<S>::get(&values, number);
            any |= S::enters(self.op, &self.accs[lane(number)], x, position + number as u64);
        }
        if !any {
            return;
        }
        for number in 0..GROUP {
            // SAFETY: *elements*, which the caller keeps: `number` is less than `GROUP`.
            let x = unsafe { S::Stored::at(data, number) };
            let (x, position) = (x.wide(), position + number as u64);
            let acc = &mut self.accs[lane(number)];
            if S::enters(self.op, acc, x, position) {
                S::next_into(self.op, acc, x, position);
            }
        }
    }
}

/// Folds a block.
///
/// # Safety
/// *steps*: those of the block may be read.
#[inline(always)]
pub(super) unsafe fn along<C: Code, S: Steps, const L: usize>(
    code: C,
    op: &S::Op,
    block: &Block,
) -> Lanes<S::Acc, L> {
    let Block { mut data, steps, last, last_lanes, mut position, ahead, .. } = *block;
    let mut lanes = SideBySide::<S, L>::new(op);
    let group = if S::ENTERS { GROUP } else { PUSHED * L };
    let (mut first, whole) = (0, steps * L);
    // This is asked once. If the compiler knew the answer, it would ask for each group.
    let fetches = ahead > 0 && opaque(1) > 0;
    while whole - first >= group {
        barrier();
        if fetches {
            for part in (0..group).step_by(GROUP) {
                fetch::<S::Stored, GROUP>(&behind::<S::Stored>(&data, part), ahead);
            }
        }
        if S::ENTERS {
            // SAFETY: *elements*, which the caller keeps: a group is left of the whole steps of the block.
            unsafe { lanes.entering(code, &data, first, position) };
        } else {
            // SAFETY: *elements*, which the caller keeps: `group` are left of the whole steps, and are whole steps
            // themselves.
            unsafe { lanes.steps(&data, group, position) };
        }
        data = behind::<S::Stored>(&data, group);
        (first, position) = (first + group, position + group as u64);
    }
    // The rest begins with a whole step, unless a group has fewer elements than there are lanes.
    let left = whole - first;
    if L <= GROUP || !S::ENTERS {
        // SAFETY: *elements*, which the caller keeps: `left` are those of the last whole steps.
        unsafe { lanes.steps(&data, left, position) };
    } else {
        // SAFETY: *elements*, which the caller keeps: `left` are those of the last whole steps.
        unsafe { lanes.some(&data, left, first, position) };
    }
    // SAFETY: *elements*, which the caller keeps: the last step has one for each of `last_lanes` lanes.
    unsafe { lanes.some(&last, last_lanes, 0, position + left as u64) };
    apart(lanes.accs)
}

/// Accumulators as arrays of their fields.
#[inline(always)]
fn apart<A: Accumulator, const L: usize>(accs: [A; L]) -> Lanes<A, L> {
    let mut lanes = accs[0].splat();
    for lane in 1..L {
        A::set(&mut lanes, lane, accs[lane]);
    }
    lanes
}

/// Lanes across results take more rows, the first at `position`.
///
/// # Safety
/// *steps*: all lanes of each row may be read.
#[inline(always)]
pub(super) unsafe fn across<C: Code, S: Steps, const L: usize>(
    code: C,
    op: &S::Op,
    lanes: &mut Lanes<S::Acc, L>,
    rows: &EvenRows,
    mut position: u64,
) {
    let EvenRows { mut data, ways, count, .. } = *rows;
    let mut whole = SideBySide::<S, L>::new(op);
    for lane in 0..L {
        whole.accs[lane] = S::Acc::get(lanes, lane);
    }
    for _ in 0..count {
        barrier();
        // SAFETY: *steps*, which the caller keeps: this row is one of `count`.
        let values = unsafe { S::Stored::read::<C, L>(code, &data) };
        for lane in 0..L {
            whole.push(lane, Wide::<S>::get(&values, lane), position);
        }
        position += 1;
        data = by(&data, &ways);
    }
    *lanes = apart(whole.accs);
}
