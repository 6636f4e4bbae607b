//! Parts of a mapped array, small enough to stay in memory while they are reduced.
//!
//! A reduction over an outer axis comes back to the same neighbourhood of a file again
//! and again, index by index of that axis. If what lies between is larger than the memory,
//! pages are dropped before they are used up, and read anew. So the kept axis inside of the
//! reduced one is cut into parts, and all bytes of a part are asked for before it is reduced.
//! They are one run for each index of the reduced axis. Each run is long enough to be read at
//! the disk's speed.

use std::ops::Range;

use reduce_core::planning::AxisSet;
use reduce_core::{AnyView, Error};

use super::{Array, Elements};

/// Bytes of a part.
const PART: usize = 1 << 30;

/// Bytes of a run, at least.
const RUN: usize = 1 << 16;

/// Some indices of an axis of a mapped array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) axis: usize,
    pub(crate) indices: Range<usize>,
}

impl Array {
    /// The parts to reduce one after another, if the whole is better not reduced at once.
    pub(crate) fn parts(&self, reduced: &AxisSet) -> Vec<Part> {
        let Elements::Mapped { dtype, .. } = &self.elements else { return Vec::new() };
        cut(&self.shape, &self.strides, dtype.size(), reduced, PART)
    }

    /// A part, read where it lies.
    pub(crate) fn part(&self, part: &Part) -> Result<AnyView<'_>, Error> {
        let Elements::Mapped { file, first, dtype } = &self.elements else { return self.view() };
        let mut shape = self.shape.clone();
        shape[part.axis] = part.indices.len();
        let skipped = self.strides[part.axis].unsigned_abs() * part.indices.start * dtype.size();
        let view = file.view(first + skipped, *dtype, &shape, &self.strides);
        view.expect("a multiple of the element's size behind what was tried before")
    }

    /// Asks for the bytes of a part: they are read while others are reduced.
    pub(crate) fn fetch(&self, part: &Part) {
        let Elements::Mapped { file, first, dtype } = &self.elements else { return };
        let step = self.strides[part.axis].unsigned_abs() * dtype.size();
        let run = self.shape[part.axis] * step;
        let all = self.count() * dtype.size();
        for start in (0..all).step_by(run.max(1)) {
            let (from, length) = (start + part.indices.start * step, part.indices.len() * step);
            file.fetch(first + from..first + from + length);
        }
    }
}

/// Cuts an array without gaps into parts of about `bytes` bytes. There are no parts if two would
/// hold what is walked again and again, or if runs would be too short.
fn cut(
    shape: &[usize],
    strides: &[isize],
    element: usize,
    reduced: &AxisSet,
    bytes: usize,
) -> Vec<Part> {
    let mut order: Vec<usize> = (0..shape.len()).filter(|&axis| shape[axis] > 1).collect();
    order.sort_by_key(|&axis| std::cmp::Reverse(strides[axis]));
    // From the outermost reduced axis inwards: what is walked again and again.
    let outer = order.iter().take_while(|&&axis| !reduced.contains(axis)).count();
    let walked = order[outer..].iter().map(|&axis| shape[axis]).product::<usize>() * element;
    let kept = order[outer..].iter().find(|&&axis| !reduced.contains(axis));
    let Some(&axis) = kept.filter(|_| walked > 2 * bytes) else { return Vec::new() };
    let of_index = strides[axis].unsigned_abs() * element;
    let least = RUN.div_ceil(of_index);
    let count = walked.div_ceil(bytes).min(shape[axis] / least);
    if count < 2 {
        return Vec::new();
    }
    // As even as can be: a narrow part would be folded in another order than wide ones, and a
    // sum in it have other last bits.
    let size = shape[axis].div_ceil(count);
    let starts = (0..shape[axis]).step_by(size);
    starts.map(|start| Part { axis, indices: start..shape[axis].min(start + size) }).collect()
}

#[cfg(test)]
mod tests {
    use reduce_core::Axes;

    use super::cut;

    #[test]
    fn cut_inside_of_the_reduced_axis() {
        let cut = |shape: &[usize], strides: &[isize], axes: &[i64]| {
            let axes = Axes::of(axes).resolve(shape.len()).expect("within");
            let parts = cut(shape, strides, 4, &axes, 1 << 24);
            parts.into_iter().map(|part| (part.axis, part.indices.len())).collect::<Vec<_>>()
        };
        // 40 MB: three parts of about as much, none of them narrow.
        let thirds = [(1, 33_334), (1, 33_334), (1, 33_332)];
        assert_eq!(cut(&[100, 100_000], &[100_000, 1], &[0]), thirds);
        let transposed = thirds.map(|(_, size)| (0, size));
        assert_eq!(cut(&[100_000, 100], &[1, 100_000], &[1]), transposed);
        assert_eq!(cut(&[100, 100, 1000], &[100_000, 1000, 1], &[0])[0], (1, 34));
        // The walk over one index of the first axis is short.
        assert_eq!(cut(&[100, 100, 1000], &[100_000, 1000, 1], &[1]), []);
        assert_eq!(cut(&[3, 100, 100_000], &[10_000_000, 100_000, 1], &[1])[0], (2, 33_334));
        // Rows are read as they lie, short ones whole, and 32 MB at once.
        assert_eq!(cut(&[100, 100_000], &[100_000, 1], &[1]), []);
        assert_eq!(cut(&[100, 100_000], &[100_000, 1], &[0, 1]), []);
        assert_eq!(cut(&[100_000, 100], &[100, 1], &[0]), []);
        assert_eq!(cut(&[80, 100_000], &[100_000, 1], &[0]), []);
    }
}
