//! Columns of keys, and what numbers those of each.

use std::fmt::Debug;
use std::ops::Range;

use super::distinct::Distinct;
use super::value::KeyValue;
use crate::facts::error::Error;

/// A column of keys, one for each row.
///
/// It is a slice, an array or a `Vec` of [values](KeyValue), or a tuple of two to four columns. Rows of a tuple are of one group
/// if they are equal in all columns. A column of a tuple may be a tuple again.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a column of keys",
    label = "expected a slice of integers, floats or strings, or a tuple of columns"
)]
pub trait KeyColumn: Sync {
    /// A key, as it is kept: `(String, i32)` of strings beside integers.
    type Key: GroupKey;

    /// The number of rows.
    ///
    /// # Errors
    /// If columns of a tuple have different numbers.
    fn rows(&self) -> Result<usize, Error>;

    /// Writes the numbers of some rows, which are there. It gives nothing if memory or numbers run out.
    #[doc(hidden)]
    fn number(
        &self,
        rows: Range<usize>,
        numbers: &mut <Self::Key as GroupKey>::Numbers,
        groups: &mut [u32],
    ) -> Option<()>;
}

/// A key of a group: a [value](KeyValue) that is kept, or a tuple of keys.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what is kept of a key",
    label = "expected an integer, a float, a `bool`, a `char`, a `String`, an `Option` of one, or a tuple of these"
)]
pub trait GroupKey: Sized {
    /// The type that numbers such keys.
    #[doc(hidden)]
    type Numbers: Numbers<Key = Self>;
}

/// Numbers keys, in the order in which they first appear.
#[doc(hidden)]
pub trait Numbers: Clone + Debug + Default + Send + Sync {
    type Key;

    fn len(&self) -> usize;

    fn key(&self, number: usize) -> Self::Key;

    /// All keys, in the order of their numbers.
    fn into_keys(self) -> Vec<Self::Key>;

    /// The number here of a key that another has numbered; it may be new here. It is nothing if memory or numbers run out.
    fn number(&mut self, other: &Self, number: usize) -> Option<u32>;
}

impl<K: KeyValue<Key = K> + Clone + Debug + Send + Sync> GroupKey for K {
    type Numbers = Distinct<K>;
}

impl<K: KeyValue<Key = K> + Clone + Debug + Send + Sync> Numbers for Distinct<K> {
    type Key = K;

    fn len(&self) -> usize {
        self.keys().len()
    }

    fn key(&self, number: usize) -> K {
        self.keys()[number].clone()
    }

    fn into_keys(self) -> Vec<K> {
        self.into_keys()
    }

    fn number(&mut self, other: &Self, number: usize) -> Option<u32> {
        self.find(&other.keys()[number])
    }
}

macro_rules! slices {
    ($([$($generics:tt)*] $column:ty;)*) => {$(
        impl<$($generics)*> KeyColumn for $column {
            type Key = V::Key;

            fn rows(&self) -> Result<usize, Error> {
                Ok(self.len())
            }

            fn number(
                &self,
                rows: Range<usize>,
                numbers: &mut Distinct<V::Key>,
                groups: &mut [u32],
            ) -> Option<()> {
                for (value, group) in self[rows].iter().zip(groups) {
                    *group = numbers.find(value)?;
                }
                Some(())
            }
        }
    )*};
}

slices! {
    [V: KeyValue] [V];
    [V: KeyValue] Vec<V>;
    [V: KeyValue, const ROWS: usize] [V; ROWS];
}

impl<C: KeyColumn + ?Sized> KeyColumn for &C {
    type Key = C::Key;

    fn rows(&self) -> Result<usize, Error> {
        (**self).rows()
    }

    fn number(
        &self,
        rows: Range<usize>,
        numbers: &mut <C::Key as GroupKey>::Numbers,
        groups: &mut [u32],
    ) -> Option<()> {
        (**self).number(rows, numbers, groups)
    }
}
