//! Places: the walk over some axes, last axis fastest.

use smallvec::SmallVec;

use super::axis::{JointAxis, merge};
use super::{Axis, MergedAxes};

/// Up to this many axes, counters need no allocation; after merging, more are rare. A walk is moved about, so
/// it has room for no more.
const STACK_COUNTERS: usize = 4;

/// How far each axis is.
type Counters = SmallVec<[usize; STACK_COUNTERS]>;

/// The place of each index of some axes, last axis fastest.
///
/// It is an iterator and not a visitor, so that the body of the caller's loop stands in the machine code once
/// and is compiled for the caller's CPU level.
pub(crate) struct Places<'a> {
    /// All axes but the last, and how far each is.
    outer: &'a [Axis],
    counters: Counters,
    /// The last axis, and how many places are left along it.
    inner: Axis,
    along: usize,
    next: usize,
    /// How many places are left.
    left: usize,
}

impl<'a> Places<'a> {
    /// All places, the first at `start`.
    #[inline(always)]
    pub(crate) fn new(axes: &'a [Axis], start: usize) -> Self {
        Self::from_index(axes, start, 0)
    }

    /// The places from the `index`th on.
    #[inline(always)]
    pub(crate) fn from_index(axes: &'a [Axis], start: usize, index: usize) -> Self {
        let (&inner, outer) = axes.split_last().unwrap_or((&Axis { size: 1, stride: 0 }, &[]));
        let mut counters = match outer.len() {
            rank @ 0..=STACK_COUNTERS => Counters::from_buf_and_len([0; STACK_COUNTERS], rank),
            rank => smallvec::smallvec![0; rank],
        };
        // They are some of a shape's, whose product fits.
        let all: usize = axes.iter().map(|axis| axis.size).product();
        let left = all.saturating_sub(index);
        let (mut next, mut along) = (start, inner.size);
        if index > 0 && left > 0 {
            let way = |axis: &Axis, times: usize| axis.stride.cast_unsigned().wrapping_mul(times);
            let mut rows = index / inner.size;
            along -= index % inner.size;
            next = next.wrapping_add(way(&inner, index % inner.size));
            for (axis, counter) in outer.iter().zip(&mut counters).rev() {
                *counter = rows % axis.size;
                rows /= axis.size;
                next = next.wrapping_add(way(axis, *counter));
            }
        }
        Places { outer, counters, inner, along, next, left }
    }
}

impl Iterator for Places<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let place = self.next;
        self.next = place.wrapping_add_signed(self.inner.stride);
        self.along -= 1;
        if self.along > 0 {
            return Some(place);
        }
        // Back over each axis that is done; exact, although the product may wrap.
        let back = |axis: &Axis| axis.stride.cast_unsigned().wrapping_mul(axis.size);
        self.along = self.inner.size;
        self.next = self.next.wrapping_sub(back(&self.inner));
        for (axis, counter) in self.outer.iter().zip(&mut self.counters).rev() {
            self.next = self.next.wrapping_add_signed(axis.stride);
            *counter += 1;
            if *counter < axis.size {
                break;
            }
            *counter = 0;
            self.next = self.next.wrapping_sub(back(axis));
        }
        Some(place)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

/// The places, in the result, of results in the order of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scatter {
    pub(crate) axes: MergedAxes,
    pub(crate) start: usize,
}

impl Scatter {
    /// The places of results that are computed along some axes, and then along the lane axis, the first of them at
    /// `start`. None if that is row-major order.
    pub(super) fn of<const N: usize>(
        outer: &[JointAxis<N>],
        lane: Option<JointAxis<N>>,
        start: usize,
    ) -> Option<Self> {
        let mut places = outer.iter().chain(&lane).map(JointAxis::place).collect();
        merge(&mut places);
        match places.as_slice() {
            [] => None,
            [place] if place.stride() == 1 && start == 0 => None,
            places => {
                let axes = places.iter().map(|place| place.of(0)).collect();
                Some(Scatter { axes, start })
            }
        }
    }

    /// Puts results into their places.
    pub(crate) fn put<O: Copy>(&self, results: &[O], output: &mut [O]) {
        for (place, &result) in Places::new(&self.axes, self.start).zip(results) {
            output[place] = result;
        }
    }
}
