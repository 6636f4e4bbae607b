//! `Shape`, `Size`, `Reshape`, `Squeeze` and `Unsqueeze`: what is asked and said about shapes. No element is moved.

use std::collections::BTreeSet;

use reduce_core::{AnyTensor, Tensor};

use super::super::value::{Budget, Value};
use super::axis_of;

/// The sizes of the axes from `start` to before `end`; both are counted from the end if negative, and none
/// is out of range.
pub(crate) fn shape(data: &Value<'_>, start: i64, end: Option<i64>) -> Result<AnyTensor, String> {
    let sizes = integers(data.shape())?;
    let rank = i64::try_from(sizes.len()).unwrap_or(i64::MAX);
    let place = |bound: i64| {
        let bound = if bound < 0 { bound.saturating_add(rank) } else { bound };
        usize::try_from(bound.clamp(0, rank)).unwrap_or_default()
    };
    let (start, end) = (place(start), place(end.unwrap_or(rank)));
    let some = sizes.get(start..end).unwrap_or_default();
    Ok(Tensor::from_list(some.to_vec()).into())
}

/// The number of elements, a scalar.
pub(crate) fn size(data: &Value<'_>) -> Result<AnyTensor, String> {
    let count = integers(&[data.shape().count()])?;
    Tensor::new(count, &[]).map(AnyTensor::from).map_err(|error| error.to_string())
}

fn integers(sizes: &[usize]) -> Result<Vec<i64>, String> {
    let integer = |&size: &usize| i64::try_from(size).map_err(|error| error.to_string());
    sizes.iter().map(integer).collect()
}

/// The elements in another shape. A wanted size of 0 stands for that of the data, unless `zero_is_zero`. One may be
/// -1, and stands for what is left.
pub(crate) fn reshape<'a>(
    data: &Value<'a>,
    wanted: &[i64],
    zero_is_zero: bool,
    budget: &Budget,
) -> Result<Value<'a>, String> {
    let given = data.shape();
    let mut sizes = Vec::with_capacity(wanted.len());
    let mut open = None;
    for (axis, &size) in wanted.iter().enumerate() {
        sizes.push(match size {
            -1 if open.is_none() => {
                open = Some(axis);
                1
            }
            0 if !zero_is_zero => *given.get(axis).ok_or_else(|| {
                format!("copies size {axis} of shape {given}, which has not so many")
            })?,
            _ => usize::try_from(size)
                .map_err(|_| format!("has the sizes {wanted:?}; one may be -1, none less"))?,
        });
    }
    if let Some(axis) = open {
        let others = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
        let left = others.and_then(|others| given.count().checked_div(others));
        sizes[axis] = left.ok_or_else(|| {
            format!("cannot make shape {given} one of the sizes {wanted:?}, of which -1 is open")
        })?;
    }
    data.reshaped(&sizes, budget)
}

/// The data without these axes of size 1, or without all such.
pub(crate) fn squeeze<'a>(
    data: &Value<'a>,
    axes: Option<&[i64]>,
    budget: &Budget,
) -> Result<Value<'a>, String> {
    let shape = data.shape();
    let dropped = match axes {
        Some(axes) => distinct(axes, shape.rank())?,
        None => (0..shape.rank()).filter(|&axis| shape[axis] == 1).collect(),
    };
    if let Some(axis) = dropped.iter().find(|&&axis| shape[axis] != 1) {
        return Err(format!("leaves out axis {axis} of shape {shape}, whose size is not 1"));
    }
    let kept = (0..shape.rank()).filter(|axis| !dropped.contains(axis));
    data.reshaped(&kept.map(|axis| shape[axis]).collect::<Vec<_>>(), budget)
}

/// The data with new axes of size 1, which are numbered as the result has them.
pub(crate) fn unsqueeze<'a>(
    data: &Value<'a>,
    axes: &[i64],
    budget: &Budget,
) -> Result<Value<'a>, String> {
    let rank = data.shape().rank() + axes.len();
    let added = distinct(axes, rank)?;
    let mut sizes = data.shape().iter();
    let size = |axis| match added.contains(&axis) {
        true => 1,
        false => sizes.next().copied().unwrap_or(1),
    };
    data.reshaped(&(0..rank).map(size).collect::<Vec<_>>(), budget)
}

/// The set of these axes. Each may be named once.
fn distinct(axes: &[i64], rank: usize) -> Result<BTreeSet<usize>, String> {
    let mut found = BTreeSet::new();
    for &axis in axes {
        if !found.insert(axis_of(axis, rank)?) {
            return Err(format!("names axis {axis} twice"));
        }
    }
    Ok(found)
}
