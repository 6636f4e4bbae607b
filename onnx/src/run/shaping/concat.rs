//! `Concat`: tensors one behind another along an axis.

use super::super::elementwise::shape_of;
use super::super::value::{Budget, Value};
use super::axis_of;
use crate::elements;

/// Tensors of one type and, but for the axis, of one shape, put together.
///
/// # Errors
/// If types, ranks or sizes differ, there is no such axis, or the result is too large.
pub(crate) fn concat(
    parts: &[&Value<'_>],
    axis: i64,
    budget: &Budget,
) -> Result<Value<'static>, String> {
    let Some(first) = parts.first() else { return Err("has no inputs".to_owned()) };
    let shape = first.shape();
    let axis = axis_of(axis, shape.rank())?;
    let mut sizes = shape.to_vec();
    for part in &parts[1..] {
        if part.dtype() != first.dtype() {
            let (one, other) = (first.dtype(), part.dtype());
            return Err(format!("takes inputs of one type, not `{one}` and `{other}`"));
        }
        let fits = |other: usize| other == axis || part.shape()[other] == shape[other];
        if part.shape().rank() != shape.rank() || !(0..shape.rank()).all(fits) {
            let other = part.shape();
            return Err(format!(
                "cannot put shapes {shape} and {other} together along axis {axis}"
            ));
        }
        sizes[axis] = sizes[axis]
            .checked_add(part.shape()[axis])
            .ok_or("would have too many elements along its axis")?;
    }
    let shape = shape_of(&sizes)?;
    let lease = budget.lease(first.dtype(), &shape)?;
    let rows = parts.iter().map(|part| part.in_rows(budget)).collect::<Result<Vec<_>, _>>()?;
    let views = rows.iter().map(Value::viewed).collect::<Result<Vec<_>, _>>()?;
    let tensor = elements::joined(&views, axis, &shape)
        .map_err(|problem| format!("its result {problem}"))?;
    Ok(Value::computed(tensor, lease))
}
