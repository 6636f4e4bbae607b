//! Strands: results of which each has several lanes of a row of states, whose elements were read
//! side by side.
//!
//! The strands of a result are halved until one is left: of so many, the strand `h` behind each is combined
//! into it, `h` being the largest power of two below their number. First whole rows of lanes
//! are, since they are vectors, and then the neighbours that a result has in the row that is left:
//!
//! ```text
//! rows:  r0 r1 r2 r3 r4        r0 += r4;  then r0 += r2, r1 += r3;  then r0 += r1
//! r0:    a0 a1 a2 | b0 b1 b2   a0 += a2;  then a0 += a1;  and so for b
//! ```

use super::super::fold::lanes::window;
use super::super::fold::last::{InLines, join_in_memory};
use super::super::fold::{Fold, Spread};
use super::State;
use crate::machine::barrier;
use crate::machine::code::Code;
use crate::values::accumulator::Accumulator;

/// How the lanes of results lie in a row of states: `rows` rows one behind the other, of whose lanes
/// so many `neighbours` belong to each result in turn.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Block`")]
pub struct Strands {
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
pub(crate) unsafe fn strands<C: Code, F: Fold, const L: usize>(
    code: C,
    op: *const (),
    states: *mut u8,
    strands: &Strands,
) {
    // SAFETY: the operator of the table.
    let op = unsafe { &*op.cast::<F::Op>() };
    let Strands { rows, neighbours, results, position, count, out } = *strands;
    let row = results * neighbours;
    let groups = (rows * row).div_ceil(L);
    // SAFETY: states of all lanes of the results.
    let states = unsafe { std::slice::from_raw_parts_mut(states.cast::<State<F, L>>(), groups) };
    let mut lanes = Row::<F, L> { op, states };
    if F::SEARCHED {
        // They know where their elements lie, and not which of two is the earlier.
        let mut lane = 0;
        for first in (0..rows).map(|row| row * neighbours) {
            for strand in (0..results).flat_map(|_| first..first + neighbours) {
                let spread = Spread::new(rows * neighbours, strand, position);
                lanes.set(lane, F::of_lane(lanes.get(lane), spread));
                lane += 1;
            }
        }
    }
    // One by one, few are combined sooner than in groups.
    let few = if F::LIGHT { FEW } else { FEW_HEAVY };
    let are_joined = C::VECTORS && !F::SEARCHED;
    halve(rows, |left, half| {
        let (apart, count) = (half * row, (left - half) * row);
        match are_joined && count > few {
            true => lanes.combine_groups(code, apart, count),
            false => lanes.combine(0, apart, count),
        }
    });
    let nothing: State<F, L> = InLines(F::identity(op).splat());
    let mut room = (are_joined && neighbours > few).then(|| [nothing; GROUPS]);
    for result in 0..results {
        let first = result * neighbours;
        let acc = match &mut room {
            Some(room) => lanes.joined(code, first, neighbours, room),
            None => {
                halve(neighbours, |left, half| lanes.combine(first, half, left - half));
                lanes.get(first)
            }
        };
        // SAFETY: room for a result.
        unsafe { out.cast::<F::Output>().wrapping_add(result).write(F::store(op, acc, count)) };
    }
}

/// Lanes that are combined one by one if they are no more, and if combining is much work.
const FEW: usize = 48;
const FEW_HEAVY: usize = 16;

/// The most groups of lanes that the neighbours of a result fill.
const GROUPS: usize = 16;

/// Halves a number until it is one: of how many each time, and how far those that are combined lie apart.
#[inline(always)]
fn halve(mut left: usize, mut halved: impl FnMut(usize, usize)) {
    while left > 1 {
        let half = left.next_power_of_two() / 2;
        halved(left, half);
        left = half;
    }
}

/// The lanes of a row of states.
struct Row<'a, F: Fold, const L: usize> {
    op: &'a F::Op,
    states: &'a mut [State<F, L>],
}

impl<F: Fold, const L: usize> Row<'_, F, L> {
    #[inline(always)]
    fn get(&self, lane: usize) -> F::Acc {
        F::Acc::get(&self.states[lane / L].0, lane % L)
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, value: F::Acc) {
        F::Acc::set(&mut self.states[lane / L].0, lane % L, value);
    }

    /// Combines so many lanes from one on with those `apart` behind them.
    #[inline(always)]
    fn combine(&mut self, first: usize, apart: usize, count: usize) {
        for lane in first..first + count {
            barrier();
            let both = F::combine(self.op, self.get(lane), self.get(lane + apart));
            self.set(lane, both);
        }
    }

    /// The same from the first lane on, a group of lanes at a time.
    #[inline(always)]
    fn combine_groups<C: Code>(&mut self, code: C, apart: usize, count: usize) {
        let last = self.states.len() - 1;
        for group in 0..count.div_ceil(L) {
            let (from, shift) = (group + apart / L, apart % L);
            let next = (from + 1).min(last);
            let upper = window::<F::Acc, L>(&self.states[from].0, &self.states[next].0, shift);
            let mut both = self.states[group].0;
            F::merge::<C, L>(code, self.op, &mut both, &upper);
            let some = L.min(count - group * L);
            // Lanes behind them are strands that wait.
            let state = &mut self.states[group].0;
            for lane in 0..some {
                F::Acc::set(state, lane, F::Acc::get(&both, lane));
            }
        }
    }

    /// So many lanes from one on, as one. Behind the last, nothing is combined with nothing.
    #[inline(always)]
    fn joined<C: Code>(
        &self,
        code: C,
        first: usize,
        count: usize,
        room: &mut [State<F, L>; GROUPS],
    ) -> F::Acc {
        let last = self.states.len() - 1;
        let groups = count.div_ceil(L).min(GROUPS);
        for (group, state) in room[..groups].iter_mut().enumerate() {
            let (from, shift) = (group + first / L, first % L);
            let next = (from + 1).min(last);
            state.0 = window::<F::Acc, L>(&self.states[from].0, &self.states[next].0, shift);
            for lane in (count - group * L).min(L)..L {
                F::Acc::set(&mut state.0, lane, F::identity(self.op));
            }
        }
        halve(groups, |left, half| {
            for group in 0..left - half {
                let (earlier, later) = room.split_at_mut(half);
                F::merge::<C, L>(code, self.op, &mut earlier[group].0, &later[group].0);
            }
        });
        let moving = F::moving::<L>(&room[0].0, 0);
        F::end(join_in_memory::<C, F, L>(self.op, &moving), 0, false)
    }
}
