//! Strands: each result has several lanes of a row of states, and their elements were read side by side.
//!
//! The strands of a result are halved until one is left. Each time `h` is the largest power of two below their number,
//! and the strand `h` behind another one is combined into it. First whole rows of lanes are halved, and then the
//! neighbours that a result has in the row that is left:
//!
//! ```text
//! rows:  r0 r1 r2 r3 r4        r0 += r4;  then r0 += r2, r1 += r3;  then r0 += r1
//! r0:    a0 a1 a2 | b0 b1 b2   a0 += a2;  then a0 += a1;  and so for b
//! ```
//!
//! Here they are combined one by one, which is best for a few. If there are many, a driver makes groups of lanes of
//! them by [`copy`], and merges these.

use super::super::ending::Ending;
use super::super::fold::last::InLines;
use super::super::fold::{Fold, LaneSpread, Lanes};
use super::LaneState;
use super::doubt::{operator, put};
use crate::machine::barrier;
use crate::machine::code::Code;
use crate::values::element::accumulator::Accumulator;
use crate::values::steps::Steps;

/// The lanes of results in a row of states. There are `rows` rows of lanes one behind the other. In each of them,
/// `neighbours` lanes belong to each result in turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StrandLanes {
    pub(crate) rows: usize,
    pub(crate) neighbours: usize,
    pub(crate) results: usize,
    /// The position of the first element.
    pub(crate) position: u64,
    pub(crate) count: usize,
    pub(crate) out: *mut u8,
}

/// Combines the lanes of each result, and stores it.
///
/// # Safety
/// The contract of microkernels.
#[inline(always)]
pub(crate) unsafe fn strands<C: Code, F: Fold, E: Ending<F::Steps>, const L: usize>(
    _code: C,
    given: *const (),
    states: *mut u8,
    strands: &StrandLanes,
) {
    // SAFETY: *operator*, which the driver keeps: it is that of this table.
    let op = unsafe { operator::<F, E>(given) };
    let StrandLanes { rows, neighbours, results, position, count, out } = *strands;
    let row = results * neighbours;
    let groups = (rows * row).div_ceil(L);
    // SAFETY: *states*, which the driver keeps: those of all lanes of the results were written, and are nobody else's.
    let states =
        unsafe { std::slice::from_raw_parts_mut(states.cast::<LaneState<F, L>>(), groups) };
    let mut lanes = StateRow::<F, L> { op, states };
    let out = out.cast::<E::Output>();
    if F::SEARCHED {
        // Lanes know where their elements lie, but not which of two comes first.
        let mut lane = 0;
        for first in (0..rows).map(|row| row * neighbours) {
            for strand in (0..results).flat_map(|_| first..first + neighbours) {
                let spread = LaneSpread::new(rows * neighbours, strand, position);
                lanes.set(lane, F::of_lane(lanes.get(lane), spread));
                lane += 1;
            }
        }
    }
    for (left, half) in halves(rows) {
        lanes.combine(0, half * row, (left - half) * row);
    }
    for result in 0..results {
        let first = result * neighbours;
        for (left, half) in halves(neighbours) {
            lanes.combine(first, half, left - half);
        }
        // SAFETY: *operator* and *places*, which the driver keeps: there is one for each result.
        unsafe { put::<F, E>(given, out.wrapping_add(result), lanes.get(first), count) };
    }
}

/// Halves a number until it is one. For each halving there is the number before it, and the distance between those that
/// are combined.
#[inline(always)]
pub(crate) fn halves(mut left: usize) -> impl Iterator<Item = (usize, usize)> {
    std::iter::from_fn(move || {
        (left > 1).then(|| {
            let half = left.next_power_of_two() / 2;
            (std::mem::replace(&mut left, half), half)
        })
    })
}

/// The lanes of a row of states.
struct StateRow<'a, F: Fold, const L: usize> {
    op: &'a F::Op,
    states: &'a mut [LaneState<F, L>],
}

impl<F: Fold, const L: usize> StateRow<'_, F, L> {
    #[inline(always)]
    fn get(&self, lane: usize) -> F::Acc {
        F::Acc::get(&self.states[lane / L].0, lane % L)
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, value: F::Acc) {
        F::Acc::set(&mut self.states[lane / L].0, lane % L, value);
    }

    /// Combines `count` lanes from `first` on with those `apart` behind them.
    #[inline(always)]
    fn combine(&mut self, first: usize, apart: usize, count: usize) {
        for lane in first..first + count {
            barrier();
            let both = F::Steps::combine(self.op, self.get(lane), self.get(lane + apart));
            self.set(lane, both);
        }
    }
}

/// Copies `count` lanes of a row of states, from lane `first` on, into the first lanes of a state.
///
/// # Safety
/// *states*, of any operator of such accumulators: those that the lanes lie in were written, and so was the one at
/// `to`, which is none of them.
#[inline(never)]
pub(crate) unsafe fn copy<A: Accumulator, const L: usize>(
    states: *const u8,
    first: usize,
    to: *mut u8,
    count: usize,
) {
    let states = states.cast::<InLines<Lanes<A, L>>>().wrapping_add(first / L);
    // SAFETY: *states*, which the driver keeps: this one was written, and is none of the row.
    let to = unsafe { &mut (*to.cast::<InLines<Lanes<A, L>>>()).0 };
    let first = first % L;
    // There are two loops, and each copies neighbours.
    let near = count.min(L - first);
    // SAFETY: *states*, which the driver keeps: the one of lane `first` was written.
    let state = unsafe { &(*states).0 };
    for lane in 0..near {
        A::set(to, lane, A::get(state, first + lane));
    }
    if near < count.min(L) {
        // SAFETY: *states*, which the driver keeps: lanes beyond the first state lie in the next, which was written.
        let state = unsafe { &(*states.wrapping_add(1)).0 };
        for lane in 0..count.min(L) - near {
            A::set(to, near + lane, A::get(state, lane));
        }
    }
}
