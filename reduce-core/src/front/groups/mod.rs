//! Reductions by key: of each group of rows, the rows that have its key.

mod any;
mod by_key;
mod columns;
mod fold;
mod group_by;
mod key;
mod older;
mod rows;
mod segments;
mod spans;
mod state;
mod table;
mod take;

pub use any::AnyGroups;
pub use by_key::ByKey;
pub use group_by::GroupBy;
pub use key::Key;
pub use segments::ByOffsets;
pub use state::GroupsState;

use std::fmt;
use std::sync::Arc;

use self::key::{Largest, groups_of};
use self::rows::RowScratch;
use self::table::GroupTable;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::schema::Empty;
use crate::facts::shape::Shape;
use crate::front::settings::Settings;
use crate::front::stream::{Streams, check_count};
use crate::values::input::Input;
use crate::values::steps::Steps;
use crate::values::stored::Stored;
use crate::values::tensor::collect;
use crate::values::written::Written;

/// Accumulators by key: one for each group of rows, which live on from update to update.
///
/// A *row* is one element, or one of each input if the operator has several inputs. Its *key* says to which *group* it
/// belongs: groups are numbered from 0.
///
/// ```
/// use reduce_core::{Groups, View};
/// use reduce_specs::{ReduceMax, ReduceMean};
///
/// // Readings of three sensors, in two batches.
/// let mut sensors = Groups::new((ReduceMean, ReduceMax), 3)?;
/// sensors.update(&View::new(&[1.0f32, 5.0, 3.0], &[3])?, &[0, 2, 0])?;
/// sensors.update(&View::new(&[7.0f32, 8.0], &[2])?, &[2, 1])?;
/// let (mean, max) = sensors.finish()?;
/// assert_eq!((mean.data(), max.data()), (&[2.0, 8.0, 6.0][..], &[3.0, 8.0, 7.0][..]));
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// Any operator goes, and a tuple of several. If all rows are there at once,
/// [`Reduction::by_key`](crate::Reduction::by_key) is shorter. [`Groups::update_masked`] leaves out rows. Under
/// [`Masked`](crate::Masked) and [`SkipNan`](crate::SkipNan) a row stays, and its element does not count.
///
/// # Positions
///
/// An operator that asks for positions, such as `ArgMax`, gets the place of a row among all rows of all updates, and
/// not within its group. So the row is found again, with its key and other columns.
///
/// # Order
///
/// The rows of a group are combined in their order, or as an operator that is commutative allows. An
/// update is cut into blocks of 8192 rows. Those that do not count are left out of a block. Then the first of
/// these rules that holds is followed:
///
/// 1. A *run* is rows of the same key, one after the other. If runs are at least 32 rows long on average, each is
///    reduced as [`Reduction::run`](crate::Reduction::run) would reduce that list. If positions are asked for, the rows
///    have to follow one another for this.
/// 2. The rows of each key are reduced as such a list if they are at least 32 on average over all groups. Accumulators
///    must have two to eight scalars for this, and positions must not be asked for.
/// 3. Otherwise each row is pushed onto the accumulator of its group.
///
/// By these rules a group gets pieces, as a stream does. They are combined in a tree:
/// [numerics](crate::guide::numerics#pieces-and-keys) has its rules, and the bound of the error that follows.
///
/// An update of at least 2^19 rows into up to 2^10 groups is first cut into *spans* of 2^18 rows, which include those that do
/// not count. Each span goes into groups of its own, and what a group got there is one piece.
///
/// So the last bits of floats depend on keys, on the number of groups and on how rows were cut in updates. They depend
/// neither on the CPU nor on threads. As in a [`Stream`](crate::Stream), doubtful results are not computed
/// again: a norm may overflow on the way.
///
/// # Threads
///
/// Threads share an update from 2^19 rows on. If there are up to 2^10 groups, each thread takes some of the spans. If the
/// accumulators take 2^22 bytes or more, each thread has a part of the groups, and all threads look at all keys. Otherwise one
/// thread takes all rows. Threads share a list of one group as they share that of [`Reduction::run`](crate::Reduction::run).
///
/// # Memory
///
/// A group takes an accumulator and four bytes. Groups are kept together in *shelves* of 128. Once a group of a shelf has seen
/// 65 rows, each group of the shelf takes an older accumulator too, with eight bytes more. A group of `n` rows has up to
/// `log2(n / 512)` accumulators more from its 577th row on, each with about 16 bytes. Operators of positions, such as
/// `ArgMax`, and those that have a `remove` need none.
pub struct Groups<Op, T: Stored>
where
    Op: Streams<T>,
{
    op: Arc<Op>,
    settings: Settings,
    table: GroupTable<Op::Steps>,
    /// The rows of all updates.
    rows: u64,
    scratch: RowScratch<T>,
}

