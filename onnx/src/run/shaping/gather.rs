//! `Gather`: elements, or parts, by their indices along an axis.

use reduce_core::dtypes::with_any;
use reduce_core::{AnyTensor, AnyView, DType, Element, Shape, Tensor, View};

use super::super::elementwise::cast;
use super::super::elementwise::shape_of;
use super::super::value::{Budget, Value};
use super::axis_of;
use crate::elements::room;

/// The parts of `data` along an axis that `indices` name, in the shape of the indices: `outer` sizes of the
/// data, those of the indices, `inner` sizes of the data. Negative indices count from the end.
///
/// # Errors
/// If an index is out of range, the indices are no integers of 32 or 64 bits, or the result is too large.
pub(crate) fn gather(
    data: &Value<'_>,
    indices: &Value<'_>,
    axis: i64,
    budget: &Budget,
) -> Result<Value<'static>, String> {
    let shape = data.shape();
    let axis = axis_of(axis, shape.rank())?;
    if !matches!(indices.dtype(), DType::I32 | DType::I64) {
        return Err(format!("wants indices of `i32` or `i64`, not of `{}`", indices.dtype()));
    }
    let (outer, inner) = (&shape[..axis], &shape[axis + 1..]);
    let shape_of_result = shape_of(&[outer, indices.shape(), inner].concat())?;
    let lease = budget.lease(data.dtype(), &shape_of_result)?;
    let wide = cast(&indices.viewed()?, DType::I64)?;
    let AnyView::I64(wide) = wide.view() else { return Err("has no indices".to_owned()) };
    let size = shape[axis];
    let places = wide.data().iter().map(|&index| index_of(index, size));
    let places = places.collect::<Result<Vec<usize>, String>>()?;
    let rows = data.in_rows(budget)?;
    let (outer, inner) = (outer.iter().product(), inner.iter().product());
    let cut = Cut { outer, size, inner };
    let tensor = with_any!(AnyView, &rows.viewed()?, v => cut.parts(v, &places, &shape_of_result))?;
    Ok(Value::computed(tensor, lease))
}

/// The place of an index.
fn index_of(index: i64, size: usize) -> Result<usize, String> {
    let signed = i64::try_from(size).unwrap_or(i64::MAX);
    let place = usize::try_from(if index < 0 { index.saturating_add(signed) } else { index });
    place
        .ok()
        .filter(|&place| place < size)
        .ok_or_else(|| format!("has the index {index}, which is none of an axis of size {size}"))
}

/// Data cut into `outer` times `size` parts of `inner` elements.
struct Cut {
    outer: usize,
    size: usize,
    inner: usize,
}

impl Cut {
    fn parts<T: Element>(
        &self,
        view: &View<'_, T>,
        places: &[usize],
        shape: &Shape,
    ) -> Result<AnyTensor, String> {
        let mut elements = room::<T>(shape.count())?;
        let data = view.data().get(view.offset()..).unwrap_or_default();
        let filled = if shape.count() == 0 { 0 } else { self.outer };
        for outer in 0..filled {
            for place in places {
                let first = (outer * self.size + place) * self.inner;
                elements.extend_from_slice(&data[first..][..self.inner]);
            }
        }
        Tensor::new(elements, shape).map(AnyTensor::from).map_err(|error| error.to_string())
    }
}
