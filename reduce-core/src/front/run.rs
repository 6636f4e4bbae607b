//! Runs: the results of a plan, checked and put in row-major order.

use std::ops::Range;

use crate::facts::error::{Error, ErrorKind};
use crate::facts::schema::Empty;
use crate::facts::shape::Shape;
use crate::kernel::Bound;
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::plan::{Plan, Scatter};
use crate::values::element::Slot;
use crate::values::input::Chosen;
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::allocate;

impl<T: Stored, O: Slot> Bound<'_, T, O> {
    /// Writes the results of a plan over a view, in row-major order.
    ///
    /// # Errors
    /// If the operator lacks a value for results over no elements, if the output's length differs from the plan's, or
    /// if there is not enough memory.
    #[inline]
    pub(crate) fn run<I: Input<Stored = T>>(
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
        self.check_empty(plan, || input.shape())?;
        let data = (input.data(), &input.chosen());
        match &plan.scatter {
            None => self.write_by(crew, data, plan, output, level),
            Some(scatter) => self.write_scattered(scatter, crew, data, plan, output, level),
        }
    }

    /// Checks that results over no elements, if there are any, have a value.
    ///
    /// # Errors
    /// If they have none.
    #[inline]
    pub(crate) fn check_empty(
        &self,
        plan: &Plan,
        shape: impl FnOnce() -> Result<Shape, Error>,
    ) -> Result<(), Error> {
        if plan.count == 0 && plan.outputs > 0 && self.empty() == Empty::Error {
            let (dtype, shape) = (T::DTYPES[0], shape()?.to_vec());
            return Err(ErrorKind::EmptySet { dtype, shape }.into());
        }
        Ok(())
    }

    /// The result over a part of some lists, as a set of its own. Its first element is at `position`.
    ///
    /// # Errors
    /// As [`Bound::write`].
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
        let needs = self.needs(&Chosen::ALL);
        let mut plan = Plan::of_lists(part.start, part.len(), inputs, needs);
        plan.first = position;
        let mut result = [O::blank()];
        self.write_by(crew, (data, &Chosen::ALL), &plan, &mut result, level)?;
        Ok(result[0])
    }

    /// Writes the results in the order of the plan.
    ///
    /// # Errors
    /// As [`Bound::write`].
    #[inline(always)]
    fn write_by(
        &self,
        crew: Crew<'_>,
        data: (T::Data<'_>, &Chosen<'_>),
        plan: &Plan,
        output: &mut [O],
        level: Available,
    ) -> Result<(), Error> {
        let elements = plan.count.saturating_mul(plan.outputs);
        crew.enter(elements, |team| self.write(data, plan, output, level, team))
    }

    /// Writes the results, which are not in the order of the plan. This is a function of its own, so that the other
    /// runs have no room for them.
    ///
    /// # Errors
    /// As [`Bound::write`].
    #[inline(never)]
    fn write_scattered(
        &self,
        scatter: &Scatter,
        crew: Crew<'_>,
        data: (T::Data<'_>, &Chosen<'_>),
        plan: &Plan,
        output: &mut [O],
        level: Available,
    ) -> Result<(), Error> {
        let mut results = allocate(plan.outputs)?;
        self.write_by(crew, data, plan, &mut results, level)?;
        scatter.put(&results, output);
        Ok(())
    }
}
