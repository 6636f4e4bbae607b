//! A reduction of a tensor: an operator, its axes, and how to run it.

use crate::axes::Axes;
use crate::element::Element;
use crate::error::{Error, ErrorKind};
use crate::kernel::allocate;
use crate::level::Level;
use crate::one_pass::{OnePass, Operators};
use crate::op::OpSpec;
use crate::plan::Plan;
use crate::planned::{Layout, Planned};
use crate::shape::Shape;
use crate::tensor::{AnyTensor, AnyView};
use crate::threads::Threads;
use crate::view::View;

/// An operator with the axes it runs over.
///
/// Starts from all axes, left out of the result, at the best CPU level.
///
/// ```
/// use reduce_core::{Num, ReduceOp, Reduction, View, reduce_op};
///
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Sum;
///
/// #[reduce_op(dtypes = [f32, f64, i32])]
/// impl<A: Num> ReduceOp<A> for Sum {
///     type Acc = A;
///     type Output = A;
///     fn identity(&self) -> A { A::ZERO }
///     fn map(&self, x: A) -> A { x }
///     fn combine(&self, a: A, b: A) -> A { a + b }
///     fn finalize(&self, acc: A, _count: usize) -> A { acc }
/// }
///
/// let data = View::new(&[1, 2, 3, 4, 5, 6], &[2, 3])?;
/// let rows = Reduction::new(Sum).axes([1]).run(&data)?;
/// assert_eq!((rows.shape().dims(), rows.data()), (&[2][..], &[6, 15][..]));
/// let columns = Reduction::new(Sum).axes([0]).keepdims(true).run(&data)?;
/// assert_eq!((columns.shape().dims(), columns.data()), (&[1, 3][..], &[5, 7, 9][..]));
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reduction<Op> {
    op: Op,
    axes: Axes,
    keepdims: bool,
    level: Level,
    threads: Threads,
}

impl<Op: Operators> Reduction<Op> {
    /// The operator, or a tuple of operators in one pass, over all axes.
    pub fn new(op: Op) -> Self {
        Reduction {
            op,
            axes: Axes::all(),
            keepdims: false,
            level: Level::best(),
            threads: Threads::default(),
        }
    }

    /// Runs over these axes.
    #[must_use]
    pub fn axes(mut self, axes: impl Into<Axes>) -> Self {
        self.axes = axes.into();
        self
    }

    /// Keeps reduced axes, with size 1.
    #[must_use]
    pub fn keepdims(mut self, keepdims: bool) -> Self {
        self.keepdims = keepdims;
        self
    }

    /// Runs at this CPU level and not at the best one; for tests and benchmarks,
    /// since every level gives the same bits.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Runs with these threads; with those of the current `rayon` pool if not said.
    /// They change nothing in the result.
    ///
    /// ```
    /// use reduce_core::{Reduction, Threads, View};
    /// use reduce_specs::ReduceMean;
    ///
    /// let data = vec![0.1f32; 1_000_000];
    /// let view = View::new(&data, &[1000, 1000])?;
    /// let alone = Reduction::new(ReduceMean).threads(Threads::One).run(&view)?;
    /// let helped = Reduction::new(ReduceMean).run(&view)?;
    /// assert_eq!(alone.data()[0].to_bits(), helped.data()[0].to_bits());
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.threads = threads;
        self
    }

    /// The shape of the result for an input of this shape.
    ///
    /// # Errors
    /// If an axis is out of range for the rank, or named twice.
    pub fn output_shape(&self, shape: &Shape) -> Result<Shape, Error> {
        self.axes.resolve(shape.rank())?.output_shape(shape, self.keepdims)
    }

    /// How the memory of a view would be walked.
    ///
    /// # Errors
    /// As [`Reduction::output_shape`].
    pub fn plan<T: Element>(&self, input: &View<'_, T>) -> Result<Plan, Error>
    where
        Op: OnePass<T>,
    {
        let axes = self.axes.resolve(input.shape().rank())?;
        let needs = <Op as OnePass<T>>::kernel().needs();
        Ok(Plan::new(input.shape(), input.strides(), input.offset(), &axes, needs))
    }

    /// The result, in a tensor of its own; of a tuple of operators, a tuple of tensors.
    ///
    /// # Errors
    /// If an axis does not fit the input, a result over no elements has no value,
    /// the result does not fit in memory, or the CPU lacks the level asked for.
    pub fn run<T: Element>(&self, input: &View<'_, T>) -> Result<Op::Tensors, Error>
    where
        Op: OnePass<T>,
    {
        let shape = self.output_shape(input.shape())?;
        let mut results = allocate(shape.count())?;
        let (level, plan) = (self.level.check()?, self.plan(input)?);
        let kernel = <Op as OnePass<T>>::kernel();
        kernel.run(&self.op, input, &plan, &mut results, level, &self.threads)?;
        Ok(Op::tensors(results, &shape))
    }

    /// Writes the result into a buffer, in row-major order; the results of a tuple of
    /// operators into a tuple of buffers.
    ///
    /// # Errors
    /// As [`Reduction::run`], and if a buffer is not of the result's length.
    /// After an error the buffers are as they were.
    pub fn run_into<T: Element>(
        &self,
        input: &View<'_, T>,
        output: Op::Buffers<'_>,
    ) -> Result<(), Error>
    where
        Op: OnePass<T>,
    {
        let level = self.level.check()?;
        let plan = self.plan(input)?;
        Op::run_into(plan.outputs(), output, |results| {
            let kernel = <Op as OnePass<T>>::kernel();
            kernel.run(&self.op, input, &plan, results, level, &self.threads)
        })
    }

    /// The reduction of every view of this layout, planned once.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceSum;
    ///
    /// let data = [1.0f32, 2.0, 3.0, 4.0];
    /// let view = View::new(&data, &[2, 2])?;
    /// let rows = Reduction::new(ReduceSum).axes([1]).planned(&view)?;
    /// let mut sums = [0.0; 2];
    /// rows.run_into(&view, &mut sums)?;
    /// assert_eq!(sums, [3.0, 7.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If an axis does not fit the input, or the CPU lacks the level asked for.
    pub fn planned<T: Element>(&self, input: &View<'_, T>) -> Result<Planned<Op, T>, Error>
    where
        Op: OnePass<T> + Clone,
    {
        let level = self.level.check()?;
        let shape = self.output_shape(input.shape())?;
        let layout = Layout::of(input);
        Ok(Planned::new(
            self.op.clone(),
            layout,
            self.plan(input)?,
            shape,
            level,
            self.threads.clone(),
        ))
    }
}

impl<Op: OpSpec> Reduction<Op> {
    /// The result for an input whose type is known at run time.
    ///
    /// # Errors
    /// As [`Reduction::run`], and if the operator has no row for the type.
    pub fn run_any(&self, input: &AnyView<'_>) -> Result<AnyTensor, Error> {
        Op::ROWS.iter().find_map(|row| row.run(self, input)).unwrap_or_else(|| {
            let allowed = Op::SCHEMA.dtypes.iter().map(|row| row.input).collect();
            let dtype = input.dtype();
            Err(ErrorKind::DTypeNotAllowed { dtype, allowed, elsewhere: Vec::new() }.into())
        })
    }
}