impl<Op: Streams<T>, T: Stored> Clone for Groups<Op, T> {
    fn clone(&self) -> Self {
        Groups {
            op: self.op.clone(),
            settings: self.settings.clone(),
            table: self.table.clone(),
            rows: self.rows,
            scratch: RowScratch::default(),
        }
    }
}

impl<Op: Streams<T>, T: Stored> fmt::Debug for Groups<Op, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Groups").field("groups", &self.len()).finish_non_exhaustive()
    }
}

impl<Op: Streams<T>, T: Stored> Groups<Op, T> {
    /// Makes `groups` groups that have seen nothing.
    ///
    /// # Errors
    /// If they do not fit in memory, or are more than 2^32 - 1; or the operator
    /// [refuses](crate::ReduceOp::refuses) its parameters.
    pub fn new(op: Op, groups: usize) -> Result<Self, Error> {
        Self::with_settings(op, Settings::default(), groups)
    }

    /// Makes groups with the level and the threads of `settings`.
    pub(super) fn with_settings(op: Op, settings: Settings, groups: usize) -> Result<Self, Error> {
        op.check()?;
        let scratch = RowScratch::default();
        let table = GroupTable::default();
        let mut new = Groups { op: Arc::new(op), settings, table, rows: 0, scratch };
        new.grow(groups)?;
        Ok(new)
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which groups have seen an element.
    pub fn seen(&self) -> impl ExactSizeIterator<Item = bool> + '_ {
        (0..self.len()).map(|group| self.table.has_seen(group))
    }

    /// Adds groups that have seen nothing, until there are `groups` of them. If there are more, they stay.
    ///
    /// # Errors
    /// As [`Groups::new`]. Then the groups are as they were.
    pub fn grow(&mut self, groups: usize) -> Result<(), Error> {
        self.table.grow(&self.op, groups, T::DTYPES[0])
    }

    /// Takes rows: the elements of a view, or of a tuple of views, in row-major order, and a key for each.
    ///
    /// # Errors
    /// If there are fewer or more keys than elements, if a key is not the number of a group, or if the views do not
    /// broadcast to one shape. Then the groups are as they were; if memory runs out, or the operator panics, some rows
    /// may be counted.
    pub fn update<I, K>(&mut self, values: &I, keys: &[K]) -> Result<(), Error>
    where
        I: Input<Stored = T>,
        K: Key,
    {
        self.take(values, keys, None)
    }

    /// Takes the rows for which a mask, one for each, is true. The others are as if they were not there,
    /// except that positions count them; their keys must be right too.
    ///
    /// ```
    /// use reduce_core::{Groups, View};
    /// use reduce_specs::ReduceSum;
    ///
    /// let mut groups = Groups::new(ReduceSum, 2)?;
    /// let values = View::new(&[1i64, 2, 4, 8], &[4])?;
    /// groups.update_masked(&values, &[0u8, 1, 0, 1], &[true, true, false, true])?;
    /// assert_eq!(groups.finish()?.data(), [1, 10]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Groups::update`], and if there are fewer or more entries in the mask than rows.
    pub fn update_masked<I, K>(
        &mut self,
        values: &I,
        keys: &[K],
        mask: &[bool],
    ) -> Result<(), Error>
    where
        I: Input<Stored = T>,
        K: Key,
    {
        self.take(values, keys, Some(mask))
    }

    /// Takes out the first `groups` groups, or all if there are fewer. The others move up.
    ///
    /// # Errors
    /// If they do not fit in memory. Then the groups are as they were.
    pub fn take_first(&mut self, groups: usize) -> Result<Self, Error> {
        let table = self.table.take_first(&self.op, groups, T::DTYPES[0])?;
        if self.is_empty() {
            self.scratch = RowScratch::default();
        }
        let (op, settings) = (self.op.clone(), self.settings.clone());
        Ok(Groups { op, settings, table, rows: self.rows, scratch: RowScratch::default() })
    }

    /// Takes what other groups have seen, behind what these have: group `i` of the others goes to group
    /// `mapping[i]`. Positions of the others are taken as they are.
    ///
    /// ```
    /// use reduce_core::{Groups, View};
    /// use reduce_specs::ReduceMax;
    ///
    /// let mut all = Groups::new(ReduceMax, 3)?;
    /// all.update(&View::new(&[4i32, 5, 6], &[3])?, &[0, 1, 2])?;
    /// let mut others = Groups::new(ReduceMax, 2)?;
    /// others.update(&View::new(&[1i32, 9], &[2])?, &[0, 1])?;
    /// all.merge(&others, &[2, 0])?;
    /// assert_eq!(all.finish()?.data(), [9, 5, 6]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Then these groups are as they were. If memory runs out, some of the others may be taken.
    ///
    /// - The others have other parameters.
    /// - There are fewer or more numbers than other groups, or a number is not that of a group.
    /// - A group and all others together would count more than `i64::MAX` elements, or `usize::MAX` on targets of 32 bits.
    pub fn merge<K: Key>(&mut self, other: &Self, mapping: &[K]) -> Result<(), Error> {
        self.signature().check(&other.signature())?;
        self.check_keys(mapping, other.len())?;
        let places = || groups_of(mapping).map(|to| to as usize).enumerate();
        self.check_counts(places().map(|(group, to)| (to, other.table.count(group))))?;
        for (group, to) in places() {
            let (newest, count) = other.table.of(&other.op, group);
            self.table.open().add(&self.op, to, newest, count);
        }
        self.check_memory()
    }

