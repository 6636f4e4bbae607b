//! The accumulators of all groups.

use std::collections::BTreeMap;

use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::kernel::Fold;
use crate::machine::prefetch;
use crate::values::tensor::reserve;

/// What each group has seen: an accumulator and, if the operator asks how many elements there were, their
/// number; if not, whether there was any.
///
/// Where groups are many, a row takes as long as the memory that it touches lies far away. So numbers have
/// 32 bits, and what goes beyond them is kept apart.
pub(super) struct Table<F: Fold> {
    pub(super) accs: Vec<F::Acc>,
    counts: Vec<u32>,
    /// How often the number of a group has passed 2^32.
    passed: BTreeMap<usize, u32>,
    seen: Vec<bool>,
}

impl<F: Fold> Default for Table<F> {
    fn default() -> Self {
        Table { accs: Vec::new(), counts: Vec::new(), passed: BTreeMap::new(), seen: Vec::new() }
    }
}

impl<F: Fold> Clone for Table<F> {
    fn clone(&self) -> Self {
        let Table { accs, counts, passed, seen } = self;
        let (accs, counts) = (accs.clone(), counts.clone());
        Table { accs, counts, passed: passed.clone(), seen: seen.clone() }
    }
}

impl<F: Fold> Table<F> {
    /// Whether elements are counted.
    pub(super) const COUNTED: bool = F::COUNTS || F::REMOVES;

    /// So many groups that have seen nothing.
    ///
    /// # Errors
    /// If they do not fit in memory, or have no numbers.
    pub(super) fn new(op: &F::Op, groups: usize, dtype: DType) -> Result<Self, Error> {
        let mut table = Table::default();
        table.grow(op, groups, dtype)?;
        Ok(table)
    }

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
        let numbered = u32::try_from(groups).is_ok();
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
        self.passed.clear();
        self.seen.clear();
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        let Table { accs, counts, seen, .. } = self;
        accs.capacity() * size_of::<F::Acc>() + counts.capacity() * 4 + seen.capacity()
    }

    /// The number of elements that a group has seen; 1 of any, if they are not counted.
    pub(super) fn count(&self, group: usize) -> u64 {
        if !Self::COUNTED {
            return u64::from(self.seen[group]);
        }
        let passed = self.passed.get(&group).copied().unwrap_or(0);
        u64::from(passed) << 32 | u64::from(self.counts[group])
    }

    /// Says how many elements a group has seen, or that it has seen any.
    #[allow(clippy::cast_possible_truncation, reason = "the lower half, and the upper")]
    pub(super) fn set_count(&mut self, group: usize, count: u64) {
        if !Self::COUNTED {
            self.seen[group] = count > 0;
            return;
        }
        self.counts[group] = count as u32;
        match (count >> 32) as u32 {
            0 => self.passed.remove(&group),
            passed => self.passed.insert(group, passed),
        };
    }

    /// The groups, to be pushed to.
    #[inline(always)]
    pub(super) fn open(&mut self) -> Open<'_, F> {
        let Table { accs, counts, passed, seen } = self;
        // Of one length, so that a group is looked for once.
        let groups = accs.len();
        match Self::COUNTED {
            true => Open { accs, counts: &mut counts[..groups], passed, seen: &mut [] },
            false => Open { accs, counts: &mut [], passed, seen: &mut seen[..groups] },
        }
    }

    /// Adds what some newer elements of a group gave.
    pub(super) fn add(&mut self, op: &F::Op, group: usize, newest: F::Acc, count: u64) {
        if count == 0 {
            return;
        }
        let before = self.count(group);
        let acc = &mut self.accs[group];
        *acc = if before == 0 { newest } else { F::combine(op, *acc, newest) };
        self.set_count(group, before.saturating_add(count));
    }

    /// The first groups, taken out.
    ///
    /// # Errors
    /// If they do not fit in memory. Then all are as they were.
    pub(super) fn take_first(
        &mut self,
        op: &F::Op,
        groups: usize,
        dtype: DType,
    ) -> Result<Self, Error> {
        if groups >= self.len() {
            return Ok(std::mem::take(self));
        }
        let mut first = Self::new(op, groups, dtype)?;
        let mut others = Self::new(op, self.len() - groups, dtype)?;
        first.accs.copy_from_slice(&self.accs[..groups]);
        others.accs.copy_from_slice(&self.accs[groups..]);
        (0..groups).for_each(|group| first.set_count(group, self.count(group)));
        (groups..self.len()).for_each(|group| others.set_count(group - groups, self.count(group)));
        *self = others;
        Ok(first)
    }

    /// The numbers of elements of all groups.
    ///
    /// # Errors
    /// If they do not fit in memory.
    pub(super) fn counts(&self, dtype: DType) -> Result<Vec<u64>, Error> {
        let mut counts = reserve(self.len(), dtype)?;
        counts.extend((0..self.len()).map(|group| self.count(group)));
        Ok(counts)
    }
}

/// The groups of a [`Table`] while rows are pushed to them, one after the other.
pub(super) struct Open<'a, F: Fold> {
    accs: &'a mut [F::Acc],
    counts: &'a mut [u32],
    passed: &'a mut BTreeMap<usize, u32>,
    seen: &'a mut [bool],
}

impl<F: Fold> Open<'_, F> {
    /// Pushes an element onto the accumulator of a group.
    #[inline(always)]
    pub(super) fn push(&mut self, op: &F::Op, group: usize, x: F::Stored, position: u64) {
        F::next_into(op, &mut self.accs[group], x, position);
        if Table::<F>::COUNTED {
            let (count, passes) = self.counts[group].overflowing_add(1);
            self.counts[group] = count;
            if passes {
                self.pass(group);
            }
        } else {
            self.seen[group] = true;
        }
    }

    /// Asks for the memory of a group, to which an element will be pushed.
    #[inline(always)]
    pub(super) fn fetch(&self, group: usize) {
        prefetch(self.accs.as_ptr().wrapping_add(group).cast(), 0, size_of::<F::Acc>());
        if Table::<F>::COUNTED {
            prefetch(self.counts.as_ptr().wrapping_add(group).cast(), 0, 1);
        }
    }

    #[cold]
    #[inline(never)]
    fn pass(&mut self, group: usize) {
        *self.passed.entry(group).or_default() += 1;
    }
}
