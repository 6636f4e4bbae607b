//! Operators that make each element of the element, or elements, at its place.
//!
//! [`walk`] goes through views of any layout, broadcast to one shape, in row-major order, and hands out
//! runs of elements that lie one behind the other. [`unary`], [`binary`] and [`cast`] say what becomes of
//! them. 16-bit floats are computed in `f32` and rounded once; integers wrap.

mod binary;
mod cast;
mod unary;
mod walk;

use reduce_core::dtypes::with_any;
use reduce_core::{AnyTensor, AnyView, Element, Shape, Tensor, View};

use crate::elements::room;

pub(super) use binary::{Binary, binary, broadcast_shape};
pub(super) use cast::cast;
pub(super) use unary::{Unary, unary};

/// Axes that a result may have: as many as arrays of `numpy`.
const MOST_AXES: usize = 64;

/// The shape of a result.
///
/// # Errors
/// If it has too many axes or elements.
pub(super) fn shape_of(sizes: &[usize]) -> Result<Shape, String> {
    if sizes.len() > MOST_AXES {
        return Err(format!("a result of {} axes; values have up to {MOST_AXES}", sizes.len()));
    }
    Shape::new(sizes).map_err(|error| error.to_string())
}

/// A row-major copy.
pub(super) fn copied(view: &AnyView<'_>) -> Result<AnyTensor, String> {
    with_any!(AnyView, view, v => collected([v], v.shape(), |[run], to| to.extend_from_slice(run)))
}

/// The tensor of this shape that a function appends to, run by run, over views broadcast to it.
fn collected<T: Element, R: Element, const N: usize>(
    views: [&View<'_, T>; N],
    shape: &Shape,
    mut append: impl FnMut([&[T]; N], &mut Vec<R>),
) -> Result<AnyTensor, String> {
    let mut elements =
        room::<R>(shape.count()).map_err(|problem| format!("its result {problem}"))?;
    walk::runs(views, shape, &mut |runs| append(runs, &mut elements))?;
    Tensor::new(elements, shape).map(AnyTensor::from).map_err(|error| error.to_string())
}
