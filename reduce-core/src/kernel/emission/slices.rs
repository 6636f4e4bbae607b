//! Groups: where an output is cut, so that what is read a second time is still in a cache.

use std::ops::Range;

use crate::facts::axes::AxisSet;
use crate::facts::shape::Shape;

/// Slices of the output, neighbours in row-major order: some indices of one axis, for each index of
/// the axes outside of it. All these axes are kept, so that each result is that of one group.
pub(super) struct OutputSlices {
    /// Elements of an index of the axis.
    inner: usize,
    /// Indices of the axis, and how many of them are in a group, but for the last.
    along: usize,
    size: usize,
    /// Groups for each index of the outer axes.
    per_index: usize,
    pub(super) count: usize,
}

impl OutputSlices {
    /// One group of all elements.
    pub(super) fn whole(shape: &Shape) -> Self {
        OutputSlices { inner: shape.count(), along: 1, size: 1, per_index: 1, count: 1 }
    }

    /// Groups of up to `elements` elements. If each index of the kept axes in front of all reduced ones has more, a
    /// group is one index of the innermost of these axes.
    pub(super) fn new(shape: &Shape, axes: &AxisSet, elements: usize) -> Self {
        let kept = (0..shape.rank()).take_while(|&axis| !axes.contains(axis) || shape[axis] == 1);
        let inner = |axis: usize| shape[axis + 1..].iter().product::<usize>();
        // The outermost axis with indices that fit into a group, or else the innermost.
        let mut cut = None;
        for axis in kept {
            cut = Some(axis);
            if inner(axis) <= elements {
                break;
            }
        }
        let Some(axis) = cut else { return OutputSlices::whole(shape) };
        let (inner, along) = (inner(axis), shape[axis]);
        let per_index = along.div_ceil((elements / inner).max(1));
        let outer: usize = shape[..axis].iter().product();
        // Groups are as equal as can be.
        let size = along.div_ceil(per_index);
        let per_index = along.div_ceil(size);
        OutputSlices { inner, along, size, per_index, count: outer * per_index }
    }

    /// The elements of a group.
    pub(super) fn elements(&self, number: usize) -> Range<usize> {
        let (outer, group) = (number / self.per_index, number % self.per_index);
        let first = group * self.size;
        let end = self.along.min(first + self.size);
        (outer * self.along + first) * self.inner..(outer * self.along + end) * self.inner
    }
}
