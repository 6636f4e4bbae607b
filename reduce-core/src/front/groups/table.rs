//! The accumulators of all groups.

use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::kernel::Fold;
use crate::values::tensor::reserve;

use super::key::NO_GROUP;

/// What each group has seen: an accumulator and, if the operator asks how many elements there were, their
/// number; if not, whether there was any, which takes less memory, and less time where groups are many.
pub(super) struct Table<F: Fold> {
    pub(super) accs: Vec<F::Acc>,
    pub(super) counts: Vec<u64>,
    pub(super) seen: Vec<bool>,
}

impl<F: Fold> Default for Table<F> {
    fn default() -> Self {
        Table { accs: Vec::new(), counts: Vec::new(), seen: Vec::new() }
    }
}

impl<F: Fold> Clone for Table<F> {
    fn clone(&self) -> Self {
        let Table { accs, counts, seen } = self;
        Table { accs: accs.clone(), counts: counts.clone(), seen: seen.clone() }
    }
}

impl<F: Fold> Table<F> {
    /// Whether elements are counted.
    pub(super) const COUNTED: bool = F::COUNTS || F::REMOVES;

    /// Bytes of a group.
    pub(super) const BYTES: usize =
        size_of::<F::Acc>() + if Self::COUNTED { size_of::<u64>() } else { 1 };

    /// The number of groups.
    pub(super) fn len(&self) -> usize {
        self.accs.len()
    }

    /// Adds groups that have seen nothing, until there are so many.
    ///
    /// # Errors
    /// If they do not fit in memory, or have no numbers.
    pub(super) fn grow(&mut self, op: &F::Op, groups: usize, dtype: DType) -> Result<(), Error> {
        let more = groups.saturating_sub(self.len());
        let numbered = u32::try_from(groups).is_ok_and(|groups| groups < NO_GROUP);
        let fits = numbered
            && self.accs.try_reserve(more).is_ok()
            && match Self::COUNTED {
                true => self.counts.try_reserve(more).is_ok(),
                false => self.seen.try_reserve(more).is_ok(),
            };
        if !fits {
            return Err(ErrorKind::ResultTooLarge { dtype, elements: groups }.into());
        }
        let groups = self.len() + more;
        self.accs.resize(groups, F::none(op));
        match Self::COUNTED {
            true => self.counts.resize(groups, 0),
            false => self.seen.resize(groups, false),
        }
        Ok(())
    }

    /// Forgets all groups, but not their memory.
    pub(super) fn clear(&mut self) {
        self.accs.clear();
        self.counts.clear();
        self.seen.clear();
    }

    /// The number of elements that a group has seen; 1 of any, if they are not counted.
    #[inline(always)]
    pub(super) fn count(&self, group: usize) -> u64 {
        if Self::COUNTED { self.counts[group] } else { u64::from(self.seen[group]) }
    }

    /// Pushes an element onto the accumulator of a group.
    #[inline(always)]
    pub(super) fn push(&mut self, op: &F::Op, group: usize, x: F::Stored, position: u64) {
        F::next_into(op, &mut self.accs[group], x, position);
        match Self::COUNTED {
            true => self.counts[group] += 1,
            false => self.seen[group] = true,
        }
    }

    /// Adds what some newer elements of a group gave.
    #[inline(always)]
    pub(super) fn add(&mut self, op: &F::Op, group: usize, newest: F::Acc, count: u64) {
        if count == 0 {
            return;
        }
        let acc = &mut self.accs[group];
        *acc = match Self::COUNTED {
            true => {
                let before = self.counts[group];
                self.counts[group] = before.saturating_add(count);
                if before == 0 { newest } else { F::combine(op, *acc, newest) }
            }
            false => match std::mem::replace(&mut self.seen[group], true) {
                false => newest,
                true => F::combine(op, *acc, newest),
            },
        };
    }

    /// The first groups, taken out.
    ///
    /// # Errors
    /// If they do not fit in memory.
    pub(super) fn take_first(&mut self, groups: usize, dtype: DType) -> Result<Self, Error> {
        let groups = groups.min(self.len());
        let (counted, seen) = if Self::COUNTED { (groups, 0) } else { (0, groups) };
        let mut first = Table {
            accs: reserve(groups, dtype)?,
            counts: reserve(counted, dtype)?,
            seen: reserve(seen, dtype)?,
        };
        first.accs.extend(self.accs.drain(..groups));
        first.counts.extend(self.counts.drain(..counted));
        first.seen.extend(self.seen.drain(..seen));
        Ok(first)
    }
}
