//! Blocks merged in a balanced binary tree.
//!
//! Blocks arrive one by one, in order. A stack holds the lanes of complete
//! subtrees, the largest at the bottom, as a binary counter holds its digits:
//! after `n` blocks there is one entry per set bit of `n`. A new block merges
//! with equal-sized neighbours at once, so a sum of `n` elements is at most
//! `STEPS + log2(n)` additions deep. The shape of the tree depends on the number
//! of blocks alone.

use smallvec::SmallVec;

use super::lanes::{Lanes, STEPS, combine_across, combine_lanes, fold_block};
use crate::element::Load;
use crate::op::ReduceOp;

/// The subtrees of one result so far; reused from result to result.
pub(super) struct Tree<'a, Op: ReduceOp<A>, A, const L: usize> {
    op: &'a Op,
    subtrees: SmallVec<[Lanes<Op, A, L>; 4]>,
    blocks: usize,
}

impl<'a, Op: ReduceOp<A>, A, const L: usize> Tree<'a, Op, A, L> {
    /// Elements of a full block.
    pub(super) const BLOCK: usize = L * STEPS;

    #[inline(always)]
    pub(super) fn new(op: &'a Op) -> Self {
        Tree { op, subtrees: SmallVec::new(), blocks: 0 }
    }

    /// The accumulator of a run of elements.
    #[inline(always)]
    pub(super) fn fold<T: Load<A>>(&mut self, run: &[T]) -> Op::Acc {
        for block in run.chunks(Self::BLOCK) {
            self.push(block);
        }
        self.finish()
    }

    /// Takes the next block. Every block but the last is full.
    #[inline(always)]
    pub(super) fn push<T: Load<A>>(&mut self, block: &[T]) {
        let mut lanes = fold_block::<Op, A, T, L>(self.op, block);
        self.blocks += 1;
        for _ in 0..self.blocks.trailing_zeros() {
            lanes = self.merge_onto_last(lanes);
        }
        self.subtrees.push(lanes);
    }

    /// The accumulator of all blocks; the tree is empty afterwards.
    #[inline(always)]
    pub(super) fn finish(&mut self) -> Op::Acc {
        self.blocks = 0;
        let Some(mut lanes) = self.subtrees.pop() else {
            return self.op.identity();
        };
        while !self.subtrees.is_empty() {
            lanes = self.merge_onto_last(lanes);
        }
        combine_across::<Op, A, L>(self.op, lanes)
    }

    /// The last subtree combined with the one after it.
    #[inline(always)]
    fn merge_onto_last(&mut self, lanes: Lanes<Op, A, L>) -> Lanes<Op, A, L> {
        let Some(mut earlier) = self.subtrees.pop() else {
            return lanes;
        };
        combine_lanes::<Op, A, L>(self.op, &mut earlier, &lanes);
        earlier
    }
}
