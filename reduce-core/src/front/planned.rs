//! Planned reductions: the plan made once, run many times.

use std::fmt;

use crate::facts::error::Error;
use crate::facts::shape::Shape;
use crate::front::one_pass::OnePass;
use crate::front::settings::Settings;
use crate::machine::level::Available;
use crate::machine::team::KeptCrew;
use crate::plan::Plan;
use crate::values::input::{Input, same_layout};
use crate::values::layout::Layout;
use crate::values::stored::Stored;
use crate::values::written::Written;

/// A reduction of views of one layout, which is their shape, strides and offset; made by
/// [`Reduction::planned`](crate::Reduction::planned).
///
/// ```
/// use reduce_core::{Planned, Reduction, Threads, View};
/// use reduce_specs::ReduceMean;
///
/// // Once, with any view of the layout.
/// let sample = View::new(&[0.0f32; 6], &[2, 3])?;
/// let rows = Reduction::new(ReduceMean).axes([1]).threads(Threads::One);
/// let rows: Planned<ReduceMean, f32> = rows.planned(&sample)?;
/// let mut means = vec![0.0; rows.output_shape().count()];
///
/// // Often.
/// for step in [1.0, 2.0] {
///     rows.run_into(&View::new(&[step; 6], &[2, 3])?, &mut means)?;
///     assert_eq!(means, [step; 2]);
/// }
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// Running it takes no lock. Over tensors of ordinary rank it allocates nothing in most cases: the memory for packed
/// elements, up to 64 kB, is kept by the thread that called before. It allocates to put results in order, if the input is
/// transposed, and to mend doubtful results.
pub struct Planned<Op, T: Stored>
where
    Op: OnePass<T>,
{
    op: Op,
    layouts: Vec<Layout>,
    plan: Plan,
    shape: Shape,
    level: Available,
    crew: KeptCrew,
    mends: bool,
    types: std::marker::PhantomData<T>,
}

impl<Op, T: Stored> Planned<Op, T>
where
    Op: OnePass<T>,
{
    pub(crate) fn new(
        op: Op,
        layouts: Vec<Layout>,
        plan: Plan,
        shape: Shape,
        level: Available,
        settings: &Settings,
    ) -> Self {
        let (crew, mends) = (settings.kept_crew(), settings.mends);
        Planned { op, layouts, plan, shape, level, crew, mends, types: std::marker::PhantomData }
    }

    /// Writes the result into a buffer, in row-major order; several results into a tuple
    /// of buffers.
    ///
    /// # Errors
    /// If a view's shape, strides or offset differ from the plan's, or the buffer's length from the result's. If the
    /// operator lacks a value for a result over no elements, or if there is not enough memory. After an error the
    /// buffer is as it was, but for [`ErrorKind::NoMemory`](crate::ErrorKind::NoMemory) and [`ErrorKind::NoneCounts`](crate::ErrorKind::NoneCounts): it may then hold some
    /// results.
    pub fn run_into<I: Input<Stored = T>>(
        &self,
        input: &I,
        output: <Op::Result as Written>::Buffers<'_>,
    ) -> Result<(), Error> {
        same_layout(input, &self.layouts)?;
        let kernel = <Op as OnePass<T>>::kernel();
        Written::write_into(self.plan.outputs(), output, |results| {
            let kernel = kernel.bound(&self.op).mending(self.mends);
            kernel.checked(input, &self.plan, results, self.level, self.crew.crew())
        })
    }

    /// The shape of the result; of several, that of the first. A result that is an array has one more axis, the last.
    pub fn output_shape(&self) -> &Shape {
        &self.shape
    }

    /// How memory is walked.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }
}

impl<Op: fmt::Debug, T: Stored> fmt::Debug for Planned<Op, T>
where
    Op: OnePass<T>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planned").field("op", &self.op).field("plan", &self.plan).finish()
    }
}
