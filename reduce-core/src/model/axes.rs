//! The axes of a node: from attribute or input to what is meant, or to what will
//! be known of them later.

use super::attrs::{Attrs, flag, given, windows_of};
use super::node::AxesInput;
use crate::facts::axes::Axes;
use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::schema::{
    AXES, AXIS, AttrKind, AttrSchema, AttrValue, NOOP_WITH_EMPTY_AXES, OpSchema, VersionSchema,
};
use crate::facts::shape::{Dim, Dims, MOST_AXES, PartialShape};
use crate::plan::{Axis, Places};
use crate::values::any::AnyView;

/// The axes of a node that passed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CheckedAxes {
    /// They are known.
    Known(Axes),
    /// They are computed when the model runs.
    Runtime {
        /// True if an empty list means none instead of all.
        noop: bool,
        /// How many there will be, if that is known.
        count: Option<usize>,
    },
}

impl CheckedAxes {
    /// The shape of the result for an input known in part.
    ///
    /// Of axes that come later only their number may be known. With `keepdims`
    /// the rank stays whatever they are, and an axis of size 1 keeps its size.
    pub(crate) fn infer(
        &self,
        shape: &PartialShape,
        keepdims: bool,
    ) -> Result<PartialShape, Error> {
        match self {
            CheckedAxes::Known(axes) => axes.infer(shape, keepdims),
            CheckedAxes::Runtime { noop, count: Some(0) } => {
                meant(&[], *noop).infer(shape, keepdims)
            }
            CheckedAxes::Runtime { count: Some(found), .. }
                if shape.rank().is_some_and(|rank| rank < *found) =>
            {
                let (what, expected) = ("the list of axes", shape.rank().unwrap_or(0));
                Err(ErrorKind::RankMismatch { what, expected, found: *found }.into())
            }
            CheckedAxes::Runtime { count, .. } => Ok(match (shape.dims(), keepdims, count) {
                (Some(dims), true, _) => PartialShape::new(dims.iter().map(|dim| match dim {
                    Dim::Known(1) => Dim::Known(1),
                    _ => Dim::Unknown,
                })),
                (Some(dims), false, Some(count)) => {
                    PartialShape::of_rank(dims.len().saturating_sub(*count))
                }
                _ => PartialShape::unknown(),
            }),
        }
    }
}

/// The axes that a list means: an empty one, every axis, or none where
/// `noop_with_empty_axes` is 1.
pub(crate) fn meant(listed: &[i64], noop: bool) -> Axes {
    match (listed.is_empty(), noop) {
        (true, false) => Axes::all(),
        (true, true) => Axes::none(),
        (false, _) => Axes::of(listed),
    }
}

/// The axes in a tensor of type `i64` and rank 1.
pub(crate) fn read_axes(tensor: &AnyView<'_>) -> Result<Dims<i64>, ErrorKind> {
    check_axes_type(tensor.dtype(), Some(tensor.shape().rank()))?;
    let (AnyView::I64(view), [size]) = (tensor, tensor.shape().dims()) else {
        return Ok(Dims::new());
    };
    // A list of one axis may be repeated more often than memory could hold it.
    if *size > MOST_AXES {
        return Err(ErrorKind::RankTooLarge { rank: *size, most: MOST_AXES });
    }
    let axis = [Axis { size: *size, stride: view.strides()[0] }];
    Ok(Places::new(&axis, view.offset()).map(|place| view.data()[place]).collect())
}

fn check_axes_type(found: DType, rank: Option<usize>) -> Result<(), ErrorKind> {
    if found != DType::I64 {
        return Err(ErrorKind::InputDType { input: AXES, expected: DType::I64, found });
    }
    match rank {
        Some(found) if found != 1 => Err(ErrorKind::InputRank { input: AXES, expected: 1, found }),
        _ => Ok(()),
    }
}

/// What the second input says, if it is there and well-formed.
pub(super) enum Listed {
    /// These axes.
    Known(Dims<i64>),
    /// This many, if that is known.
    Runtime(Option<usize>),
}

/// Reads the second input.
pub(super) fn check_axes_input(
    schema: &OpSchema,
    version: &VersionSchema,
    input: &AxesInput,
    problems: &mut Vec<Error>,
) -> Option<Listed> {
    if !version.axes_input && *input != AxesInput::Absent {
        let windows = windows_of(schema, |attr| attr.kind == AttrKind::Input);
        problems.push(ErrorKind::InputOfOtherVersion { input: AXES, windows }.into());
        return None;
    }
    let listed = match input {
        AxesInput::Absent => return None,
        AxesInput::Static(tensor) => read_axes(&tensor.view()).map(Listed::Known),
        AxesInput::Runtime { dtype, shape } => check_axes_type(*dtype, shape.rank()).map(|()| {
            Listed::Runtime(match shape.dims() {
                Some([Dim::Known(count)]) => Some(*count),
                _ => None,
            })
        }),
    };
    listed.map_err(|kind| problems.push(kind.into())).ok()
}

/// The axes a node means, held against the shape of its data as far as that is
/// known.
pub(super) fn check_axes(
    version: &VersionSchema,
    attrs: &Attrs,
    input: Option<Listed>,
    shape: &PartialShape,
    problems: &mut Vec<Error>,
) -> CheckedAxes {
    let noop = flag(version, attrs, NOOP_WITH_EMPTY_AXES);
    let axes = match (version.attr(AXIS), given(attrs, AXES), input) {
        (Some(axis), ..) => CheckedAxes::Known(one_axis(axis, given(attrs, AXIS))),
        (_, Some(AttrValue::Ints(listed)), _) => CheckedAxes::Known(meant(listed, noop)),
        (_, _, Some(Listed::Known(listed))) => CheckedAxes::Known(meant(&listed, noop)),
        (_, _, Some(Listed::Runtime(count))) => CheckedAxes::Runtime { noop, count },
        _ => CheckedAxes::Known(meant(&[], noop)),
    };
    match (&axes, shape.rank()) {
        (CheckedAxes::Known(known), Some(rank)) => {
            problems.extend(known.resolve_all(rank).err().into_iter().flatten());
        }
        (CheckedAxes::Known(known), None) => problems.extend(known.repeated()),
        _ => problems.extend(axes.infer(shape, true).err()),
    }
    axes
}

fn one_axis(attr: &AttrSchema, given: Option<&AttrValue>) -> Axes {
    match given {
        Some(AttrValue::Int(axis)) => Axes::from(*axis),
        _ => Axes::from(attr.default_int()),
    }
}
