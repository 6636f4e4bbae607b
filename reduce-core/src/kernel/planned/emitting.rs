//! Planned emissions, which are given buffers alone.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use smallvec::SmallVec;

use super::super::{AnyEmission, AnyEmissionPlan};
use super::outputs::OutputPlaces;
use super::over::{Settled, checked_buffers};
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::values::erased::{AnyData, AnyDataMut, AnyPlaces};
use crate::values::layout::{Layout, Strided};
use crate::values::layouts::{all_broadcast, common_shape, shape_and_strides, strided};
use crate::values::stored::INPUTS;
use crate::values::written::ResultPart;

/// An emission, planned for the layouts of its inputs and of its output.
pub(crate) struct PlannedKernelEmission {
    emission: AnyEmission,
    /// None if there are no elements.
    plan: Option<AnyEmissionPlan>,
    /// The type of each input, and how many elements its buffer must have.
    inputs: SmallVec<[(DType, usize); INPUTS]>,
    /// The layout of the first input, over which elements may be emitted.
    first: Layout,
    output: OutputPlaces,
    level: Available,
}

impl PlannedKernelEmission {
    /// The emission, planned. The output lies in row-major order if no layout is given.
    ///
    /// # Errors
    /// If inputs do not broadcast to one shape, or an axis does not fit it. If the output is not of the layout that it
    /// should have.
    pub(crate) fn new(
        emission: AnyEmission,
        inputs: &[Layout],
        output: Option<&Layout>,
        settled: Settled<'_>,
    ) -> Result<Self, Error> {
        let Settled { axes, level, mends, .. } = settled;
        let shape = common_shape(inputs.iter().map(Layout::shape))?;
        let axes = axes.resolve(shape.rank())?;
        let part = ResultPart { dtype: emission.emitted(), at: 0, length: None };
        let output = match output {
            Some(layout) => OutputPlaces::laid_out(part, &shape, layout),
            None => OutputPlaces::in_order(part, &shape),
        }?;
        let broadcast = all_broadcast(inputs.iter().map(shape_and_strides), &shape)?;
        let walked: SmallVec<[Strided<'_>; INPUTS]> = broadcast.iter().map(strided).collect();
        let out = (output.layout.strides.as_slice(), output.layout.offset);
        let plan = || emission.plan((&shape, &axes), &walked, out, mends);
        let plan = (shape.count() > 0).then(plan);
        let first = inputs[0].clone();
        let inputs = inputs.iter().map(|layout| (layout.dtype, layout.length())).collect();
        Ok(PlannedKernelEmission { emission, plan, inputs, first, output, level })
    }

    /// The layout of the output.
    pub(crate) fn output(&self) -> &Layout {
        &self.output.layout
    }

    /// Emits over buffers that lie as the plan has it.
    ///
    /// # Errors
    /// If there are more or fewer buffers than planned for, or one has another type or too few elements. If there is not
    /// enough memory, or someone who watches wants the work to stop: some elements may be emitted then.
    pub(crate) fn run(
        &self,
        inputs: &[AnyData<'_>],
        output: &mut AnyPlaces<'_>,
        crew: Crew<'_>,
    ) -> Result<(), Error> {
        let buffers = checked_buffers(&self.inputs, inputs)?;
        self.output.check(output)?;
        let Some(plan) = &self.plan else { return Ok(()) };
        // SAFETY: *operator*: the plan was made of this emission. *types* and *buffers*: `checked_buffers` has passed.
        // *places*: so has `OutputPlaces::check`, and no two elements share one.
        unsafe { self.emission.run(plan, buffers, (self.level, crew), output.first) }
    }

    /// Emits over elements of the first input, which are replaced. The buffers are those of all others. Nothing stops it once
    /// it has begun, since the elements would be lost.
    ///
    /// # Errors
    /// If the first input or the output was not planned in row-major order, or as [`PlannedKernelEmission::run`].
    pub(crate) fn run_in_place(
        &self,
        elements: &mut AnyDataMut<'_>,
        beside: &[AnyData<'_>],
        crew: Crew<'_>,
    ) -> Result<(), Error> {
        for layout in [&self.first, &self.output.layout] {
            check_in_order(&self.output.layout.shape, layout)?;
        }
        let (data, places) = elements.both();
        let inputs: SmallVec<[AnyData<'_>; INPUTS]> =
            std::iter::once(data).chain(beside.iter().copied()).collect();
        crew.whole(|crew| self.run(&inputs, places, crew))?
    }
}

/// Checks that a layout is that of elements of a shape, one behind the other.
///
/// # Errors
/// If it is another.
fn check_in_order(whole: &Shape, layout: &Layout) -> Result<(), Error> {
    let Layout { shape, strides, offset, .. } = layout;
    if *offset == 0 && shape == whole && shape.is_row_major(strides) {
        return Ok(());
    }
    let planned = (shape.to_vec(), strides.to_vec());
    let found = (whole.to_vec(), whole.row_major_strides().to_vec());
    Err(ErrorKind::OtherLayout { planned, found }.into())
}
