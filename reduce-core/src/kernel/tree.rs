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

/// Complete subtrees so far, and room for a block: entries of `width` states.
///
/// Below them lie the results of a unit that are done already, one state each.
#[derive(Clone)]
pub(super) struct Tree<S: Copy> {
    states: SmallVec<[S; ROOM]>,
    width: usize,
    /// States of results that are done.
    done: usize,
    /// States in use.
    used: usize,
    blocks: usize,
}

/// States that need no allocation.
const ROOM: usize = 8;

impl<S: Copy> Tree<S> {
    /// A tree without blocks.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Tree { states: SmallVec::new(), width: 1, done: 0, used: 0, blocks: 0 }
    }

    /// Starts on another unit, with blocks of `width` groups of lanes.
    #[inline(always)]
    pub(super) fn clear(&mut self, width: usize) {
        self.width = width;
        (self.done, self.used, self.blocks) = (0, 0, 0);
    }

    /// Room for the next block, whatever it holds.
    #[inline(always)]
    pub(super) fn newest(&mut self, any: S) -> &mut [S] {
        let end = self.used + self.width;
        while self.states.len() < end {
            self.states.push(any);
        }
        &mut self.states[self.used..end]
    }

    /// Files the newest block, and merges subtrees of one size. After the last
    /// block all are merged, and their results are done.
    #[inline(always)]
    pub(super) fn file<F, Op, W, const L: usize, const VECTORS: bool>(
        &mut self,
        op: &Op,
        is_last: bool,
    ) where
        F: Fold<Op, W, L, State = S>,
    {
        self.blocks += 1;
        self.used += self.width;
        let mut left = if is_last { u32::MAX } else { self.blocks.trailing_zeros() };
        while left > 0 && self.used > self.done + self.width {
            let (earlier, newest) = self.states[..self.used].split_at_mut(self.used - self.width);
            let start = earlier.len() - self.width;
            for (earlier, newest) in earlier[start..].iter_mut().zip(newest) {
                F::merge::<VECTORS>(op, earlier, newest);
            }
            self.used -= self.width;
            left -= 1;
        }
        if is_last {
            self.done = self.used;
            self.blocks = 0;
        }
    }

    /// The states of results that are done.
    #[inline(always)]
    pub(super) fn results(&self) -> &[S] {
        &self.states[..self.done]
    }

    /// Results that are done and not merged with one another yet, again as subtrees,
    /// the last of them the newest.
    #[inline(always)]
    pub(super) fn reopen(&mut self) {
        self.used = self.done - self.width;
        self.done = 0;
    }

    /// A tree of all blocks of this one and of a later one, to be reopened.
    pub(super) fn followed_by(mut self, later: &Self) -> Self {
        self.states.truncate(self.done);
        self.states.extend_from_slice(later.results());
        self.done = self.states.len();
        self
    }
}
