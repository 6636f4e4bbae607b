//! Operators that look at shapes, or move elements and leave them as they are.

mod concat;
mod gather;
mod range;
mod shape;
mod slice;

pub(super) use concat::concat;
pub(super) use gather::gather;
pub(super) use range::range;
pub(super) use shape::{reshape, shape, size, squeeze, unsqueeze};
pub(super) use slice::{Bounds, slice};

/// The axis of a rank, counted from the end if negative.
///
/// # Errors
/// If there is no such axis.
fn axis_of(axis: i64, rank: usize) -> Result<usize, String> {
    let signed = i64::try_from(rank).unwrap_or(i64::MAX);
    let from_the_front = if axis < 0 { axis.saturating_add(signed) } else { axis };
    match usize::try_from(from_the_front) {
        Ok(found) if found < rank => Ok(found),
        _ => Err(format!("has axis {axis}, which a tensor of rank {rank} has not")),
    }
}
