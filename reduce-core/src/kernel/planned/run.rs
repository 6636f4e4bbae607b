//! Planned kernels, and their runs over buffers.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use smallvec::SmallVec;

use super::super::chosen::{Filter, Results};
use super::super::read::{Lines, Scratch};
use super::super::{Empty, ErasedKernel};
use super::AnyKernel;
use super::outputs::Output;
use crate::facts::axes::Axes;
use crate::facts::dtype::{DType, with_dtype};
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::{Dims, Shape};
use crate::machine::level::Available;
use crate::machine::memory::caught;
use crate::machine::team::Crew;
use crate::plan::{Places, Plan};
use crate::values::any::AnyTensor;
use crate::values::erased::{AnyData, AnyPlaces};
use crate::values::input::{Strided, common};
use crate::values::layout::Layout;
use crate::values::stored::{Buffers, INPUTS};
use crate::values::tensor::{Tensor, allocate};

/// The layouts of inputs and outputs.
#[derive(Clone, Copy)]
pub(crate) struct LaidOut<'a> {
    /// Those of the inputs, and of a mask behind them.
    pub(crate) inputs: &'a [Layout],
    pub(crate) is_masked: bool,
    /// Those of the outputs; in row-major order if none is given.
    pub(crate) outputs: &'a [Layout],
}

/// What else a plan follows from.
#[derive(Clone, Copy)]
pub(crate) struct Settled<'a> {
    pub(crate) axes: &'a Axes,
    pub(crate) keepdims: bool,
    pub(crate) level: Available,
    pub(crate) skips_nan: bool,
    pub(crate) mends: bool,
}

/// A kernel, planned for the layouts of its inputs and outputs.
pub(crate) struct PlannedKernel<'a> {
    kernel: AnyKernel<'a>,
    plan: Plan,
    /// The type of each input, and how many elements its buffer must have. A mask is the last.
    inputs: SmallVec<[(DType, usize); INPUTS]>,
    shape: Shape,
    /// The elements that count, whatever the operator says.
    filter: Filter,
    outputs: SmallVec<[Output; 1]>,
    level: Available,
    mends: bool,
}

