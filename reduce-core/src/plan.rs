//! Plans: a reduction's axes put into the order in which memory is walked.
//!
//! Axes of size 1 are dropped. Kept axes stay in the order of the result.
//! Reduced axes of a commutative operator are turned forward (a negative stride
//! becomes positive) and sorted, the largest stride outermost. Neighbours that
//! together walk one arithmetic sequence are merged. What is left decides the
//! path.
//!
//! A plan depends on shape, strides and axes alone. The order in which elements
//! are combined follows from it, never from the CPU or the number of threads.

use crate::axes::AxisSet;
use crate::shape::{Dims, Shape};

/// How a plan reads memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// No element is combined with another: `finalize(map(x))` of each.
    Elements,
    /// The elements of each result are one contiguous run.
    Lanes,
    /// They lie apart: packed into blocks, then as [`Path::Lanes`].
    Gather,
}

/// One axis of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) size: usize,
    pub(crate) stride: isize,
}

/// The walk of one reduction over one layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(crate) kept: Dims<Axis>,
    pub(crate) reduced: Dims<Axis>,
    /// The place of the first element, after axes were turned forward.
    pub(crate) offset: usize,
    pub(crate) path: Path,
    pub(crate) outputs: usize,
    pub(crate) count: usize,
}

impl Plan {
    /// The plan for a view of this layout; `ordered` keeps the elements of each
    /// result in row-major order.
    pub(crate) fn new(
        shape: &Shape,
        strides: &[isize],
        offset: usize,
        axes: &AxisSet,
        ordered: bool,
    ) -> Self {
        let mut kept = Dims::new();
        let mut reduced = Dims::new();
        let mut outputs = 1;
        let mut count = 1;
        for (index, (&size, &stride)) in shape.iter().zip(strides).enumerate() {
            let (list, total) = match axes.contains(index) {
                true => (&mut reduced, &mut count),
                false => (&mut kept, &mut outputs),
            };
            // A product of some of a shape's sizes fits: the shape was checked.
            *total *= size;
            if size != 1 {
                list.push(Axis { size, stride });
            }
        }
        let empty = outputs == 0 || count == 0;
        let offset = if ordered || empty { offset } else { turn_forward(&mut reduced, offset) };
        if !ordered {
            reduced.sort_by_key(|axis: &Axis| std::cmp::Reverse(axis.stride));
        }
        let reduced = merge(&reduced);
        let path = match (count, reduced.as_slice()) {
            (1, _) => Path::Elements,
            (_, [Axis { stride: 1, .. }]) => Path::Lanes,
            _ => Path::Gather,
        };
        Plan { kept: merge(&kept), reduced, offset, path, outputs, count }
    }

    /// How memory is read.
    pub fn path(&self) -> Path {
        self.path
    }

    /// The number of results.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The number of elements combined into each result.
    pub fn count(&self) -> usize {
        self.count
    }
}

/// Reverses axes of negative stride; returns the new place of the first element.
fn turn_forward(axes: &mut [Axis], offset: usize) -> usize {
    axes.iter_mut().filter(|axis| axis.stride < 0).fold(offset, |offset, axis| {
        // Within bounds: the view proved its lowest element to be at least 0.
        let back = (axis.size - 1) * axis.stride.unsigned_abs();
        axis.stride = -axis.stride;
        offset - back
    })
}

/// Joins neighbours of which the outer continues where the inner ends.
fn merge(axes: &[Axis]) -> Dims<Axis> {
    let mut merged: Dims<Axis> = Dims::new();
    for &axis in axes {
        let span = isize::try_from(axis.size).ok().and_then(|size| axis.stride.checked_mul(size));
        match merged.last_mut() {
            Some(outer) if Some(outer.stride) == span => {
                *outer = Axis { size: outer.size * axis.size, stride: axis.stride };
            }
            _ => merged.push(axis),
        }
    }
    merged
}

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
    #[inline(always)]
    pub(crate) fn new(axes: &'a [Axis], start: usize) -> Self {
        let any = axes.iter().all(|axis| axis.size > 0);
        Places { axes, counters: smallvec::smallvec![0; axes.len()], next: any.then_some(start) }
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

#[cfg(test)]
mod tests {
    use super::{Axis, Path, Places, Plan};
    use crate::axes::Axes;
    use crate::shape::Shape;

    fn plan(shape: &[usize], strides: &[isize], offset: usize, axes: &[i64]) -> Plan {
        let shape = Shape::new(shape).expect("small");
        let axes = Axes::of(axes).resolve(shape.rank()).expect("valid");
        Plan::new(&shape, strides, offset, &axes, false)
    }

    #[test]
    fn contiguous_reduced_axes_become_one_run() {
        assert_eq!(plan(&[2, 3, 4], &[12, 4, 1], 0, &[0, 1, 2]).path(), Path::Lanes);
        assert_eq!(plan(&[2, 3, 4], &[12, 4, 1], 0, &[1, 2]).path(), Path::Lanes);
        // Transposed, reversed, and with an axis of size 1 in between.
        assert_eq!(plan(&[4, 3], &[1, 4], 0, &[0, 1]).path(), Path::Lanes);
        assert_eq!(plan(&[12], &[-1], 11, &[0]).path(), Path::Lanes);
        assert_eq!(plan(&[2, 1, 4], &[4, 99, 1], 0, &[0, 1, 2]).path(), Path::Lanes);
    }

    #[test]
    fn scattered_elements_are_gathered() {
        assert_eq!(plan(&[2, 3, 4], &[12, 4, 1], 0, &[0]).path(), Path::Gather);
        assert_eq!(plan(&[2, 3, 4], &[12, 4, 1], 0, &[0, 2]).path(), Path::Gather);
        assert_eq!(plan(&[5], &[0], 0, &[0]).path(), Path::Gather);
    }

    #[test]
    fn single_elements_are_not_combined() {
        assert_eq!(plan(&[2, 3], &[3, 1], 0, &[]).path(), Path::Elements);
        assert_eq!(plan(&[2, 1], &[1, 1], 0, &[1]).path(), Path::Elements);
        assert_eq!(plan(&[], &[], 0, &[]).path(), Path::Elements);
    }

    #[test]
    fn an_ordered_plan_keeps_the_order_of_the_axes() {
        let shape = Shape::new(&[4, 3]).expect("small");
        let axes = Axes::all().resolve(2).expect("valid");
        let ordered = Plan::new(&shape, &[1, 4], 0, &axes, true);
        assert_eq!(
            ordered.reduced.as_slice(),
            [Axis { size: 4, stride: 1 }, Axis { size: 3, stride: 4 }]
        );
    }

    #[test]
    fn places_are_visited_in_row_major_order() {
        let axes = [
            Axis { size: 2, stride: -10 },
            Axis { size: 1, stride: 5 },
            Axis { size: 3, stride: 2 },
        ];
        let places: Vec<usize> = Places::new(&axes, 20).collect();
        assert_eq!(places, [20, 22, 24, 10, 12, 14]);
        assert_eq!(Places::new(&[], 7).collect::<Vec<_>>(), [7]);
        assert_eq!(Places::new(&[Axis { size: 0, stride: 1 }], 0).next(), None);
    }
}
