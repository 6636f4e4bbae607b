//! One pass over the inputs, by all operators.
//!
//! What may be larger than the memory is cut in [parts](crate::arrays::Part), which are reduced one after another;
//! over each, operators run [`together`].

use std::thread;

use reduce_core::planning::AxisSet;
use reduce_core::{AnyTensor, AnyView, Shape};

use super::together::{Crew, How};
use super::watch::{Meter, Watched};
use crate::arrays::{Array, Part};
use crate::error::Error;
use crate::operators::Prepared;
use crate::scalar;

/// What is reduced, by which operators.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a> {
    pub(super) operators: &'a [Prepared],
    pub(super) inputs: &'a [Array],
    pub(super) how: How<'a>,
}

impl Pass<'_> {
    /// The results of each operator.
    pub(super) fn run(self) -> Result<Vec<Vec<AnyTensor>>, Error> {
        let bytes = self.inputs.iter().map(Array::bytes).sum();
        let crew = Crew::new(self.operators, self.how, bytes)?;
        let meter = Meter::new(self.how.deadline);
        match self.inputs.iter().any(Array::is_mapped) {
            true => {
                let elements = self.inputs.iter().map(Array::count).max().unwrap_or(0);
                let give_back = || self.inputs.iter().for_each(Array::give_back);
                let watched = Watched { elements, bytes, give_back: &give_back };
                watched.work(&meter, || self.by_parts(&crew, &meter))
            }
            false => crew.run(&self.views(Array::view)?, &meter),
        }
    }

    /// A view of each input.
    fn views<'v>(
        &'v self,
        of: impl Fn(&'v Array) -> Result<AnyView<'v>, reduce_core::Error>,
    ) -> Result<Vec<AnyView<'v>>, Error> {
        Ok(self.inputs.iter().map(of).collect::<Result<_, _>>()?)
    }

    /// The results of inputs that may be larger than the memory; at once if there is a mask, which is in memory.
    fn by_parts(&self, crew: &Crew<'_>, meter: &Meter) -> Result<Vec<Vec<AnyTensor>>, Error> {
        let shape = Shape::new(self.inputs[0].shape())?;
        let parts = self.parts(&shape)?;
        if parts.is_empty() {
            return crew.run(&self.views(Array::view)?, meter);
        }
        let mut results: Vec<Vec<Vec<AnyTensor>>> = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let views = self.views(|input| input.part(part))?;
            let fetch = |part: &Part| self.inputs.iter().for_each(|input| input.fetch(part));
            let found = thread::scope(|scope| {
                if number == 0 {
                    fetch(part);
                }
                if let Some(next) = parts.get(number + 1) {
                    // Without another thread, what is not fetched ahead is read when it is used.
                    let _ = thread::Builder::new().spawn_scoped(scope, || fetch(next));
                }
                crew.run(&views, meter)
            });
            results.push(found?);
        }
        joined(self.operators, results, &shape, parts[0].axis)
    }

    /// The parts of the inputs. There are parts only if all inputs lie alike and are reduced over the same axes.
    fn parts(&self, shape: &Shape) -> Result<Vec<Part>, Error> {
        let first = &self.inputs[0];
        if self.how.mask.is_some() || !self.inputs.iter().all(|input| input.lies_like(first)) {
            return Ok(Vec::new());
        }
        let axes = reduced(self.operators, shape)?;
        match axes.iter().all(|other| is_same(other, &axes[0])) {
            true => Ok(first.parts(&axes[0])),
            false => Ok(Vec::new()),
        }
    }
}

/// The reduced axes of each operator.
fn reduced(operators: &[Prepared], shape: &Shape) -> Result<Vec<AxisSet>, Error> {
    operators.iter().map(|operator| operator.axes(shape.rank())).collect()
}

/// The results of all parts of an axis, of each operator and result, as one.
pub(super) fn joined(
    operators: &[Prepared],
    parts: Vec<Vec<Vec<AnyTensor>>>,
    shape: &Shape,
    axis: usize,
) -> Result<Vec<Vec<AnyTensor>>, Error> {
    let mut parts: Vec<_> =
        parts.into_iter().map(|part| part.into_iter().map(Vec::into_iter)).collect();
    let mut all = Vec::new();
    for (operator, reduced) in operators.iter().zip(reduced(operators, shape)?) {
        let output = operator.output_shape(shape)?;
        let rank = output.rank() - usize::from(operator.has_arrays());
        let axes_before = (0..axis).filter(|&axis| !reduced.contains(axis)).count();
        let axis = if rank == shape.rank() { axis } else { axes_before };
        let mut of_operator: Vec<_> = parts.iter_mut().filter_map(Iterator::next).collect();
        let mut results = Vec::new();
        loop {
            let of_result: Vec<_> = of_operator.iter_mut().filter_map(Iterator::next).collect();
            if of_result.is_empty() {
                break;
            }
            let of_result: Vec<_> = of_result.iter().map(AnyTensor::view).collect();
            results.push(
                scalar::joined(&of_result, axis, &output)
                    .map_err(|problem| Error::new(format!("the result {problem}")))?,
            );
        }
        all.push(results);
    }
    Ok(all)
}

fn is_same(a: &AxisSet, b: &AxisSet) -> bool {
    (0..a.rank()).all(|axis| a.contains(axis) == b.contains(axis))
}
