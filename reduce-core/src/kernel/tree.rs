//! Blocks merged in a balanced binary tree.
//!
//! Blocks arrive one by one, in order. A stack holds the states of complete
//! subtrees, the largest at the bottom, as a binary counter holds its digits:
//! after `n` blocks there is one entry per set bit of `n`. A new block merges
//! with equal-sized neighbours at once, so a sum of `n` elements is at most
//! `STEPS + log2(n)` additions deep. The shape of the tree depends on the number
//! of blocks alone, so parts of it can be built by different threads: the left
//! part of `n` blocks has the largest power of two below `n`.

use smallvec::SmallVec;

use super::fold::Fold;
use super::stored::Stored;
use crate::level::Code;

/// The results of a unit: of each group of lanes, or of one result after another;
/// and room for a stack.
#[derive(Clone)]
pub(super) struct Tree<S: Copy> {
    states: SmallVec<[S; ROOM]>,
    done: usize,
}

/// States that need no allocation.
const ROOM: usize = 8;

impl<S: Copy> Tree<S> {
    /// A tree without blocks.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Tree { states: SmallVec::new(), done: 0 }
    }

    /// Forgets all results.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.done = 0;
    }

    /// A stack for so many blocks of `width` states; their result will come behind
    /// those that are done.
    #[inline(always)]
    pub(super) fn stack(&mut self, blocks: usize, width: usize, any: S) -> Stack<'_, S> {
        // One subtree for every bit of their number, and the newest block.
        let depth = if blocks == 1 { 1 } else { blocks.ilog2() as usize + 2 };
        let end = self.done + width * depth;
        while self.states.len() < end {
            self.states.push(any);
        }
        let base = self.done;
        self.done += width;
        Stack { states: &mut self.states[base..end], width, used: 0, blocks: 0 }
    }

    /// A stack that holds what [`Tree::followed_by`] put together, the later blocks as
    /// the newest.
    pub(super) fn reopened(&mut self, width: usize) -> Stack<'_, S> {
        let used = self.done - width;
        let end = self.done;
        self.done = width;
        Stack { states: &mut self.states[..end], width, used, blocks: 0 }
    }

    /// The states of results that are done.
    #[inline(always)]
    pub(super) fn results(&self) -> &[S] {
        &self.states[..self.done]
    }

    /// A tree of all blocks of this one and of a later one, to be reopened.
    pub(super) fn followed_by(mut self, later: &Self) -> Self {
        self.states.truncate(self.done);
        self.states.extend_from_slice(later.results());
        self.done = self.states.len();
        self
    }
}

/// Complete subtrees so far, and room for a block: entries of `width` states.
pub(super) struct Stack<'t, S> {
    states: &'t mut [S],
    width: usize,
    /// States in use.
    used: usize,
    blocks: usize,
}

impl<S: Copy> Stack<'_, S> {
    /// Room for the next block, whatever it holds.
    #[inline(always)]
    pub(super) fn newest(&mut self) -> &mut [S] {
        &mut self.states[self.used..self.used + self.width]
    }

    /// Files the newest block, and merges subtrees of one size; after the last block
    /// all of them.
    #[inline(always)]
    pub(super) fn file<F, Op, T: Stored, O, const L: usize>(
        &mut self,
        code: impl Code,
        op: &Op,
        is_last: bool,
    ) where
        F: Fold<Op, T, O, L, State = S>,
    {
        let width = self.width;
        self.blocks += 1;
        let mut left = if is_last { u32::MAX } else { self.blocks.trailing_zeros() };
        while left > 0 && self.used > 0 {
            let (earlier, newest) = self.states.split_at_mut(self.used);
            self.used -= width;
            for (earlier, newest) in earlier[self.used..].iter_mut().zip(&newest[..width]) {
                F::merge(code, op, earlier, newest);
            }
            left -= 1;
        }
        self.used += width;
    }
}
