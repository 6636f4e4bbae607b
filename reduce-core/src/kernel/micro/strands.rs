//! Strands: results of which each has several lanes of a row of states, whose elements were read
//! side by side.

use super::super::fold::{Fold, Spread};
use super::State;
use crate::machine::barrier;
use crate::machine::code::Code;
use crate::values::accumulator::Accumulator;

/// Strands that are combined with others at the same time: none waits for the one before it, and
/// many strands are no long sum.
const SEQUENCES: usize = 16;

/// How the lanes of results lie in a row of states: `rows` rows one behind the other, each of
/// `row` lanes, of which `neighbours` belong to each result in turn.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Block`")]
pub struct Strands {
    pub(crate) rows: usize,
    pub(crate) row: usize,
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
    _code: C,
    op: *const (),
    states: *mut u8,
    strands: &Strands,
) {
    // SAFETY: the operator of the table.
    let op = unsafe { &*op.cast::<F::Op>() };
    let states = states.cast::<State<F, L>>();
    let Strands { rows, row, neighbours, results, position, count, out } = *strands;
    let all = rows * neighbours;
    for result in 0..results {
        let acc = |strand: usize| {
            // Divisions are slow.
            let (row_of, neighbour) = match (rows, neighbours) {
                (1, _) => (0, strand),
                (_, 1) => (strand, 0),
                _ => (strand / neighbours, strand % neighbours),
            };
            let lane = row_of * row + result * neighbours + neighbour;
            // SAFETY: one of the states of the row.
            let state = unsafe { &*states.wrapping_add(lane / L) };
            let lane = F::Acc::get(&state.0, lane % L);
            F::of_lane(lane, Spread::new(all, strand, position))
        };
        let mut accs = [F::none(op); SEQUENCES];
        for strand in 0..all {
            barrier();
            let (acc_of, new) = (&mut accs[strand % SEQUENCES], acc(strand));
            *acc_of = if strand < SEQUENCES { new } else { F::combine(op, *acc_of, new) };
        }
        let mut half = SEQUENCES / 2;
        while half > 0 {
            for lower in 0..half.min(all.saturating_sub(half)) {
                barrier();
                accs[lower] = F::combine(op, accs[lower], accs[lower + half]);
            }
            half /= 2;
        }
        // SAFETY: room for a result.
        unsafe { out.cast::<F::Output>().wrapping_add(result).write(F::store(op, accs[0], count)) };
    }
}
