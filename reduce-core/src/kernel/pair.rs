//! Two blocks at once: a step of one, a step of the other.
//!
//! Accumulators of several scalars have few lanes, so few that on wide vectors each step waits
//! for the one before it. The steps of another block fill that time. Each block is folded as
//! alone. That is for what is in a cache: see [`Grid::is_near`](crate::plan::Grid::is_near).

use super::block::{Block, begin_block};
use super::fold::Fold;
use super::stored::Stored;
use crate::level::Code;
use crate::simd::barrier;

/// Whether folds of a type are better taken two at a time: the lanes of both have to leave
/// registers for what is computed.
pub(super) const fn are_pairs_worthwhile<F, Op, T, O, C: Code, const L: usize>() -> bool
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    F::PAIRED && 2 * size_of::<F::Moving>() <= C::REGISTERS / 2
}

/// Lanes along two blocks of as many elements.
#[inline(always)]
pub(super) fn fold_pair<C: Code, F, Op, T, O, const L: usize>(
    code: C,
    op: &Op,
    blocks: [Block<'_, T>; 2],
) -> [F::State; 2]
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    let [(mut a_lanes, a), (mut b_lanes, b)] =
        blocks.map(|block| begin_block::<C, F, Op, T, O, L>(code, op, block));
    let (mut a_position, mut b_position) = (a.position, b.position);
    let a_steps = T::steps(T::split_at(a.data, a.count).0, a.ahead);
    let b_steps = T::steps(T::split_at(b.data, a.count).0, b.ahead);
    for (a_values, b_values) in a_steps.zip(b_steps) {
        barrier();
        let a_values = T::widen::<C, L>(code, a_values);
        F::step(code, op, &mut a_lanes, &a_values, a_position);
        let b_values = T::widen::<C, L>(code, b_values);
        F::step(code, op, &mut b_lanes, &b_values, b_position);
        a_position += L as u64;
        b_position += L as u64;
    }
    let rest = a.count % L;
    if rest > 0 {
        let first = a.count - rest;
        let values = T::rest::<C, L>(code, T::split_at(a.data, first).1, a.ahead);
        F::part(code, op, &mut a_lanes, &values, a_position, 0..rest);
        let values = T::rest::<C, L>(code, T::split_at(b.data, first).1, b.ahead);
        F::part(code, op, &mut b_lanes, &values, b_position, 0..rest);
    }
    [F::end(a_lanes, blocks[0]), F::end(b_lanes, blocks[1])]
}
