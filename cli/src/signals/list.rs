//! A list that a handler of a signal can read at any moment, while threads add to it.
//!
//! It grows at its front, by one exchange of a pointer, and nothing is ever taken out or given back. What an entry holds is
//! set and cleared by atomic operations, and a cleared entry is used again.

use std::ptr::{from_ref, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Entries, of any number.
#[derive(Debug)]
pub(super) struct List<T>(AtomicPtr<Node<T>>);

#[derive(Debug)]
struct Node<T> {
    entry: T,
    next: AtomicPtr<Node<T>>,
}

impl<T: Default> List<T> {
    pub(super) const fn new() -> Self {
        List(AtomicPtr::new(null_mut()))
    }

    /// All entries, in use or not. A handler may walk them.
    pub(super) fn entries(&'static self) -> impl Iterator<Item = &'static T> {
        let nodes = std::iter::successors(node(&self.0), |before| node(&before.next));
        nodes.map(|node| &node.entry)
    }

    /// An entry that was claimed: the first whose claim succeeds, or a new one.
    pub(super) fn claim(&'static self, claims: impl Fn(&T) -> bool) -> &'static T {
        if let Some(entry) = self.entries().find(|entry| claims(entry)) {
            return entry;
        }
        let node: &'static Node<T> =
            Box::leak(Box::new(Node { entry: T::default(), next: AtomicPtr::default() }));
        // Nobody else has it yet, so that this succeeds.
        claims(&node.entry);
        let mut first = self.0.load(Ordering::SeqCst);
        loop {
            node.next.store(first, Ordering::SeqCst);
            let place = from_ref(node).cast_mut();
            match self.0.compare_exchange(first, place, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return &node.entry,
                Err(other) => first = other,
            }
        }
    }
}

/// The node that a pointer leads to.
#[allow(unsafe_code, reason = "one pointer can be exchanged at once, and a reference cannot")]
fn node<T>(place: &AtomicPtr<Node<T>>) -> Option<&'static Node<T>> {
    // SAFETY: null, or a node that was leaked and is only ever shared.
    unsafe { place.load(Ordering::SeqCst).as_ref() }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::List;

    static NUMBERS: List<AtomicUsize> = List::new();

    #[test]
    fn entries_are_claimed_once_and_used_again() {
        let claim = |number: usize| {
            let order = Ordering::SeqCst;
            NUMBERS.claim(|entry| entry.compare_exchange(0, number, order, order).is_ok())
        };
        let all = || {
            let mut all: Vec<usize> =
                NUMBERS.entries().map(|entry| entry.load(Ordering::SeqCst)).collect();
            all.sort_unstable();
            all
        };
        thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for number in 1..=500 {
                        claim(500 * thread + number);
                    }
                });
            }
        });
        assert_eq!(all(), (1..=2000).collect::<Vec<_>>());
        NUMBERS.entries().for_each(|entry| entry.store(0, Ordering::SeqCst));
        for number in 1..=2000 {
            claim(number);
        }
        assert_eq!(all(), (1..=2000).collect::<Vec<_>>());
    }
}
