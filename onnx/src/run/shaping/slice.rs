//! `Slice` takes every index, or every `n`-th, of ranges along axes.

use reduce_core::dtypes::with_any;
use reduce_core::{AnyTensor, AnyView, View};

use super::super::elementwise::copied;
use super::super::value::{Budget, Value};
use super::axis_of;

/// Ranges of indices, from `starts` to before `ends`. A negative bound is counted from the end, and bounds are
/// cut to what there is. The ranges are along `axes`, or along the first axes. Every index is taken, or those
/// at `steps`, which may go backwards.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) starts: Vec<i64>,
    pub(crate) ends: Vec<i64>,
    pub(crate) axes: Option<Vec<i64>>,
    pub(crate) steps: Option<Vec<i64>>,
}

/// The elements within bounds.
///
/// # Errors
/// If the lists are not of one length, an axis is not there or is named twice, a step is 0, or the result is too large.
pub(crate) fn slice(
    data: &Value<'_>,
    bounds: &Bounds,
    budget: &Budget,
) -> Result<Value<'static>, String> {
    let count = bounds.starts.len();
    let axes = bounds.axes.clone().unwrap_or_else(|| (0..).take(count).collect());
    let steps = bounds.steps.clone().unwrap_or_else(|| vec![1; count]);
    if [bounds.ends.len(), axes.len(), steps.len()] != [count; 3] {
        return Err(
            "has lists of starts, ends, axes and steps that are not of one length".to_owned()
        );
    }
    let mut ranges: Vec<Option<(usize, usize, isize)>> = vec![None; data.shape().rank()];
    for (i, &axis) in axes.iter().enumerate() {
        let axis = axis_of(axis, data.shape().rank())?;
        let range = range(bounds.starts[i], bounds.ends[i], steps[i], data.shape()[axis])?;
        if ranges[axis].replace(range).is_some() {
            return Err(format!("names axis {axis} twice"));
        }
    }
    let view = data.viewed()?;
    let cut = with_any!(AnyView, &view, v => cut(v, &ranges).map(AnyView::from))?;
    let lease = budget.lease(cut.dtype(), cut.shape())?;
    let tensor: AnyTensor = copied(&cut)?;
    Ok(Value::computed(tensor, lease))
}

fn cut<'a, T: reduce_core::Element>(
    view: &View<'a, T>,
    ranges: &[Option<(usize, usize, isize)>],
) -> Result<View<'a, T>, String> {
    let mut cut = view.clone();
    for (axis, range) in ranges.iter().enumerate() {
        if let Some((start, end, step)) = *range {
            cut = cut.slice(axis, start, end, step).map_err(|error| error.to_string())?;
        }
    }
    Ok(cut)
}

/// What [`View::slice`] takes, which goes backwards from before the end.
fn range(start: i64, end: i64, step: i64, size: usize) -> Result<(usize, usize, isize), String> {
    let size = i64::try_from(size).map_err(|error| error.to_string())?;
    let from_the_front = |bound: i64| if bound < 0 { bound.saturating_add(size) } else { bound };
    let (start, end) = (from_the_front(start), from_the_front(end));
    let (first, behind) = match step {
        0 => return Err("has a step of 0".to_owned()),
        1.. => (start.clamp(0, size), end.clamp(0, size)),
        // From `start` down to behind `end`: the same indices, from the other side.
        _ => (end.clamp(-1, size - 1) + 1, start.clamp(-1, size - 1) + 1),
    };
    let place = |bound: i64| usize::try_from(bound).unwrap_or_default();
    let step = isize::try_from(step).unwrap_or(if step < 0 { isize::MIN + 1 } else { isize::MAX });
    Ok((place(first), place(behind.max(first)), step))
}
