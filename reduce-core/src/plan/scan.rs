//! Plans of running reductions: lines of elements, each with a place for its result.
//!
//! A *line* is all elements along the axes of a scan, in row-major order, at one index of the kept axes. Axes that
//! continue one another in all tensors are merged. Kept axes may be walked in any order, since lines do not meet: the one
//! with the nearest places is the innermost.

use std::cmp::Reverse;

use super::axis::{JointAxis, merge};
use crate::facts::axes::AxisSet;
use crate::facts::shape::{Dims, Shape};
use crate::values::layout::Strided;
use crate::values::stored::INPUTS;

/// The inputs, and behind them the output.
const TENSORS: usize = INPUTS + 1;

/// Where an element lies in each input, and its result in the output: [`OUT`].
pub(crate) type ScanPlaces = [usize; TENSORS];

/// The number of the output among the tensors.
pub(crate) const OUT: usize = INPUTS;

/// Some axes of all tensors.
#[derive(Clone, Debug)]
pub(crate) struct ScanWalk {
    axes: Dims<JointAxis<TENSORS>>,
    count: usize,
}

/// How a scan walks inputs and output.
#[derive(Clone, Debug)]
pub(crate) struct ScanPlan {
    /// The walk from line to line.
    pub(crate) lines: ScanWalk,
    /// The walk along a line.
    pub(crate) along: ScanWalk,
    /// The places of the first element of the first line.
    pub(crate) first: ScanPlaces,
    /// How many results further on an element's own is written: 1 if it is that of the elements before.
    pub(crate) shift: usize,
    /// Whether lines are walked from their ends.
    pub(crate) reversed: bool,
}

/// Which results a scan gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ScanOrder {
    /// Whether the element itself is left out.
    pub(crate) exclusive: bool,
    /// Whether lines are walked from their ends.
    pub(crate) reversed: bool,
}

impl ScanPlan {
    /// The plan over inputs and an output of one shape.
    pub(crate) fn new(
        (shape, axes): (&Shape, &AxisSet),
        inputs: &[Strided<'_>],
        out: Strided<'_>,
        order: ScanOrder,
    ) -> Self {
        let (mut lines, mut along) = (Dims::new(), Dims::new());
        let mut first = [0; TENSORS];
        for (place, tensor) in inputs.iter().enumerate().chain([(OUT, &out)]) {
            first[place] = tensor.1;
        }
        for (index, &size) in shape.iter().enumerate().filter(|&(_, &size)| size != 1) {
            let mut strides = [0; TENSORS];
            for (place, tensor) in inputs.iter().enumerate().chain([(OUT, &out)]) {
                strides[place] = tensor.0[index];
            }
            if !axes.contains(index) {
                lines.push(JointAxis { size, strides, step: 0 });
                continue;
            }
            if order.reversed && size > 0 {
                for (first, stride) in first.iter_mut().zip(&mut strides) {
                    let end = stride.wrapping_mul((size - 1).cast_signed());
                    *first = first.wrapping_add_signed(end);
                    *stride = stride.wrapping_neg();
                }
            }
            along.push(JointAxis { size, strides, step: 0 });
        }
        lines.sort_by_key(|axis| Reverse(axis.strides[OUT].unsigned_abs()));
        let (lines, along) = (ScanWalk::new(lines), ScanWalk::new(along));
        let shift = usize::from(order.exclusive);
        ScanPlan { lines, along, first, shift, reversed: order.reversed }
    }

    /// The places of the first element of a line, and of its first result.
    pub(crate) fn line(&self, number: usize) -> ScanPlaces {
        let mut places = self.first;
        self.lines.add(&mut places, number);
        places
    }

    /// The position of the `place`th element of a line that has `before` elements behind it: positions are counted in
    /// row-major order.
    pub(crate) fn position(&self, place: usize, before: u64) -> u64 {
        match self.reversed {
            false => before + place as u64,
            true => (self.along.count - 1 - place) as u64,
        }
    }

    /// The way from one position to the next.
    pub(crate) fn next_position(&self) -> u64 {
        if self.reversed { u64::MAX } else { 1 }
    }
}

impl ScanWalk {
    fn new(mut axes: Dims<JointAxis<TENSORS>>) -> Self {
        merge(&mut axes);
        let count = axes.iter().map(|axis| axis.size).product();
        ScanWalk { axes, count }
    }

    /// The number of indices.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether all indices are at equal distances.
    pub(crate) fn is_even(&self) -> bool {
        self.axes.len() <= 1
    }

    /// The size of the innermost axis, and its strides.
    pub(crate) fn innermost(&self) -> (usize, [isize; TENSORS]) {
        self.axes.last().map_or((1, [0; TENSORS]), |axis| (axis.size, axis.strides))
    }

    /// How many indices are left, from one on, until the innermost axis ends.
    pub(crate) fn run(&self, index: usize) -> usize {
        let (size, _) = self.innermost();
        size - if index < size { index } else { index % size }
    }

    /// Moves places to those of an index.
    pub(crate) fn add(&self, places: &mut ScanPlaces, index: usize) {
        let mut left = index;
        for (number, axis) in self.axes.iter().enumerate().rev() {
            let along = if number == 0 { left } else { left % axis.size };
            left /= axis.size;
            for (place, stride) in places.iter_mut().zip(axis.strides) {
                *place = place.wrapping_add_signed(stride.wrapping_mul(along.cast_signed()));
            }
        }
    }
}
