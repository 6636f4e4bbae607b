//! The accumulators of all groups.

use super::older::Older;
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::front::cascade::{few, gathered, some};
use crate::kernel::Fold;
use crate::machine::prefetch;
use crate::values::tensor::reserve;

/// What each group has seen: a [cascade](crate::front::cascade).
///
/// Where groups are many, a row takes as long as the memory that it touches lies far away. So the newest sets are by
/// themselves, and the numbers of their elements have 32 bits.
pub(super) struct Table<F: Fold> {
    /// The newest set of each group: its accumulator, and how many elements it has.
    accs: Vec<F::Acc>,
    recent: Vec<u32>,
    older: Older<F::Acc>,
}

impl<F: Fold> Default for Table<F> {
    fn default() -> Self {
        Table { accs: Vec::new(), recent: Vec::new(), older: Older::default() }
    }
}

impl<F: Fold> Clone for Table<F> {
    fn clone(&self) -> Self {
        let Table { accs, recent, older } = self;
        Table { accs: accs.clone(), recent: recent.clone(), older: older.clone() }
    }
}

impl<F: Fold> Table<F> {
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
        let fits = u32::try_from(groups).is_ok()
            && self.accs.try_reserve(more).is_ok()
            && self.recent.try_reserve(more).is_ok();
        if !fits {
            return Err(ErrorKind::ResultTooLarge { dtype, elements: groups }.into());
        }
        let groups = self.len() + more;
        self.accs.resize(groups, F::none(op));
        self.recent.resize(groups, 0);
        Ok(())
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        let Table { accs, recent, older } = self;
        accs.capacity() * size_of::<F::Acc>() + recent.capacity() * 4 + older.bytes()
    }

    /// Bytes that rows are pushed to.
    pub(super) fn pushed_bytes(&self) -> usize {
        size_of_val(&*self.accs)
    }

    /// The number of elements that a group has seen.
    pub(super) fn count(&self, group: usize) -> u64 {
        u64::from(self.recent[group]) + self.older.count(group)
    }

    /// Whether a group has seen an element.
    pub(super) fn has_seen(&self, group: usize) -> bool {
        self.recent[group] > 0 || self.older.of(group).next().is_some()
    }

    /// What a group has seen, and how many elements those are.
    pub(super) fn of(&self, op: &F::Op, group: usize) -> (F::Acc, u64) {
        let newest = (self.accs[group], u64::from(self.recent[group]));
        let sets = Some(newest).filter(|set| set.1 > 0).into_iter().chain(self.older.of(group));
        gathered(sets, |a, b| F::combine(op, a, b)).unwrap_or((newest.0, 0))
    }

    /// Replaces what a group has seen.
    pub(super) fn set(&mut self, op: &F::Op, group: usize, (acc, count): (F::Acc, u64)) {
        self.older.clear(group);
        self.accs[group] = F::none(op);
        self.recent[group] = 0;
        self.add(op, group, acc, count);
    }

    /// The groups, to be pushed to.
    #[inline(always)]
    pub(super) fn open(&mut self) -> Open<'_, F> {
        let Table { accs, recent, older } = self;
        // Of one length, so that a group is looked for once.
        let groups = accs.len();
        Open { accs, recent: &mut recent[..groups], older }
    }

    /// Adds what some newer elements of a group gave.
    pub(super) fn add(&mut self, op: &F::Op, group: usize, newest: F::Acc, count: u64) {
        if count == 0 {
            return;
        }
        let fits = |recent: u32| {
            let together = u32::try_from(u64::from(recent) + count).ok();
            together.filter(|&together| recent == 0 || together <= few::<F>())
        };
        if fits(self.recent[group]).is_none() {
            self.open().pass(op, group);
        }
        let (acc, recent) = (&mut self.accs[group], &mut self.recent[group]);
        match fits(*recent) {
            Some(together) if *recent == 0 => (*acc, *recent) = (newest, together),
            Some(together) => (*acc, *recent) = (F::combine(op, *acc, newest), together),
            None => _ = self.older.pass(group, (newest, count), |a, b| F::combine(op, a, b)),
        }
    }

    /// Whether memory ran out since this was asked last. Then rows were counted, and the groups are not what their rows
    /// give.
    pub(super) fn was_short(&mut self) -> bool {
        self.older.was_short()
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
        let too_large = ErrorKind::ResultTooLarge { dtype, elements: self.len() };
        (first.older, others.older) = self.older.split(groups).ok_or(too_large)?;
        first.accs.copy_from_slice(&self.accs[..groups]);
        others.accs.copy_from_slice(&self.accs[groups..]);
        first.recent.copy_from_slice(&self.recent[..groups]);
        others.recent.copy_from_slice(&self.recent[groups..]);
        *self = others;
        Ok(first)
    }

    /// What all groups have seen, and how many elements those are.
    ///
    /// # Errors
    /// If they do not fit in memory.
    pub(super) fn gathered(
        &self,
        op: &F::Op,
        dtype: DType,
    ) -> Result<(Vec<F::Acc>, Vec<u64>), Error> {
        let (mut accs, mut counts) = (reserve(self.len(), dtype)?, reserve(self.len(), dtype)?);
        for group in 0..self.len() {
            let (acc, count) = self.of(op, group);
            accs.push(acc);
            counts.push(count);
        }
        Ok((accs, counts))
    }
}

/// The groups of a [`Table`] while rows are pushed to them, one after the other.
pub(super) struct Open<'a, F: Fold> {
    accs: &'a mut [F::Acc],
    recent: &'a mut [u32],
    older: &'a mut Older<F::Acc>,
}

impl<F: Fold> Open<'_, F> {
    /// Pushes an element onto the accumulator of a group.
    #[inline(always)]
    pub(super) fn push(&mut self, op: &F::Op, group: usize, x: F::Stored, position: u64) {
        let mut recent = self.recent[group];
        if recent >= few::<F>() {
            self.pass(op, group);
            recent = self.recent[group];
        }
        F::next_into(op, &mut self.accs[group], x, position);
        // Without memory for a set that passes, none of this is looked at.
        self.recent[group] = recent.wrapping_add(1);
    }

    /// The newest set of a group passes to the second stage. If memory lacks, it stays as it is and goes on.
    #[inline(always)]
    fn pass(&mut self, op: &F::Op, group: usize) {
        let set = (self.accs[group], u64::from(self.recent[group]));
        let has_passed = match self.older.newest(group) {
            Some((acc, count)) if *count + set.1 <= some::<F>() => {
                (*acc, *count) = (F::combine(op, *acc, set.0), *count + set.1);
                true
            }
            _ => Self::pass_on(self.older, op, group, set),
        };
        if has_passed {
            (self.accs[group], self.recent[group]) = (F::none(op), 0);
        }
    }

    /// The set in the second stage passes to the third.
    #[cold]
    #[inline(never)]
    fn pass_on(older: &mut Older<F::Acc>, op: &F::Op, group: usize, set: (F::Acc, u64)) -> bool {
        set.1 == 0 || older.pass(group, set, |a, b| F::combine(op, a, b))
    }

    /// Asks for the memory of a group, to which an element will be pushed.
    #[inline(always)]
    pub(super) fn fetch(&self, group: usize) {
        prefetch(self.accs.as_ptr().wrapping_add(group).cast(), 0, size_of::<F::Acc>());
        prefetch(self.recent.as_ptr().wrapping_add(group).cast(), 0, 1);
    }
}
