//! Reductions of segments: parts of a list that follow one another.

use super::Groups;
use crate::facts::error::{Error, ErrorKind};
use crate::front::reduction::Reduction;
use crate::front::stream::Streams;
use crate::values::input::Input;
use crate::values::written::Written;

/// A reduction of each segment of a list; made by [`Reduction::by_offsets`].
#[derive(Clone, Debug)]
pub struct ByOffsets<'k, Op> {
    reduction: Reduction<Op>,
    offsets: &'k [usize],
}

impl<Op> Reduction<Op> {
    /// Reduces each segment of a list by itself: segment `i` has the elements from `offsets[i]` up to, and without,
    /// `offsets[i + 1]`, in row-major order. It may be empty. The level and the threads of the reduction hold.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::{ArgMax, ReduceSum};
    ///
    /// let list = View::new(&[1i64, 2, 4, 8, 16, 32, 64], &[7])?;
    /// let sums = Reduction::new(ReduceSum).by_offsets(&[0, 3, 3, 7]).run(&list)?;
    /// assert_eq!(sums.data(), [7, 0, 120]);
    /// // Positions are those in the list.
    /// let last = Reduction::new(ArgMax::default()).by_offsets(&[0, 3, 7]).run(&list)?;
    /// assert_eq!(last.data(), [2, 6]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn by_offsets(self, offsets: &[usize]) -> ByOffsets<'_, Op> {
        ByOffsets { reduction: self, offsets }
    }
}

impl<Op: Clone> ByOffsets<'_, Op> {
    /// The results of all segments, in their order: a tensor, or a tuple of tensors, with one entry for each along the
    /// first axis. Each is that of [`Reduction::run`] over a list of its elements, to the last bit, unless an
    /// intermediate value overflows or underflows: that is not mended.
    ///
    /// # Errors
    /// - An offset is smaller than the one before it, or beyond the list.
    /// - The reduction has axes.
    /// - A segment is empty, and an operator gives no value then.
    /// - The results do not fit in memory.
    pub fn run<I>(&self, values: &I) -> Result<<Op::Result as Written>::Tensors, Error>
    where
        I: Input,
        Op: Streams<I::Stored>,
    {
        let Reduction { op, settings } = self.reduction.clone();
        settings.check_without_axes()?;
        let segments = self.offsets.len().saturating_sub(1);
        let mut groups = Groups::with_settings(op, settings, segments)?;
        let shape = values.shape()?;
        let is_wrong = |pair: &[usize]| pair[0] > pair[1] || pair[1] > shape.count();
        if let Some(place) = self.offsets.windows(2).position(is_wrong) {
            let (before, offset) = (self.offsets[place], self.offsets[place + 1]);
            let elements = shape.count();
            return Err(ErrorKind::BadOffset { place: place + 1, before, offset, elements }.into());
        }
        groups.take_segments(values, &shape, self.offsets)?;
        groups.finish()
    }
}
