//! Axes of a plan: turned forward, sorted, merged.

use std::cmp::Reverse;

use crate::shape::Dims;

/// One axis: its size, and the distance in elements from one index to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) size: usize,
    pub(crate) stride: isize,
}

/// A kept axis: its walk through memory, and its step in the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeptAxis {
    pub(super) axis: Axis,
    pub(super) step: isize,
}

impl Axis {
    /// Sorts large strides before small ones. A repeated axis (stride 0) comes
    /// first: repeating the whole walk reads memory in order, repeating each
    /// element does not.
    pub(super) fn outermost_first(&self) -> impl Ord + use<> {
        let distance = self.stride.unsigned_abs();
        Reverse(if distance == 0 { usize::MAX } else { distance })
    }

    /// The stride of an axis that continues where this one ends.
    fn span(self) -> Option<isize> {
        self.stride.checked_mul(isize::try_from(self.size).ok()?)
    }

    /// How far the last index lies from the first.
    fn reach(self) -> usize {
        // Within a buffer, or a result, whose size was checked.
        (self.size - 1) * self.stride.unsigned_abs()
    }
}

impl KeptAxis {
    /// Turns a negative stride in memory around; returns the new place of the
    /// first element, and of its result.
    pub(super) fn turn_forward(&mut self, offset: usize, start: usize) -> (usize, usize) {
        if self.axis.stride >= 0 {
            return (offset, start);
        }
        let offset = offset - self.axis.reach();
        let last = (self.axis.size - 1) * self.step.unsigned_abs();
        self.axis.stride = -self.axis.stride;
        self.step = -self.step;
        (offset, start + last)
    }
}

/// Reverses axes of negative stride; returns the new place of the first element.
pub(super) fn turn_forward(axes: &mut [Axis], offset: usize) -> usize {
    axes.iter_mut().filter(|axis| axis.stride < 0).fold(offset, |offset, axis| {
        // Within bounds: the view proved its lowest element to be at least 0.
        let offset = offset - axis.reach();
        axis.stride = -axis.stride;
        offset
    })
}

/// Joins neighbours of which the outer continues where the inner ends.
pub(super) fn merge(axes: impl Iterator<Item = Axis>) -> Dims<Axis> {
    let mut merged: Dims<Axis> = Dims::new();
    for axis in axes {
        match merged.last_mut() {
            Some(outer) if Some(outer.stride) == axis.span() => {
                *outer = Axis { size: outer.size * axis.size, stride: axis.stride };
            }
            _ => merged.push(axis),
        }
    }
    merged
}

/// Joins neighbours that continue one another in memory and in the result.
pub(super) fn merge_kept(axes: &[KeptAxis]) -> Dims<KeptAxis> {
    let mut merged: Dims<KeptAxis> = Dims::new();
    for &kept in axes {
        let place = Axis { size: kept.axis.size, stride: kept.step };
        match merged.last_mut() {
            Some(outer)
                if Some(outer.axis.stride) == kept.axis.span()
                    && Some(outer.step) == place.span() =>
            {
                let size = outer.axis.size * kept.axis.size;
                *outer = KeptAxis { axis: Axis { size, ..kept.axis }, ..kept };
            }
            _ => merged.push(kept),
        }
    }
    merged
}
