//! Emissions of calls: results sent back over the elements, by node.

use std::fmt;

use smallvec::SmallVec;

use super::Call;
use crate::facts::dtype::{DType, with_dtype};
use crate::facts::error::{Error, ErrorKind};
use crate::kernel::PlannedKernelEmission;
use crate::machine::team::KeptCrew;
use crate::values::any::{AnyTensor, AnyView};
use crate::values::erased::{AnyData, AnyDataMut, AnyPlaces};
use crate::values::layout::Layout;
use crate::values::stored::INPUTS;
use crate::values::tensor::{Tensor, allocate};

/// The emission of a [`Call`] that is planned for inputs and an output of some layouts; made by [`Call::plan_emission`].
///
/// Each run is given buffers alone, as that of a [`PlannedCall`](super::PlannedCall) is, and the places of the output need
/// not be initialised. It takes no lock. A thread keeps the memory that a run needs beside its buffers. So after the first
/// run it allocates nothing, if the input has up to 64 kB and lies in row-major order. To mend a result that the operator
/// [doubts](crate::ReduceOp::doubts) takes memory.
///
/// ```
/// use reduce_core::DType;
/// use reduce_core::nodes::{Node, OpEntry};
/// use reduce_core::planning::Layout;
/// use reduce_gallery::LayerNorm;
///
/// static NORM: OpEntry = OpEntry::of::<LayerNorm>();
///
/// // Once: rows of two elements; beside them a scale and a bias, which are repeated for each row.
/// let node = Node::new(1, DType::F32).attr("axes", [-1]).attr("epsilon", 0.0);
/// let (rows, one) = (Layout::new(DType::F32, &[2, 2])?, Layout::new(DType::F32, &[2])?);
/// let norm = NORM.prepare(&node)?.plan_emission(&[rows, one.clone(), one])?;
///
/// // Often: into other memory, or in place.
/// let (mut rows, scale, bias) = ([1.0f32, 3.0, 6.0, 2.0], [2.0f32, 2.0], [0.0f32, 1.0]);
/// let beside = [(&scale[..]).into(), (&bias[..]).into()];
/// let mut output = [0.0f32; 4];
/// norm.run(&[(&rows[..]).into(), beside[0], beside[1]], &mut (&mut output[..]).into())?;
/// norm.run_in_place(&mut (&mut rows[..]).into(), &beside)?;
/// assert_eq!((output, rows), ([-2.0, 3.0, 2.0, -1.0], [-2.0, 3.0, 2.0, -1.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PlannedCallEmission {
    emission: PlannedKernelEmission,
    name: &'static str,
    version: u32,
    crew: KeptCrew,
}

