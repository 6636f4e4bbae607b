//! Blocks merged in a balanced binary tree.
//!
//! Blocks arrive one by one, in order. A stack holds the lanes of complete
//! subtrees, the largest at the bottom, as a binary counter holds its digits:
//! after `n` blocks there is one entry per set bit of `n`. A new block merges
//! with equal-sized neighbours at once, so a sum of `n` elements is at most
//! `STEPS + log2(n)` additions deep. The shape of the tree depends on the number
//! of blocks alone.

use std::marker::PhantomData;

use smallvec::SmallVec;

use super::lanes::{Lanes, STEPS, combine_across, combine_lanes, fold_block};
use crate::kernel::reader::Reader;
use crate::op::ReduceOp;

/// The subtrees of one result so far; reused from result to result.
pub(super) struct Tree<'a, R, Op, T, const L: usize>
where
    R: Reader<T>,
    Op: ReduceOp<R::Element>,
{
    op: &'a Op,
    subtrees: SmallVec<[Lanes<Op, R::Element, L>; 4]>,
    blocks: usize,
    /// The position of the next element.
    position: u64,
    reader: PhantomData<(R, T)>,
}

impl<'a, R, Op, T, const L: usize> Tree<'a, R, Op, T, L>
where
    R: Reader<T>,
    Op: ReduceOp<R::Element>,
    T: Copy,
{
    /// Elements of a full block.
    pub(super) const BLOCK: usize = L * STEPS;

    #[inline(always)]
    pub(super) fn new(op: &'a Op) -> Self {
        Tree { op, subtrees: SmallVec::new(), blocks: 0, position: 0, reader: PhantomData }
    }

    /// The accumulator of a run of elements.
    #[inline(always)]
    pub(super) fn fold(&mut self, run: &[T]) -> Op::Acc {
        for block in run.chunks(Self::BLOCK) {
            self.push(block);
        }
        self.finish()
    }

    /// Takes the next block. Every block but the last is full.
    #[inline(always)]
    pub(super) fn push(&mut self, block: &[T]) {
        let mut lanes = fold_block::<R, Op, T, L>(self.op, block, self.position);
        self.position += block.len() as u64;
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
        self.position = 0;
        let Some(mut lanes) = self.subtrees.pop() else {
            return self.op.identity();
        };
        while !self.subtrees.is_empty() {
            lanes = self.merge_onto_last(lanes);
        }
        combine_across::<Op, R::Element, L>(self.op, lanes)
    }

    /// The last subtree combined with the one after it.
    #[inline(always)]
    fn merge_onto_last(&mut self, lanes: Lanes<Op, R::Element, L>) -> Lanes<Op, R::Element, L> {
        let Some(mut earlier) = self.subtrees.pop() else {
            return lanes;
        };
        combine_lanes::<Op, R::Element, L>(self.op, &mut earlier, &lanes);
        earlier
    }
}
