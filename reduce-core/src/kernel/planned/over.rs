//! What a plan at run time is made over: inputs whose types, shapes and strides are known no sooner.

use smallvec::SmallVec;

use crate::facts::axes::Axes;
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::machine::level::Available;
use crate::plan::{Needs, Plan};
use crate::values::erased::AnyData;
use crate::values::layout::Strided;
use crate::values::layouts::{all_broadcast, common_shape, strided};
use crate::values::stored::{Buffers, INPUTS};

/// What a plan follows from, besides layouts.
#[derive(Clone, Copy)]
pub(crate) struct Settled<'a> {
    pub(crate) axes: &'a Axes,
    pub(crate) keepdims: bool,
    pub(crate) level: Available,
    pub(crate) skips_nan: bool,
    pub(crate) mends: bool,
}

/// The shape of all inputs, and that of the results.
pub(super) struct Shapes {
    pub(super) all: Shape,
    pub(super) results: Shape,
}

impl Shapes {
    /// Makes an empty plan the one over inputs of these shapes and strides.
    ///
    /// # Errors
    /// If they do not broadcast to one shape, or an axis does not fit.
    pub(super) fn plan<'a>(
        plan: &mut Plan,
        inputs: impl ExactSizeIterator<Item = (&'a Shape, Strided<'a>)> + Clone,
        settled: Settled<'_>,
        needs: Needs,
    ) -> Result<Self, Error> {
        let shape = common_shape(inputs.clone().map(|(shape, _)| shape))?;
        let axes = settled.axes.resolve(shape.rank())?;
        let results = axes.output_shape(&shape, settled.keepdims)?;
        if let (1, Some((_, strided))) = (inputs.len(), inputs.clone().next()) {
            plan.make(&shape, &[strided], &axes, needs);
            return Ok(Shapes { all: shape, results });
        }
        let broadcast = all_broadcast(inputs, &shape)?;
        let walked: SmallVec<[Strided<'_>; INPUTS]> = broadcast.iter().map(strided).collect();
        plan.make(&shape, &walked, &axes, needs);
        Ok(Shapes { all: shape, results })
    }
}

/// The buffers of inputs, each of which has a type and reaches as far as its layout.
///
/// # Errors
/// If there are more or fewer, one is of another type, or too short.
pub(super) fn checked_buffers(
    planned: &[(DType, usize)],
    inputs: &[AnyData<'_>],
) -> Result<Buffers, Error> {
    let mut buffers = ([std::ptr::null(); INPUTS], [0; INPUTS]);
    if inputs.len() != planned.len() {
        let (expected, found) = (planned.len(), inputs.len());
        return Err(ErrorKind::InputCount { expected, found }.into());
    }
    for (number, (data, &(dtype, length))) in inputs.iter().zip(planned).enumerate() {
        if data.dtype != dtype {
            let (expected, found) = (dtype, data.dtype);
            return Err(ErrorKind::InputDType { input: "data", expected, found }.into());
        }
        if data.length < length {
            let (expected, found) = (length, data.length);
            let what = "the buffer";
            return Err(ErrorKind::LengthMismatch { what, expected, found }.into());
        }
        (buffers.0[number], buffers.1[number]) = (data.first, data.length);
    }
    Ok(buffers)
}

/// Checks the types of inputs, and of a mask behind them.
///
/// # Errors
/// If they are others, or too many are walked together.
pub(super) fn check_types(
    expected: &[DType],
    inputs: impl ExactSizeIterator<Item = DType>,
    is_masked: bool,
) -> Result<(), Error> {
    let masks = usize::from(is_masked);
    let count = expected.len() + masks;
    if inputs.len() != count || count > INPUTS {
        let expected = if count > INPUTS { INPUTS - masks } else { count };
        return Err(ErrorKind::InputCount { expected, found: inputs.len() }.into());
    }
    let expected = expected.iter().chain(is_masked.then_some(&DType::Bool));
    for (found, &expected) in inputs.zip(expected) {
        if found != expected {
            return Err(ErrorKind::InputDType { input: "data", expected, found }.into());
        }
    }
    Ok(())
}
