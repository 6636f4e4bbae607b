//! Calls: validated nodes, ready to run.

mod emission;
mod later;
mod planned;

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};

use smallvec::SmallVec;

pub use emission::PlannedCallEmission;
pub use planned::PlannedCall;

use super::{Configured, OpEntry};
use crate::facts::axes::{Axes, AxisSet};
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::level::Level;
use crate::facts::progress::Progress;
use crate::facts::schema::{DTypeSchema, Params};
use crate::facts::shape::{Dim, PartialShape, Shape};
use crate::facts::threads::Threads;
use crate::front::reduction::{Reduction, only};
use crate::front::settings::Settings;
use crate::front::spec::OpSpec;
use crate::kernel::{AnyResults, Settled};
use crate::model::axes::{CheckedAxes, meant};
use crate::model::validate::Checked;
use crate::values::any::{AnyTensor, AnyView};
use crate::values::stored::INPUTS;
use crate::values::view::View;

/// A node that was checked and is ready to run: an operator at a version, with its axes and flags. Made by
/// [`Registry::prepare`](crate::nodes::Registry::prepare) and [`OpEntry::prepare`].
///
/// ```
/// use reduce_core::nodes::{Dim, Node, PartialShape};
/// use reduce_core::{DType, View};
/// use reduce_specs::ONNX;
///
/// let node = Node::new(18, DType::F32).axes([-1]).attr("keepdims", 0);
/// let call = ONNX.prepare("ReduceMean", &node)?;
/// // A new version begins at 18, and governs up to the next.
/// assert_eq!((call.version(), call.output_dtype()), (18, DType::F32));
///
/// // Before there are data:
/// let batches = PartialShape::new([Dim::Named("batch".into()), Dim::Known(2)]);
/// assert_eq!(call.infer(&batches)?, PartialShape::new([Dim::Named("batch".into())]));
///
/// let data = View::new(&[1.0f32, 3.0, 5.0, 7.0], &[2, 2])?;
/// let means = call.run(&data.into())?.downcast::<f32>().expect("as `output_dtype` says");
/// assert_eq!(means.data(), [2.0, 6.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Call {
    entry: &'static OpEntry,
    op: Configured,
    version: u32,
    dtype: DType,
    axes: CheckedAxes,
    noop: bool,
    keepdims: bool,
    params: Params,
    skips_nan: bool,
    /// How it runs. The axes are those above.
    settings: Settings,
}

impl Call {
    pub(super) fn new(
        entry: &'static OpEntry,
        op: Configured,
        dtype: DType,
        checked: Checked,
    ) -> Self {
        let Checked { since, axes, noop, keepdims, params } = checked;
        let (version, skips_nan, settings) = (since, false, Settings::default());
        Call { entry, op, version, dtype, axes, noop, keepdims, params, skips_nan, settings }
    }

