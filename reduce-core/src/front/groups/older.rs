//! The older sets of all groups: the second and the third stage of their [cascades](crate::front::cascade).
//!
//! Most groups of many have none, so a group costs no more than a number here, and that only once a group has a set.
//! Sets are nodes in one list, linked from the newest to the oldest of a group; those that were taken up are used again.

use smallvec::SmallVec;

use crate::front::cascade::closed;
use crate::values::accumulator::Accumulator;

/// A set of a group, and the one before it.
#[derive(Clone, Debug)]
struct Node<A> {
    acc: A,
    count: u64,
    older: Link,
}

/// The place of a node, plus one; 0 of none.
type Link = u32;

/// The sets of all groups.
#[derive(Clone, Debug)]
pub(super) struct Older<A> {
    /// The newest node of each group; groups behind the last entry have none.
    newest: Vec<Link>,
    nodes: Vec<Node<A>>,
    /// The first of the nodes that are free, which are linked too.
    free: Link,
    /// Whether there was no memory for a set.
    is_short: bool,
}

impl<A> Default for Older<A> {
    fn default() -> Self {
        Older { newest: Vec::new(), nodes: Vec::new(), free: 0, is_short: false }
    }
}

impl<A: Accumulator> Older<A> {
    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        self.newest.capacity() * size_of::<Link>() + self.nodes.capacity() * size_of::<Node<A>>()
    }

    /// The sets of a group, the newest first.
    pub(super) fn of(&self, group: usize) -> impl Iterator<Item = (A, u64)> + '_ {
        let newest = self.newest.get(group).copied().unwrap_or(0);
        let older = |node: &&Node<A>| self.node(node.older);
        std::iter::successors(self.node(newest), older).map(|node| (node.acc, node.count))
    }

    fn node(&self, link: Link) -> Option<&Node<A>> {
        self.nodes.get((link as usize).wrapping_sub(1))
    }

    /// The set of a group in the second stage.
    #[inline(always)]
    pub(super) fn newest(&mut self, group: usize) -> Option<(&mut A, &mut u64)> {
        let newest = self.newest.get(group).copied().unwrap_or(0);
        let node = self.nodes.get_mut((newest as usize).wrapping_sub(1))?;
        Some((&mut node.acc, &mut node.count))
    }

    /// Takes a set that passes to the second stage, where the one that is there passes to the third; whether there was
    /// memory for it.
    pub(super) fn pass(
        &mut self,
        group: usize,
        set: (A, u64),
        combine: impl Fn(A, A) -> A,
    ) -> bool {
        let mut older = self.of(group);
        let before = older.next().map(|before| closed(before, older, combine));
        if !self.reserve(group) {
            self.is_short = true;
            return false;
        }
        if let Some((before, taken)) = before {
            (0..=taken).for_each(|_| self.drop_newest(group));
            self.put(group, before);
        }
        self.put(group, set);
        true
    }

    /// Whether there was no memory for a set since this was asked last.
    pub(super) fn was_short(&mut self) -> bool {
        std::mem::take(&mut self.is_short)
    }

    /// Forgets the sets of a group.
    pub(super) fn clear(&mut self, group: usize) {
        while self.newest.get(group).is_some_and(|&newest| newest != 0) {
            self.drop_newest(group);
        }
    }

    /// Takes the sets of a group, the newest first; whether there was memory for them.
    pub(super) fn take(&mut self, group: usize, sets: impl Iterator<Item = (A, u64)>) -> bool {
        let mut sets: SmallVec<[(A, u64); 8]> = sets.collect();
        while let Some(set) = sets.pop() {
            if !self.reserve(group) {
                return false;
            }
            self.put(group, set);
        }
        true
    }

    /// Makes room for a group, and for a node more.
    fn reserve(&mut self, group: usize) -> bool {
        let more = (group + 1).saturating_sub(self.newest.len());
        if self.newest.try_reserve(more).is_err() {
            return false;
        }
        self.newest.resize(self.newest.len() + more, 0);
        self.free != 0
            || u32::try_from(self.nodes.len() + 1).is_ok() && self.nodes.try_reserve(1).is_ok()
    }

    /// Frees the newest node of a group, which has one.
    fn drop_newest(&mut self, group: usize) {
        let newest = self.newest[group];
        let node = &mut self.nodes[newest as usize - 1];
        self.newest[group] = std::mem::replace(&mut node.older, self.free);
        self.free = newest;
    }

    /// Puts a set behind those of a group, for which there is room.
    #[allow(clippy::cast_possible_truncation, reason = "checked where room was made")]
    fn put(&mut self, group: usize, (acc, count): (A, u64)) {
        let new = Node { acc, count, older: self.newest[group] };
        self.newest[group] = match self.free {
            0 => {
                self.nodes.push(new);
                self.nodes.len() as Link
            }
            free => {
                let node = &mut self.nodes[free as usize - 1];
                self.free = node.older;
                *node = new;
                free
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::Older;

    #[test]
    fn sets_are_linked_and_their_memory_is_used_again() {
        let mut older = Older::default();
        let join = |a: u64, b: u64| a * 100 + b;
        for group in [5, 0, 5, 5] {
            assert!(older.pass(group, (older.nodes.len() as u64, 64), join));
        }
        // The first two are of one rank, so they became one.
        assert_eq!(older.of(5).collect::<Vec<_>>(), [(3, 64), (2, 128)]);
        assert!(older.of(4).chain(older.of(9)).next().is_none());
        let mut others = Older::default();
        assert!(others.take(4, older.of(5)) && others.of(4).eq(older.of(5)));
        let nodes = older.nodes.len();
        older.clear(5);
        assert!(older.pass(3, (7, 64), join) && older.pass(2, (8, 64), join));
        assert_eq!((older.nodes.len(), older.of(5).count()), (nodes, 0));
        assert!(!older.was_short());
    }
}
