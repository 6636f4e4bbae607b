//! What of a reduction depends on no operator.

use crate::facts::axes::{Axes, AxisSet};
use crate::facts::error::Error;
use crate::facts::level::Level;
use crate::facts::schema::Empty;
use crate::facts::shape::Shape;
use crate::facts::threads::{Progress, Threads};
use crate::front::run::write_in_order;
use crate::kernel::Kernel;
use crate::machine::level::Available;
use crate::machine::team::{Crew, Team};
use crate::plan::{Needs, Plan};
use crate::values::element::{Slot, Written};
use crate::values::input::Input;
use crate::values::tensor::allocate;

/// The axes of a reduction, and how they are walked.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) axes: Axes,
    pub(crate) keepdims: bool,
    pub(crate) level: Level,
    pub(crate) threads: Threads,
    pub(crate) progress: Option<Progress>,
}

/// What an operator's kernel is to the code that all operators share.
pub(crate) struct AnyKernel<'k, O> {
    pub(crate) needs: Needs,
    pub(crate) empty: Empty,
    pub(crate) write: &'k Write<'k, O>,
}

/// Writes the results of a plan, in its order.
type Write<'k, O> = dyn Fn(&Plan, &mut [O], Available, Team<'_>) -> Result<(), Error> + 'k;

impl Default for Settings {
    /// All axes, left out of the result, at the best CPU level.
    fn default() -> Self {
        Settings {
            axes: Axes::all(),
            keepdims: false,
            level: Level::best(),
            threads: Threads::default(),
            progress: None,
        }
    }
}

impl Settings {
    /// The threads, and who watches them.
    pub(crate) fn crew(&self) -> Crew<'_> {
        Crew { threads: &self.threads, progress: self.progress.as_ref() }
    }

    /// The shape of the result for an input of this shape.
    pub(crate) fn output_shape(&self, shape: &Shape) -> Result<Shape, Error> {
        self.axes.resolve(shape.rank())?.output_shape(shape, self.keepdims)
    }

    /// Makes the plan for an input; its shape, and which of its axes are reduced.
    pub(crate) fn plan<I: Input>(
        &self,
        input: &I,
        needs: Needs,
        plan: &mut Plan,
    ) -> Result<(Shape, AxisSet), Error> {
        let shape = input.shape()?;
        let axes = self.axes.resolve(shape.rank())?;
        input.strided(&shape, |inputs| plan.make(&shape, inputs, &axes, needs))?;
        Ok((shape, axes))
    }

    /// The results over an input, in row-major order, and their shape. Not inlined, or each
    /// operator would have a copy for each type.
    #[inline(never)]
    pub(crate) fn results<I: Input, O: Slot>(
        &self,
        input: &I,
        kernel: &AnyKernel<'_, O>,
    ) -> Result<(Vec<O>, Shape), Error> {
        let mut plan = Plan::empty();
        let (shape, axes) = self.plan(input, kernel.needs, &mut plan)?;
        let shape = axes.output_shape(&shape, self.keepdims)?;
        let mut results = allocate(shape.count())?;
        let level = self.level.check()?;
        let write = |results: &mut [O], team: Team<'_>| (kernel.write)(&plan, results, level, team);
        write_in_order(input, &plan, kernel.empty, self.crew(), &mut results, write)?;
        Ok((results, shape))
    }

    /// The results of an operator over an input, as tensors.
    #[inline]
    pub(crate) fn run<Op, I: Input, O: Written>(
        &self,
        op: &Op,
        kernel: &Kernel<Op, I::Stored, O>,
        input: &I,
    ) -> Result<O::Tensors, Error>
    where
        Op: Sync + 'static,
    {
        let write = |plan: &Plan, results: &mut [O], level, team: Team<'_>| {
            kernel.write(op, input.data(), plan, results, level, team)
        };
        let kernel = AnyKernel { needs: kernel.needs(), empty: kernel.empty(), write: &write };
        let (results, shape) = self.results(input, &kernel)?;
        O::tensors(results, shape)
    }
}