impl<'a> PlannedKernel<'a> {
    /// The kernel, planned.
    ///
    /// # Errors
    /// If there are more inputs than can be walked together. If they are of other types than the kernel's, or do not
    /// broadcast to one shape. If an axis does not fit, or an output is not of the layout that it should have.
    pub(crate) fn new(
        kernel: AnyKernel<'a>,
        laid_out: LaidOut<'_>,
        settled: Settled<'_>,
    ) -> Result<Self, Error> {
        let LaidOut { inputs, is_masked, outputs } = laid_out;
        check_types(kernel.inputs(), inputs, is_masked)?;
        let shapes: SmallVec<[&Shape; INPUTS]> = inputs.iter().map(|of| &of.shape).collect();
        let shape = common(&shapes)?;
        let axes = settled.axes.resolve(shape.rank())?;
        let results = axes.output_shape(&shape, settled.keepdims)?;
        let strides = inputs.iter().map(|layout| layout.broadcast(&shape));
        let strides: SmallVec<[Dims<isize>; INPUTS]> = strides.collect::<Result<_, _>>()?;
        let walked = strides.iter().zip(inputs);
        let walked: SmallVec<[Strided<'_>; INPUTS]> =
            walked.map(|(strides, layout)| (strides.as_slice(), layout.offset)).collect();
        let filter = Filter { masks: usize::from(is_masked), skips_nan: settled.skips_nan };
        let needs = ErasedKernel::new(kernel.op, kernel.untyped, true).needs(filter);
        let plan = Plan::new(&shape, &walked, &axes, needs);
        let of_parts = kernel.parts.iter().enumerate();
        let of_parts = of_parts.map(|(number, &part)| match outputs.get(number) {
            Some(layout) => Output::laid_out(part, &results, layout),
            None if outputs.is_empty() => Output::in_order(part, &results),
            None => Err(output_count(kernel.parts.len(), outputs.len())),
        });
        Ok(PlannedKernel {
            outputs: of_parts.collect::<Result<_, _>>()?,
            inputs: inputs.iter().map(|layout| (layout.dtype, layout.length())).collect(),
            kernel,
            plan,
            shape,
            filter,
            level: settled.level,
            mends: settled.mends,
        })
    }

    /// The layouts of the outputs.
    pub(crate) fn outputs(&self) -> impl ExactSizeIterator<Item = &Layout> {
        self.outputs.iter().map(|output| &output.layout)
    }

    /// All results in new tensors, over buffers that lie as the plan has it.
    ///
    /// # Errors
    /// As [`PlannedKernel::run`], and if a result does not fit in memory.
    pub(crate) fn tensors(
        &self,
        inputs: &[AnyData<'_>],
        crew: Crew<'_>,
    ) -> Result<SmallVec<[AnyTensor; 1]>, Error> {
        let blank = |layout: &Layout| {
            with_dtype!(layout.dtype, T => {
                let results: Vec<T> = allocate(layout.shape.count())?;
                Ok(Tensor::from_parts(results, layout.shape.clone()).into())
            })
        };
        let tensors = self.outputs().map(blank);
        let mut tensors: SmallVec<[AnyTensor; 1]> = tensors.collect::<Result<_, Error>>()?;
        let places = tensors.iter_mut().map(AnyPlaces::from);
        let mut places: SmallVec<[AnyPlaces<'_>; 1]> = places.collect();
        self.run(inputs, &mut places, crew)?;
        drop(places);
        Ok(tensors)
    }

    /// Writes all results, over buffers that lie as the plan has it.
    ///
    /// # Errors
    /// If there are more or fewer buffers than planned for, or one has another type or too few elements. If the operator
    /// lacks a value for a result over no elements, or there is not enough memory. Some results may be written then.
    pub(crate) fn run(
        &self,
        inputs: &[AnyData<'_>],
        outputs: &mut [AnyPlaces<'_>],
        crew: Crew<'_>,
    ) -> Result<(), Error> {
        let buffers = self.checked(inputs)?;
        self.check_outputs(outputs)?;
        let untyped = self.kernel.untyped;
        if self.plan.count == 0 && self.plan.outputs > 0 && untyped.empty == Empty::Error {
            let (dtype, shape) = (untyped.dtypes[0], self.shape.to_vec());
            return Err(ErrorKind::EmptySet { dtype, shape }.into());
        }
        match (outputs, self.outputs.as_slice()) {
            // SAFETY: buffers and places were checked.
            ([places], [output]) if output.is_dense && self.plan.scatter.is_none() => unsafe {
                self.reduce(buffers, places.first, crew)
            },
            // SAFETY: the same.
            (outputs, _) => unsafe { self.reduce_apart(buffers, outputs, crew) },
        }
    }

    /// The buffers of all inputs.
    ///
    /// # Errors
    /// If they are not those planned for.
    fn checked(&self, inputs: &[AnyData<'_>]) -> Result<Buffers, Error> {
        let mut buffers = ([std::ptr::null(); INPUTS], [0; INPUTS]);
        if inputs.len() != self.inputs.len() {
            let (expected, found) = (self.inputs.len(), inputs.len());
            return Err(ErrorKind::InputCount { expected, found }.into());
        }
        for (number, (data, &(dtype, length))) in inputs.iter().zip(&self.inputs).enumerate() {
            if data.dtype != dtype {
                let (expected, found) = (dtype, data.dtype);
                return Err(ErrorKind::InputDType { input: "data", expected, found }.into());
            }
            if data.length < length {
                let (expected, found) = (length, data.length);
                let what = "the buffer";
                return Err(ErrorKind::LengthMismatch { what, expected, found }.into());
            }
            (buffers.0[number], buffers.1[number]) = (data.first, data.length);
        }
        Ok(buffers)
    }

    fn check_outputs(&self, outputs: &[AnyPlaces<'_>]) -> Result<(), Error> {
        if outputs.len() != self.outputs.len() {
            return Err(output_count(self.outputs.len(), outputs.len()));
        }
        self.outputs.iter().zip(outputs).try_for_each(|(output, places)| output.check(places))
    }

    /// Writes all results one behind the other, in the order of the plan.
    ///
    /// # Errors
    /// If there is not enough memory, or a result has no value since none of its elements counts.
    ///
    /// # Safety
    /// The buffers were checked, and there is room for the results.
    unsafe fn reduce(&self, buffers: Buffers, first: *mut u8, crew: Crew<'_>) -> Result<(), Error> {
        let AnyKernel { op, untyped, size, .. } = &self.kernel;
        let kernel = ErasedKernel::new(*op, untyped, self.mends);
        let team = crew.team(self.plan.elements());
        let results = Results { first, apart: *size };
        // SAFETY: the operator is that of the kernel, and may be shared. The rest is the caller's.
        unsafe { kernel.run((buffers, self.filter), &self.plan, results, self.level, team) }
    }

    /// Writes all results in a room, and copies each part of them to its places.
    ///
    /// # Errors
    /// As [`PlannedKernel::reduce`].
    ///
    /// # Safety
    /// Buffers and outputs were checked.
    unsafe fn reduce_apart(
        &self,
        buffers: Buffers,
        outputs: &mut [AnyPlaces<'_>],
        crew: Crew<'_>,
    ) -> Result<(), Error> {
        let (size, count) = (self.kernel.size, self.plan.outputs);
        let (mut few, mut others) = (Lines::uninit(), Lines::uninit());
        let (mut room, mut in_order) = (Scratch::on(&mut few), Scratch::on(&mut others));
        let mut first = std::ptr::null_mut();
        caught(|| first = room.bytes(size * count))?;
        // SAFETY: the caller's, and room for all results.
        unsafe { self.reduce(buffers, first, crew) }?;
        if let Some(scatter) = &self.plan.scatter {
            let mut to = std::ptr::null_mut();
            caught(|| to = in_order.bytes(size * count))?;
            for (number, place) in Places::new(&scatter.axes, scatter.start).enumerate() {
                let from = first.wrapping_add(number * size).cast_const();
                // SAFETY: a result, and its place in a room for all of them.
                unsafe { from.copy_to_nonoverlapping(to.wrapping_add(place * size), size) };
            }
            first = to;
        }
        for (output, places) in self.outputs.iter().zip(outputs) {
            // SAFETY: the results are there, and outputs were checked.
            unsafe { output.put(first, size, places.first) };
        }
        Ok(())
    }
}

/// Checks the types of inputs, and of a mask behind them.
///
/// # Errors
/// If they are others, or too many are walked together.
fn check_types(expected: &[DType], inputs: &[Layout], is_masked: bool) -> Result<(), Error> {
    let masks = usize::from(is_masked);
    let count = expected.len() + masks;
    if inputs.len() != count || count > INPUTS {
        let expected = if count > INPUTS { INPUTS - masks } else { count };
        return Err(ErrorKind::InputCount { expected, found: inputs.len() }.into());
    }
    let expected = expected.iter().chain(is_masked.then_some(&DType::Bool));
    for (layout, &expected) in inputs.iter().zip(expected) {
        if layout.dtype != expected {
            let found = layout.dtype;
            return Err(ErrorKind::InputDType { input: "data", expected, found }.into());
        }
    }
    Ok(())
}

/// The error of as many outputs as were given.
fn output_count(expected: usize, found: usize) -> Error {
    ErrorKind::OutputCount { expected, found }.into()
}
