//! The older sets of all groups: the second and the third stage of their [cascades](crate::front::cascade).
//!
//! Where there are many groups, most have none. So sets of the second stage have memory once one of the groups that are
//! kept together has one. Those of the third are nodes in one list, linked from the newest to the oldest of a group;
//! nodes that were taken up are used again.

use smallvec::SmallVec;

use crate::front::cascade::closed;
use crate::values::element::accumulator::Accumulator;

/// A set of a group, and the one before it.
#[derive(Clone, Debug)]
struct OlderSet<A> {
    acc: A,
    count: u64,
    older: Link,
}

/// The place of a node, plus one; 0 of none.
type Link = u32;

/// The sets of some groups.
#[derive(Clone, Debug)]
pub(super) struct Older<A> {
    /// The set of each group in the second stage, without elements if there is none. Groups behind the last have none.
    second: Vec<(A, u64)>,
    /// The newest node of each group; groups behind the last have none.
    newest: Vec<Link>,
    nodes: Vec<OlderSet<A>>,
    /// The first of the nodes that are free, which are linked too.
    free: Link,
}

impl<A> Default for Older<A> {
    fn default() -> Self {
        let (second, newest, nodes) = (Vec::new(), Vec::new(), Vec::new());
        Older { second, newest, nodes, free: 0 }
    }
}

impl<A: Accumulator> Older<A> {
    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        let Older { second, newest, nodes, .. } = self;
        let second = second.capacity() * size_of::<(A, u64)>();
        second + newest.capacity() * size_of::<Link>() + nodes.capacity() * size_of::<OlderSet<A>>()
    }

    /// The sets of a group, the newest first.
    pub(super) fn of(&self, group: usize) -> impl Iterator<Item = (A, u64)> + '_ {
        let second = self.second.get(group).copied().filter(|set| set.1 > 0);
        second.into_iter().chain(self.third(group))
    }

    /// The sets of a group in the third stage, the newest first.
    fn third(&self, group: usize) -> impl Iterator<Item = (A, u64)> + '_ {
        let newest = self.newest.get(group).copied().unwrap_or(0);
        let older = |node: &&OlderSet<A>| self.node(node.older);
        std::iter::successors(self.node(newest), older).map(|node| (node.acc, node.count))
    }

    fn node(&self, link: Link) -> Option<&OlderSet<A>> {
        self.nodes.get((link as usize).wrapping_sub(1))
    }

    /// The set of a group in the second stage, if it has elements.
    #[inline(always)]
    pub(super) fn second(&mut self, group: usize) -> Option<&mut (A, u64)> {
        self.second.get_mut(group).filter(|set| set.1 > 0)
    }

    /// Takes a set that passes to the second stage, where the one that is there passes to the third. Returns whether
    /// there was memory for it.
    pub(super) fn pass(
        &mut self,
        group: usize,
        set: (A, u64),
        combine: impl Fn(A, A) -> A,
    ) -> bool {
        if !grow(&mut self.second, group, (set.0, 0)) {
            return false;
        }
        let before = self.second[group];
        if before.1 > 0 {
            if !self.reserve(group) {
                return false;
            }
            let (before, taken) = closed(before, self.third(group), combine);
            (0..taken).for_each(|_| self.drop_newest(group));
            self.put(group, before);
        }
        self.second[group] = set;
        true
    }

    /// Forgets the sets of a group.
    pub(super) fn clear(&mut self, group: usize) {
        if let Some(set) = self.second.get_mut(group) {
            set.1 = 0;
        }
        while self.newest.get(group).is_some_and(|&newest| newest != 0) {
            self.drop_newest(group);
        }
    }

    /// Takes the sets of a group that has none here, the newest first. Returns whether there was memory for them.
    pub(super) fn take(&mut self, group: usize, sets: impl Iterator<Item = (A, u64)>) -> bool {
        let mut sets: SmallVec<[(A, u64); 8]> = sets.collect();
        sets.reverse();
        let Some(second) = sets.pop() else { return true };
        if !grow(&mut self.second, group, (second.0, 0)) {
            return false;
        }
        self.second[group] = second;
        sets.into_iter().all(|set| {
            let has_room = self.reserve(group);
            if has_room {
                self.put(group, set);
            }
            has_room
        })
    }

    /// Makes room for a group, and for a node more.
    fn reserve(&mut self, group: usize) -> bool {
        grow(&mut self.newest, group, 0)
            && (self.free != 0
                || u32::try_from(self.nodes.len() + 1).is_ok() && self.nodes.try_reserve(1).is_ok())
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
        let new = OlderSet { acc, count, older: self.newest[group] };
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

/// Makes a list so long that it has an entry for a group. Returns whether there was memory for it.
fn grow<E: Clone>(list: &mut Vec<E>, group: usize, entry: E) -> bool {
    let more = (group + 1).saturating_sub(list.len());
    let has_room = list.try_reserve(more).is_ok();
    if has_room {
        list.resize(list.len() + more, entry);
    }
    has_room
}

#[cfg(test)]
mod tests {
    use super::Older;

    #[test]
    fn sets_are_linked_and_their_memory_is_used_again() {
        let mut older = Older::default();
        let join = |a: u64, b: u64| a * 100 + b;
        for group in [5, 0, 5, 5, 5] {
            assert!(older.pass(group, (older.nodes.len() as u64, 64), join));
        }
        // The first two of the third stage are of one rank, so they became one.
        assert_eq!(older.of(5).collect::<Vec<_>>(), [(1, 64), (1, 64), (0, 128)]);
        assert!(older.of(4).chain(older.of(9)).next().is_none());
        let mut others = Older::default();
        assert!(others.take(4, older.of(5)) && others.of(4).eq(older.of(5)));
        let nodes = older.nodes.len();
        older.clear(5);
        for set in 0..3 {
            assert!(older.pass(3, (set, 64 >> set), join));
        }
        assert_eq!((older.nodes.len(), older.of(5).count(), older.of(3).count()), (nodes, 0, 3));
        // A set of one element is a set, too.
        assert!(older.pass(7, (9, 1), join));
        assert_eq!(older.second(7), Some(&mut (9, 1)));
        assert_eq!(older.second(4), None);
    }
}
