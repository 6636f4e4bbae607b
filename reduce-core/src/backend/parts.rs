//! What a reduction is made of.

use crate::facts::axes::Axes;
use crate::front::reduction::Reduction;

/// What of a reduction says which results it has; made by [`Reduction::parts`].
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a, Op> {
    /// The operator, a tuple of operators, or several one after another ([`Then`](crate::Then)).
    pub op: &'a Op,
    /// The axes, as they were asked for.
    pub axes: &'a Axes,
    /// Whether reduced axes stay, with size 1.
    pub keepdims: bool,
}

impl<Op> Reduction<Op> {
    /// The operator, and what it is reduced over.
    ///
    /// ```
    /// use reduce_core::{Axes, Reduction};
    /// use reduce_specs::ReduceSum;
    ///
    /// let reduction = Reduction::new(ReduceSum).axes([1]);
    /// let parts = reduction.parts();
    /// assert_eq!((parts.axes, parts.keepdims), (&Axes::from([1]), false));
    /// ```
    pub fn parts(&self) -> Parts<'_, Op> {
        Parts { op: &self.op, axes: &self.settings.axes, keepdims: self.settings.keepdims }
    }
}
