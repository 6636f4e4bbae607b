//! What of a reduction depends on no operator.

use crate::axes::{Axes, AxisSet};
use crate::element::Slot;
use crate::error::Error;
use crate::input::Input;
use crate::kernel::{allocate, write_in_order};
use crate::level::{Available, Level};
use crate::plan::{Needs, Plan};
use crate::schema::Empty;
use crate::shape::Shape;
use crate::threads::{Crew, Progress, Team, Threads};

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
type Write<'k, O> = dyn Fn(&Plan, &mut [O], Available, Team<'_>) + 'k;

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
        input.plan(&shape, &axes, needs, plan)?;
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
}
