//! Views walked together, run by run.
//!
//! Neighbouring axes that every view walks as if they were one are merged first. Along the innermost axis
//! that is left, elements that lie one behind the other are handed out where they lie; others are gathered
//! into a small buffer. The outer axes are counted through like the wheels of an odometer.

use reduce_core::{Element, Shape, View};

/// Elements gathered at a time.
const TOGETHER: usize = 1 << 10;

/// An axis that all views walk.
struct Axis<const N: usize> {
    size: usize,
    strides: [isize; N],
}

/// Calls `take` with as many elements of each view, again and again, in row-major order of the shape that
/// the views are broadcast to.
///
/// # Errors
/// If a view does not broadcast to the shape.
pub(super) fn runs<T: Element, const N: usize>(
    views: [&View<'_, T>; N],
    shape: &Shape,
    take: &mut dyn FnMut([&[T]; N]),
) -> Result<(), String> {
    let mut wide = Vec::with_capacity(N);
    for view in views {
        wide.push(view.broadcast(shape).map_err(|error| error.to_string())?);
    }
    if shape.count() == 0 {
        return Ok(());
    }
    let mut axes = merged::<T, N>(&wide, shape);
    let inner = axes.pop().unwrap_or(Axis { size: 1, strides: [1; N] });
    let mut places: [usize; N] = std::array::from_fn(|i| wide[i].offset());
    let data: [&[T]; N] = std::array::from_fn(|i| wide[i].data());
    let mut buffers: [Vec<T>; N] = std::array::from_fn(|_| Vec::new());
    let mut indices = vec![0; axes.len()];
    loop {
        row(&data, &places, &inner, &mut buffers, take);
        if !advance(&axes, &mut indices, &mut places) {
            return Ok(());
        }
    }
}

/// The axes of more than one index, neighbours merged where every view allows.
fn merged<T: Element, const N: usize>(views: &[View<'_, T>], shape: &Shape) -> Vec<Axis<N>> {
    let mut axes: Vec<Axis<N>> = Vec::with_capacity(shape.rank());
    for (axis, &size) in shape.iter().enumerate().filter(|(_, size)| **size > 1) {
        let strides: [isize; N] = std::array::from_fn(|i| views[i].strides()[axis]);
        let whole = isize::try_from(size).unwrap_or(isize::MAX);
        match axes.last_mut() {
            Some(outer) if (0..N).all(|i| outer.strides[i] == strides[i].wrapping_mul(whole)) => {
                // No overflow: the shape's product fits.
                outer.size *= size;
                outer.strides = strides;
            }
            _ => axes.push(Axis { size, strides }),
        }
    }
    axes
}

/// Hands out one row along the innermost axis.
fn row<T: Element, const N: usize>(
    data: &[&[T]; N],
    places: &[usize; N],
    inner: &Axis<N>,
    buffers: &mut [Vec<T>; N],
    take: &mut dyn FnMut([&[T]; N]),
) {
    let lies = |i: usize| inner.strides[i] == 1;
    let together = if (0..N).all(lies) { inner.size } else { TOGETHER };
    for first in (0..inner.size).step_by(together) {
        let count = together.min(inner.size - first);
        for i in (0..N).filter(|&i| !lies(i)) {
            let (start, stride) = (place(places[i], first, inner.strides[i]), inner.strides[i]);
            buffers[i].clear();
            buffers[i].extend((0..count).map(|index| data[i][place(start, index, stride)]));
        }
        take(std::array::from_fn(|i| match lies(i) {
            true => &data[i][places[i] + first..][..count],
            false => &buffers[i][..],
        }));
    }
}

/// The place that lies `index` strides behind the start.
fn place(start: usize, index: usize, stride: isize) -> usize {
    start.wrapping_add(index.wrapping_mul(stride.cast_unsigned()))
}

/// Moves to the next row; whether there is one.
fn advance<const N: usize>(
    axes: &[Axis<N>],
    indices: &mut [usize],
    places: &mut [usize; N],
) -> bool {
    for (axis, index) in axes.iter().zip(indices.iter_mut()).rev() {
        *index += 1;
        let is_left = *index < axis.size;
        // Forward by one index, or back to the first.
        let steps = if is_left { 1 } else { (axis.size - 1).wrapping_neg() };
        for (at, &stride) in places.iter_mut().zip(&axis.strides) {
            *at = place(*at, steps, stride);
        }
        if is_left {
            return true;
        }
        *index = 0;
    }
    false
}
