//! Runs: the results of a plan, checked and put in row-major order.

use crate::facts::error::{Error, ErrorKind};
use crate::facts::schema::Empty;
use crate::kernel::{Kernel, SMALL};
use crate::machine::level::Available;
use crate::machine::team::{Crew, Team};
use crate::plan::{Plan, Scatter};
use crate::values::element::Slot;
use crate::values::input::Input;
use crate::values::stored::Stored;
use crate::values::tensor::allocate;

impl<Op: Sync + 'static, T: Stored, O: Slot> Kernel<Op, T, O> {
    /// Writes the results of a plan over a view, in row-major order.
    ///
    /// # Errors
    /// If there are results over no elements and the operator has no value for
    /// them, the output is not of the plan's length, or there is not enough memory.
    pub(crate) fn run(
        &self,
        op: &Op,
        input: &impl Input<Stored = T>,
        plan: &Plan,
        output: &mut [O],
        level: Available,
        crew: Crew<'_>,
    ) -> Result<(), Error> {
        let write = |output: &mut [O], team: Team<'_>| {
            self.write(op, input.data(), plan, output, level, team)
        };
        write_in_order(input, plan, self.empty(), crew, output, write)
    }
}

/// Writes the results of a plan over a view, in row-major order, by what writes them in the order
/// of the plan. Not a function of the operator, so that operators can share its code.
///
/// # Errors
/// As [`Kernel::run`].
#[inline]
pub(crate) fn write_in_order<I: Input, O: Slot>(
    input: &I,
    plan: &Plan,
    empty: Empty,
    crew: Crew<'_>,
    output: &mut [O],
    write: impl Fn(&mut [O], Team<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    if output.len() != plan.outputs {
        let (expected, found) = (plan.outputs, output.len());
        return Err(ErrorKind::LengthMismatch { what: "the output", expected, found }.into());
    }
    if plan.count == 0 && plan.outputs > 0 && empty == Empty::Error {
        let (dtype, shape) = (I::Stored::DTYPES[0], input.shape()?.to_vec());
        return Err(ErrorKind::EmptySet { dtype, shape }.into());
    }
    let elements = plan.count.saturating_mul(plan.outputs);
    match &plan.scatter {
        None => crew.enter(elements, SMALL, |team| write(output, team)),
        Some(scatter) => write_scattered(scatter, plan, crew, output, &write),
    }
}

/// What writes results in the order of a plan.
type Write<'a, O> = dyn Fn(&mut [O], Team<'_>) -> Result<(), Error> + 'a;

/// As [`write_in_order`], of results that are not in order yet. Not a function of the operator either.
///
/// # Errors
/// As [`Kernel::run`].
#[inline(never)]
fn write_scattered<O: Slot>(
    scatter: &Scatter,
    plan: &Plan,
    crew: Crew<'_>,
    output: &mut [O],
    write: &Write<'_, O>,
) -> Result<(), Error> {
    let elements = plan.count.saturating_mul(plan.outputs);
    let mut results = allocate(plan.outputs)?;
    crew.enter(elements, SMALL, |team| write(&mut results, team))?;
    scatter.put(&results, output);
    Ok(())
}
