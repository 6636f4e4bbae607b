//! One block: up to `L × STEPS` elements folded into `L` lanes.
//!
//! Element `i` goes to lane `i mod L`. All lanes take a step at once:
//!
//! ```text
//! for each step:  for each lane i:  lane[i] = combine(lane[i], map(x[step*L + i]))
//! ```
//!
//! The inner loop has a fixed length and no branch, so it becomes a few vector
//! instructions; the lanes stay in registers over all steps of the block. The
//! last, incomplete step uses the first lanes only.

use crate::accumulator::Accumulator;
use crate::element::Load;
use crate::op::ReduceOp;

/// Steps of a block: how many elements a lane combines one after another. Short
/// enough that the error of a float sum is that of a tree, long enough that
/// merging blocks costs next to nothing.
pub(super) const STEPS: usize = 32;

/// The lanes of an operator's accumulators.
pub(super) type Lanes<Op, A, const L: usize> = <<Op as ReduceOp<A>>::Acc as Accumulator>::Lanes<L>;

/// Folds a block of elements.
#[inline(always)]
pub(super) fn fold_block<Op, A, T, const L: usize>(op: &Op, block: &[T]) -> Lanes<Op, A, L>
where
    Op: ReduceOp<A>,
    T: Load<A>,
{
    let mut lanes = op.identity().splat::<L>();
    let (steps, rest) = block.as_chunks::<L>();
    for step in steps {
        for lane in 0..L {
            take::<Op, A, T, L>(op, &mut lanes, lane, step[lane]);
        }
    }
    for (lane, &x) in rest.iter().enumerate() {
        take::<Op, A, T, L>(op, &mut lanes, lane, x);
    }
    lanes
}

/// Combines one element into one lane.
#[inline(always)]
fn take<Op, A, T, const L: usize>(op: &Op, lanes: &mut Lanes<Op, A, L>, lane: usize, x: T)
where
    Op: ReduceOp<A>,
    T: Load<A>,
{
    let acc = op.combine(Accumulator::get(lanes, lane), op.map(x.load()));
    Accumulator::set(lanes, lane, acc);
}

/// Combines the lanes of two sets of elements, `a` before `b`, lane by lane.
#[inline(always)]
pub(super) fn combine_lanes<Op, A, const L: usize>(
    op: &Op,
    a: &mut Lanes<Op, A, L>,
    b: &Lanes<Op, A, L>,
) where
    Op: ReduceOp<A>,
{
    for lane in 0..L {
        let acc = op.combine(Accumulator::get(a, lane), Accumulator::get(b, lane));
        Accumulator::set(a, lane, acc);
    }
}

/// Combines the lanes into one accumulator: the upper half into the lower half,
/// until one lane is left.
#[inline(always)]
pub(super) fn combine_across<Op, A, const L: usize>(op: &Op, mut lanes: Lanes<Op, A, L>) -> Op::Acc
where
    Op: ReduceOp<A>,
{
    let mut width = L / 2;
    while width > 0 {
        for lane in 0..width {
            let upper = Op::Acc::get(&lanes, lane + width);
            let acc = op.combine(Op::Acc::get(&lanes, lane), upper);
            Op::Acc::set(&mut lanes, lane, acc);
        }
        width /= 2;
    }
    Accumulator::get(&lanes, 0)
}
