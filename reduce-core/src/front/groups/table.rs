//! The accumulators of all groups.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::older::Older;
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::front::cascade::{few, gathered, some};
use crate::machine::prefetch;
use crate::values::steps::{Steps, Wide};
use crate::values::tensor::reserve;

/// The older sets of this many groups are kept together, so that threads can share a table.
const SHELF: usize = 1 << 7;

/// The room of a set without elements.
const fn all<S: Steps>() -> i32 {
    few::<S>().cast_signed()
}

/// The number of elements of a set that has `room` left.
fn taken<S: Steps>(room: i32) -> u64 {
    u64::from(all::<S>().abs_diff(room))
}

/// What each group has seen: a [cascade](crate::front::cascade).
///
/// Where groups are many, a row takes as long as the memory that it touches lies far away. So the newest sets are by
/// themselves, and the numbers of their elements have 32 bits.
pub(super) struct GroupTable<S: Steps> {
    /// The newest set of each group: its accumulator, and how many more elements it takes one by one. That is less than
    /// 0 where a piece was larger.
    accs: Vec<S::Acc>,
    room: Vec<i32>,
    /// The older sets, those of [`SHELF`] groups together. Groups behind the last have none.
    older: Vec<Older<S::Acc>>,
    /// Whether there was no memory for a set.
    is_short: AtomicBool,
}

impl<S: Steps> Default for GroupTable<S> {
    fn default() -> Self {
        let (accs, room, older) = (Vec::new(), Vec::new(), Vec::new());
        GroupTable { accs, room, older, is_short: AtomicBool::new(false) }
    }
}

impl<S: Steps> Clone for GroupTable<S> {
    fn clone(&self) -> Self {
        let (accs, room, older) = (self.accs.clone(), self.room.clone(), self.older.clone());
        GroupTable { accs, room, older, is_short: AtomicBool::new(false) }
    }
}

impl<S: Steps> GroupTable<S> {
    /// Makes `groups` groups that have seen nothing.
    ///
    /// # Errors
    /// If they do not fit in memory, or have no numbers.
    pub(super) fn new(op: &S::Op, groups: usize, dtype: DType) -> Result<Self, Error> {
        let mut table = GroupTable::default();
        table.grow(op, groups, dtype)?;
        Ok(table)
    }

    /// The number of groups.
    pub(super) fn len(&self) -> usize {
        self.accs.len()
    }

    /// Adds groups that have seen nothing, until there are `groups` of them.
    ///
    /// # Errors
    /// If they do not fit in memory, or have no numbers.
    pub(super) fn grow(&mut self, op: &S::Op, groups: usize, dtype: DType) -> Result<(), Error> {
        let more = groups.saturating_sub(self.len());
        let shelves = groups.div_ceil(SHELF).saturating_sub(self.older.len());
        let fits = u32::try_from(groups).is_ok()
            && self.accs.try_reserve(more).is_ok()
            && self.room.try_reserve(more).is_ok()
            && self.older.try_reserve(shelves).is_ok();
        if !fits {
            return Err(ErrorKind::ResultTooLarge { dtype, elements: groups }.into());
        }
        let groups = self.len() + more;
        self.accs.resize(groups, S::none(op));
        self.room.resize(groups, all::<S>());
        self.older.resize_with(self.older.len() + shelves, Older::default);
        Ok(())
    }

    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        let GroupTable { accs, room, older, .. } = self;
        let of_shelves = older.capacity() * size_of::<Older<S::Acc>>();
        let older = older.iter().map(Older::bytes).sum::<usize>() + of_shelves;
        accs.capacity() * size_of::<S::Acc>() + room.capacity() * 4 + older
    }

    /// The number of elements in the newest set of a group.
    fn recent(&self, group: usize) -> u64 {
        taken::<S>(self.room[group])
    }

    /// The older sets of a group, the newest first.
    fn older(&self, group: usize) -> impl Iterator<Item = (S::Acc, u64)> + '_ {
        self.older[group / SHELF].of(group % SHELF)
    }

    /// The number of elements that a group has seen.
    pub(super) fn count(&self, group: usize) -> u64 {
        self.older(group).fold(self.recent(group), |all, (_, count)| all + count)
    }

    /// Whether a group has seen an element.
    pub(super) fn has_seen(&self, group: usize) -> bool {
        self.recent(group) > 0 || self.older(group).next().is_some()
    }

    /// What a group has seen, and how many elements those are.
    pub(super) fn of(&self, op: &S::Op, group: usize) -> (S::Acc, u64) {
        let newest = (self.accs[group], self.recent(group));
        let sets = Some(newest).filter(|set| set.1 > 0).into_iter().chain(self.older(group));
        gathered(sets, |a, b| S::combine(op, a, b)).unwrap_or((newest.0, 0))
    }

    /// Replaces what a group has seen.
    pub(super) fn set(&mut self, op: &S::Op, group: usize, (acc, count): (S::Acc, u64)) {
        self.older[group / SHELF].clear(group % SHELF);
        self.accs[group] = S::none(op);
        self.room[group] = all::<S>();
        self.open().add(op, group, acc, count);
    }

    /// All groups, to be added to.
    #[inline(always)]
    pub(super) fn open(&mut self) -> Open<'_, S> {
        let GroupTable { accs, room, older, is_short } = self;
        Open { first: 0, accs, room, older, is_short }
    }

    /// All groups in parts, one for each of `threads` threads at most.
    pub(super) fn parts(&mut self, threads: usize) -> Vec<Open<'_, S>> {
        let size = self.older.len().div_ceil(threads).max(1) * SHELF;
        let sets = self.accs.chunks_mut(size).zip(self.room.chunks_mut(size));
        let parts = sets.zip(self.older.chunks_mut(size / SHELF)).enumerate();
        let is_short = &self.is_short;
        let open = |(part, ((accs, room), older))| {
            let first = part * size;
            Open { first, accs, room, older, is_short }
        };
        parts.map(open).collect()
    }

    /// Whether memory ran out since this was asked last. Then rows were counted, and the groups are not what their rows
    /// give.
    pub(super) fn was_short(&mut self) -> bool {
        std::mem::take(self.is_short.get_mut())
    }

    /// Takes out the first `groups` groups.
    ///
    /// # Errors
    /// If they do not fit in memory. Then all are as they were.
    pub(super) fn take_first(
        &mut self,
        op: &S::Op,
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
        first.room.copy_from_slice(&self.room[..groups]);
        others.room.copy_from_slice(&self.room[groups..]);
        for group in 0..self.len() {
            let (part, place) = match group.checked_sub(groups) {
                None => (&mut first, group),
                Some(place) => (&mut others, place),
            };
            if !part.older[place / SHELF].take(place % SHELF, self.older(group)) {
                return Err(ErrorKind::ResultTooLarge { dtype, elements: self.len() }.into());
            }
        }
        *self = others;
        Ok(first)
    }

    /// What all groups have seen, and how many elements those are.
    ///
    /// # Errors
    /// If they do not fit in memory.
    pub(super) fn gathered(
        &self,
        op: &S::Op,
        dtype: DType,
    ) -> Result<(Vec<S::Acc>, Vec<u64>), Error> {
        let (mut accs, mut counts) = (reserve(self.len(), dtype)?, reserve(self.len(), dtype)?);
        for group in 0..self.len() {
            let (acc, count) = self.of(op, group);
            accs.push(acc);
            counts.push(count);
        }
        Ok((accs, counts))
    }
}

