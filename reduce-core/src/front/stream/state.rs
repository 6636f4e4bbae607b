//! States of streams: plain data that can be stored, sent, and resumed from.

use crate::facts::axes::Axes;
use crate::facts::error::{Error, ErrorKind, MOST_COUNTED};
use crate::facts::shape::Shape;
use crate::front::signature::Signature;

/// What a [`Stream`](crate::Stream) has seen, as plain data: it can be stored, sent, and resumed from.
///
/// ```
/// use reduce_core::{Reduction, State, Stream, View};
/// use reduce_specs::ReduceMean;
///
/// let mut stream = Stream::new(ReduceMean);
/// stream.update(&View::new(&[1.0f32, 2.0], &[2])?)?;
/// let state: State<f32> = stream.into_state()?;
/// assert_eq!((&state.accumulators[..], state.count), (&[3.0][..], 2));
///
/// // Later, or elsewhere:
/// let mut stream = Stream::resume(Reduction::new(ReduceMean), state)?;
/// stream.update(&View::new(&[6.0f32], &[1])?)?;
/// assert_eq!(stream.finish()?.data(), [3.0]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// With the feature `serde` it can be serialised, if accumulators can.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State<Acc> {
    /// Whose accumulators they are.
    pub signature: Signature,
    /// How many axes the pieces have; 0 before the first update.
    pub rank: usize,
    /// Which of them are kept, ascending.
    pub kept: Vec<usize>,
    /// One accumulator for each result, in row-major order; none before the first update.
    pub accumulators: Vec<Acc>,
    /// The sizes of the result's axes.
    pub shape: Vec<usize>,
    /// The number of elements in each accumulator.
    pub count: usize,
}

impl<Acc> State<Acc> {
    /// Whether this is the state before the first update.
    fn is_new(&self) -> bool {
        self.accumulators.is_empty() && self.shape.is_empty() && self.count == 0
    }

    /// The shape of the results, if a stream has seen anything and may have made this state.
    ///
    /// # Errors
    /// If it has not one accumulator for each result of its shape, or counts too many elements.
    pub(super) fn check(&self) -> Result<Option<Shape>, Error> {
        if self.is_new() {
            return Ok(None);
        }
        let shape = Shape::new(&self.shape)?;
        let (expected, found) = (shape.count(), self.accumulators.len());
        if expected != found {
            let what = "the state of a stream";
            return Err(ErrorKind::LengthMismatch { what, expected, found }.into());
        }
        check_count(self.count as u64, 0)?;
        Ok(Some(shape))
    }
}

/// Which axes of a rank are kept.
///
/// # Errors
/// If an axis is out of range for the rank, or named twice.
pub(super) fn kept(axes: &Axes, rank: usize) -> Result<Vec<usize>, Error> {
    let set = axes.resolve(rank)?;
    Ok((0..rank).filter(|&axis| !set.contains(axis)).collect())
}

/// Checks that the same axes are kept.
///
/// # Errors
/// If others are.
pub(super) fn check_kept(expected: &[usize], found: &[usize]) -> Result<(), Error> {
    match expected == found {
        true => Ok(()),
        false => {
            let (expected, found) = (expected.to_vec(), found.to_vec());
            Err(ErrorKind::OtherAxes { expected, found }.into())
        }
    }
}

/// Checks that `count` elements, and `more` behind them, can be counted. A state may come from anywhere.
pub(in crate::front) fn check_count(count: u64, more: u64) -> Result<(), Error> {
    match count.checked_add(more) {
        Some(all) if all <= MOST_COUNTED => Ok(()),
        _ => Err(ErrorKind::CountTooLarge { count, more }.into()),
    }
}