impl Call {
    /// What each element becomes, once the result over its set is known: a tensor of the shape of all inputs, in the type
    /// of the first. Its operator [emits](crate::Emit), and the key `emits` of its spec says so. The first inputs are those
    /// that the operator reduces; those behind them, if it takes any, lie [beside](crate::EmitBeside) the elements. All of
    /// them broadcast to one shape.
    ///
    /// ```
    /// use reduce_core::nodes::{Node, OpEntry};
    /// use reduce_core::{DType, View};
    /// use reduce_gallery::Softmax;
    ///
    /// static SOFTMAX: OpEntry = OpEntry::of::<Softmax>();
    /// let call = SOFTMAX.prepare(&Node::new(1, DType::F32).attr("axes", [-1]))?;
    /// let shares = call.emit(&[View::new(&[1.0f32, 1.0, 7.0, 7.0], &[2, 2])?.into()])?;
    /// assert_eq!(shares.downcast::<f32>().expect("as the input").data(), [0.5; 4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Call::plan_emission`], and if there is not enough memory.
    pub fn emit(&self, inputs: &[AnyView<'_>]) -> Result<AnyTensor, Error> {
        let layouts: SmallVec<[Layout; INPUTS]> = inputs.iter().map(Layout::from).collect();
        let planned = self.plan_emission(&layouts)?;
        let data: SmallVec<[AnyData<'_>; INPUTS]> = inputs.iter().map(AnyData::from).collect();
        let Layout { dtype, shape, .. } = planned.output();
        let mut emitted: AnyTensor = with_dtype!(*dtype, T => {
            let elements: Vec<T> = allocate(shape.count()).map_err(|error| self.about(error))?;
            Tensor::from_parts(elements, shape.clone()).into()
        });
        planned.run(&data, &mut (&mut emitted).into())?;
        Ok(emitted)
    }

    /// Plans an emission, as [`Call::emit`] does it, for inputs of these layouts, and an output in row-major order.
    /// [`PlannedCallEmission`] has an example.
    ///
    /// Which elements count is not chosen here: by type, a [`Reduction`](crate::Reduction) of [`Masked`](crate::Masked) or
    /// [`SkipNan`](crate::SkipNan) emits over those that do.
    ///
    /// # Errors
    /// If the operator's spec does not say that it emits, or it has no row for the types of the inputs. If they are more or
    /// fewer than it takes, or do not broadcast to one shape. If an axis does not fit, or the axes are not known yet:
    /// [`Call::with_axes`] gives them. If the call [skips NaN](Call::skip_nan), or the CPU lacks the level asked for.
    pub fn plan_emission(&self, inputs: &[Layout]) -> Result<PlannedCallEmission, Error> {
        self.planned_emission(inputs, None)
    }

    /// Plans an emission as [`Call::plan_emission`] does, for an output that lies in its buffer as a layout says. Of the
    /// buffer, only the places that it names are written.
    ///
    /// ```
    /// use reduce_core::DType;
    /// use reduce_core::nodes::{Node, OpEntry};
    /// use reduce_core::planning::Layout;
    /// use reduce_gallery::Softmax;
    ///
    /// static SOFTMAX: OpEntry = OpEntry::of::<Softmax>();
    /// let call = SOFTMAX.prepare(&Node::new(1, DType::F32).attr("axes", [-1]))?;
    /// // The last two columns of a matrix of three.
    /// let (rows, columns) = (
    ///     Layout::new(DType::F32, &[2, 2])?,
    ///     Layout::with_strides(DType::F32, &[2, 2], &[3, 1], 1)?,
    /// );
    /// let mut matrix = [9.0f32; 6];
    /// let shares = call.plan_emission_into(&[rows], &columns)?;
    /// shares.run(&[[1.0f32, 1.0, 2.0, 2.0][..].into()], &mut (&mut matrix[..]).into())?;
    /// assert_eq!(matrix, [9.0, 0.5, 0.5, 9.0, 0.5, 0.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Call::plan_emission`], and if the output has another type or shape than what is emitted, or two of its elements
    /// share a place.
    pub fn plan_emission_into(
        &self,
        inputs: &[Layout],
        output: &Layout,
    ) -> Result<PlannedCallEmission, Error> {
        self.planned_emission(inputs, Some(output))
    }

    fn planned_emission(
        &self,
        inputs: &[Layout],
        output: Option<&Layout>,
    ) -> Result<PlannedCallEmission, Error> {
        let emission = self.emission(inputs, output).map_err(|error| self.about(error))?;
        let (name, version) = (self.name(), self.version);
        Ok(PlannedCallEmission { emission, name, version, crew: self.settings.kept_crew() })
    }

    fn emission(
        &self,
        inputs: &[Layout],
        output: Option<&Layout>,
    ) -> Result<PlannedKernelEmission, Error> {
        let axes = self.known_axes()?;
        if self.skips_nan {
            return Err(ErrorKind::EmitsAll.into());
        }
        let emission = self.entry.emission.ok_or(ErrorKind::EmitsNothing)?;
        let dtypes: SmallVec<[DType; INPUTS]> = inputs.iter().map(Layout::dtype).collect();
        let emission = emission(&self.op.0, &dtypes)?;
        PlannedKernelEmission::new(emission, inputs, output, self.settled(axes)?)
    }
}

impl PlannedCallEmission {
    /// Writes what each element becomes. There is a buffer for each input, in the order of the layouts.
    ///
    /// # Errors
    /// If there are more or fewer buffers than planned for, or one is of another type. If a buffer is shorter than its
    /// layout reaches, or places in row-major order are not as many as elements. If there is not enough memory, or the emission is
    /// [stopped](crate::Progress::stop): some elements may be emitted then.
    pub fn run(&self, inputs: &[AnyData<'_>], output: &mut AnyPlaces<'_>) -> Result<(), Error> {
        let run = self.emission.run(inputs, output, self.crew.crew());
        run.map_err(|error| self.about(error))
    }

    /// Replaces each element of the first input by what it becomes. `beside` has the buffers of all other inputs. Nothing stops
    /// it once it has begun, since elements would be lost.
    ///
    /// # Errors
    /// If the first input was planned in another order than the row-major one, or with another shape than that of all
    /// inputs, or if the output was. As [`PlannedCallEmission::run`], too.
    pub fn run_in_place(
        &self,
        elements: &mut AnyDataMut<'_>,
        beside: &[AnyData<'_>],
    ) -> Result<(), Error> {
        let run = self.emission.run_in_place(elements, beside, self.crew.crew());
        run.map_err(|error| self.about(error))
    }

    /// The layout of what is emitted.
    pub fn output(&self) -> &Layout {
        self.emission.output()
    }

    /// The error, said of the operator.
    fn about(&self, error: Error) -> Error {
        error.about(self.name, self.version)
    }
}

impl fmt::Debug for PlannedCallEmission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlannedCallEmission")
            .field("op", &self.name)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