    /// Takes what one group of others has seen, behind what a group has.
    ///
    /// # Errors
    /// As [`Groups::merge`].
    pub fn merge_one(&mut self, other: &Self, from: usize, group: usize) -> Result<(), Error> {
        self.signature().check(&other.signature())?;
        self.check_keys(&[group], 1)?;
        other.check_keys(&[from], 1)?;
        let (newest, count) = other.table.of(&other.op, from);
        check_count(self.table.count(group), count)?;
        self.table.open().add(&self.op, group, newest, count);
        self.check_memory()
    }

    /// Takes rows that are all of one group. They are reduced as one list.
    ///
    /// # Errors
    /// As [`Groups::update`].
    pub fn update_one<I: Input<Stored = T>>(
        &mut self,
        values: &I,
        group: usize,
    ) -> Result<(), Error> {
        self.take_one(values, group, None)
    }

    /// Whether rows can be taken out again. They can if the operator, or each of several, has a `remove`.
    pub fn removes(&self) -> bool {
        Op::Steps::REMOVES
    }

    /// Takes rows out again that were all taken into one group, in any order.
    ///
    /// ```
    /// use reduce_core::{Groups, View};
    /// use reduce_gallery::ExactSum;
    ///
    /// let mut window = Groups::new(ExactSum, 1)?;
    /// window.update_one(&View::new(&[1e20f64, 1.0, 2.0], &[3])?, 0)?;
    /// window.remove(&View::new(&[1e20f64], &[1])?, 0)?;
    /// assert_eq!(window.finish()?.data(), [3.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the operator lacks a `remove`, if there is no such group, or if it has fewer elements than are taken out.
    /// Then the groups are as they were.
    pub fn remove<I: Input<Stored = T>>(&mut self, values: &I, group: usize) -> Result<(), Error> {
        self.take_out(values, group, None)
    }

    /// The results of all groups so far, one for each, in their order; the groups can go on.
    ///
    /// # Errors
    /// If a group has seen nothing, or nothing that counts, and the operator lacks a value for that; or if the results
    /// do not fit in memory.
    pub fn finish(&self) -> Result<<Op::Result as Written>::Tensors, Error> {
        if let Some(group) = (0..self.len()).find(|&group| self.lacks_result(group)) {
            return Err(ErrorKind::EmptyGroup { group, dtype: T::DTYPES[0] }.into());
        }
        self.results(|group| self.result(group))
    }

    /// Whether a group has no result, since it has seen nothing that counts.
    fn lacks_result(&self, group: usize) -> bool {
        match (Op::EMPTY, Op::CHOOSES) {
            (Empty::Error, false) => !self.table.has_seen(group),
            (Empty::Error, true) => {
                let (acc, count) = self.table.of(&self.op, group);
                Op::lacks(acc, usize::try_from(count).unwrap_or(usize::MAX))
            }
            _ => false,
        }
    }

    /// The result of a group.
    fn result(&self, group: usize) -> Op::Result {
        let (acc, count) = self.table.of(&self.op, group);
        self.op.result(acc, usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Tensors of a result for each group.
    fn results(
        &self,
        of: impl Fn(usize) -> Op::Result,
    ) -> Result<<Op::Result as Written>::Tensors, Error> {
        Written::tensors(collect((0..self.len()).map(of))?, Shape::new(&[self.len()])?)
    }

    /// Checks that groups can count what is added to them. There may be one element for each position.
    fn check_counts(&self, more: impl Iterator<Item = (usize, u64)> + Clone) -> Result<(), Error> {
        let all = more.clone().fold(0, |all: u64, (_, count)| all.saturating_add(count));
        for (group, _) in more {
            check_count(self.table.count(group), all)?;
        }
        Ok(())
    }

    /// Checks that there are `expected` keys, and that each is the number of a group.
    fn check_keys<K: Key>(&self, keys: &[K], expected: usize) -> Result<(), Error> {
        let (found, groups) = (keys.len(), self.len());
        if found != expected {
            return Err(
                ErrorKind::LengthMismatch { what: "the list of keys", expected, found }.into()
            );
        }
        let mut most = 0;
        self.settings.level.check()?.run_narrow(Largest { keys, most: &mut most });
        if most >= groups as u64 && !keys.is_empty() {
            let is_wrong = |key: &K| key.number() >= groups as u64;
            let row = keys.iter().position(is_wrong).unwrap_or(0);
            return Err(ErrorKind::KeyOutOfRange { key: keys[row].shown(), row, groups }.into());
        }
        Ok(())
    }
}
