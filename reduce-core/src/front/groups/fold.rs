//! How rows become accumulators.
//!
//! Rows come in blocks that stay in the nearer caches. Rows of one key that follow one another are a list,
//! which an ordinary kernel reduces in vectors. Other rows of a group are first brought together by a
//! counting sort of their keys, if the group has many in the block, and an element costs enough to pay for
//! that. All others are pushed, one by one, onto the accumulator of their group.

use std::ops::Range;

use super::key::{Narrow, Runs, groups_of};
use super::{Groups, Key, Table};
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::front::stream::Streams;
use crate::kernel::Fold;
use crate::machine::code::{Code, Work};
use crate::machine::level::Available;
use crate::values::accumulator::Accumulator;
use crate::values::input::Input;
use crate::values::stored::Stored;

/// Rows of a block.
const BLOCK: usize = 8192;

/// Rows ahead whose accumulators are fetched. Measured with a million groups, on one CPU: sums take a third less time, and
/// the logarithm of a sum of exponentials half, since fewer of its longer steps are under way at once.
const AHEAD: usize = 32;

/// Bytes of accumulators that are near whether they are fetched or not.
const NEAR: usize = 1 << 18;

/// Rows of which a list is reduced faster by a kernel of its own than one after the other.
const LIST: usize = 32;

/// Memory that is used again from block to block.
pub(super) struct Scratch<T: Stored> {
    keys: Vec<u32>,
    /// Where the rows of a block are that count, and their elements.
    places: Vec<u32>,
    chosen: T::Lists,
    sorted: Sorted<T>,
}

/// The rows of a block sorted by key: their elements, where each was, and where those of each key end.
struct Sorted<T: Stored> {
    lists: T::Lists,
    order: Vec<u32>,
    ends: Vec<u32>,
}

impl<T: Stored> Default for Scratch<T> {
    fn default() -> Self {
        let (lists, chosen) = (T::Lists::default(), T::Lists::default());
        let sorted = Sorted { lists, order: Vec::new(), ends: Vec::new() };
        Scratch { keys: Vec::new(), places: Vec::new(), chosen, sorted }
    }
}

impl<T: Stored> Scratch<T> {
    /// Bytes of memory, about.
    pub(super) fn bytes(&self) -> usize {
        let row = T::SIZES.iter().sum::<usize>() + size_of::<u32>();
        2 * row * self.keys.capacity() + size_of::<u32>() * self.sorted.ends.capacity()
    }
}

/// Rows that count: their elements, from a place on, their keys, and where they are among all rows.
struct Rows<'d, 'k, T: Stored> {
    data: T::Data<'d>,
    first: usize,
    keys: &'k [u32],
    positions: Positions<'k>,
}

/// The positions of rows.
#[derive(Clone, Copy)]
enum Positions<'a> {
    /// One after another, from this on.
    From(u64),
    /// So many behind the first.
    Behind(u64, &'a [u32]),
}

impl Positions<'_> {
    #[inline(always)]
    fn of(self, row: usize) -> u64 {
        match self {
            Positions::From(first) => first + row as u64,
            Positions::Behind(first, places) => first + u64::from(places[row]),
        }
    }
}

impl<Op: Streams<T>, T: Stored> Groups<Op, T> {
    /// Whether the operator asks for positions.
    pub(super) const POSITIONED: bool = Op::Lane::POSITIONED || Op::Lane::SEARCHED;

    /// Takes the rows that count.
    pub(super) fn take<I, K>(
        &mut self,
        values: &I,
        keys: &[K],
        mask: Option<&[bool]>,
    ) -> Result<(), Error>
    where
        I: Input<Stored = T>,
        K: Key,
    {
        let shape = values.shape()?;
        self.check_keys(keys, shape.count())?;
        check_mask(mask, keys.len())?;
        let mut lists = T::Lists::default();
        let data = values.in_order(&shape, &mut lists)?;
        self.take_rows((data, 0), keys, mask)
    }