    /// The operator's name.
    pub fn name(&self) -> &'static str {
        self.entry.schema().name
    }

    /// The version of the operator that governs.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The type of the data.
    pub fn input_dtype(&self) -> DType {
        self.dtype
    }

    /// The type of the result.
    pub fn output_dtype(&self) -> DType {
        self.row().map_or(self.dtype, |row| row.output)
    }

    /// What the schema says of the type of the data.
    fn row(&self) -> Option<&'static DTypeSchema> {
        self.entry.schema().dtypes.iter().find(|row| row.input == self.dtype)
    }

    /// How many elements a result has, if it is an array.
    fn length(&self) -> Option<usize> {
        let (_, length) = self.op;
        length.or_else(|| self.row().and_then(|row| row.length.fixed()))
    }

    /// Whether the axes are an input that is computed when the model runs, so
    /// that [`Call::run_with_axes`] is the way to run.
    pub fn needs_axes(&self) -> bool {
        matches!(self.axes, CheckedAxes::Runtime { .. })
    }

    /// Reduces the elements that are not NaN, as if the others were not there: see
    /// [`SkipNan`](crate::SkipNan).
    #[must_use]
    pub fn skip_nan(mut self, skip_nan: bool) -> Self {
        self.skips_nan = skip_nan;
        self
    }

    /// Runs at this CPU level and not at the best one; for tests and benchmarks,
    /// since every level gives the same bits.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.settings.level = level;
        self
    }

    /// Counts in `progress` how many elements are combined, and stops when that says so, as
    /// [`Reduction::progress`](crate::Reduction::progress) does.
    #[must_use]
    pub fn progress(mut self, progress: &Progress) -> Self {
        self.settings.progress = Some(progress.clone());
        self
    }

    /// Runs with these threads: see [`Reduction::threads`].
    ///
    /// ```
    /// use reduce_core::nodes::Node;
    /// use reduce_core::{DType, Threads, View};
    /// use reduce_specs::ONNX;
    ///
    /// let node = Node::new(18, DType::F32).axes([-1]);
    /// let call = ONNX.prepare("ReduceSum", &node)?.threads(Threads::One);
    /// let sums = call.run(&View::new(&[1.0f32, 2.0], &[1, 2])?.into())?;
    /// assert_eq!(sums.downcast::<f32>().expect("as the data").data(), [3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.settings.threads = threads;
        self
    }

    /// Whether results that the operator doubts are computed again: see [`Reduction::mended`].
    #[must_use]
    pub fn mended(mut self, mended: bool) -> Self {
        self.settings.mends = mended;
        self
    }

    /// The axes that are reduced, for data of this rank.
    ///
    /// # Errors
    /// As [`Call::output_shape`].
    pub fn axes(&self, rank: usize) -> Result<AxisSet, Error> {
        self.known_axes()?.resolve(rank).map_err(|error| self.about(error))
    }

    /// The shape of the result for data of this shape.
    ///
    /// # Errors
    /// If an axis is out of range for the rank or named twice, or the axes are
    /// not known yet.
    pub fn output_shape(&self, shape: &Shape) -> Result<Shape, Error> {
        self.axes(shape.rank())?.output_shape(shape, self.keepdims)?.with_length(self.length())
    }

    /// The shape of the result, as far as it is known, for data whose shape is
    /// known in part: shape inference for a model's graph.
    ///
    /// Kept axes keep their names. Of axes that are only computed later, `keepdims`
    /// still fixes the rank, and so does their number.
    ///
    /// # Errors
    /// If the rank is known and an axis is out of range for it, or named twice.
    pub fn infer(&self, shape: &PartialShape) -> Result<PartialShape, Error> {
        let shape = self.axes.infer(shape, self.keepdims).map_err(|error| self.about(error))?;
        Ok(match (shape.dims(), self.length()) {
            (Some(sizes), Some(length)) => {
                PartialShape::new(sizes.iter().cloned().chain([Dim::Known(length)]))
            }
            _ => shape,
        })
    }

    /// The result.
    ///
    /// # Errors
    /// If the data is not of the type the node was validated for, an axis does not fit its rank, or a result
    /// over no elements is undefined. The call fails, too, if the axes are not known yet or the CPU lacks the
    /// level asked for. An operator with several inputs or results is an error here: [`Call::run_all`] runs it.
    pub fn run(&self, data: &AnyView<'_>) -> Result<AnyTensor, Error> {
        self.run_over(self.known_axes()?, data, None)
    }

    /// The result over the elements for which a mask is true, as if the others were not there: see
    /// [`Masked`](crate::Masked). The mask is broadcast with the data.
    ///
    /// # Errors
    /// If [`Call::run`] fails, or the shapes do not broadcast to one. It is an error, too, if none of a
    /// result's elements counts and it has no value then.
    pub fn run_where(&self, data: &AnyView<'_>, mask: &View<'_, bool>) -> Result<AnyTensor, Error> {
        self.run_over(self.known_axes()?, data, Some(mask))
    }

    /// All results of an operator of any number of inputs, which broadcast to one shape: a tensor for each result, in
    /// their order. With a mask, those over the elements for which it is true; it broadcasts with the inputs.
    ///
    /// ```
    /// use reduce_core::nodes::{Node, OpEntry};
    /// use reduce_core::{AnyView, DType, View};
    /// use reduce_gallery::Regression;
    ///
    /// static REGRESSION: OpEntry = OpEntry::of::<Regression>();
    /// let call = REGRESSION.prepare(&Node::new(1, DType::F64).attr("keepdims", 0))?;
    /// let (x, y) = ([0.0, 1.0, 2.0, 3.0], [1.0, 3.0, 99.0, 7.0]);
    /// let inputs: [AnyView; 2] = [View::new(&x, &[4])?.into(), View::new(&y, &[4])?.into()];
    /// // The third point is not known.
    /// let known = View::new(&[true, true, false, true], &[4])?;
    /// let line = call.run_all(&inputs, Some(&known))?;
    /// let line = line.into_iter().map(|part| part.downcast::<f64>().expect("as the inputs").data()[0]);
    /// assert_eq!(line.collect::<Vec<_>>(), [2.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Call::run_where`], and if the operator takes another number of inputs, or has no row for their types. With a mask,
    /// there are three inputs at most.
    pub fn run_all(
        &self,
        inputs: &[AnyView<'_>],
        mask: Option<&View<'_, bool>>,
    ) -> Result<Vec<AnyTensor>, Error> {
        let mut results = AnyResults::new();
        let axes = self.known_axes()?;
        let run = self.results(inputs, mask, axes, &mut results);
        run.map_err(|error| self.about(error))?;
        Ok(results.into_vec())
    }

    /// The result, with axes that were computed meanwhile. They replace axes that were known before.
    ///
    /// # Errors
    /// As [`Call::run`], and if this version takes no such input, or the axes are
    /// not an `i64` tensor of rank 1 with as many elements as were announced.
    pub fn run_with_axes(
        &self,
        data: &AnyView<'_>,
        axes: &AnyView<'_>,
    ) -> Result<AnyTensor, Error> {
        let listed = self.read_axes(axes).map_err(|kind| self.about(kind.into()))?;
        self.run_over(&meant(&listed, self.noop), data, None)
    }

    /// What [`Call::run`] reduces by, if the call is one of the operator `Op`: the operator with its parameters, its axes, and
    /// whether these are kept. An engine that knows the types of its operators runs calls so.
    ///
    /// ```
    /// use reduce_core::nodes::Node;
    /// use reduce_core::{DType, View};
    /// use reduce_specs::{ArgMax, ArgMin, ONNX};
    ///
    /// let node = Node::new(13, DType::F32).attr("axis", -1).attr("keepdims", 0).attr("select_last_index", 1);
    /// let call = ONNX.prepare("ArgMax", &node)?;
    /// assert!(call.reduction::<ArgMin>()?.is_none());
    /// let reduction = call.reduction::<ArgMax>()?.expect("an `ArgMax`");
    /// let places = reduction.run(&View::new(&[5.0f32, 1.0, 5.0], &[1, 3])?)?;
    /// assert_eq!(places.data(), [2i64]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the axes are not known yet, or the call [skips NaN](Call::skip_nan), which the operator alone does not.
    pub fn reduction<Op: OpSpec>(&self) -> Result<Option<Reduction<Op>>, Error> {
        if !self.op.0.is::<Op>() {
            return Ok(None);
        }
        if self.skips_nan {
            return Err(self.about(ErrorKind::NoOrder.into()));
        }
        let settings = self.settings(self.known_axes()?.clone());
        Ok(Some(Reduction { op: Op::configure(&self.params), settings }))
    }

    /// Checks that the call may be run over data of this type and rank.
    ///
    /// # Errors
    /// As [`Call::run`], but for those that depend on the elements or on the sizes of the axes.
    pub fn check(&self, data: &AnyView<'_>) -> Result<(), Error> {
        self.known_axes()?;
        self.check_dtype(data.dtype())?;
        self.axes(data.shape().rank()).map(|_| ())
    }

    fn check_dtype(&self, found: DType) -> Result<(), Error> {
        if found == self.dtype {
            return Ok(());
        }
        let kind = ErrorKind::InputDType { input: "data", expected: self.dtype, found };
        Err(self.about(kind.into()))
    }

    fn settings(&self, axes: Axes) -> Settings {
        Settings { axes, keepdims: self.keepdims, ..self.settings.clone() }
    }

    fn run_over(
        &self,
        axes: &Axes,
        data: &AnyView<'_>,
        mask: Option<&View<'_, bool>>,
    ) -> Result<AnyTensor, Error> {
        self.check_dtype(data.dtype())?;
        let views = std::slice::from_ref(data);
        let mut results = AnyResults::new();
        let run = self.results(views, mask, axes, &mut results);
        run.and_then(|()| only(&mut results)).map_err(|error| self.about(error))
    }

    fn results(
        &self,
        views: &[AnyView<'_>],
        mask: Option<&View<'_, bool>>,
        axes: &Axes,
        results: &mut AnyResults,
    ) -> Result<(), Error> {
        let dtypes: SmallVec<[DType; INPUTS]> = views.iter().map(AnyView::dtype).collect();
        let kernel = (self.entry.kernel)(&self.op.0, &dtypes)?;
        kernel.tensors(views, mask, self.settled(axes)?, self.settings.crew(), results)
    }

    /// What a plan follows from, besides layouts.
    fn settled<'a>(&'a self, axes: &'a Axes) -> Result<Settled<'a>, Error> {
        let Call { keepdims, skips_nan, settings, .. } = self;
        Ok(Settled { axes, keepdims: *keepdims, ..settings.settled(*skips_nan)? })
    }

    fn known_axes(&self) -> Result<&Axes, Error> {
        match &self.axes {
            CheckedAxes::Known(axes) => Ok(axes),
            CheckedAxes::Runtime { .. } => Err(self.about(ErrorKind::AxesNotGiven.into())),
        }
    }

    /// The error, said of the operator.
    fn about(&self, error: Error) -> Error {
        error.about(self.entry.schema().name, self.version)
    }
}

// An operator is only ever read.
impl UnwindSafe for Call {}
impl RefUnwindSafe for Call {}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("op", &self.name())
            .field("version", &self.version)
            .field("dtype", &self.dtype)
            .field("axes", &self.axes)
            .field("keepdims", &self.keepdims)
            .finish_non_exhaustive()
    }
}