/// Groups of a [`GroupTable`], to be added to.
pub(super) struct Open<'a, S: Steps> {
    /// The number of the first of them. Places below are counted from it.
    first: usize,
    accs: &'a mut [S::Acc],
    room: &'a mut [i32],
    older: &'a mut [Older<S::Acc>],
    is_short: &'a AtomicBool,
}

impl<S: Steps> Open<'_, S> {
    /// Gives the same groups as a value of its own, so that a loop keeps their places in registers.
    #[inline(always)]
    pub(super) fn borrowed(&mut self) -> Open<'_, S> {
        let Open { first, accs, room, older, is_short } = self;
        // Of one length, so that a group is looked for once.
        let groups = accs.len();
        Open { first: *first, accs, room: &mut room[..groups], older, is_short }
    }

    /// The numbers of the groups.
    pub(super) fn groups(&self) -> Range<usize> {
        self.first..self.first + self.accs.len()
    }

    /// Bytes that rows are pushed to.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.accs)
    }

    /// Pushes an element onto the accumulator of a group.
    #[inline(always)]
    pub(super) fn push(&mut self, op: &S::Op, group: usize, x: Wide<S>, position: u64) {
        let room = self.room[group] - 1;
        self.room[group] = room;
        if room < 0 {
            self.room[group] = room + 1;
            self.pass(op, group);
            self.room[group] -= 1;
        }
        S::next_into(op, &mut self.accs[group], x, position);
    }

    /// Adds what some newer elements of a group gave.
    pub(super) fn add(&mut self, op: &S::Op, group: usize, newest: S::Acc, count: u64) {
        if count == 0 {
            return;
        }
        let left = |open: &Self| {
            let room = open.room[group];
            let left = i32::try_from(i64::from(room).checked_sub_unsigned(count)?).ok()?;
            // One more can be counted, too.
            (left >= 0 || room == all::<S>() && left > i32::MIN).then_some(left)
        };
        if left(self).is_none() {
            self.pass(op, group);
        }
        match left(self) {
            Some(left) => {
                let is_first = self.room[group] == all::<S>();
                let acc = &mut self.accs[group];
                *acc = if is_first { newest } else { S::combine(op, *acc, newest) };
                self.room[group] = left;
            }
            None => _ = Self::pass_on((self.older, self.is_short), op, group, (newest, count)),
        }
    }

    /// The newest set of a group passes to the second stage. If memory lacks, it stays as it is and goes on.
    #[inline(always)]
    fn pass(&mut self, op: &S::Op, group: usize) {
        let set = (self.accs[group], taken::<S>(self.room[group]));
        let has_passed = match self.older[group / SHELF].second(group % SHELF) {
            Some((acc, count)) if *count + set.1 <= some::<S>() => {
                (*acc, *count) = (S::combine(op, *acc, set.0), *count + set.1);
                true
            }
            _ => Self::pass_on((self.older, self.is_short), op, group, set),
        };
        if has_passed {
            (self.accs[group], self.room[group]) = (S::none(op), all::<S>());
        }
    }

    /// A set takes the place of the one in the second stage, which passes to the third.
    #[cold]
    #[inline(never)]
    fn pass_on(
        (older, is_short): (&mut [Older<S::Acc>], &AtomicBool),
        op: &S::Op,
        group: usize,
        set: (S::Acc, u64),
    ) -> bool {
        let combine = |a, b| S::combine(op, a, b);
        let has_passed = set.1 == 0 || older[group / SHELF].pass(group % SHELF, set, combine);
        if !has_passed {
            is_short.store(true, Ordering::Relaxed);
        }
        has_passed
    }

    /// Asks for the memory of a group, to which an element will be pushed.
    #[inline(always)]
    pub(super) fn fetch(&self, group: usize) {
        prefetch(self.accs.as_ptr().wrapping_add(group).cast(), 0, size_of::<S::Acc>());
        prefetch(self.room.as_ptr().wrapping_add(group).cast(), 0, 1);
    }
}
