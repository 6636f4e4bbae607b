//! Runs: the results of a plan, checked and put in row-major order.

use crate::facts::error::{Error, ErrorKind};
use crate::facts::schema::Empty;
use crate::kernel::{Bound, SMALL};
use crate::machine::level::Available;
use crate::machine::team::Crew;
use crate::plan::Plan;
use crate::values::element::Slot;
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::allocate;

impl<T: Stored, O: Slot> Bound<'_, T, O> {
    /// Writes the results of a plan over a view, in row-major order.
    ///
    /// # Errors
    /// If there are results over no elements and the operator has no value for
    /// them, the output is not of the plan's length, or there is not enough memory.
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
        if plan.count == 0 && plan.outputs > 0 && self.empty() == Empty::Error {
            let (dtype, shape) = (T::DTYPES[0], input.shape()?.to_vec());
            return Err(ErrorKind::EmptySet { dtype, shape }.into());
        }
        let elements = plan.count.saturating_mul(plan.outputs);
        let data = (input.data(), &input.chosen());
        let run = |output: &mut [O]| {
            crew.enter(elements, SMALL, |team| self.write(data, plan, output, level, team))
        };
        match &plan.scatter {
            None => run(output),
            Some(scatter) => {
                let mut results = allocate(plan.outputs)?;
                run(&mut results)?;
                scatter.put(&results, output);
                Ok(())
            }
        }
    }
}
