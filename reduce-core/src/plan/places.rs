//! Places: the walk over some axes, last axis fastest.

use super::Axis;
use crate::shape::Dims;

/// The place of each index of some axes, last axis fastest.
///
/// An iterator and not a visitor, so that the body of the caller's loop stands
/// in the machine code once and is compiled for the caller's CPU level.
pub(crate) struct Places<'a> {
    axes: &'a [Axis],
    counters: Dims<usize>,
    next: Option<usize>,
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
        let mut counters: Dims<usize> = match axes.len() {
            rank @ 0..=8 => Dims::from_buf_and_len([0; 8], rank),
            rank => smallvec::smallvec![0; rank],
        };
        let mut next = Some(start);
        let mut left = index;
        for (axis, counter) in axes.iter().zip(&mut counters).rev() {
            if axis.size == 0 {
                next = None;
                break;
            }
            if left > 0 {
                *counter = left % axis.size;
                left /= axis.size;
                let way = axis.stride.unsigned_abs().wrapping_mul(*counter);
                next = next.map(|place| match axis.stride < 0 {
                    true => place.wrapping_sub(way),
                    false => place.wrapping_add(way),
                });
            }
        }
        Places { axes, counters, next: if left > 0 { None } else { next } }
    }
}

impl Iterator for Places<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let place = self.next?;
        let mut next = place;
        for (axis, counter) in self.axes.iter().zip(&mut self.counters).rev() {
            next = next.wrapping_add_signed(axis.stride);
            *counter += 1;
            if *counter < axis.size {
                self.next = Some(next);
                return Some(place);
            }
            // Back over the whole axis; exact, although the product may wrap.
            *counter = 0;
            next = next.wrapping_sub(axis.size.wrapping_mul(axis.stride.cast_unsigned()));
        }
        self.next = None;
        Some(place)
    }
}
