//! Axes of a plan: turned forward, sorted, merged.

use std::cmp::Reverse;

use crate::facts::shape::Dims;

/// One axis: its size, and the distance in elements from one index to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) size: usize,
    pub(crate) stride: isize,
}

/// One axis of `N` inputs that are walked together. The first of them leads: it says
/// how memory is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JointAxis<const N: usize> {
    pub(super) size: usize,
    pub(super) strides: [isize; N],
}

/// A kept axis: its walk through memory, and its step in the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeptAxis<const N: usize> {
    pub(super) axis: JointAxis<N>,
    pub(super) step: isize,
}

impl<const N: usize> JointAxis<N> {
    /// The stride of the input that leads.
    pub(super) fn stride(&self) -> isize {
        self.strides[0]
    }

    /// The axis as one of the inputs has it.
    pub(super) fn of(&self, input: usize) -> Axis {
        Axis { size: self.size, stride: self.strides[input] }
    }

    /// The stride of the first input that moves along the axis at all; 0 if none does.
    fn first_stride(&self) -> isize {
        self.strides.into_iter().find(|&stride| stride != 0).unwrap_or(0)
    }

    /// Sorts large strides before small ones. A repeated axis (stride 0) comes
    /// first: repeating the whole walk reads memory in order, repeating each
    /// element does not.
    pub(super) fn outermost_first(&self) -> impl Ord + use<N> {
        let distance = self.first_stride().unsigned_abs();
        Reverse(if distance == 0 { usize::MAX } else { distance })
    }

    fn is_backward(&self) -> bool {
        self.first_stride() < 0
    }

    /// The axis from its other end, and the new places of the first elements. They
    /// are within bounds: the views proved all their elements to be.
    fn reversed(self, mut offsets: [usize; N]) -> (Self, [usize; N]) {
        for (offset, stride) in offsets.iter_mut().zip(self.strides) {
            let way = (self.size - 1).cast_signed().wrapping_mul(stride);
            *offset = offset.wrapping_add_signed(way);
        }
        let strides = self.strides.map(isize::wrapping_neg);
        (JointAxis { strides, ..self }, offsets)
    }

    /// Whether an axis is continued by another one inside it, in every input.
    fn is_continued_by(&self, inner: &Self) -> bool {
        let Ok(size) = isize::try_from(inner.size) else { return false };
        self.strides
            .iter()
            .zip(&inner.strides)
            .all(|(&outer, inner)| inner.checked_mul(size) == Some(outer))
    }
}

impl<const N: usize> KeptAxis<N> {
    /// Turns a negative stride in memory around; returns the new places of the
    /// first elements, and of their result.
    pub(super) fn turn_forward(
        &mut self,
        offsets: [usize; N],
        start: usize,
    ) -> ([usize; N], usize) {
        if !self.axis.is_backward() {
            return (offsets, start);
        }
        let (axis, offsets) = self.axis.reversed(offsets);
        let last = (axis.size - 1) * self.step.unsigned_abs();
        *self = KeptAxis { axis, step: -self.step };
        (offsets, start + last)
    }
}

/// Reverses axes of negative stride; returns the new places of the first elements.
pub(super) fn turn_forward<const N: usize>(
    axes: &mut [JointAxis<N>],
    mut offsets: [usize; N],
) -> [usize; N] {
    for axis in axes.iter_mut().filter(|axis| axis.is_backward()) {
        (*axis, offsets) = axis.reversed(offsets);
    }
    offsets
}

/// Joins neighbours where the outer axis continues where the inner one ends.
pub(super) fn merge<const N: usize>(axes: &mut Dims<JointAxis<N>>) {
    join(axes, |outer, inner| {
        let is_joined = outer.is_continued_by(inner);
        is_joined.then(|| JointAxis { size: outer.size * inner.size, ..*inner })
    });
}

/// Joins neighbours that continue one another in memory and in the result.
pub(super) fn merge_kept<const N: usize>(axes: &mut Dims<KeptAxis<N>>) {
    join(axes, |outer, inner| {
        let is_joined = outer.axis.is_continued_by(&inner.axis)
            && outer.place().is_continued_by(&inner.place());
        is_joined.then(|| {
            let size = outer.axis.size * inner.axis.size;
            KeptAxis { axis: JointAxis { size, ..inner.axis }, ..*inner }
        })
    });
}

/// Replaces neighbours by what they are joined to, in place.
fn join<A: Copy>(axes: &mut Dims<A>, joined: impl Fn(&A, &A) -> Option<A>) {
    let slice = axes.as_mut_slice();
    let mut count = slice.len().min(1);
    for index in 1..slice.len() {
        let axis = slice[index];
        match joined(&slice[count - 1], &axis) {
            Some(both) => slice[count - 1] = both,
            None => {
                slice[count] = axis;
                count += 1;
            }
        }
    }
    axes.truncate(count);
}

impl<const N: usize> KeptAxis<N> {
    /// The walk through the result.
    pub(super) fn place(&self) -> JointAxis<1> {
        JointAxis { size: self.axis.size, strides: [self.step] }
    }
}
