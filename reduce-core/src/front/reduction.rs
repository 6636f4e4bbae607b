//! A reduction of a tensor: an operator, its axes, and how to run it.

use smallvec::SmallVec;

use crate::facts::axes::Axes;
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::level::Level;
use crate::facts::progress::Progress;
use crate::facts::shape::Shape;
use crate::facts::threads::Threads;
use crate::front::one_pass::{OnePass, Operators};
use crate::front::planned::Planned;
use crate::front::settings::Settings;
use crate::front::spec::{AllTypes, OpSpec, kernel_for};
use crate::kernel::AnyResults;
use crate::plan::Plan;
use crate::values::any::{AnyTensor, AnyView};
use crate::values::element::{Element, Slot};
use crate::values::input::Input;
use crate::values::layouts::HasLayouts;
use crate::values::stored::{INPUTS, Stored};
use crate::values::view_mut::ViewMut;
use crate::values::written::Written;

/// An operator, and how it runs: its axes, its CPU level and its threads.
///
/// [`Reduction::new`] reduces all axes to one value, at the best level of this CPU, with the threads of the
/// current `rayon` pool. The methods that follow it change that, and look at no element;
/// [`run`](Reduction::run) and its kin do the work.
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
    pub(crate) op: Op,
    pub(crate) settings: Settings,
}

impl<Op> Reduction<Op> {
    /// This reduction with another operator.
    pub(crate) fn map_op<New>(self, new: impl FnOnce(Op) -> New) -> Reduction<New> {
        let Reduction { op, settings } = self;
        Reduction { op: new(op), settings }
    }

    /// Runs over these axes: `[0, 2]`, say, or a list or slice. Negative ones count from the end. An empty
    /// list is no axis, and not all: see [`Axes`]. Whether they fit is found when the reduction runs.
    #[must_use]
    pub fn axes(mut self, axes: impl Into<Axes>) -> Self {
        self.settings.axes = axes.into();
        self
    }

    /// Keeps reduced axes with size 1, if `keepdims` is true, so that the result broadcasts with the input. By default
    /// they are left out.
    #[must_use]
    pub fn keepdims(mut self, keepdims: bool) -> Self {
        self.settings.keepdims = keepdims;
        self
    }

    /// Runs at this CPU level and not at the best one; for tests and benchmarks,
    /// since every level gives the same bits. What is only read may be read with
    /// the instructions of a lower level, where they are faster.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.settings.level = level;
        self
    }

    /// Runs with these threads; by default with those of the current `rayon` pool. Threads change nothing in the
    /// result.
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
        self.settings.threads = threads;
        self
    }

    /// Whether results that the operator [doubts](crate::ReduceOp::doubts) are computed again, in numbers that neither
    /// overflow nor underflow. By default they are. A doubtful result takes some 25 to 80 times as long as another one.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceL2;
    ///
    /// let list = View::new(&[3e30f32, 4e30], &[2])?;
    /// assert_eq!(Reduction::new(ReduceL2).run(&list)?.data(), [5e30]);
    /// // The squares are no `f32`.
    /// assert_eq!(Reduction::new(ReduceL2).mended(false).run(&list)?.data(), [f32::INFINITY]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn mended(mut self, mended: bool) -> Self {
        self.settings.mends = mended;
        self
    }

    /// Counts in `progress` how many elements are combined, and stops when that says so. Counting changes nothing in the
    /// result. An emission counts the elements that its reductions combine. One in place stops before it begins, or not at all.
    #[must_use]
    pub fn progress(mut self, progress: &Progress) -> Self {
        self.settings.progress = Some(progress.clone());
        self
    }
}

impl<Op: Operators> Reduction<Op> {
    /// The operator, or a tuple of operators in one pass, over all axes.
    pub fn new(op: Op) -> Self {
        Reduction { op, settings: Settings::default() }
    }

    /// The shape of the result for an input of this shape; of several results, that of the first. A result that is an
    /// array has one more axis, the last.
    ///
    /// ```
    /// use reduce_core::{Reduction, Shape};
    /// use reduce_gallery::TopK;
    /// use reduce_specs::ReduceSum;
    ///
    /// let matrix = Shape::new(&[2, 100])?;
    /// assert_eq!(Reduction::new(ReduceSum).axes([1]).output_shape(&matrix)?.dims(), [2]);
    /// assert_eq!(Reduction::new(TopK::<8>).axes([1]).output_shape(&matrix)?.dims(), [2, 8]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If an axis is out of range for the rank, or named twice.
    pub fn output_shape(&self, shape: &Shape) -> Result<Shape, Error> {
        self.settings.output_shape(shape)?.with_length(self.op.length())
    }

