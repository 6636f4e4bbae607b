//! Reductions of rows by keys of any kind.

use super::Groups;
use crate::facts::error::{Error, ErrorKind};
use crate::front::numbering::{KeyColumn, Numbering};
use crate::front::reduction::Reduction;
use crate::front::stream::Streams;
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::allocate;
use crate::values::written::Written;

/// This many rows are numbered before they are reduced. Each such piece takes the memory that the one before it had.
const PIECE: usize = 1 << 22;

/// A reduction of the rows of each key; made by [`Reduction::group_by`].
#[derive(Debug)]
pub struct GroupBy<'k, Op, C: ?Sized> {
    reduction: Reduction<Op>,
    keys: &'k C,
}

impl<Op> Reduction<Op> {
    /// Reduces the rows of each key by themselves, where keys are integers of any size, floats, strings, or several columns.
    /// There is one key for each element, in row-major order. Groups come in the order in which their keys first appear.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceMean;
    ///
    /// let heights = View::new(&[1.0f32, 5.0, 3.0, 7.0], &[4])?;
    /// let species = ["oak", "fir", "oak", "fir"];
    /// let (names, means) = Reduction::new(ReduceMean).group_by(&species).run(&heights)?;
    /// assert_eq!(names, ["oak", "fir"]);
    /// assert_eq!(means.data(), [2.0, 6.0]);
    /// // By several columns.
    /// let years = [2024, 2024, 2025, 2024];
    /// let (keys, means) = Reduction::new(ReduceMean).group_by(&(&species, &years)).run(&heights)?;
    /// assert_eq!(keys, [("oak".into(), 2024), ("fir".into(), 2024), ("oak".into(), 2025)]);
    /// assert_eq!(means.data(), [1.0, 6.0, 3.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// The results are those of [`Groups`](crate::Groups) that take 2^22 rows at a time, and grow as new keys appear.
    ///
    /// Which keys are equal is said at [`KeyValue`](crate::keys::KeyValue); for rows in pieces there are
    /// [`Numbering`](crate::Numbering) and [`Groups`](crate::Groups). Keys that are small numbers already need no numbering:
    /// [`Reduction::by_key`].
    #[must_use]
    pub fn group_by<C: KeyColumn + ?Sized>(self, keys: &C) -> GroupBy<'_, Op, C> {
        GroupBy { reduction: self, keys }
    }
}

impl<Op: Clone, C: KeyColumn + ?Sized> GroupBy<'_, Op, C> {
    /// The keys of all groups, and their results: a tensor, or a tuple of tensors, with one entry for each group along the
    /// first axis.
    ///
    /// # Errors
    /// If there are fewer or more keys than elements, and as [`Numbering::number`](crate::Numbering::number) and
    /// [`ByKey::run`](crate::keys::ByKey::run).
    #[allow(clippy::type_complexity, reason = "keys and tensors, as each is named elsewhere")]
    pub fn run<I>(
        &self,
        values: &I,
    ) -> Result<(Vec<C::Key>, <Op::Result as Written>::Tensors), Error>
    where
        I: Input,
        Op: Streams<I::Stored>,
    {
        let Reduction { op, settings } = self.reduction.clone();
        settings.check_without_axes()?;
        let (shape, found) = (values.shape()?, self.keys.rows()?);
        let rows = shape.count();
        if found != rows {
            let what = "the column of keys";
            return Err(ErrorKind::LengthMismatch { what, expected: rows, found }.into());
        }
        let mut numbering = Numbering::new().threads(settings.threads.clone());
        let mut groups = Groups::with_settings(op, settings, 0)?;
        let mut lists = <I::Stored as Stored>::Lists::default();
        let data = values.in_order(&shape, &mut lists)?;
        let mut numbers = allocate(rows.min(PIECE))?;
        for first in (0..rows).step_by(PIECE) {
            let numbers = &mut numbers[..PIECE.min(rows - first)];
            numbering.number_rows(self.keys, first, numbers)?;
            groups.grow(numbering.len())?;
            groups.take_rows((data, first), numbers, None)?;
        }
        Ok((numbering.into_keys(), groups.finish()?))
    }
}
