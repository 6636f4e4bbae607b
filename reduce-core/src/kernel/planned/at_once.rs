//! Kernels at run time, planned for one run: new tensors over views.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use smallvec::SmallVec;

use super::super::chosen::Filter;
use super::AnyKernel;
use super::outputs::Copied;
use super::over::{Settled, Shapes, check_types};
use super::run::PlanRun;
use crate::facts::dtype::with_dtype;
use crate::facts::error::Error;
use crate::facts::shape::Shape;
use crate::machine::team::Crew;
use crate::plan::Plan;
use crate::values::any::{AnyTensor, AnyView};
use crate::values::erased::{AnyData, AnyPlaces};
use crate::values::stored::{Buffers, INPUTS};
use crate::values::tensor::{Tensor, allocate};
use crate::values::view::View;
use crate::values::written::ResultPart;

/// The results of a kernel at run time, one tensor for each part.
pub(crate) type AnyResults = SmallVec<[AnyTensor; 1]>;

impl AnyKernel<'_> {
    /// Adds all results over some views to a list, in new tensors. If there is a mask, elements count for which it is true.
    /// The list is the caller's, since tensors are too large to be moved about.
    ///
    /// # Errors
    /// If the views are more than can be walked together, of other types than the kernel's, or do not broadcast to one
    /// shape. If an axis does not fit, the operator lacks a value for a result, or there is not enough memory.
    pub(crate) fn tensors(
        &self,
        views: &[AnyView<'_>],
        mask: Option<&View<'_, bool>>,
        settled: Settled<'_>,
        crew: Crew<'_>,
        tensors: &mut AnyResults,
    ) -> Result<(), Error> {
        let mask: Option<AnyView<'_>> = mask.map(|mask| mask.clone().into());
        let inputs: SmallVec<[&AnyView<'_>; INPUTS]> = views.iter().chain(&mask).collect();
        check_types(self.inputs(), inputs.iter().map(|view| view.dtype()), mask.is_some())?;
        let filter = Filter { masks: mask.iter().len(), skips_nan: settled.skips_nan };
        let mut plan = Plan::empty();
        let lie = inputs.iter().map(|view| (view.shape(), view.strided()));
        let Shapes { all: shape, results } =
            Shapes::plan(&mut plan, lie, settled, self.needs(filter))?;
        let (level, mends) = (settled.level, settled.mends);
        let run = PlanRun { kernel: self, plan: &plan, filter, level, mends };
        run.check_empty(&shape)?;
        let mut buffers = ([std::ptr::null(); INPUTS], [0; INPUTS]);
        for (number, view) in inputs.iter().enumerate() {
            let data = AnyData::from(*view);
            (buffers.0[number], buffers.1[number]) = (data.first, data.length);
        }
        for &part in &self.parts {
            tensors.push(blank(part, &results)?);
        }
        // SAFETY: *types*: `check_types` has passed. *buffers*: they are those of the views that the plan was made of.
        unsafe { into(run, buffers, tensors, crew) }
    }
}

/// Writes all results into tensors of their shape, one for each part.
///
/// # Errors
/// As [`PlanRun::reduce`].
///
/// # Safety
/// As [`PlanRun::reduce`], but for *places*.
unsafe fn into(
    run: PlanRun<'_>,
    buffers: Buffers,
    tensors: &mut [AnyTensor],
    crew: Crew<'_>,
) -> Result<(), Error> {
    if let ([tensor], true) = (&mut *tensors, run.is_direct()) {
        // SAFETY: *types* and *buffers*, which the caller keeps. *places*: the tensor is borrowed alone, and has one
        // for each result.
        return unsafe { run.reduce(buffers, AnyPlaces::from(tensor).first, crew) };
    }
    let put = |results| {
        for (&part, tensor) in run.kernel.parts.iter().zip(tensors) {
            // SAFETY: *written*: `reduce_apart` hands over all results. *places*: the tensor has one for a part of
            // each.
            unsafe { Copied::from(part).put_in_order(results, AnyPlaces::from(tensor).first) };
        }
        Ok(())
    };
    // SAFETY: *types* and *buffers*, which the caller keeps.
    unsafe { run.reduce_apart(buffers, crew, put) }
}

/// A tensor of a part of all results, which have a shape.
///
/// # Errors
/// If it does not fit in memory.
fn blank(part: ResultPart, shape: &Shape) -> Result<AnyTensor, Error> {
    let shape = shape.clone().with_length(part.length)?;
    with_dtype!(part.dtype, T => {
        let results: Vec<T> = allocate(shape.count())?;
        Ok(Tensor::from_parts(results, shape).into())
    })
}
