//! Reductions by key of rows that are all there.

use super::{Groups, Key};
use crate::facts::error::Error;
use crate::front::reduction::Reduction;
use crate::front::stream::Streams;
use crate::values::input::Input;
use crate::values::written::Written;

/// A reduction of each group of rows; made by [`Reduction::by_key`].
#[derive(Clone, Debug)]
pub struct ByKey<'k, Op, K> {
    reduction: Reduction<Op>,
    keys: &'k [K],
    groups: usize,
}

impl<Op> Reduction<Op> {
    /// Reduces the rows of each key by themselves. There is one key for each element, in row-major order; it
    /// is the number of a group, from 0 up to `groups` - 1. The level and the threads
    /// of the reduction hold. A reduction with axes is refused when it runs.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::{ArgMax, ReduceMean};
    ///
    /// let heights = View::new(&[1.0f32, 5.0, 3.0, 7.0], &[4])?;
    /// let species = [0u8, 1, 0, 1];
    /// let means = Reduction::new(ReduceMean).by_key(&species, 2).run(&heights)?;
    /// assert_eq!(means.data(), [2.0, 6.0]);
    /// // Positions are those of rows.
    /// let tallest = Reduction::new(ArgMax::default()).by_key(&species, 2).run(&heights)?;
    /// assert_eq!(tallest.data(), [2, 3]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// In which order rows are combined is said at [`Groups`], which also takes rows piece by piece.
    #[must_use]
    pub fn by_key<K: Key>(self, keys: &[K], groups: usize) -> ByKey<'_, Op, K> {
        ByKey { reduction: self, keys, groups }
    }
}

impl<Op: Clone, K: Key> ByKey<'_, Op, K> {
    /// The results of all groups, in their order: a tensor, or a tuple of tensors, with one entry for each
    /// group along the first axis.
    ///
    /// # Errors
    /// As [`Groups::new`], [`Groups::update`] and [`Groups::finish`], and if the reduction has axes.
    pub fn run<I>(&self, values: &I) -> Result<<Op::Result as Written>::Tensors, Error>
    where
        I: Input,
        Op: Streams<I::Stored>,
    {
        self.finish(values, None)
    }

    /// The same over the rows for which a mask, one entry for each, is true.
    ///
    /// # Errors
    /// As [`ByKey::run`] and [`Groups::update_masked`].
    pub fn run_where<I>(
        &self,
        values: &I,
        mask: &[bool],
    ) -> Result<<Op::Result as Written>::Tensors, Error>
    where
        I: Input,
        Op: Streams<I::Stored>,
    {
        self.finish(values, Some(mask))
    }

    fn finish<I>(
        &self,
        values: &I,
        mask: Option<&[bool]>,
    ) -> Result<<Op::Result as Written>::Tensors, Error>
    where
        I: Input,
        Op: Streams<I::Stored>,
    {
        let Reduction { op, settings } = self.reduction.clone();
        settings.check_without_axes()?;
        let mut groups = Groups::with_settings(op, settings, self.groups)?;
        groups.take(values, self.keys, mask)?;
        groups.finish()
    }
}
