//! Blocks merged in a balanced binary tree.
//!
//! Blocks arrive one by one, in order. A stack has an *entry* for each complete subtree, the largest at the bottom: the
//! states of all results that are folded together. It grows as a binary counter does: after `n` blocks there is one
//! entry per set bit of `n`. A new block merges with equal-sized neighbours at once, so a sum of `n` elements is at
//! most `STEPS + log2(n)` additions deep. The shape of the tree depends on the number of blocks alone: the left part of
//! `n` blocks has the largest power of two below `n`. So parts of the tree can be built by different threads.

/// How many blocks there were, and how many subtrees they are now.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Counter {
    blocks: usize,
    subtrees: usize,
}

impl Counter {
    /// Where the next block goes: this many entries lie below it.
    #[inline(always)]
    pub(in super::super) fn newest(self) -> usize {
        self.subtrees
    }

    /// Counts the next block, and returns how many entries below are merged with it. They are as long as subtrees have
    /// the same size, and after the last block all are.
    #[inline(always)]
    pub(in super::super) fn merges(&mut self, is_last: bool) -> usize {
        self.blocks += 1;
        let equal = self.blocks.trailing_zeros() as usize;
        let merges = if is_last { self.subtrees } else { equal.min(self.subtrees) };
        self.subtrees = self.subtrees - merges + 1;
        merges
    }
}

/// How many entries a stack needs room for: one subtree for every bit of the number of blocks, and the newest block.
pub(in super::super) fn depth(blocks: usize) -> usize {
    match blocks {
        0 | 1 => 1,
        _ => blocks.ilog2() as usize + 2,
    }
}

#[cfg(test)]
mod tests {
    use super::{Counter, depth};

    /// The tree of some blocks, as a formula.
    fn tree(blocks: usize) -> String {
        let mut stack: Vec<String> = Vec::new();
        let mut counter = Counter::default();
        for block in 0..blocks {
            assert_eq!(counter.newest(), stack.len());
            stack.push(block.to_string());
            assert!(stack.len() <= depth(blocks), "{blocks} blocks");
            for _ in 0..counter.merges(block + 1 == blocks) {
                let newest = stack.pop().expect("an entry");
                let earlier = stack.pop().expect("an entry below");
                stack.push(format!("({earlier} {newest})"));
            }
        }
        assert_eq!(stack.len(), 1);
        stack.remove(0)
    }

    #[test]
    fn the_left_part_has_the_largest_power_of_two_blocks() {
        assert_eq!(tree(1), "0");
        assert_eq!(tree(3), "((0 1) 2)");
        assert_eq!(tree(6), "(((0 1) (2 3)) (4 5))");
        assert_eq!(tree(7), "(((0 1) (2 3)) ((4 5) 6))");
        for blocks in 1..300 {
            tree(blocks);
        }
    }
}
