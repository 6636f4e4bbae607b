//! Numbers for keys of any kind: groups are numbered from 0, in the order in which their keys first appear.

mod column;
mod distinct;
mod tuple;
mod value;

pub use column::{GroupKey, KeyColumn};
pub use value::KeyValue;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use self::column::Numbers;
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::threads::Threads;
use crate::machine::team::{Crew, Team};
use crate::values::tensor::allocate;

/// Numbers the keys of columns, piece by piece: integers of any size, floats, strings, several columns together.
///
/// Each distinct key is a group. Groups are numbered from 0, in the order in which their keys first appear, and a number
/// stays what it is: [`Groups`](crate::Groups) take rows under these numbers. If all rows are there at once,
/// [`Reduction::group_by`](crate::Reduction::group_by) is shorter.
///
/// ```
/// use reduce_core::{Groups, Numbering, View};
/// use reduce_specs::ReduceMax;
///
/// // Readings in two batches; a sensor has a name and a channel.
/// let mut sensors = Numbering::new();
/// let mut largest = Groups::new(ReduceMax, 0)?;
/// for (names, channels, readings) in [
///     (["north", "south", "north"], [7, 7, 7], [1.5f32, 2.0, 0.5]),
///     (["east", "north", "north"], [7, 7, 9], [3.0, 4.0, 8.0]),
/// ] {
///     let numbers = sensors.number(&(&names, &channels))?;
///     largest.grow(sensors.len())?;
///     largest.update(&View::new(&readings, &[3])?, &numbers)?;
/// }
/// let found: Vec<((String, i32), f32)> = sensors.keys().zip(largest.finish()?.into_data()).collect();
/// assert_eq!(found[0], (("north".into(), 7), 4.0));
/// assert_eq!(found[3], (("north".into(), 9), 8.0));
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// # Memory
///
/// A group takes its key, and 20 to 39 bytes of a hash table. In a tuple each column has a table of its own, and there
/// is one for all. Each thread beside the first keeps what it has seen once more.
pub struct Numbering<K: GroupKey> {
    numbers: K::Numbers,
    /// What all threads but the first have numbered, so that a key that a thread has seen is not new to it.
    apart: Vec<Apart<K::Numbers>>,
    threads: Threads,
}

impl<K: GroupKey> Default for Numbering<K> {
    fn default() -> Self {
        Numbering { numbers: Default::default(), apart: Vec::new(), threads: Threads::default() }
    }
}

impl<K: GroupKey> Clone for Numbering<K> {
    fn clone(&self) -> Self {
        let Numbering { numbers, threads, .. } = self;
        Numbering { numbers: numbers.clone(), apart: Vec::new(), threads: threads.clone() }
    }
}

impl<K: GroupKey> fmt::Debug for Numbering<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Numbering").field("groups", &self.len()).finish_non_exhaustive()
    }
}

impl<K: GroupKey> Numbering<K> {
    /// A numbering without keys.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the threads, which share columns of more than 2^17 rows. They change no number.
    #[must_use]
    pub fn threads(self, threads: Threads) -> Self {
        Numbering { threads, ..self }
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is no group yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The key of a group.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn key(&self, group: usize) -> K {
        assert!(group < self.len(), "group {group} of {}", self.len());
        self.numbers.key(group)
    }

    /// The keys of all groups, in their order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = K> + '_ {
        (0..self.len()).map(|group| self.numbers.key(group))
    }

    /// The keys of all groups, in their order. Those of one column are not copied.
    pub fn into_keys(self) -> Vec<K> {
        self.numbers.into_keys()
    }

    /// The number of the group of each row. A key that was not there before is a new group.
    ///
    /// # Errors
    /// - Columns of a tuple have different lengths.
    /// - Numbers do not fit in memory, or there are more than 2^32 - 1 keys. Then some of the keys may have a number.
    pub fn number<C>(&mut self, column: &C) -> Result<Vec<u32>, Error>
    where
        C: KeyColumn<Key = K> + ?Sized,
    {
        let rows = column.rows()?;
        let mut groups = allocate(rows)?;
        self.number_rows(column, 0, &mut groups)?;
        Ok(groups)
    }

    /// Writes the number of the group of each row, from the first on, until `groups` is full. The column has those rows.
    pub(super) fn number_rows<C>(
        &mut self,
        column: &C,
        first: usize,
        groups: &mut [u32],
    ) -> Result<(), Error>
    where
        C: KeyColumn<Key = K> + ?Sized,
    {
        let rows = groups.len();
        let Numbering { numbers, apart, threads } = self;
        let team = Crew { threads, progress: None }.team(rows);
        let done = number((column, first), numbers, apart, groups, team);
        done.ok_or_else(|| ErrorKind::ResultTooLarge { dtype: DType::U32, elements: rows }.into())
    }
}

/// The type that numbers the keys of a column.
type NumbersOf<C> = <<C as KeyColumn>::Key as GroupKey>::Numbers;

/// The keys of rows that a thread numbers by itself, and their numbers among all.
#[derive(Default)]
struct Apart<N> {
    numbers: N,
    of_all: Vec<u32>,
}

/// Numbers rows of a column, from the first on. Each thread has a part of them. Behind the first part they are numbered apart, and
/// then get the numbers that their keys have among all. Returns none if memory or numbers run out.
fn number<C: KeyColumn + ?Sized>(
    (column, first): (&C, usize),
    numbers: &mut NumbersOf<C>,
    apart: &mut Vec<Apart<NumbersOf<C>>>,
    groups: &mut [u32],
    team: Team<'_>,
) -> Option<()> {
    let size = groups.len().div_ceil(team.threads()).max(1);
    let parts = groups.len().div_ceil(size);
    apart.resize_with(parts.max(apart.len() + 1) - 1, Apart::default);
    let own = std::iter::once(&mut *numbers).chain(apart.iter_mut().map(|part| &mut part.numbers));
    let is_full = AtomicBool::new(false);
    team.each(groups.chunks_mut(size).zip(own).enumerate().collect(), |(part, (groups, own))| {
        let from = first + part * size;
        if column.number(from..from + groups.len(), own, groups).is_none() {
            is_full.store(true, Ordering::Relaxed);
        }
    });
    if is_full.into_inner() {
        return None;
    }
    for Apart { numbers: own, of_all } in &mut *apart {
        for new in of_all.len()..own.len() {
            of_all.push(numbers.number(own, new)?);
        }
    }
    let behind = groups.chunks_mut(size).skip(1);
    team.each(behind.zip(&*apart).collect(), |(groups, part)| {
        groups.iter_mut().for_each(|group| *group = part.of_all[*group as usize]);
    });
    Some(())
}
