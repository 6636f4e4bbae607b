//! Planned kernels, which are given buffers alone.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use smallvec::SmallVec;

use super::super::chosen::Filter;
use super::AnyKernel;
use super::outputs::{OutputPlaces, RowMajor};
use super::over::{Settled, Shapes, check_types, checked_buffers};
use super::run::PlanRun;
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::plan::Plan;
use crate::values::erased::{AnyData, AnyPlaces};
use crate::values::layout::Layout;
use crate::values::layouts::shape_and_strides;
use crate::values::stored::INPUTS;

/// The layouts of inputs and outputs.
#[derive(Clone, Copy)]
pub(crate) struct LaidOut<'a> {
    /// Those of the inputs, and of a mask behind them.
    pub(crate) inputs: &'a [Layout],
    pub(crate) is_masked: bool,
    /// Those of the outputs; in row-major order if none is given.
    pub(crate) outputs: &'a [Layout],
}

/// A kernel, planned for the layouts of its inputs and outputs.
pub(crate) struct PlannedKernel {
    kernel: AnyKernel<'static>,
    plan: Plan,
    shape: Shape,
    /// The type of each input, and how many elements its buffer must have. A mask is the last.
    inputs: SmallVec<[(DType, usize); INPUTS]>,
    /// The elements that count, whatever the operator says.
    filter: Filter,
    outputs: SmallVec<[OutputPlaces; 1]>,
    level: Available,
    mends: bool,
}

impl PlannedKernel {
    /// The kernel, planned.
    ///
    /// # Errors
    /// If there are more inputs than can be walked together. If they are of other types than the kernel's, or do not
    /// broadcast to one shape. If an axis does not fit, or an output is not of the layout that it should have.
    pub(crate) fn new(
        kernel: AnyKernel<'static>,
        laid_out: LaidOut<'_>,
        settled: Settled<'_>,
    ) -> Result<Self, Error> {
        let LaidOut { inputs, is_masked, outputs } = laid_out;
        check_types(kernel.inputs(), inputs.iter().map(|layout| layout.dtype), is_masked)?;
        let filter = Filter { masks: usize::from(is_masked), skips_nan: settled.skips_nan };
        let lie = inputs.iter().map(shape_and_strides);
        let mut plan = Plan::empty();
        let Shapes { all: shape, results } =
            Shapes::plan(&mut plan, lie, settled, kernel.needs(filter))?;
        let of_parts = kernel.parts.iter().enumerate();
        let of_parts = of_parts.map(|(number, &part)| match outputs.get(number) {
            Some(layout) => OutputPlaces::for_results(part, &results, layout),
            None if outputs.is_empty() => OutputPlaces::in_order(part, &results),
            None => Err(output_count(kernel.parts.len(), outputs.len())),
        });
        let outputs: SmallVec<[OutputPlaces; 1]> = of_parts.collect::<Result<_, _>>()?;
        if outputs.len() < laid_out.outputs.len() {
            return Err(output_count(outputs.len(), laid_out.outputs.len()));
        }
        let inputs = inputs.iter().map(|layout| (layout.dtype, layout.length())).collect();
        let Settled { level, mends, .. } = settled;
        Ok(PlannedKernel { kernel, plan, shape, inputs, filter, outputs, level, mends })
    }

    /// The layouts of the outputs.
    pub(crate) fn outputs(&self) -> impl ExactSizeIterator<Item = &Layout> {
        self.outputs.iter().map(|output| &output.layout)
    }

    /// Writes all results, over buffers that lie as the plan has it.
    ///
    /// # Errors
    /// If there are more or fewer buffers than planned for, or one has another type or too few elements. If the operator
    /// lacks a value for a result over no elements, a result is too large for its place, or there is not enough memory. Some
    /// results may be written then.
    pub(crate) fn run(
        &self,
        inputs: &[AnyData<'_>],
        outputs: &mut [AnyPlaces<'_>],
        crew: Crew<'_>,
    ) -> Result<(), Error> {
        let buffers = checked_buffers(&self.inputs, inputs)?;
        self.check_outputs(outputs)?;
        let PlannedKernel { kernel, plan, filter, level, mends, .. } = self;
        let run = PlanRun { kernel, plan, filter: *filter, level: *level, mends: *mends };
        run.check_empty(&self.shape)?;
        match (outputs, self.outputs.as_slice()) {
            // SAFETY: *types* and *buffers*: `checked_buffers` has passed. *places*: so has `check_outputs`, and the
            // output is borrowed alone.
            ([places], [output]) if output.is_direct() && run.is_direct() => unsafe {
                run.reduce(buffers, places.first, crew)
            },
            (outputs, _) => {
                // SAFETY: *written*: `reduce_apart` hands over all results. *places*: `check_outputs` has passed.
                let put = |results| unsafe { self.put(results, outputs) };
                // SAFETY: *types* and *buffers*: `checked_buffers` has passed.
                unsafe { run.reduce_apart(buffers, crew, put) }
            }
        }
    }

    fn check_outputs(&self, outputs: &[AnyPlaces<'_>]) -> Result<(), Error> {
        if outputs.len() != self.outputs.len() {
            return Err(output_count(self.outputs.len(), outputs.len()));
        }
        self.outputs.iter().zip(outputs).try_for_each(|(output, places)| output.check(places))
    }

    /// Copies each part of all results to its places.
    ///
    /// # Errors
    /// If a result is too large for its place.
    ///
    /// # Safety
    /// *written*: the results are there. *places*: the outputs were checked.
    unsafe fn put(&self, results: RowMajor, outputs: &mut [AnyPlaces<'_>]) -> Result<(), Error> {
        // SAFETY: *written* and *places*, which the caller keeps for each output.
        let mut put = |(output, places): (&OutputPlaces, &mut AnyPlaces<'_>)| unsafe {
            output.put(results, places.first)
        };
        self.outputs.iter().zip(outputs).try_for_each(&mut put)
    }
}

/// The error of as many outputs as were given.
fn output_count(expected: usize, found: usize) -> Error {
    ErrorKind::OutputCount { expected, found }.into()
}
