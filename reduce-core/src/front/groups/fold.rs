//! Rows are folded into the accumulators of their groups.
//!
//! Rows come in blocks that stay in the nearer caches. Rows of one key that follow one another are a list,
//! which an ordinary kernel reduces in vectors. If groups have many rows in the block, and an element costs enough to
//! pay for it, a counting sort of keys first brings the rows of each group together. All others are pushed, one by one,
//! onto the accumulator of their group.

use std::ops::Range;

use super::Key;
use super::key::FewRuns;
use super::rows::{KeyedRows, Positions, RowScratch, SortedRows, list_places};
use super::table::Open;
use crate::facts::error::Error;
use crate::facts::order::{KEYED_BLOCK, KEYED_LIST, has_sorted_rows};
use crate::facts::progress::Stopped;
use crate::front::stream::Streams;
use crate::machine::code::{Code, Work};
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::values::element::accumulator::Accumulator;
use crate::values::steps::Steps;
use crate::values::stored::Stored;

/// The accumulator of the row that comes this many rows later is fetched. This was measured with a million groups, on
/// one CPU. Sums take a third less time. The logarithm of a sum of exponentials takes half, since fewer of its longer
/// steps are under way at once.
const AHEAD: usize = 32;

/// Up to this many bytes of accumulators are near, whether they are fetched or not.
const NEAR: usize = 1 << 18;

/// Folds rows into groups: into all, or into those that a thread has.
pub(super) struct Folding<'a, Op: Streams<T>, T: Stored> {
    pub(super) op: &'a Op,
    pub(super) table: Open<'a, Op::Steps>,
    /// The number of all groups.
    pub(super) all: usize,
    pub(super) level: Available,
    pub(super) crew: Crew<'a>,
}

impl<Op: Streams<T>, T: Stored> Folding<'_, Op, T> {
    /// Whether positions of rows are asked for.
    pub(super) const POSITIONED: bool = Op::Steps::POSITIONED;

    /// Whether rows are brought together by key: where an accumulator is more than a number, and not so
    /// large that an element changes little of it.
    const SORTED: bool = !Self::POSITIONED && has_sorted_rows(Op::Acc::SCALARS);

    /// Takes the rows that count. Elements begin at place `first`, and positions at `position`. Tells `done` how many
    /// rows each block had.
    pub(super) fn take<K: Key>(
        &mut self,
        (data, first, position): (T::Data<'_>, usize, u64),
        keys: &[K],
        mask: Option<&[bool]>,
        scratch: &mut RowScratch<T>,
        done: impl Fn(usize) -> Result<(), Stopped>,
    ) -> Result<(), Error> {
        for from in (0..keys.len()).step_by(KEYED_BLOCK) {
            let block = from..keys.len().min(from + KEYED_BLOCK);
            let (keys, mask) = (&keys[block.clone()], mask.map(|mask| &mask[block]));
            let places = (data, first + from, position + from as u64);
            let level = self.level;
            scratch.with(places, keys, mask, level, |rows, sorted| self.fold(rows, sorted))?;
            done(keys.len())?;
        }
        Ok(())
    }

    /// Folds the rows of a block, by the first rule of [`Groups`](super::Groups) that holds.
    fn fold(
        &mut self,
        rows: &KeyedRows<'_, '_, T>,
        sorted: &mut SortedRows<T>,
    ) -> Result<(), Error> {
        let count = rows.keys.len();
        let in_sequence = !Self::POSITIONED || matches!(rows.positions, Positions::From(_));
        let (few, mut is_few) = (count / KEYED_LIST, false);
        if in_sequence {
            self.level.run_narrow(FewRuns { groups: rows.keys, few, is_few: &mut is_few });
        }
        if is_few {
            self.fold_runs(rows)
        } else if Self::SORTED && count >= KEYED_LIST * self.all {
            self.fold_sorted(rows, sorted)
        } else {
            self.push(rows, &mut sorted.order);
            Ok(())
        }
    }

    /// Reduces each run as a list.
    fn fold_runs(&mut self, rows: &KeyedRows<'_, '_, T>) -> Result<(), Error> {
        let here = self.table.groups();
        let mut first = 0;
        for run in rows.keys.chunk_by(|a, b| a == b) {
            let (group, part) = (run[0] as usize, first..first + run.len());
            first = part.end;
            if here.contains(&group) {
                let position = rows.positions.of(part.start);
                let elements = rows.first + part.start..rows.first + part.end;
                self.fold_list(group - here.start, rows.data, elements, position)?;
            }
        }
        Ok(())
    }

    /// Reduces the rows of each key as a list. All groups are here: they are few.
    fn fold_sorted(
        &mut self,
        rows: &KeyedRows<'_, '_, T>,
        sorted: &mut SortedRows<T>,
    ) -> Result<(), Error> {
        let SortedRows { lists, order, ends } = sorted;
        sort(rows.keys, self.all, order, ends);
        T::gather(rows.data, rows.first, order, lists);
        let mut first = 0;
        for (group, &end) in ends.iter().enumerate() {
            let part = first..end as usize;
            first = part.end;
            self.fold_list(group, T::lent(lists), part, 0)?;
        }
        Ok(())
    }

    /// Pushes each row whose group is here.
    fn push(&mut self, rows: &KeyedRows<'_, '_, T>, places: &mut Vec<u32>) {
        let here = self.table.groups();
        let is_part = here.len() < self.all;
        if is_part {
            let is_here = |key: u32| here.contains(&(key as usize));
            list_places(rows.keys, is_here, places);
        }
        let (op, table) = (self.op, &mut self.table);
        let here = is_part.then_some((here.start, &places[..]));
        self.level.run_narrow(Push::<Op, T> { op, table, rows, here });
    }

    /// Reduces a part of lists, all of one group.
    pub(super) fn fold_list(
        &mut self,
        group: usize,
        data: T::Data<'_>,
        part: Range<usize>,
        position: u64,
    ) -> Result<(), Error> {
        let count = part.len() as u64;
        if count > 0 {
            let kernel = Op::accumulating().bound(self.op);
            let newest = kernel.of_list(data, part, position, self.level, self.crew)?;
            if let Some(&newest) = newest.get() {
                self.table.add(self.op, group, newest, count);
            }
        }
        Ok(())
    }
}

