//! Where what is emitted goes: to places of the caller, to a new list, or over the elements that were read.

#![allow(unsafe_code, reason = "the types of elements are erased")]

use std::mem::MaybeUninit;

use super::StageOps;
use super::run::EmissionPlan;
use crate::facts::error::Error;
use crate::facts::threads::Threads;
use crate::machine::level::Available;
use crate::values::element::Element;
use crate::values::stored::Stored;
use crate::values::tensor::reserve;

impl<T: Stored, O: Element> EmissionPlan<T, O> {
    /// Emits over inputs that lie as the plan has it, and replaces elements that do. The operators are those that made
    /// the plan.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn emit_to(
        &self,
        ops: &StageOps<'_>,
        data: T::Data<'_>,
        crew: (Available, &Threads),
        elements: &mut [O],
    ) -> Result<(), Error> {
        // SAFETY: plans are made of these operators and of views, whose elements lie in their buffers, and these are not
        // those of the output, which nobody else has.
        unsafe { self.run(ops, T::buffers(data), crew, elements.as_mut_ptr().cast()) }
    }

    /// Emits over inputs that lie as the plan has it, to places that need not be initialised, and returns the elements
    /// there. There are as many places as elements, and the plan's output lies in row-major order.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn emit_to_places<'o>(
        &self,
        ops: &StageOps<'_>,
        data: T::Data<'_>,
        crew: (Available, &Threads),
        places: &'o mut [MaybeUninit<O>],
    ) -> Result<&'o mut [O], Error> {
        assert!(self.fills(places.len()), "a place for each element, in row-major order");
        let first: *mut O = places.as_mut_ptr().cast();
        // SAFETY: as above.
        unsafe { self.run(ops, T::buffers(data), crew, first.cast()) }?;
        // SAFETY: an element was written to each place.
        Ok(unsafe { std::slice::from_raw_parts_mut(first, places.len()) })
    }

    /// Emits `count` elements into a new list, over inputs that lie as the plan has it.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn emit_new(
        &self,
        ops: &StageOps<'_>,
        data: T::Data<'_>,
        crew: (Available, &Threads),
        count: usize,
    ) -> Result<Vec<O>, Error> {
        let mut emitted: Vec<O> = reserve(count, O::DTYPE)?;
        self.emit_to_places(ops, data, crew, &mut emitted.spare_capacity_mut()[..count])?;
        // SAFETY: all of them were written.
        unsafe { emitted.set_len(count) };
        Ok(emitted)
    }
}

impl<T: Element> EmissionPlan<T, T> {
    /// Emits over a list, whose elements are replaced. The plan is for one input and an output that both lie in row-major
    /// order.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn emit_over(
        &self,
        ops: &StageOps<'_>,
        crew: (Available, &Threads),
        elements: &mut [T],
    ) -> Result<(), Error> {
        let (mut inputs, count) = (T::buffers(&[]), elements.len());
        assert!(self.fills(count), "a place for each element, in row-major order");
        let places: *mut u8 = elements.as_mut_ptr().cast();
        (inputs.0[0], inputs.1[0]) = (places.cast_const(), count);
        // SAFETY: elements are read and written at the same places, through one pointer, and nobody else has them.
        unsafe { self.run(ops, inputs, crew, places) }
    }
}