    /// The plan by which the memory of a view, or of several, would be walked, or that of inputs with such
    /// [layouts](HasLayouts). No element is read.
    ///
    /// ```
    /// use reduce_core::planning::Path;
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceMean;
    ///
    /// let data = vec![1.0f32; 60_000];
    /// let plan = Reduction::new(ReduceMean).axes([0]).plan(&View::new(&data, &[200, 300])?)?;
    /// assert_eq!((plan.path(), plan.outputs(), plan.count()), (Path::Columns, 300, 200));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::output_shape`], and if several views do not broadcast to one
    /// shape.
    pub fn plan<T: Stored>(&self, input: &(impl HasLayouts<T> + ?Sized)) -> Result<Plan, Error>
    where
        Op: OnePass<T>,
    {
        let mut plan = Plan::empty();
        let kernel = <Op as OnePass<T>>::kernel();
        plan.make_for(input, &self.settings.axes, kernel.needs())?;
        Ok(plan)
    }

    /// The result over a view, or over a tuple of views that are walked together: a
    /// tensor of its own, or a tuple of tensors if there are several results.
    ///
    /// Its shape is that of the input without the reduced axes, or with 1 in their place after
    /// [`keepdims`](Reduction::keepdims). Its type is that of the first input, unless the spec names
    /// another.
    ///
    /// # Errors
    /// If an axis does not fit the input, or several views do not broadcast to one shape. If a result is over no
    /// elements, or over none that counts ([`Masked`](crate::Masked)), and the operator lacks a value for that. If the
    /// result does not fit in memory, or the CPU lacks the level asked for. If the operator
    /// [refuses](crate::ReduceOp::refuses) its parameters.
    pub fn run<I: Input>(&self, input: &I) -> Result<TensorsOf<Op, I>, Error>
    where
        Op: OnePass<I::Stored>,
    {
        self.op.check()?;
        self.settings.tensors(<Op as OnePass<I::Stored>>::kernel().bound(&self.op), input)
    }

    /// Writes the result into a buffer, in row-major order; several results into a tuple
    /// of buffers.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::{ReduceMax, ReduceSum};
    ///
    /// let rows = View::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
    /// let (mut sums, mut largest) = ([0.0; 2], [0.0; 2]);
    /// let both = Reduction::new((ReduceSum, ReduceMax)).axes([1]);
    /// both.run_into(&rows, (&mut sums, &mut largest))?;
    /// assert_eq!((sums, largest), ([3.0, 7.0], [2.0, 4.0]));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::run`], and if a buffer is not of the result's length.
    /// After an error the buffers are as they were, but for [`ErrorKind::NoMemory`] and
    /// [`ErrorKind::NoneCounts`]: a single buffer may then hold some results.
    pub fn run_into<I: Input>(&self, input: &I, output: BuffersOf<'_, Op, I>) -> Result<(), Error>
    where
        Op: OnePass<I::Stored>,
    {
        self.op.check()?;
        let settings = &self.settings;
        let level = settings.level.check()?;
        let kernel = <Op as OnePass<I::Stored>>::kernel();
        let mut plan = Plan::empty();
        plan.make_for(input, &settings.axes, kernel.needs())?;
        Written::write_into(plan.outputs(), output, |results| {
            let kernel = kernel.bound(&self.op).mending(settings.mends);
            kernel.checked(input, &plan, results, level, settings.crew())
        })
    }

    /// Writes the one result into a view of its shape. In the buffer of the view, only the places that it names are
    /// written. Results are the same, to the last bit, as those of [`Reduction::run`]. [`ViewMut`] has an example.
    ///
    /// # Errors
    /// As [`Reduction::run`], and if the view is of another shape. After an error the view is as it was.
    pub fn run_into_view<I: Input, O: Element>(
        &self,
        input: &I,
        output: &mut ViewMut<'_, O>,
    ) -> Result<(), Error>
    where
        Op: OnePass<I::Stored, Result = O>,
    {
        output.check(&self.output_shape(&input.shape()?)?)?;
        if let Some(output) = output.in_order() {
            return self.run_into(input, output);
        }
        // Results are few beside elements, so a copy of them costs little.
        output.put(self.run(input)?.data());
        Ok(())
    }

    /// The reduction of every input of this layout, planned once. The layout is that of a view, of several, or without any
    /// elements: [`HasLayouts`].
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
    /// If an axis does not fit the input, several views do not broadcast to one shape, the
    /// operator refuses its parameters, or the CPU lacks the level asked for.
    pub fn planned<T: Stored>(
        &self,
        input: &(impl HasLayouts<T> + ?Sized),
    ) -> Result<Planned<Op, T>, Error>
    where
        Op: OnePass<T> + Clone,
    {
        self.op.check()?;
        let settings = &self.settings;
        let level = settings.level.check()?;
        let mut plan = Plan::empty();
        let needs = <Op as OnePass<T>>::kernel().needs();
        let (shape, axes) = plan.make_for(input, &settings.axes, needs)?;
        let shape = axes.output_shape(&shape, settings.keepdims)?;
        let shape = shape.with_length(<Op::Result as Slot>::LENGTH)?;
        Ok(Planned::new(self.op.clone(), input.all_layouts(), plan, shape, level, settings))
    }
}

/// The tensors of all results of an operator over an input.
pub(crate) type TensorsOf<Op, I> =
    <<Op as OnePass<<I as Input>::Stored>>::Result as Written>::Tensors;

/// The buffers for all results of an operator over an input.
pub(crate) type BuffersOf<'b, Op, I> =
    <<Op as OnePass<<I as Input>::Stored>>::Result as Written>::Buffers<'b>;

impl<Op: OpSpec> Reduction<Op> {
    /// The result for an input whose type is known at run time.
    ///
    /// ```
    /// use reduce_core::{AnyView, Reduction, View};
    /// use reduce_specs::ReduceMean;
    ///
    /// let inputs: [AnyView; 2] =
    ///     [View::new(&[1.0f32, 4.0], &[2])?.into(), View::new(&[1i64, 4], &[2])?.into()];
    /// let means = inputs.map(|input| Reduction::new(ReduceMean).run_any(&input));
    /// let [floats, integers] = means;
    /// assert_eq!(floats?.downcast::<f32>().expect("as the input").data(), [2.5]);
    /// assert_eq!(integers?.downcast::<i64>().expect("as the input").data(), [2]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::run_all`], and if the operator has several results.
    pub fn run_any(&self, input: &AnyView<'_>) -> Result<AnyTensor, Error> {
        let mut results = AnyResults::new();
        self.over_any(std::slice::from_ref(input), &mut results)?;
        only(&mut results)
    }

