//! `Range`: numbers at equal distances.

use reduce_core::bounds::{Load, Store};
use reduce_core::{AnyView, Element, Shape, Tensor, View, bf16, f16};

use super::super::value::{Budget, Value};
use crate::elements::room;

/// The numbers from `start` on, a `delta` apart, that have not reached `limit`.
///
/// # Errors
/// If they are not scalars of one type, of those that the standard has for it; if the distance is zero or no
/// number; or if there are too many.
pub(crate) fn range(
    start: &Value<'_>,
    limit: &Value<'_>,
    delta: &Value<'_>,
    budget: &Budget,
) -> Result<Value<'static>, String> {
    let views = (start.viewed()?, limit.viewed()?, delta.viewed()?);
    macro_rules! of {
        ($($variant:ident)*) => {
            match &views {
                $((AnyView::$variant(start), AnyView::$variant(limit), AnyView::$variant(delta)) => {
                    let scalar = |view: &View<'_, _>| match view.shape().count() {
                        1 => Ok(view.data()[view.offset()]),
                        _ => Err(format!("takes scalars, not shape {}", view.shape())),
                    };
                    numbers(scalar(start)?, scalar(limit)?, scalar(delta)?, budget)
                })*
                (a, b, c) => {
                    let (a, b, c) = (a.dtype(), b.dtype(), c.dtype());
                    Err(format!("takes three scalars of one type of numbers, not `{a}`, `{b}` and `{c}`"))
                }
            }
        };
    }
    of!(F16 BF16 F32 F64 I16 I32 I64)
}

fn numbers<T: Steps>(
    start: T,
    limit: T,
    delta: T,
    budget: &Budget,
) -> Result<Value<'static>, String> {
    let count = T::count(start, limit, delta)
        .ok_or_else(|| format!("cannot go from {start:?} to {limit:?} by {delta:?}"))?;
    let shape = Shape::new(&[count]).map_err(|error| error.to_string())?;
    let lease = budget.lease(T::DTYPE, &shape)?;
    let mut elements = room::<T>(count)?;
    elements.extend((0..count).map(|index| T::at(start, delta, index)));
    let tensor = Tensor::from_list(elements);
    Ok(Value::computed(tensor.into(), lease))
}

/// A type that ranges are of.
trait Steps: Element {
    /// How many numbers there are, if that can be said.
    fn count(start: Self, limit: Self, delta: Self) -> Option<usize>;
    /// One of them.
    fn at(start: Self, delta: Self, index: usize) -> Self;
}

macro_rules! steps {
    (floats $($type:ty: $number:ty),*) => {$(
        impl Steps for $type {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturates, and is refused then"
            )]
            fn count(start: Self, limit: Self, delta: Self) -> Option<usize> {
                let [start, limit, delta] = [start, limit, delta].map(Load::<$number>::load);
                let count = ((limit - start) / delta).ceil();
                (delta != 0.0 && !count.is_nan()).then(|| count.max(0.0) as usize)
            }

            #[allow(clippy::cast_precision_loss, reason = "fewer than the budget allows")]
            fn at(start: Self, delta: Self, index: usize) -> Self {
                let [start, delta] = [start, delta].map(Load::<$number>::load);
                Self::store(start + index as $number * delta)
            }
        }
    )*};
    (integers $($type:ty)*) => {$(
        impl Steps for $type {
            fn count(start: Self, limit: Self, delta: Self) -> Option<usize> {
                let (start, limit, delta) = (i128::from(start), i128::from(limit), i128::from(delta));
                let way = if delta < 0 { start - limit } else { limit - start };
                let steps = (way + delta.abs() - 1).checked_div(delta.abs())?;
                usize::try_from(steps.max(0)).ok()
            }

            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_possible_wrap,
                trivial_numeric_casts,
                reason = "what is before the limit fits, and modulo the width comes out right"
            )]
            fn at(start: Self, delta: Self, index: usize) -> Self {
                start.wrapping_add((index as Self).wrapping_mul(delta))
            }
        }
    )*};
}

steps!(floats f16: f32, bf16: f32, f32: f32, f64: f64);
steps!(integers i16 i32 i64);
