//! Cascades: sets of elements that arrive one after another, combined as a tree is.
//!
//! A list is combined in a tree, so that the error of a sum grows with the logarithm of its length. Pieces of a
//! stream and rows of a group come one by one, and nobody knows how many will. A *cascade* makes nearly the same tree of
//! them. It keeps a few sets, each an accumulator and the number of its elements, the oldest first. Sets pass three stages:
//!
//! 1. The newest set takes what is added, as long as they have at most [`few`] elements together. Otherwise it passes to
//!    the second stage, and what is added is the newest set from then on.
//! 2. There, one set takes those that pass from the first stage, as long as they have at most [`some`] elements together.
//!    Otherwise it passes to the third stage, and the other set stays here.
//! 3. A set that comes here is *closed*: it takes up the sets before it whose rank is no higher than its own; the rank of
//!    `n` elements is the whole part of `log2 n`. Those are first combined with one another, from the newest to the oldest,
//!    and then with the set. Its rank may be higher now, so this is repeated until the set before it has a higher rank.
//!
//! So ranks fall from each closed set to the next: there are at most `log2 n` sets of `n` elements. An element was combined
//! up to 64 times in the first stage and 8 times in the second, and with them a set has reached rank 9. That makes about
//! `64 + log2 n` times, as in a list. At the end all sets are combined, from the newest to the oldest. The second stage is
//! there for speed: no CPU predicts which sets a closed one takes up.

use crate::values::steps::{Steps, one_by_one};

/// A set takes up to this many elements one by one. Where their order cannot be seen in the result, that is as many as
/// 31 bits count, and elsewhere fewer.
pub(super) const fn few<S: Steps>() -> u32 {
    if S::ANY_ORDER || S::REMOVES {
        return i32::MAX as u32;
    }
    let few = one_by_one::<S>();
    assert!(few <= i32::MAX as usize, "blocks that fit in memory");
    #[allow(clippy::cast_possible_truncation, reason = "asserted")]
    let few = few as u32;
    few
}

/// A set of the second stage takes up to this many elements.
pub(super) const fn some<S: Steps>() -> u64 {
    8 * few::<S>() as u64
}

/// The rank of a set of `count` elements.
fn rank(count: u64) -> u32 {
    count.max(1).ilog2()
}

/// What a set becomes when it is closed, and how many of the sets before it, the newest first, it takes up.
pub(super) fn closed<A: Copy>(
    (mut acc, mut count): (A, u64),
    older: impl Iterator<Item = (A, u64)>,
    combine: impl Fn(A, A) -> A,
) -> ((A, u64), usize) {
    let mut older = older.peekable();
    let mut taken = 0;
    loop {
        let highest = rank(count);
        let mut lower = None;
        while let Some((acc, more)) = older.next_if(|(_, more)| rank(*more) <= highest) {
            lower = Some(lower.map_or(acc, |newer| combine(acc, newer)));
            count += more;
            taken += 1;
        }
        match lower {
            Some(lower) => acc = combine(lower, acc),
            None => return ((acc, count), taken),
        }
    }
}

/// All sets, the newest first, as one.
pub(super) fn gathered<A>(
    sets: impl Iterator<Item = (A, u64)>,
    combine: impl Fn(A, A) -> A,
) -> Option<(A, u64)> {
    sets.reduce(|(newer, more), (older, count)| (combine(older, newer), count + more))
}

#[cfg(test)]
mod tests {
    use super::{closed, gathered};

    /// The depth of a tree, in place of a sum.
    fn deeper(a: u32, b: u32) -> u32 {
        a.max(b) + 1
    }

    /// Adds sets of these sizes as a stream does. Returns the number of sets that are left, and how deep their tree is.
    fn depth(sizes: impl Iterator<Item = u64>) -> (usize, u32) {
        let mut sets: Vec<(u32, u64)> = Vec::new();
        for size in sizes {
            if let Some(newest) = sets.pop() {
                let (set, taken) = closed(newest, sets.iter().rev().copied(), deeper);
                sets.truncate(sets.len() - taken);
                sets.push(set);
            }
            sets.push((size.ilog2(), size));
        }
        let (depth, _) = gathered(sets.iter().rev().copied(), deeper).expect("sets");
        (sets.len(), depth)
    }

    #[test]
    fn a_cascade_is_no_deeper_than_a_tree_and_a_little() {
        assert_eq!(depth(std::iter::repeat_n(1, 1 << 16)).1, 16);
        let cases: [(&str, Box<dyn Iterator<Item = u64>>); 4] = [
            ("of one size", Box::new(std::iter::repeat_n(3, 100_000))),
            (
                "large behind small",
                Box::new((0..100_000).map(|i| if i % 21 == 20 { 1 << 12 } else { 1 })),
            ),
            ("growing", Box::new((0..30).map(|i| 1 << i))),
            ("shrinking", Box::new((0..30).map(|i| 1 << (30 - i)))),
        ];
        for (name, sizes) in cases {
            let sizes: Vec<u64> = sizes.collect();
            let all = sizes.iter().sum::<u64>().ilog2() + 1;
            let (sets, depth) = depth(sizes.into_iter());
            assert!(sets <= all as usize + 1, "{name}: {sets} sets");
            assert!(depth <= all + 8, "{name}: {depth}, of a tree {all}");
        }
    }
}
