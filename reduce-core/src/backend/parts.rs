//! What a reduction is made of.

use crate::facts::axes::Axes;
use crate::facts::error::Error;
use crate::facts::shape::Shape;
use crate::front::emit::Then;
use crate::front::reduction::Reduction;

/// The parts of a reduction that say which results it has; made by [`Reduction::parts`].
#[derive(Debug)]
pub struct Parts<'a, Op> {
    /// The operator, a tuple of operators, or several one after another ([`Then`]).
    pub op: &'a Op,
    /// The axes, as they were asked for.
    pub axes: &'a Axes,
    /// True if reduced axes stay, with size 1.
    pub keepdims: bool,
}

impl<Op> Clone for Parts<'_, Op> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Op> Copy for Parts<'_, Op> {}

impl<Op> Parts<'_, Op> {
    /// The shape of the results for an input of this shape. A result that is an array counts as one.
    ///
    /// # Errors
    /// If an axis is out of range for the rank, or named twice.
    pub fn shape_of_results(&self, shape: &Shape) -> Result<Shape, Error> {
        self.axes.resolve(shape.rank())?.output_shape(shape, self.keepdims)
    }
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

impl<'a, First, Next> Parts<'a, Then<First, Next>> {
    /// The operator whose elements are read, over the same axes.
    pub fn first(self) -> Parts<'a, First> {
        self.with(self.op.first())
    }

    /// The operator behind it, which reduces what the first one emits, over the same axes.
    pub fn next(self) -> Parts<'a, Next> {
        self.with(self.op.next())
    }

    fn with<Op>(self, op: &'a Op) -> Parts<'a, Op> {
        let Parts { axes, keepdims, .. } = self;
        Parts { op, axes, keepdims }
    }
}
