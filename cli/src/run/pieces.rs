//! One pass over an array that is [`Apart`]: piece by piece, each copied while the one before it is reduced.

use std::thread;

use reduce_core::{AnyTensor, Shape};

use super::pass::joined;
use super::together::{Crew, How};
use super::watch::{Meter, Watched};
use crate::arrays::{Apart, Array};
use crate::error::Error;
use crate::operators::Prepared;

/// The results of each operator, if the array can be reduced in pieces. Otherwise all of it must be in memory.
pub(super) fn run(
    operators: &[Prepared],
    apart: &Apart,
    shape: &Shape,
    how: How<'_>,
) -> Result<Option<Vec<Vec<AnyTensor>>>, Error> {
    if how.mask.is_some() || how.engine.is_some() {
        return Ok(None);
    }
    let axes = operators.iter().map(|operator| operator.axes(shape.rank()));
    let Some((axis, pieces)) = apart.pieces(&axes.collect::<Result<Vec<_>, _>>()?) else {
        return Ok(None);
    };
    apart.check().map_err(Error::new)?;
    let bytes = shape.count() * apart.dtype().size();
    let crew = Crew::new(operators, how, bytes)?;
    let meter = Meter::new(how.deadline);
    let read = |number: usize| match pieces.get(number) {
        Some(indices) => apart.piece(axis, indices.clone()).map(Some).map_err(Error::new),
        None => Ok(None),
    };
    let work = || {
        let (mut results, mut piece) = (Vec::new(), read(0)?);
        while let Some(array) = piece {
            let next = results.len() + 1;
            let found: Result<_, Error> = thread::scope(|scope| {
                let reading = thread::Builder::new().spawn_scoped(scope, || read(next));
                let found = crew.run(&[array.view()?], &meter)?;
                // Without another thread it is read now.
                Ok((found, reading.map_or_else(|_| read(next), finished)?))
            });
            let (found, read): (_, Option<Array>) = found?;
            results.push(found);
            piece = read;
        }
        joined(operators, results, shape, axis)
    };
    let watched = Watched { elements: shape.count(), bytes, give_back: &|| apart.give_back() };
    watched.work(&meter, work).map(Some)
}

/// What a thread gives, or its panic.
fn finished<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
