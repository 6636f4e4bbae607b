//! Runs: the results of a plan, checked and put in row-major order.

use std::ops::Range;

use crate::facts::error::{Error, ErrorKind};
use crate::facts::schema::Empty;
use crate::facts::shape::Shape;
use crate::front::settings::Settings;
use crate::kernel::Bound;
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::plan::{Plan, Scatter};
use crate::values::element::Slot;
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::allocate;
use crate::values::written::Written;

impl Settings {
    /// The results of a kernel over an input, as tensors. This is not inlined, since each operator would have a copy
    /// for each type.
    #[inline(never)]
    pub(crate) fn tensors<I: Input, O: Written>(
        &self,
        kernel: Bound<'_, I::Stored, O>,
        input: &I,
    ) -> Result<O::Tensors, Error> {
        let mut plan = Plan::empty();
        let needs = kernel.needs();
        let (shape, axes) = plan.make_for(input, &self.axes, needs)?;
        let shape = axes.output_shape(&shape, self.keepdims)?;
        let mut results = allocate(shape.count())?;
        let level = self.level.check()?;
        let kernel = kernel.mending(self.mends);
        kernel.checked(input, &plan, &mut results, level, self.crew())?;
        O::tensors(results, shape)
    }
}

impl<T: Stored, O: Slot> Bound<'_, T, O> {
    /// Writes the results of a plan over a view, in row-major order, if they have values and the output is as long.
    ///
    /// # Errors
    /// If the operator lacks a value for results over no elements, if the output's length differs from the plan's, or
    /// if there is not enough memory.
    #[inline]
    pub(crate) fn checked<I: Input<Stored = T>>(
        &self,
        input: &I,
        plan: &Plan,
        output: &mut [O],
        level: Available,
        crew: Crew<'_>,
    ) -> Result<(), Error> {
        if output.len() != plan.outputs {
            let (expected, found) = (plan.outputs, output.len());
            return Err(ErrorKind::LengthMismatch { what: "the output", expected, found }.into());
        }
        if plan.count == 0 {
            self.check_empty(plan, || input.shape())?;
        }
        let data = input.data();
        match &plan.scatter {
            None => self.with_table(data, plan, output, level, crew.team(plan.elements())),
            Some(scatter) => self.scattered(scatter, crew, data, plan, output, level),
        }
    }

    /// Checks that the results of a plan over no elements, if there are any, have a value.
    ///
    /// # Errors
    /// If they have none.
    #[inline]
    pub(crate) fn check_empty(
        &self,
        plan: &Plan,
        shape: impl FnOnce() -> Result<Shape, Error>,
    ) -> Result<(), Error> {
        if plan.outputs > 0 && self.empty() == Empty::Error {
            let (dtype, shape) = (T::DTYPES[0], shape()?.to_vec());
            return Err(ErrorKind::EmptySet { dtype, shape }.into());
        }
        Ok(())
    }

    /// The result over a part of some lists, as a set of its own. Its first element is at `position`.
    ///
    /// # Errors
    /// As [`Bound::with_table`].
    ///
    /// # Panics
    /// If a list is shorter.
    pub(crate) fn of_list(
        &self,
        data: T::Data<'_>,
        part: Range<usize>,
        position: u64,
        level: Available,
        crew: Crew<'_>,
    ) -> Result<O, Error> {
        let inputs = T::DTYPES.len();
        let shortest = T::buffers(data).1.into_iter().take(inputs).min().unwrap_or(0);
        assert!(part.end <= shortest, "a part of {part:?} of {shortest} elements");
        let needs = self.needs();
        let mut plan = Plan::of_lists(part.start, part.len(), inputs, needs);
        plan.first = position;
        let mut result = [O::blank()];
        let team = crew.team(plan.elements());
        self.with_table(data, &plan, &mut result, level, team)?;
        Ok(result[0])
    }

    /// Writes the results, which are not in the order of the plan. This is a function of its own, so that the other
    /// runs have no room for them.
    ///
    /// # Errors
    /// As [`Bound::with_table`].
    #[inline(never)]
    fn scattered(
        &self,
        scatter: &Scatter,
        crew: Crew<'_>,
        data: T::Data<'_>,
        plan: &Plan,
        output: &mut [O],
        level: Available,
    ) -> Result<(), Error> {
        let mut results = allocate(plan.outputs)?;
        self.with_table(data, plan, &mut results, level, crew.team(plan.elements()))?;
        scatter.put(&results, output);
        Ok(())
    }
}
