//! The rows of a block: their elements, keys and positions.

use super::Key;
use super::key::{Narrow, groups_of};
use crate::machine::level::Available;
use crate::values::stored::Stored;

/// Memory that is used again from block to block.
pub(super) struct RowScratch<T: Stored> {
    keys: Vec<u32>,
    /// The places of those rows of a block that count, and their elements.
    places: Vec<u32>,
    chosen: T::Lists,
    pub(super) sorted: SortedRows<T>,
}

/// Rows of a block that are brought together: by key, or because a thread has their groups.
pub(super) struct SortedRows<T: Stored> {
    /// Their elements.
    pub(super) lists: T::Lists,
    /// Where each of them was.
    pub(super) order: Vec<u32>,
    /// Where those of each key end.
    pub(super) ends: Vec<u32>,
}

impl<T: Stored> Default for RowScratch<T> {
    fn default() -> Self {
        let (lists, chosen) = (T::Lists::default(), T::Lists::default());
        let sorted = SortedRows { lists, order: Vec::new(), ends: Vec::new() };
        RowScratch { keys: Vec::new(), places: Vec::new(), chosen, sorted }
    }
}

impl<T: Stored> RowScratch<T> {
    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        let row = T::SIZES.iter().sum::<usize>() + size_of::<u32>();
        2 * row * self.keys.capacity() + size_of::<u32>() * self.sorted.ends.capacity()
    }

    /// Calls a function with those rows of a block that count. Its elements begin at a place, and its positions at a number.
    pub(super) fn with<K: Key, R>(
        &mut self,
        (data, first, position): (T::Data<'_>, usize, u64),
        keys: &[K],
        mask: Option<&[bool]>,
        level: Available,
        then: impl FnOnce(&KeyedRows<'_, '_, T>, &mut SortedRows<T>) -> R,
    ) -> R {
        let RowScratch { keys: groups, places, chosen, sorted } = self;
        groups.clear();
        let Some(mask) = mask.filter(|mask| mask.contains(&false)) else {
            let keys = match K::as_numbers(keys) {
                Some(keys) => keys,
                None => {
                    level.run_narrow(Narrow { keys, groups: &mut *groups });
                    groups
                }
            };
            let positions = Positions::From(position);
            return then(&KeyedRows { data, first, keys, positions }, sorted);
        };
        list_places(mask, |counts| counts, places);
        groups.extend(places.iter().flat_map(|&place| groups_of(&keys[place as usize..][..1])));
        T::gather(data, first, places, chosen);
        let positions = Positions::Behind(position, places);
        then(&KeyedRows { data: T::lent(chosen), first: 0, keys: groups, positions }, sorted)
    }
}

/// Rows that count: their elements, from a place on, their keys, and where they are among all rows.
pub(super) struct KeyedRows<'d, 'k, T: Stored> {
    pub(super) data: T::Data<'d>,
    pub(super) first: usize,
    pub(super) keys: &'k [u32],
    pub(super) positions: Positions<'k>,
}

/// The positions of rows.
#[derive(Clone, Copy)]
pub(super) enum Positions<'a> {
    /// They follow one another from this one on.
    From(u64),
    /// Each is this many behind the first.
    Behind(u64, &'a [u32]),
}

impl Positions<'_> {
    #[inline(always)]
    pub(super) fn of(self, row: usize) -> u64 {
        match self {
            Positions::From(first) => first + row as u64,
            Positions::Behind(first, places) => first + u64::from(places[row]),
        }
    }
}

/// Lists which rows are wanted, by what is known of each. Each place is written, and stands if its row is wanted: there
/// is no branch.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "places within a block")]
pub(super) fn list_places<X: Copy>(
    rows: &[X],
    is_wanted: impl Fn(X) -> bool,
    places: &mut Vec<u32>,
) {
    // What was there is overwritten.
    places.resize(places.len().max(rows.len() + 1), 0);
    let mut found = 0;
    for (row, &known) in rows.iter().enumerate() {
        places[found] = row as u32;
        found += usize::from(is_wanted(known));
    }
    places.truncate(found);
}
