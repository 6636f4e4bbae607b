//! Axes of a plan: turned forward, sorted, merged.

use std::cmp::Reverse;

use crate::facts::shape::Dims;

/// One axis: its size, and the distance in elements from one index to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) size: usize,
    pub(crate) stride: isize,
}

/// One axis of `N` inputs that are walked together. The first of them leads: it says how memory is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JointAxis<const N: usize> {
    pub(super) size: usize,
    pub(super) strides: [isize; N],
    /// The distance in the result from one index to the next; 0 along a reduced axis.
    pub(super) step: isize,
}

impl<const N: usize> JointAxis<N> {
    /// The axis of a single index.
    pub(super) const ONE: Self = JointAxis { size: 1, strides: [1; N], step: 0 };

    /// The stride of the input that leads.
    pub(super) fn stride(&self) -> isize {
        self.strides[0]
    }

    /// The axis as one of the inputs has it.
    pub(super) fn of(&self, input: usize) -> Axis {
        Axis { size: self.size, stride: self.strides[input] }
    }

    /// The walk through the result.
    pub(super) fn place(&self) -> JointAxis<1> {
        JointAxis { size: self.size, strides: [self.step], step: 0 }
    }

    /// The stride of the first input that moves along the axis at all; 0 if none does.
    fn first_stride(&self) -> isize {
        self.strides.into_iter().find(|&stride| stride != 0).unwrap_or(0)
    }

    /// Sorts large strides before small ones. A repeated axis (stride 0) comes
    /// first: repeating the whole walk reads memory in order, repeating each
    /// element does not.
    fn outermost_first(&self) -> impl Ord + use<N> {
        let distance = self.first_stride().unsigned_abs();
        Reverse(if distance == 0 { usize::MAX } else { distance })
    }

    /// Whether the axis is continued by another one inside it, in every input and in the result.
    fn is_continued_by(&self, inner: &Self) -> bool {
        let Ok(size) = isize::try_from(inner.size) else { return false };
        let continues = |outer: isize, inner: isize| inner.checked_mul(size) == Some(outer);
        let mut strides = self.strides.iter().zip(&inner.strides);
        continues(self.step, inner.step) && strides.all(|(&outer, &inner)| continues(outer, inner))
    }
}

/// Turns axes of negative stride forward, sorts all, the outermost first, and merges them. Returns the new places of
/// the first elements, and of their result. They are within bounds: the views proved all their elements to be.
pub(super) fn in_order_of_memory<const N: usize>(
    axes: &mut Dims<JointAxis<N>>,
    mut offsets: [usize; N],
    mut start: usize,
) -> ([usize; N], usize) {
    for axis in axes.iter_mut().filter(|axis| axis.first_stride() < 0) {
        for (offset, stride) in offsets.iter_mut().zip(axis.strides) {
            let way = (axis.size - 1).cast_signed().wrapping_mul(stride);
            *offset = offset.wrapping_add_signed(way);
        }
        start += (axis.size - 1) * axis.step.unsigned_abs();
        axis.strides = axis.strides.map(isize::wrapping_neg);
        axis.step = -axis.step;
    }
    axes.sort_by_key(JointAxis::outermost_first);
    merge(axes);
    (offsets, start)
}

/// Joins neighbours where the outer axis continues where the inner one ends, in place.
pub(super) fn merge<const N: usize>(axes: &mut Dims<JointAxis<N>>) {
    let slice = axes.as_mut_slice();
    let mut count = slice.len().min(1);
    for index in 1..slice.len() {
        let (outer, inner) = (slice[count - 1], slice[index]);
        if outer.is_continued_by(&inner) {
            slice[count - 1] = JointAxis { size: outer.size * inner.size, ..inner };
        } else {
            slice[count] = inner;
            count += 1;
        }
    }
    axes.truncate(count);
}