/// Sorts rows by key, those of one key in their order. The number of rows of each key says where its first row goes,
/// and each row goes to the next place of its key.
#[allow(clippy::cast_possible_truncation, reason = "rows of a block")]
fn sort(keys: &[u32], groups: usize, order: &mut Vec<u32>, ends: &mut Vec<u32>) {
    ends.clear();
    ends.resize(groups, 0);
    keys.iter().for_each(|&key| ends[key as usize] += 1);
    let mut next = 0;
    for end in &mut *ends {
        next += std::mem::replace(end, next);
    }
    order.clear();
    order.resize(keys.len(), 0);
    for (row, &key) in keys.iter().enumerate() {
        let place = &mut ends[key as usize];
        order[*place as usize] = row as u32;
        *place += 1;
    }
}

/// Pushes each row onto the accumulator of its group.
struct Push<'a, 't, 'd, Op: Streams<T>, T: Stored> {
    op: &'a Op,
    table: &'a mut Open<'t, Op::Steps>,
    rows: &'a KeyedRows<'d, 'a, T>,
    /// The first of the groups that are here, and the rows of those. If it is none, all groups are here.
    here: Option<(usize, &'a [u32])>,
}

impl<Op: Streams<T>, T: Stored> Work for Push<'_, '_, '_, Op, T> {
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        let keys = self.rows.keys;
        let is_far = self.table.bytes() > NEAR;
        match self.here {
            Some((first, places)) => {
                let group = |place: &u32| keys[*place as usize] as usize - first;
                let rows = places.iter().map(|place| (*place as usize, group(place)));
                self.push_all::<true>(rows, |ahead| places.get(ahead).map(group));
            }
            None => {
                let rows = keys.iter().map(|key| *key as usize).enumerate();
                let later = |ahead| keys.get(ahead).map(|key| *key as usize);
                match is_far {
                    true => self.push_all::<true>(rows, later),
                    false => self.push_all::<false>(rows, later),
                }
            }
        }
    }
}

impl<Op: Streams<T>, T: Stored> Push<'_, '_, '_, Op, T> {
    /// Pushes rows, each with the place of its group, and fetches the accumulators of later ones if it is worth while.
    #[inline(always)]
    fn push_all<const FETCHES: bool>(
        self,
        rows: impl Iterator<Item = (usize, usize)>,
        later: impl Fn(usize) -> Option<usize>,
    ) {
        let KeyedRows { data, first, positions, .. } = *self.rows;
        let mut table = self.table.borrowed();
        for (place, (row, group)) in rows.enumerate() {
            if FETCHES && let Some(later) = later(place + AHEAD) {
                table.fetch(later);
            }
            let position = if Folding::<Op, T>::POSITIONED { positions.of(row) } else { 0 };
            table.push(self.op, group, T::get(data, first + row).wide(), position);
        }
    }
}
