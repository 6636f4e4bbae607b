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
        if self.states.len() < end {
            self.grow(end, &any);
        }
        let base = self.done;
        self.done += width;
        let counter = Counter { blocks: 0, subtrees: 0 };
        Stack { states: &mut self.states[base..end], width, counter }
    }

    /// Room for more states. Not inlined, or each pass would have a copy.
    #[inline(never)]
    fn grow(&mut self, end: usize, any: &S) {
        self.states.resize(end, *any);
    }

    /// A stack that holds what [`Tree::followed_by`] put together, the later blocks as
    /// the newest.
    pub(super) fn reopened(&mut self, width: usize) -> Stack<'_, S> {
        let subtrees = self.done / width - 1;
        let end = self.done;
        self.done = width;
        let counter = Counter { blocks: 0, subtrees };
        Stack { states: &mut self.states[..end], width, counter }
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
    counter: Counter,
}

/// How many blocks there were, and how many subtrees they are now.
#[derive(Clone, Copy)]
pub(super) struct Counter {
    blocks: usize,
    subtrees: usize,
}

impl Counter {
    /// How many subtrees the next block is merged with, as if it was filed.
    #[inline(always)]
    fn merges(&mut self, is_last: bool) -> usize {
        self.blocks += 1;
        let equal = self.blocks.trailing_zeros() as usize;
        let merges = if is_last { self.subtrees } else { equal.min(self.subtrees) };
        self.subtrees = self.subtrees - merges + 1;
        merges
    }
}

impl<S: Copy> Stack<'_, S> {
    /// How many states an entry has.
    #[inline(always)]
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// What was filed so far.
    #[inline(always)]
    pub(super) fn counter(&self) -> Counter {
        self.counter
    }

    /// All states of an entry are filed: so much is there.
    #[inline(always)]
    pub(super) fn count(&mut self, counter: Counter) {
        self.counter = counter;
    }

    /// Room for the next block, whatever it holds.
    #[inline(always)]
    pub(super) fn newest(&mut self) -> &mut [S] {
        let first = self.counter.subtrees * self.width;
        &mut self.states[first..first + self.width]
    }

    /// Files the newest block: merges subtrees of one size; after the last block all
    /// of them.
    #[inline(always)]
    pub(super) fn file<F, Op, T: Stored, O, const L: usize>(
        &mut self,
        code: impl Code,
        op: &Op,
        is_last: bool,
    ) where
        F: Fold<Op, T, O, L, State = S>,
    {
        let newest = self.counter.subtrees;
        let merges = self.counter.merges(is_last);
        for subtree in (newest - merges..newest).rev() {
            let pair = &mut self.states[subtree * self.width..][..2 * self.width];
            let (earlier, newest) = pair.split_at_mut(self.width);
            for (earlier, newest) in earlier.iter_mut().zip(newest) {
                F::merge(code, op, earlier, newest);
            }
        }
    }

    /// Files the `index`th state of a block behind those of a counter. If it may, and most
    /// of it has room there, it stays in registers until all is merged.
    #[inline(always)]
    pub(super) fn file_one<C: Code, F, Op, T: Stored, O, const L: usize>(
        &mut self,
        code: C,
        op: &Op,
        index: usize,
        mut state: S,
        counter: &mut Counter,
        is_last: bool,
    ) where
        F: Fold<Op, T, O, L, State = S>,
    {
        let mut place = counter.subtrees * self.width + index;
        let merges = counter.merges(is_last);
        if !F::LANES_REST && 2 * size_of::<S>() <= 3 * C::REGISTERS {
            for _ in 0..merges {
                place -= self.width;
                let mut earlier = self.states[place];
                F::merge(code, op, &mut earlier, &state);
                state = earlier;
            }
            self.states[place] = state;
        } else {
            self.states[place] = state;
            for _ in 0..merges {
                let (earlier, newest) = self.states.split_at_mut(place);
                place -= self.width;
                F::merge(code, op, &mut earlier[place], &newest[0]);
            }
        }
    }
}
