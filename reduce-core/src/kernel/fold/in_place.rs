//! Lanes of operators that push in place: accumulators in memory, each as a whole.
//!
//! What an element changes of a large accumulator is a small part, which is found by a number that is
//! computed: a count of a histogram, a place among the largest eight. No register can be found so. Lanes
//! as arrays of fields would be of no use either, since no two of them change the same field. So while a
//! block is folded, each lane is an accumulator as its operator knows it, and elements are added where it
//! lies:
//!
//! ```text
//! for each group of elements:
//!     for each i for which enters(lane[i mod L], x[i]):  push_into(lane[i mod L], x[i])
//! ```
//!
//! Where most elements change nothing, a group is a few vector instructions and one branch. Lanes are few
//! ([`order::lanes`](crate::facts::order::lanes)), so that all of them stay in the nearest cache; more than one of them, so that an element
//! need not wait until the count that the one before it changed is in memory. Blocks are long
//! ([`order::blocks`](crate::facts::order::blocks)): each begins with empty accumulators, and at its end all of them are merged.

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

/// Steps that are taken in one loop, which reads what the operator knows once.
const PUSHED: usize = 64;

/// Accumulators side by side, and what adds elements to them.
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

    /// Takes whole steps of `count` elements in all. Each is read where it lies, not out of a vector: that would
    /// be written to memory for it.
    ///
    /// # Safety
    /// There are as many.
    #[inline(always)]
    unsafe fn steps(&mut self, data: &Data, count: usize, position: u64) {
        for from in (0..count).step_by(L) {
            for lane in 0..L {
                // SAFETY: one of them.
                let x = unsafe { S::Stored::at(data, from + lane) };
                self.push(lane, x.wide(), position + (from + lane) as u64);
            }
        }
    }

    /// Some elements, the first of them the `first` of a block.
    ///
    /// # Safety
    /// There are as many.
    #[inline(always)]
    unsafe fn some(&mut self, data: &Data, count: usize, first: usize, position: u64) {
        for number in 0..count {
            barrier();
            // SAFETY: one of them.
            let x = unsafe { S::Stored::at(data, number) };
            self.push((first + number) % L, x.wide(), position + number as u64);
        }
    }

    /// Those of a group that enter, the first of the group being the `first` of a block. All are asked at
    /// once. If any enters, all are asked again, one after the other: those before it may keep it out.
    /// These are read where they lie, for the reason above.
    ///
    /// # Safety
    /// There is a group.
    #[inline(always)]
    unsafe fn entering<C: Code>(&mut self, code: C, data: &Data, first: usize, position: u64) {
        // A group begins with lane 0, unless lanes are more.
        let lane = |number: usize| if L <= GROUP { number % L } else { (first + number) % L };
        // SAFETY: the caller's.
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
            // SAFETY: one of the group.
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
/// Its steps may be read.
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
    // Asked once; the compiler, if it knew, would ask for each group.
    let fetches = ahead > 0 && opaque(1) > 0;
    while whole - first >= group {
        barrier();
        if fetches {
            for part in (0..group).step_by(GROUP) {
                fetch::<S::Stored, GROUP>(&behind::<S::Stored>(&data, part), ahead);
            }
        }
        if S::ENTERS {
            // SAFETY: elements of whole steps.
            unsafe { lanes.entering(code, &data, first, position) };
        } else {
            // SAFETY: as before.
            unsafe { lanes.steps(&data, group, position) };
        }
        data = behind::<S::Stored>(&data, group);
        (first, position) = (first + group, position + group as u64);
    }
    // From a whole step on, but that lanes may be more than a group.
    let left = whole - first;
    if L <= GROUP || !S::ENTERS {
        // SAFETY: the last whole steps.
        unsafe { lanes.steps(&data, left, position) };
    } else {
        // SAFETY: as before.
        unsafe { lanes.some(&data, left, first, position) };
    }
    // SAFETY: a step of which so many lanes have an element.
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
/// The rows may be read.
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
        // SAFETY: the caller's.
        let values = unsafe { S::Stored::read::<C, L>(code, &data) };
        for lane in 0..L {
            whole.push(lane, Wide::<S>::get(&values, lane), position);
        }
        position += 1;
        data = by(&data, &ways);
    }
    *lanes = apart(whole.accs);
}
