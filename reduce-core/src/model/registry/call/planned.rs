//! Planned calls: a node that was checked, found and planned, to be run often.

use std::fmt;

use smallvec::SmallVec;

use super::Call;
use crate::facts::axes::Axes;
use crate::facts::dtype::DType;
use crate::facts::error::Error;
use crate::kernel::{LaidOut, PlannedKernel};
use crate::machine::team::KeptCrew;
use crate::values::erased::{AnyData, AnyPlaces};
use crate::values::layout::Layout;
use crate::values::stored::INPUTS;

/// A [`Call`] that is planned for inputs and outputs of some layouts; made by [`Call::plan`]. An engine keeps one beside each
/// node, for as long as shapes stay as they are.
///
/// Types and shapes were checked when it was planned. Each run is given buffers alone: those of the inputs, and the
/// places of the results, which need not be initialised. It takes no lock. It allocates nothing in most cases: memory
/// for packed elements and for results that are put in order, up to 64 kB, is kept by the thread that called before. To
/// mend a result that the operator [doubts](crate::ReduceOp::doubts) takes memory, and so do elements that are
/// chosen by a mask.
///
/// ```
/// use std::mem::MaybeUninit;
///
/// use reduce_core::DType;
/// use reduce_core::nodes::Node;
/// use reduce_core::planning::Layout;
/// use reduce_specs::ONNX;
///
/// // Once, when shapes are known: the means of rows.
/// let node = Node::new(18, DType::F32).axes([-1]).attr("keepdims", 0);
/// let means = ONNX.prepare("ReduceMean", &node)?.plan(&[Layout::new(DType::F32, &[2, 3])?])?;
/// assert_eq!(means.outputs().next().expect("one").shape().dims(), [2]);
///
/// // Often. The results go to memory of a pool, which was not cleared.
/// let data = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let mut pool = [MaybeUninit::<f32>::uninit(); 2];
/// means.run(&[(&data[..]).into()], &mut [(&mut pool[..]).into()])?;
/// // SAFETY: a run without an error writes each result.
/// assert_eq!(pool.map(|mean| unsafe { mean.assume_init() }), [2.0, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PlannedCall {
    kernel: PlannedKernel,
    name: &'static str,
    version: u32,
    crew: KeptCrew,
}

impl Call {
    /// Plans the call for inputs of these layouts, and results in row-major order. An operator may have several inputs,
    /// which broadcast to one shape, and several results.
    ///
    /// # Errors
    /// If the operator has no row for the types of the inputs, or they do not broadcast to one shape. If an axis does not
    /// fit, or the axes are not known yet: [`Call::with_axes`] gives them. The call fails, too, if the CPU lacks the level
    /// asked for.
    pub fn plan(&self, inputs: &[Layout]) -> Result<PlannedCall, Error> {
        self.planned(LaidOut { inputs, is_masked: false, outputs: &[] })
    }

    /// Plans the call as [`Call::plan`] does, for results that lie in their buffers as these layouts say. There is a layout
    /// for each result. One of `i32` takes results of `i64`, such as positions, which many engines keep so.
    ///
    /// ```
    /// use reduce_core::DType;
    /// use reduce_core::nodes::Node;
    /// use reduce_core::planning::Layout;
    /// use reduce_specs::ONNX;
    ///
    /// // The sums of rows go to the second column of a matrix of three.
    /// let node = Node::new(13, DType::I32).axes([1]).attr("keepdims", 0);
    /// let rows = Layout::new(DType::I32, &[2, 2])?;
    /// let column = Layout::with_strides(DType::I32, &[2], &[3], 1)?;
    /// let sums = ONNX.prepare("ReduceSum", &node)?.plan_into(&[rows], &[column])?;
    /// let mut matrix = [0i32; 6];
    /// sums.run(&[(&[1i32, 2, 3, 4][..]).into()], &mut [(&mut matrix[..]).into()])?;
    /// assert_eq!(matrix, [0, 3, 0, 0, 7, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Call::plan`], and if an output has another type or shape than the result, or two of its elements share a place.
    /// If a result is no number of `i32`, but its place is for that, the run is an error, and that output is not written.
    pub fn plan_into(&self, inputs: &[Layout], outputs: &[Layout]) -> Result<PlannedCall, Error> {
        self.planned(LaidOut { inputs, is_masked: false, outputs })
    }

    /// Plans the call as [`Call::plan_into`] does, over the elements for which a mask is true: see
    /// [`Masked`](crate::Masked). The mask is one more input, the last, of `bool`; it broadcasts with the others. Without
    /// layouts of outputs, results lie in row-major order.
    ///
    /// # Errors
    /// As [`Call::plan_into`]. With the mask, there are four inputs at most.
    pub fn plan_where(&self, inputs: &[Layout], outputs: &[Layout]) -> Result<PlannedCall, Error> {
        self.planned(LaidOut { inputs, is_masked: true, outputs })
    }

    fn planned(&self, laid_out: LaidOut<'_>) -> Result<PlannedCall, Error> {
        let axes = self.known_axes()?;
        let kernel = self.kernel(laid_out, axes).map_err(|error| self.about(error))?;
        let (name, version) = (self.name(), self.version);
        let Call { settings, .. } = self;
        Ok(PlannedCall { kernel, name, version, crew: settings.kept_crew() })
    }

    fn kernel(&self, laid_out: LaidOut<'_>, axes: &Axes) -> Result<PlannedKernel, Error> {
        let inputs = laid_out.inputs;
        let own = inputs.len().saturating_sub(usize::from(laid_out.is_masked));
        let dtypes: SmallVec<[DType; INPUTS]> =
            inputs[..own].iter().map(|layout| layout.dtype).collect();
        let kernel = (self.entry.kernel)(&self.op.0, &dtypes)?;
        PlannedKernel::new(kernel, laid_out, self.settled(axes)?)
    }
}

impl PlannedCall {
    /// Writes all results. There is a buffer for each input, in the order of the layouts, and places for each result.
    ///
    /// # Errors
    /// If there are more or fewer buffers than planned for, or one is of another type. If a buffer is shorter than its
    /// layout reaches, or places in row-major order are not as many as elements. If the operator lacks a value for a result
    /// over no elements, or there is not enough memory. After one of the last two, some results may be written.
    pub fn run(&self, inputs: &[AnyData<'_>], outputs: &mut [AnyPlaces<'_>]) -> Result<(), Error> {
        let run = self.kernel.run(inputs, outputs, self.crew.crew());
        run.map_err(|error| error.about(self.name, self.version))
    }

    /// The layout of each result.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = &Layout> {
        self.kernel.outputs()
    }
}

impl fmt::Debug for PlannedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlannedCall")
            .field("op", &self.name)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