    /// All results for inputs whose types are known at run time: a tensor for each of the operator's
    /// results, in their order.
    ///
    /// ```
    /// use reduce_core::{AnyView, Reduction, View};
    /// use reduce_gallery::{Dot, MeanVariance};
    ///
    /// let x: AnyView = View::new(&[1.0f64, 3.0], &[2])?.into();
    /// let results = Reduction::new(MeanVariance).run_all(&[x.clone()])?;
    /// let both = results.into_iter().map(|part| part.downcast::<f64>().expect("as the input"));
    /// assert_eq!(both.map(|part| part.data()[0]).collect::<Vec<_>>(), [2.0, 1.0]);
    /// // An operator of two inputs.
    /// assert_eq!(Reduction::new(Dot).run_all(&[x.clone(), x])?.len(), 1);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Reduction::run`], if the operator takes another number of inputs, or if it has
    /// no row for their types.
    pub fn run_all(&self, inputs: &[AnyView<'_>]) -> Result<Vec<AnyTensor>, Error> {
        let mut results = AnyResults::new();
        self.over_any(inputs, &mut results)?;
        Ok(results.into_vec())
    }

    /// Adds all results to a list.
    ///
    /// # Errors
    /// As [`Reduction::run_all`].
    pub(crate) fn over_any(
        &self,
        views: &[AnyView<'_>],
        results: &mut AnyResults,
    ) -> Result<(), Error> {
        self.op.check()?;
        let dtypes: SmallVec<[DType; INPUTS]> = views.iter().map(AnyView::dtype).collect();
        let kernel = kernel_for::<Op, AllTypes>(&dtypes)?.lent(&self.op);
        let (settled, crew) = (self.settings.settled(false)?, self.settings.crew());
        kernel.tensors(views, None, settled, crew, results)
    }
}

/// The only one of some results.
///
/// # Errors
/// If there are several.
pub(crate) fn only(results: &mut AnyResults) -> Result<AnyTensor, Error> {
    match (results.pop(), results.len()) {
        (Some(result), 0) => Ok(result),
        (_, others) => Err(ErrorKind::SeveralResults { found: others + 1 }.into()),
    }
}
