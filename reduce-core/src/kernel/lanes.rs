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
use crate::kernel::reader::Reader;
use crate::op::ReduceOp;

/// Steps of a block: how many elements a lane combines one after another. Short
/// enough that the error of a float sum is that of a tree, long enough that
/// merging blocks costs next to nothing.
pub(super) const STEPS: usize = 32;

/// The lanes of an operator's accumulators.
pub(super) type Lanes<Op, X, const L: usize> = <<Op as ReduceOp<X>>::Acc as Accumulator>::Lanes<L>;

/// Folds a block of elements, the first of which stands at `position`.
#[inline(always)]
pub(super) fn fold_block<R, Op, T, const L: usize>(
    op: &Op,
    block: &[T],
    position: u64,
) -> Lanes<Op, R::Element, L>
where
    R: Reader<T>,
    Op: ReduceOp<R::Element>,
    T: Copy,
{
    let mut lanes = op.identity().splat::<L>();
    let (steps, rest) = block.as_chunks::<L>();
    let mut next = position;
    for step in steps {
        for lane in 0..L {
            take(op, &mut lanes, lane, R::read(step[lane], next + lane as u64));
        }
        next += L as u64;
    }
    for (lane, &x) in rest.iter().enumerate() {
        take(op, &mut lanes, lane, R::read(x, next + lane as u64));
    }
    lanes
}

/// Combines one element into one lane.
#[inline(always)]
fn take<Op, X, const L: usize>(op: &Op, lanes: &mut Lanes<Op, X, L>, lane: usize, x: X)
where
    Op: ReduceOp<X>,
{
    let acc = op.combine(Accumulator::get(lanes, lane), op.map(x));
    Accumulator::set(lanes, lane, acc);
}

/// Combines the lanes of two sets of elements, `a` before `b`, lane by lane.
#[inline(always)]
pub(super) fn combine_lanes<Op, X, const L: usize>(
    op: &Op,
    a: &mut Lanes<Op, X, L>,
    b: &Lanes<Op, X, L>,
) where
    Op: ReduceOp<X>,
{
    for lane in 0..L {
        let acc = op.combine(Accumulator::get(a, lane), Accumulator::get(b, lane));
        Accumulator::set(a, lane, acc);
    }
}

/// Combines the lanes into one accumulator: the upper half into the lower half,
/// until one lane is left.
#[inline(always)]
pub(super) fn combine_across<Op, X, const L: usize>(op: &Op, mut lanes: Lanes<Op, X, L>) -> Op::Acc
where
    Op: ReduceOp<X>,
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
