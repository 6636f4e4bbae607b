//! Kernels: the loops that carry a reduction out.
//!
//! What depends on an operator is split from what does not. `#[reduce_op]` names a kernel once per
//! storage type with concrete types and a number of lanes, and [`micro`] is what is compiled for
//! it, once per CPU level: a table of a few functions over raw memory. All else is compiled once:
//!
//! - [`walk`] is the drivers: which elements, in which order, on which thread, and where results go,
//! - [`read`] brings values to where lanes can read them.
//!
//! What a microkernel does is said by a [`fold`], and [`emission`] sends results back over the
//! elements.

#![allow(unsafe_code, reason = "kernels are called with their types erased")]

mod emission;
mod fold;
pub(crate) mod micro;
mod read;
mod walk;

#[allow(unreachable_pub, reason = "named by hidden functions of a public trait")]
pub use emission::{EmitsEach, Kept, Stages};
pub(crate) use fold::suited as lanes;
pub use fold::{Combining, Inert, KEPT, ORDERED, Selecting};
#[allow(unreachable_pub, reason = "bound a hidden type of a public trait")]
pub use fold::{Fold, Folds};
pub use read::{AsStored, Indexed, Positioned, Reader, Stored, Value};

use std::marker::PhantomData;

use crate::element::{Slot, Written};
use crate::error::{Error, ErrorKind};
use crate::input::Input;
use crate::level::{Available, PerLevel, tables};
use crate::one_pass::composed;
use crate::op::Reduces;
use crate::plan::{Needs, Places, Plan, Scatter};
use crate::schema::Empty;
use crate::simd::Machine;
use crate::threads::{Crew, Team};

use fold::STEPS;
use micro::{Sizes, Table};
use walk::Call;

/// Elements up to which a reduction stays on the calling thread.
pub(crate) const SMALL: usize = 1 << 17;

/// The kernel of operator `Op` from storage type `T` to storage type `O`.
pub struct Kernel<Op, T: Stored, O> {
    /// Without, the output is left as it is.
    tables: Option<PerLevel<Table>>,
    sizes: Sizes,
    empty: Empty,
    needs: Needs,
    types: PhantomData<fn(&Op, T) -> O>,
}

impl<Op: Reduces<T, Output = O>, T: Stored, O: Written> Kernel<Op, T, O> {
    /// The kernel of an operator.
    pub const fn of() -> Self {
        composed::<Op::Fold, Op, T, O>(Op::LANES, Op::EMPTY)
    }
}

impl<Op: Sync + 'static, T: Stored, O: Slot> Kernel<Op, T, O> {
    /// The kernel of a fold.
    pub(crate) const fn with_fold<F, const L: usize>(empty: Empty) -> Self
    where
        F: Fold<Op = Op, Stored = T, Output = O>,
    {
        const { assert!(L.is_power_of_two(), "the number of lanes must be a power of two") };
        let needs = Needs {
            lanes: L,
            few: F::FEW,
            short_rows: F::SHORT.rows.of(L),
            short_rows_from_memory: F::SHORT.from_memory.of(L),
            short_runs: F::SHORT.runs.of(L),
            ordered: F::ORDERED || L == ORDERED,
            strand: F::STRAND,
            light: F::LIGHT,
            steps: STEPS,
            blocks: F::BLOCKS,
            element: size_of::<T>(),
            machine: Machine::UNKNOWN,
        };
        let (tables, sizes) = (Some(tables::<F, L>()), Sizes::of::<F, L>());
        Kernel { tables, sizes, empty, needs, types: PhantomData }
    }

    /// A kernel that leaves its output as it is: what a spec with errors gets.
    pub const INERT: &'static Self = &Kernel {
        tables: None,
        sizes: Sizes::NONE,
        empty: Empty::Error,
        needs: Needs {
            lanes: 1,
            few: 1,
            short_rows: 1,
            short_rows_from_memory: 1,
            short_runs: 1,
            ordered: false,
            strand: None,
            light: true,
            steps: STEPS,
            blocks: 1,
            element: size_of::<T>(),
            machine: Machine::UNKNOWN,
        },
        types: PhantomData,
    };

    /// What the kernel needs of a plan, on this machine.
    pub(crate) fn needs(&self) -> Needs {
        Needs { machine: Machine::this(), ..self.needs }
    }

    /// Its value over no elements.
    pub(crate) fn empty(&self) -> Empty {
        self.empty
    }

    /// Writes the results of a plan over a view, in row-major order.
    ///
    /// # Errors
    /// If there are results over no elements and the operator has no value for
    /// them, the output is not of the plan's length, or results that must be put
    /// in order do not fit in memory.
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
            self.write(op, input, plan, output, level, team);
        };
        write_in_order(input, plan, self.empty, crew, output, write)
    }

    /// Writes the results of a plan that may be run, in its order.
    #[inline]
    pub(crate) fn write(
        &self,
        op: &Op,
        input: &impl Input<Stored = T>,
        plan: &Plan,
        output: &mut [O],
        level: Available,
        team: Team<'_>,
    ) {
        assert_eq!(output.len(), plan.outputs, "as many results as the plan has");
        let Some(tables) = &self.tables else { return };
        let call = Call {
            table: tables.of(level),
            sizes: &self.sizes,
            op: std::ptr::from_ref(op).cast(),
            buffers: T::buffers(input.data()),
            plan,
            level,
        };
        // SAFETY: a kernel is made of tables for its types. The level is available, operators are
        // shared, and so are elements; plans are made of views, whose elements lie in their buffers.
        unsafe { call.run(output.as_mut_ptr().cast(), team) };
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
    write: impl Fn(&mut [O], Team<'_>),
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
    let run = |output: &mut [O]| crew.enter(elements, SMALL, |team| write(output, team));
    match &plan.scatter {
        None => run(output),
        Some(scatter) => {
            let mut results = allocate(plan.outputs)?;
            run(&mut results);
            scatter.put(&results, output);
        }
    }
    Ok(())
}

impl Scatter {
    /// Puts results into their places.
    fn put<O: Copy>(&self, results: &[O], output: &mut [O]) {
        for (place, &result) in Places::new(&self.axes, self.start).zip(results) {
            output[place] = result;
        }
    }
}

/// A buffer for results. A small broadcast view may ask for a huge one.
pub(crate) fn allocate<O: Slot>(count: usize) -> Result<Vec<O>, Error> {
    let mut data = Vec::new();
    data.try_reserve_exact(count)
        .map_err(|_| ErrorKind::ResultTooLarge { dtype: O::DTYPE, elements: count })?;
    data.resize(count, O::default());
    Ok(data)
}

impl<Op, T: Stored, O> Clone for Kernel<Op, T, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Op, T: Stored, O> Copy for Kernel<Op, T, O> {}

impl<Op, T: Stored, O: Slot> std::fmt::Debug for Kernel<Op, T, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kernel({:?} -> {}, empty: {:?})", T::DTYPES, O::DTYPE, self.empty)
    }
}

#[cfg(test)]
mod tests {
    use super::allocate;

    #[test]
    fn a_result_beyond_memory_is_an_error() {
        let message = allocate::<f64>(usize::MAX / 16).expect_err("too large").to_string();
        assert!(message.contains("do not fit in memory"), "{message}");
    }
}
