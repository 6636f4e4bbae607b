//! Runs of kernels by a plan, over buffers whose types are erased.

#![allow(unsafe_code, reason = "buffers have their types erased")]

use super::super::chosen::{Filter, Results};
use super::super::read::{Lines, Scratch};
use super::super::slices::{self, SliceGiven};
use super::super::{Empty, ErasedKernel};
use super::outputs::RowMajor;
use super::{AnyKernel, Driver};
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::machine::level::Available;
use crate::machine::memory::caught;
use crate::machine::team::Crew;
use crate::plan::{Places, Plan};
use crate::values::stored::Buffers;

/// A kernel, a plan for it, and the elements that count.
#[derive(Clone, Copy)]
pub(super) struct PlanRun<'a> {
    pub(super) kernel: &'a AnyKernel<'a>,
    pub(super) plan: &'a Plan,
    pub(super) filter: Filter,
    pub(super) level: Available,
    pub(super) mends: bool,
}

impl PlanRun<'_> {
    /// Checks that the results have a value, if they are over no elements.
    ///
    /// # Errors
    /// If they have none.
    pub(super) fn check_empty(&self, shape: &Shape) -> Result<(), Error> {
        let kernel = self.kernel;
        if self.plan.count == 0 && self.plan.outputs > 0 && kernel.empty() == Empty::Error {
            let (dtype, shape) = (kernel.inputs()[0], shape.to_vec());
            return Err(ErrorKind::EmptySet { dtype, shape }.into());
        }
        Ok(())
    }

    /// Whether results can be written where they belong, if these are places one behind the other.
    pub(super) fn is_direct(&self) -> bool {
        self.kernel.parts.len() == 1 && self.plan.scatter.is_none()
    }

    /// Writes all results one behind the other, in the order of the plan.
    ///
    /// # Errors
    /// If there is not enough memory, or a result has no value since none of its elements counts.
    ///
    /// # Safety
    /// *types*, *buffers* and *places*, for this kernel and this plan. Masks are behind the inputs.
    pub(super) unsafe fn reduce(
        &self,
        buffers: Buffers,
        first: *mut u8,
        crew: Crew<'_>,
    ) -> Result<(), Error> {
        let AnyKernel { op, driver, size, parts, .. } = self.kernel;
        let team = crew.team(self.plan.elements());
        let results = Results { first, apart: *size };
        match *driver {
            Driver::Lanes(untyped) => {
                let kernel = ErasedKernel::new(*op, untyped, self.mends);
                // SAFETY: *operator* and *sharing*: `OpKernel` bound one that is `Sync` to its own kernel. The caller
                // keeps *types*, *buffers* and *places*.
                unsafe { kernel.run((buffers, self.filter), self.plan, results, self.level, team) }
            }
            Driver::Slices(table, length) => {
                let PlanRun { plan, filter, level, .. } = *self;
                let op = *op;
                let given = SliceGiven { table, op, buffers, filter, plan, level, parts, length };
                // SAFETY: *operator*, *sharing*, *types*, *buffers* and *places*, as above, for a table of slices.
                unsafe { slices::run(given, results, team) }
            }
        }
    }

    /// Makes all results in a room, and hands them over in row-major order.
    ///
    /// # Errors
    /// As [`PlanRun::reduce`], or that of what they are handed to.
    ///
    /// # Safety
    /// *types* and *buffers*, as for [`PlanRun::reduce`].
    pub(super) unsafe fn reduce_apart(
        &self,
        buffers: Buffers,
        crew: Crew<'_>,
        then: impl FnOnce(RowMajor) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (size, count) = (self.kernel.size, self.plan.outputs);
        let (mut few, mut others) = (Lines::uninit(), Lines::uninit());
        let (mut room, mut in_order) = (Scratch::on(&mut few), Scratch::on(&mut others));
        let mut first = std::ptr::null_mut();
        caught(|| first = room.bytes(size * count))?;
        // SAFETY: *types* and *buffers*, which the caller keeps. *room*: it was asked for by the bytes of all results.
        unsafe { self.reduce(buffers, first, crew) }?;
        if let Some(scatter) = &self.plan.scatter {
            let mut to = std::ptr::null_mut();
            caught(|| to = in_order.bytes(size * count))?;
            for (number, place) in Places::new(&scatter.axes, scatter.start).enumerate() {
                let from = first.wrapping_add(number * size).cast_const();
                // SAFETY: *written*: a result of the plan. *room*: `place` is one of as many in a room of the same
                // size.
                unsafe { from.copy_to_nonoverlapping(to.wrapping_add(place * size), size) };
            }
            first = to;
        }
        then((first, count, size))
    }
}
