//! Where what is emitted goes: to places of the caller, to a new list, or over the elements that were read.

#![allow(unsafe_code, reason = "the types of elements are erased")]

use std::mem::MaybeUninit;

use super::StageOps;
use super::run::EmissionPlan;
use crate::facts::error::Error;
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::values::element::Element;
use crate::values::leading::Leading;
use crate::values::stored::{Buffers, Stored};
use crate::values::tensor::reserve;

impl<T: Stored, O: Element> EmissionPlan<T, O> {
    /// Emits over inputs that lie as the plan has it, and replaces elements that do. The operators are those that made
    /// the plan.
    ///
    /// # Errors
    /// If there is not enough memory, or someone who watches wants the work to stop.
    pub(crate) fn emit_to(
        &self,
        ops: &StageOps<'_>,
        data: T::Data<'_>,
        crew: (Available, Crew<'_>),
        elements: &mut [O],
    ) -> Result<(), Error> {
        // SAFETY: *operator*: the plan was made of these. *buffers*: it was made of the views that `data` is of.
        // *places*: the output is borrowed alone, and lies as the plan has it.
        unsafe { self.run(ops, T::buffers(data), crew, elements.as_mut_ptr().cast()) }
    }

    /// Emits over inputs that lie as the plan has it, to places that need not be initialised, and returns the elements
    /// there. There are as many places as elements, and the plan's output lies in row-major order.
    ///
    /// # Errors
    /// If there is not enough memory, or someone who watches wants the work to stop.
    pub(crate) fn emit_to_places<'o>(
        &self,
        ops: &StageOps<'_>,
        data: T::Data<'_>,
        crew: (Available, Crew<'_>),
        places: &'o mut [MaybeUninit<O>],
    ) -> Result<&'o mut [O], Error> {
        assert!(self.fills(places.len()), "a place for each element, in row-major order");
        let first: *mut O = places.as_mut_ptr().cast();
        // SAFETY: *operator* and *buffers*, as above. *places*: `fills` says that there is one for each element.
        unsafe { self.run(ops, T::buffers(data), crew, first.cast()) }?;
        // SAFETY: *written*: without an error, an element was emitted to each place.
        Ok(unsafe { std::slice::from_raw_parts_mut(first, places.len()) })
    }

    /// Emits `count` elements into a new list, over inputs that lie as the plan has it.
    ///
    /// # Errors
    /// If there is not enough memory, or someone who watches wants the work to stop.
    pub(crate) fn emit_new(
        &self,
        ops: &StageOps<'_>,
        data: T::Data<'_>,
        crew: (Available, Crew<'_>),
        count: usize,
    ) -> Result<Vec<O>, Error> {
        let mut emitted: Vec<O> = reserve(count, O::DTYPE)?;
        self.emit_to_places(ops, data, crew, &mut emitted.spare_capacity_mut()[..count])?;
        // SAFETY: *written*: `emit_to_places` has filled the first `count` places.
        unsafe { emitted.set_len(count) };
        Ok(emitted)
    }
}

impl<T: Element> EmissionPlan<T, T> {
    /// Emits over a list, whose elements are replaced. The plan is for one input and an output that both lie in row-major
    /// order.
    ///
    /// # Errors
    /// If there is not enough memory, or someone who watches wants the work to stop before it begins.
    pub(crate) fn emit_over(
        &self,
        ops: &StageOps<'_>,
        crew: (Available, Crew<'_>),
        elements: &mut [T],
    ) -> Result<(), Error> {
        let alone = T::buffers(&[]);
        // SAFETY: *buffers*: an emission of one input has none beside it.
        unsafe { self.run_over(ops, crew, elements, alone) }
    }
}

impl<T: Leading<1, Front = O>, O: Element> EmissionPlan<T, O> {
    /// Emits as [`EmissionPlan::emit_over`] does, with other inputs beside the elements.
    ///
    /// # Errors
    /// If there is not enough memory, or someone who watches wants the work to stop before it begins.
    pub(crate) fn emit_over_beside(
        &self,
        ops: &StageOps<'_>,
        crew: (Available, Crew<'_>),
        elements: &mut [O],
        beside: <T::Rest as Stored>::Data<'_>,
    ) -> Result<(), Error> {
        let (mut data, mut lengths) = T::Rest::buffers(beside);
        data.rotate_right(1);
        lengths.rotate_right(1);
        // SAFETY: *buffers*: these are of the other inputs, whose views lie as the plan has it.
        unsafe { self.run_over(ops, crew, elements, (data, lengths)) }
    }
}

impl<T, O: Element> EmissionPlan<T, O> {
    /// Emits over a list, whose elements are those of the first input.
    ///
    /// # Errors
    /// If there is not enough memory, or someone who watches wants the work to stop before it begins.
    ///
    /// # Safety
    /// *operator*: the operators are those that made the plan. *buffers*: those behind the first are of the other
    /// inputs, as the plan has them.
    unsafe fn run_over(
        &self,
        ops: &StageOps<'_>,
        crew: (Available, Crew<'_>),
        elements: &mut [O],
        mut inputs: Buffers,
    ) -> Result<(), Error> {
        let count = elements.len();
        assert!(self.fills(count), "a place for each element, in row-major order");
        let places: *mut u8 = elements.as_mut_ptr().cast();
        (inputs.0[0], inputs.1[0]) = (places.cast_const(), count);
        let (level, crew) = crew;
        // SAFETY: *operator* and *buffers*, which the caller keeps. *places*: elements are read and written through one
        // pointer, the list is borrowed alone, and `fills` says that both lie alike.
        crew.whole(|crew| unsafe { self.run(ops, inputs, (level, crew), places) })?
    }
}
