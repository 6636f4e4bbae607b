//! The end of a pass: the states of a unit become its results.

use super::fold::{Fold, Spread};
use super::inputs::{Inputs, ResultBlocks};
use super::pass::{Job, PART, Place, Scratch};
use super::stored::Stored;
use crate::element::Slot;
use crate::level::Code;
use crate::simd::{barrier, opaque};

/// Strands that are combined with others at the same time: none waits for the one before it, and
/// many strands are no long sum.
const STRANDS: usize = 16;

impl<'a, F, Op, T, O, const L: usize> Job<'a, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// Writes the results of a unit; `place` is that of its first element.
    #[inline(always)]
    pub(super) fn finish<C: Code, const ACROSS: bool>(
        &self,
        code: C,
        scratch: &mut Scratch<'a, T>,
        place: Place<'a, T>,
        states: &[F::State],
        output: &mut [O],
    ) {
        let plan = self.plan;
        if ACROSS && plan.strands() == 1 {
            return self.finish_lanes::<C>(states, output);
        }
        for (part, results) in output.chunks_mut(PART).enumerate() {
            let mut accs = [F::none(self.op); PART];
            for (result, acc) in accs[..results.len()].iter_mut().enumerate() {
                barrier();
                let result = part * PART + result;
                if ACROSS {
                    *acc = self.side_by_side(states, result);
                    continue;
                }
                let inputs = self.inputs;
                let way = <T::Inputs<'a>>::times(inputs.lane_way(), result);
                let place = <T::Inputs<'a>>::behind(place, way);
                let shift = self.shift::<C>(place);
                let mut blocks = ResultBlocks { inputs, plan, scratch, place, shift };
                *acc = F::all_lanes(code, self.op, &states[result], &mut blocks);
            }
            for (result, &acc) in results.iter_mut().zip(&accs) {
                *result = self.store(acc);
            }
        }
    }

    /// Writes the results of groups of lanes, one per lane.
    #[inline(always)]
    pub(super) fn finish_lanes<C: Code>(&self, states: &[F::State], output: &mut [O]) {
        let result = |state, lane| self.store(F::one_lane(self.op, state, lane, Spread::NONE));
        // Within one group of lanes.
        let size = PART.min(L);
        for (part, results) in output.chunks_mut(size).enumerate() {
            // If the compiler knew that there is but one group, it would drop the mask, which tells
            // it that the lanes are in range.
            let first = (opaque(part) * size) & (L - 1);
            let state = &states[part * size / L];
            match results.first_chunk_mut::<PART>() {
                Some(results) if C::VECTORS && L >= PART => {
                    // Aside, where they cannot overlap with the lanes.
                    let mut all = [O::default(); PART];
                    for lane in 0..PART {
                        all[lane] = result(state, first + lane);
                    }
                    *results = all;
                }
                _ => {
                    for (lane, to) in results.iter_mut().enumerate() {
                        *to = result(state, first + lane);
                    }
                }
            }
        }
    }

    /// Writes the results of a group of lanes.
    #[inline(always)]
    pub(super) fn finish_group(&self, state: &F::State, results: &mut [O; L]) {
        // Aside, where they cannot overlap with the lanes.
        let mut all = [O::default(); L];
        for lane in 0..L {
            all[lane] = self.store(F::one_lane(self.op, state, lane, Spread::NONE));
        }
        *results = all;
    }

    /// The accumulator of a column whose rows, or runs, were folded side by side.
    #[inline(always)]
    fn side_by_side(&self, states: &[F::State], column: usize) -> F::Acc {
        let plan = self.plan;
        let strand = |first: usize| {
            let neighbours = plan.neighbours;
            // Of its row, and the neighbour in it; divisions are slow.
            let (row, neighbour) = match (plan.side_by_side, neighbours) {
                (1, _) => (0, first),
                (_, 1) => (first, 0),
                _ => (first / neighbours, first % neighbours),
            };
            let lane = row * plan.row().size + column * neighbours + neighbour;
            let spread = Spread::new(plan.strands(), first, plan.first);
            F::one_lane(self.op, &states[lane / L], lane % L, spread)
        };
        let count = plan.strands();
        let mut accs = [F::none(self.op); STRANDS];
        for first in 0..count {
            let (acc, new) = (&mut accs[first % STRANDS], strand(first));
            *acc = if first < STRANDS { new } else { F::combine(self.op, *acc, new) };
        }
        let mut half = STRANDS / 2;
        while half > 0 {
            for lower in 0..half.min(count.saturating_sub(half)) {
                accs[lower] = F::combine(self.op, accs[lower], accs[lower + half]);
            }
            half /= 2;
        }
        accs[0]
    }
}
