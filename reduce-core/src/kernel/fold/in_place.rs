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
//! ([`lanes`]), so that all of them stay in the nearest cache; more than one of them, so that an element
//! need not wait until the count that the one before it changed is in memory. Blocks are long
//! ([`blocks`]): each begins with empty accumulators, and at its end all of them are merged.

#![allow(unsafe_code, reason = "steps are read through pointers")]

use super::super::block::{Block, Data, Steps, by};
use super::lanes::fetch;
use super::{LARGE, Lanes, suited};
use crate::machine::code::Code;
use crate::machine::{barrier, opaque};
use crate::values::accumulator::Accumulator;
use crate::values::op::ReduceOp;
use crate::values::reader::Reader;
use crate::values::stored::{Stored, behind};

/// Elements of which is asked at once whether they enter.
const GROUP: usize = 64;

/// Steps that are taken in one loop, which reads what the operator knows once.
const PUSHED: usize = 64;

/// Lanes of accumulators of which an element changes a part, if all of them are in the nearest cache.
const LANES: usize = 4;

/// Blocks of one lane that are folded as one.
const BLOCKS: usize = 4096;

/// The same where few elements enter: 2²⁰ elements. An accumulator that begins empty lets many in
/// before it asks for much, so each block costs some microseconds.
const RARE_BLOCKS: usize = 16384;

/// Whether an operator pushes in place.
pub(super) const fn is_in_place<X, Op: ReduceOp<X>>() -> bool {
    Op::IN_PLACE || Op::ENTERS
}

/// The number of lanes. One, if few elements enter: the more an accumulator has seen, the fewer do.
pub(super) const fn lanes<X, Op: ReduceOp<X>>() -> usize {
    match () {
        () if Op::ENTERS => 1,
        () if !Op::IN_PLACE => suited::<Op::Acc>(),
        () if size_of::<Op::Acc>() <= LARGE => LANES,
        () => 1,
    }
}

/// Blocks that are folded as one.
pub(super) const fn blocks<X, Op: ReduceOp<X>>() -> usize {
    match () {
        () if Op::ENTERS => RARE_BLOCKS / lanes::<X, Op>(),
        () if Op::IN_PLACE => BLOCKS / lanes::<X, Op>(),
        () => 1,
    }
}

/// Accumulators side by side, and what adds elements to them.
struct Side<'a, R: Reader<T::Wide>, T: Stored, Op: ReduceOp<R::Element>, const L: usize> {
    op: &'a Op,
    accs: [Op::Acc; L],
    types: std::marker::PhantomData<fn(R, T)>,
}

impl<'a, R: Reader<T::Wide>, T: Stored, Op: ReduceOp<R::Element>, const L: usize>
    Side<'a, R, T, Op, L>
{
    #[inline(always)]
    fn new(op: &'a Op) -> Self {
        Side { op, accs: [op.identity(); L], types: std::marker::PhantomData }
    }

    #[inline(always)]
    fn push(&mut self, lane: usize, x: T::Wide, position: u64) {
        self.op.push_into(&mut self.accs[lane], R::read(x, position));
    }

    /// Whole steps of so many elements in all. Each is read where it lies, not out of a vector: that would
    /// be written to memory for it.
    ///
    /// # Safety
    /// There are as many.
    #[inline(always)]
    unsafe fn steps(&mut self, data: &Data, count: usize, position: u64) {
        for from in (0..count).step_by(L) {
            for lane in 0..L {
                // SAFETY: one of them.
                let x = unsafe { T::at(data, from + lane) };
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
            let x = unsafe { T::at(data, number) };
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
        let values = unsafe { T::read::<C, GROUP>(code, data) };
        let mut any = false;
        for number in 0..GROUP {
            let x = R::read(T::Wide::get(&values, number), position + number as u64);
            any |= self.op.enters(&self.accs[lane(number)], x);
        }
        if !any {
            return;
        }
        for number in 0..GROUP {
            // SAFETY: one of the group.
            let x = unsafe { T::at(data, number) };
            let x = || R::read(x.wide(), position + number as u64);
            let acc = &mut self.accs[lane(number)];
            if self.op.enters(acc, x()) {
                self.op.push_into(acc, x());
            }
        }
    }
}

/// Folds a block.
///
/// # Safety
/// Its steps may be read.
#[inline(always)]
pub(super) unsafe fn along<C, R, T, Op, const L: usize>(
    code: C,
    op: &Op,
    block: &Block,
) -> Lanes<Op::Acc, L>
where
    C: Code,
    R: Reader<T::Wide>,
    T: Stored,
    Op: ReduceOp<R::Element>,
{
    let Block { mut data, steps, last, last_lanes, mut position, ahead, .. } = *block;
    let mut lanes = Side::<R, T, Op, L>::new(op);
    let group = if Op::ENTERS { GROUP } else { PUSHED * L };
    let (mut first, whole) = (0, steps * L);
    // Asked once; the compiler, if it knew, would ask for each group.
    let fetches = ahead > 0 && opaque(1) > 0;
    while whole - first >= group {
        barrier();
        if fetches {
            for part in (0..group).step_by(GROUP) {
                fetch::<T, GROUP>(&behind::<T>(&data, part), ahead);
            }
        }
        if Op::ENTERS {
            // SAFETY: elements of whole steps.
            unsafe { lanes.entering(code, &data, first, position) };
        } else {
            // SAFETY: as before.
            unsafe { lanes.steps(&data, group, position) };
        }
        data = behind::<T>(&data, group);
        (first, position) = (first + group, position + group as u64);
    }
    // From a whole step on, but that lanes may be more than a group.
    let left = whole - first;
    if L <= GROUP || !Op::ENTERS {
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
/// The steps may be read.
#[inline(always)]
pub(super) unsafe fn across<C, R, T, Op, const L: usize>(
    code: C,
    op: &Op,
    lanes: &mut Lanes<Op::Acc, L>,
    steps: &Steps,
    mut position: u64,
) where
    C: Code,
    R: Reader<T::Wide>,
    T: Stored,
    Op: ReduceOp<R::Element>,
{
    let Steps { mut data, ways, count, .. } = *steps;
    let mut whole = Side::<R, T, Op, L>::new(op);
    for lane in 0..L {
        whole.accs[lane] = Op::Acc::get(lanes, lane);
    }
    for _ in 0..count {
        barrier();
        // SAFETY: the caller's.
        let values = unsafe { T::read::<C, L>(code, &data) };
        for lane in 0..L {
            whole.push(lane, T::Wide::get(&values, lane), position);
        }
        position += 1;
        data = by(&data, &ways);
    }
    *lanes = apart(whole.accs);
}
