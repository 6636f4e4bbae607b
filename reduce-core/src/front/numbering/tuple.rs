//! Several columns of keys as one: the keys of each are numbered by themselves, and rows of such numbers are numbered again.

use std::ops::Range;

use super::column::{GroupKey, KeyColumn, Numbers};
use super::distinct::Distinct;
use crate::facts::error::{Error, ErrorKind};

/// The numbers of this many rows are kept at a time for each column: few enough to stay in the nearest cache.
const BLOCK: usize = 512;

/// Numbers the keys of each column, and the rows.
#[derive(Clone, Debug, Default)]
pub struct RowNumbers<C, const COLUMNS: usize> {
    columns: C,
    rows: Distinct<[u32; COLUMNS]>,
}

macro_rules! tuples {
    ($($count:literal: $($column:ident $place:tt),*;)*) => {$(
        impl<$($column: KeyColumn),*> KeyColumn for ($($column,)*) {
            type Key = ($($column::Key,)*);

            fn rows(&self) -> Result<usize, Error> {
                same([$(self.$place.rows()?),*])
            }

            fn number(
                &self,
                rows: Range<usize>,
                numbers: &mut <Self::Key as GroupKey>::Numbers,
                groups: &mut [u32],
            ) -> Option<()> {
                let mut of_column = [[0; BLOCK]; $count];
                let firsts = rows.step_by(BLOCK);
                for (first, groups) in firsts.zip(groups.chunks_mut(BLOCK)) {
                    let rows = groups.len();
                    $({
                        let (numbers, of_rows) = (&mut numbers.columns.$place, &mut of_column[$place]);
                        self.$place.number(first..first + rows, numbers, &mut of_rows[..rows])?;
                    })*
                    for (row, group) in groups.iter_mut().enumerate() {
                        *group = numbers.rows.find(&of_column.map(|numbers| numbers[row]))?;
                    }
                }
                Some(())
            }
        }

        impl<$($column: GroupKey),*> GroupKey for ($($column,)*) {
            type Numbers = RowNumbers<($($column::Numbers,)*), $count>;
        }

        impl<$($column: Numbers),*> Numbers for RowNumbers<($($column,)*), $count> {
            type Key = ($($column::Key,)*);

            fn len(&self) -> usize {
                self.rows.len()
            }

            fn key(&self, number: usize) -> Self::Key {
                let row = self.rows.keys()[number];
                ($(self.columns.$place.key(row[$place] as usize),)*)
            }

            fn into_keys(self) -> Vec<Self::Key> {
                (0..self.len()).map(|number| self.key(number)).collect()
            }

            fn number(&mut self, other: &Self, number: usize) -> Option<u32> {
                let row = other.rows.keys()[number];
                let row = [$({
                    let (here, there) = (&mut self.columns.$place, &other.columns.$place);
                    here.number(there, row[$place] as usize)?
                }),*];
                self.rows.find(&row)
            }
        }
    )*};
}

tuples! {
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
}

/// The number of rows of all columns.
fn same<const COLUMNS: usize>(rows: [usize; COLUMNS]) -> Result<usize, Error> {
    let expected = rows[0];
    match rows.into_iter().find(|&found| found != expected) {
        Some(found) => {
            Err(ErrorKind::LengthMismatch { what: "a column of keys", expected, found }.into())
        }
        None => Ok(expected),
    }
}