    /// Takes the rows that count; their elements begin at a place, and keys and mask were checked.
    pub(super) fn take_rows<K: Key>(
        &mut self,
        (data, first): (T::Data<'_>, usize),
        keys: &[K],
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        if self.has_spans(keys.len()) {
            return self.take_spans((data, first), keys, mask);
        }
        let level = self.settings.level.check()?;
        let mut scratch = std::mem::take(&mut self.scratch);
        let taken = (0..keys.len()).step_by(BLOCK).try_for_each(|from| {
            let block = from..keys.len().min(from + BLOCK);
            let mask = mask.map(|mask| &mask[block.clone()]);
            let position = self.rows + from as u64;
            let rows = (data, first + from, position);
            self.take_block(rows, &keys[block], mask, level, &mut scratch)
        });
        self.scratch = scratch;
        self.rows += keys.len() as u64;
        taken
    }

    /// Takes the rows that count, all of one group.
    pub(super) fn take_one<I: Input<Stored = T>>(
        &mut self,
        values: &I,
        group: usize,
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        let shape = values.shape()?;
        if mask.is_some_and(|mask| mask.contains(&false)) {
            return self.take(values, &vec![group; shape.count()], mask);
        }
        self.check_keys(&[group], 1)?;
        check_mask(mask, shape.count())?;
        let level = self.settings.level.check()?;
        let mut lists = T::Lists::default();
        let data = values.in_order(&shape, &mut lists)?;
        self.fold_list(group, data, 0..shape.count(), self.rows, level)?;
        self.rows += shape.count() as u64;
        Ok(())
    }

    /// Takes the elements of each group as a list: those between two offsets, which ascend within the shape.
    pub(super) fn take_segments<I: Input<Stored = T>>(
        &mut self,
        values: &I,
        shape: &Shape,
        offsets: &[usize],
    ) -> Result<(), Error> {
        let level = self.settings.level.check()?;
        let mut lists = T::Lists::default();
        let data = values.in_order(shape, &mut lists)?;
        for (group, pair) in offsets.windows(2).enumerate() {
            self.fold_list(group, data, pair[0]..pair[1], pair[0] as u64, level)?;
        }
        Ok(())
    }

    /// Takes the rows that count out of one group.
    pub(super) fn take_out<I: Input<Stored = T>>(
        &mut self,
        values: &I,
        group: usize,
        mask: Option<&[bool]>,
    ) -> Result<(), Error> {
        if !Op::Lane::REMOVES {
            return Err(ErrorKind::NoInverse.into());
        }
        let shape = values.shape()?;
        self.check_keys(&[group], 1)?;
        check_mask(mask, shape.count())?;
        let mut lists = T::Lists::default();
        let data = values.in_order(&shape, &mut lists)?;
        let counts = |row: &usize| mask.is_none_or(|mask| mask[*row]);
        let less = (0..shape.count()).filter(counts).count();
        let (acc, count) = self.table.of(&self.op, group);
        let Some(left) = count.checked_sub(less as u64) else {
            return Err(ErrorKind::TooFew { group, count, less }.into());
        };
        let without = |acc, row| Op::Lane::remove(&self.op, acc, T::get(data, row));
        let acc = match left {
            0 => acc,
            _ => (0..shape.count()).filter(counts).fold(acc, without),
        };
        self.table.set(&self.op, group, (acc, left));
        self.check_memory()
    }

    /// Takes those rows of a block that count; its elements begin at a place, and its positions at a number.
    fn take_block<K: Key>(
        &mut self,
        (data, first, position): (T::Data<'_>, usize, u64),
        keys: &[K],
        mask: Option<&[bool]>,
        level: Available,
        scratch: &mut Scratch<T>,
    ) -> Result<(), Error> {
        let Scratch { keys: groups, places, chosen, sorted } = scratch;
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
            return self.fold(&Rows { data, first, keys, positions }, level, sorted);
        };
        list_places(mask, places);
        groups.extend(places.iter().flat_map(|&place| groups_of(&keys[place as usize..][..1])));
        T::gather(data, first, places, chosen);
        let positions = Positions::Behind(position, places);
        let rows = Rows { data: T::lent(chosen), first: 0, keys: groups, positions };
        self.fold(&rows, level, sorted)
    }

    /// Whether rows are brought together by key: where an accumulator is more than a number, and not so
    /// large that an element changes little of it.
    const SORTED: bool = !Self::POSITIONED && matches!(Op::Acc::SCALARS, 2..=8);

    /// Folds rows, by the first of the rules that [`Groups`] names which holds.
    fn fold(
        &mut self,
        rows: &Rows<'_, '_, T>,
        level: Available,
        sorted: &mut Sorted<T>,
    ) -> Result<(), Error> {
        let (count, groups) = (rows.keys.len(), self.len());
        let in_sequence = !Self::POSITIONED || matches!(rows.positions, Positions::From(_));
        let mut runs = 0;
        level.run_narrow(Runs { groups: rows.keys, runs: &mut runs });
        if in_sequence && count >= LIST * runs as usize {
            let mut first = 0;
            for run in rows.keys.chunk_by(|a, b| a == b) {
                let part = rows.first + first..rows.first + first + run.len();
                self.fold_list(run[0] as usize, rows.data, part, rows.positions.of(first), level)?;
                first += run.len();
            }
        } else if Self::SORTED && count >= LIST * groups {
            let Sorted { lists, order, ends } = sorted;
            sort(rows.keys, groups, order, ends);
            T::gather(rows.data, rows.first, order, lists);
            let mut first = 0;
            for (group, &end) in ends.iter().enumerate() {
                let part = first..end as usize;
                first = part.end;
                self.fold_list(group, T::lent(lists), part, 0, level)?;
            }
        } else {
            level.run_narrow(Push::<Op, T> { op: &self.op, table: &mut self.table, rows });
        }
        self.check_memory()
    }

    /// Reduces a part of lists, all of one group.
    fn fold_list(
        &mut self,
        group: usize,
        data: T::Data<'_>,
        part: Range<usize>,
        position: u64,
        level: Available,
    ) -> Result<(), Error> {
        let count = part.len() as u64;
        if count > 0 {
            let kernel = Op::kernel_of_accumulators().bound(&*self.op);
            let newest = kernel.of_list(data, part, position, level, self.settings.crew())?;
            if let Some(&newest) = newest.get() {
                self.table.add(&self.op, group, newest, count);
            }
        }
        self.check_memory()
    }

    /// That there was memory for all that groups have seen.
    pub(super) fn check_memory(&mut self) -> Result<(), Error> {
        match self.table.was_short() {
            true => {
                Err(ErrorKind::ResultTooLarge { dtype: T::DTYPES[0], elements: self.len() }.into())
            }
            false => Ok(()),
        }
    }
}

/// That a mask has so many entries.
pub(super) fn check_mask(mask: Option<&[bool]>, expected: usize) -> Result<(), Error> {
    match mask.map(<[bool]>::len) {
        Some(found) if found != expected => {
            Err(ErrorKind::LengthMismatch { what: "the mask", expected, found }.into())
        }
        _ => Ok(()),
    }
}

/// Lists where a mask is true. Each place is written, and stands if it counts: there is no branch.
#[allow(clippy::cast_possible_truncation, reason = "places within a block")]
pub(super) fn list_places(mask: &[bool], places: &mut Vec<u32>) {
    places.clear();
    places.resize(mask.len() + 1, 0);
    let mut found = 0;
    for (place, &counts) in mask.iter().enumerate() {
        places[found] = place as u32;
        found += usize::from(counts);
    }
    places.truncate(found);
}

/// Sorts rows by key, those of one key in their order: how many rows each key has says where its first
/// goes, and each row goes to the next place of its key.
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
struct Push<'a, 'd, Op: Streams<T>, T: Stored> {
    op: &'a Op,
    table: &'a mut Table<Op::Lane>,
    rows: &'a Rows<'d, 'a, T>,
}

impl<Op: Streams<T>, T: Stored> Work for Push<'_, '_, Op, T> {
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        match self.table.pushed_bytes() > NEAR {
            true => self.push_all::<true>(),
            false => self.push_all::<false>(),
        }
    }
}

impl<Op: Streams<T>, T: Stored> Push<'_, '_, Op, T> {
    /// Pushes all, and fetches the accumulators of later rows if it is worth while.
    #[inline(always)]
    fn push_all<const FETCHES: bool>(self) {
        let Rows { data, first, keys, positions } = *self.rows;
        let mut groups = self.table.open();
        for (row, &key) in keys.iter().enumerate() {
            if FETCHES && let Some(&later) = keys.get(row + AHEAD) {
                groups.fetch(later as usize);
            }
            let position = if Groups::<Op, T>::POSITIONED { positions.of(row) } else { 0 };
            groups.push(self.op, key as usize, T::get(data, first + row), position);
        }
    }
}
