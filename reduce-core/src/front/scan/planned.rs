//! Planned scans: the plan made once, run many times.

use std::fmt;
use std::marker::PhantomData;

use super::{Scan, plan_of, scan};
use crate::facts::error::Error;
use crate::facts::shape::Shape;
use crate::front::one_pass::OnePass;
use crate::front::settings::Settings;
use crate::machine::level::Available;
use crate::machine::team::KeptCrew;
use crate::plan::ScanPlan;
use crate::values::input::{Input, same_layout};
use crate::values::layout::Layout;
use crate::values::layouts::HasLayouts;
use crate::values::stored::Stored;
use crate::values::written::Written;

/// A scan of views of one layout, which is their shape, strides and offset; made by [`Scan::planned`].
///
/// ```
/// use reduce_core::along::PlannedScan;
/// use reduce_core::{Reduction, Threads, View};
/// use reduce_specs::ReduceSum;
///
/// // Once, with any view of the layout.
/// let sample = View::new(&[0i32; 6], &[2, 3])?;
/// let rows = Reduction::new(ReduceSum).axes([1]).threads(Threads::One).scanning();
/// let rows: PlannedScan<ReduceSum, i32> = rows.planned(&sample)?;
/// let mut sums = vec![0; rows.shape().count()];
///
/// // Often.
/// for step in [1i32, 2] {
///     rows.run_into(&View::new(&[step; 6], &[2, 3])?, &mut sums)?;
///     assert_eq!(sums, [step, 2 * step, 3 * step, step, 2 * step, 3 * step]);
/// }
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// Running it takes no lock. A thread keeps the memory that a call needs beside its buffers.
pub struct PlannedScan<Op, T: Stored> {
    op: Op,
    layouts: Vec<Layout>,
    plan: ScanPlan,
    shape: Shape,
    level: Available,
    crew: KeptCrew,
    mends: bool,
    types: PhantomData<fn(T)>,
}

impl<Op> Scan<Op> {
    /// The scan of every input of this layout, planned once. The layout is that of a view, of several, or without any
    /// elements: [`HasLayouts`]. [`PlannedScan`] has an example.
    ///
    /// # Errors
    /// As [`Scan::run`].
    pub fn planned<T: Stored>(
        &self,
        input: &(impl HasLayouts<T> + ?Sized),
    ) -> Result<PlannedScan<Op, T>, Error>
    where
        Op: OnePass<T> + Clone,
    {
        PlannedScan::new(self, input)
    }
}

impl<Op: OnePass<T> + Clone, T: Stored> PlannedScan<Op, T> {
    fn new(scan: &Scan<Op>, input: &(impl HasLayouts<T> + ?Sized)) -> Result<Self, Error> {
        let Scan { reduction, order } = scan;
        reduction.op.check()?;
        let Settings { axes, level, mends, .. } = &reduction.settings;
        let level = level.check()?;
        let (shape, plan) = input.lying(|shape, inputs| {
            let (axes, strides) = (axes.resolve(shape.rank())?, shape.row_major_strides());
            let out = (strides.as_slice(), 0);
            let plan = plan_of::<Op, T>(&reduction.op, (shape, &axes), inputs, out, *order)?;
            Ok::<_, Error>((shape.clone(), plan))
        })??;
        let (op, crew) = (reduction.op.clone(), reduction.settings.kept_crew());
        let (layouts, types) = (input.all_layouts(), PhantomData);
        Ok(PlannedScan { op, layouts, plan, shape, level, crew, mends: *mends, types })
    }

    /// The shape of the input, which is that of each result.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Writes all results into a buffer, in row-major order; several into a tuple of buffers.
    ///
    /// # Errors
    /// If a view's shape, strides or offset differ from the plan's, or as [`Scan::run_into`].
    pub fn run_into<I: Input<Stored = T>>(
        &self,
        input: &I,
        output: <Op::Result as Written>::Buffers<'_>,
    ) -> Result<(), Error> {
        same_layout(input, &self.layouts)?;
        <Op::Result as Written>::check(self.shape.count(), &output)?;
        Written::write_into(self.shape.count(), output, |results| {
            let crew = (self.level, self.crew.crew());
            scan((&self.op, self.mends), &self.plan, input.data(), crew, results)
        })
    }
}

impl<Op: fmt::Debug, T: Stored> fmt::Debug for PlannedScan<Op, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlannedScan").field("op", &self.op).finish_non_exhaustive()
    }
}
