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

/// The subtrees of a few groups of lanes so far, and their newest block.
#[derive(Clone)]
pub(super) struct Tree<S: Copy> {
    /// Subtrees, `width` states each.
    subtrees: SmallVec<[S; 2]>,
    /// The newest block; in the end, all blocks.
    pub(super) newest: SmallVec<[S; 1]>,
    /// Room for one state.
    pub(super) spare: SmallVec<[S; 1]>,
    blocks: usize,
}

impl<S: Copy> Tree<S> {
    /// A tree without blocks.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Tree {
            subtrees: SmallVec::new(),
            newest: SmallVec::new(),
            spare: SmallVec::new(),
            blocks: 0,
        }
    }

    /// Makes room for a block of `width` groups of lanes.
    #[inline(always)]
    pub(super) fn widen(&mut self, width: usize, any: S) {
        if self.newest.len() != width {
            self.newest.resize(width, any);
        }
    }

    /// Merges the newest block, or two blocks that are merged already, with the
    /// subtrees of its size, or if it is the last with all of them. Files it, if it
    /// is not the last.
    #[inline(always)]
    pub(super) fn merge<F, Op, W, const L: usize, const VECTORS: bool>(
        &mut self,
        op: &Op,
        blocks: usize,
        is_last: bool,
    ) where
        F: Fold<Op, W, L, State = S>,
    {
        self.blocks += blocks;
        let merged = blocks.trailing_zeros();
        let mut left = if is_last { u32::MAX } else { self.blocks.trailing_zeros() - merged };
        while left > 0 && !self.subtrees.is_empty() {
            let start = self.subtrees.len() - self.newest.len();
            for (earlier, newest) in self.subtrees[start..].iter().zip(&mut self.newest) {
                F::merge::<VECTORS>(op, earlier, newest);
            }
            self.subtrees.truncate(start);
            left -= 1;
        }
        if is_last {
            self.blocks = 0;
        } else {
            // One by one: there is mostly one, and a call would cost more.
            for &state in &self.newest {
                self.subtrees.push(state);
            }
        }
    }

    /// A tree of all blocks of this one, which is merged, and of a later one; not
    /// merged with one another yet.
    pub(super) fn followed_by(mut self, later: Self) -> Self {
        self.subtrees.extend_from_slice(&self.newest);
        self.newest = later.newest;
        self
    }
}
