//! Operators that a request was held against, ready to run.

use reduce_core::dtypes::with_any;
use reduce_core::nodes::{AttrValue, Call, Node};
use reduce_core::planning::AxisSet;
use reduce_core::{AnyTensor, AnyView, DType, Level, Progress, Shape, Tensor, View};
use reduce_gallery::by_name::{Family, Member};

use super::Operator;
use crate::call;
use crate::engine::{Engine, Ready};
use crate::error::Error;

/// What is asked of an operator.
#[derive(Clone, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) opset: u32,
    pub(crate) axes: Option<&'a [i64]>,
    pub(crate) attrs: Vec<(String, AttrValue)>,
    pub(crate) skip_nan: bool,
    pub(crate) level: Level,
}

/// An operator, its parameters and axes.
#[derive(Debug)]
pub(crate) struct Prepared {
    operator: Operator,
    call: Call,
    /// The length that results are cut to, along their last axis.
    length: Option<usize>,
}

impl Operator {
    /// The operator with what a request asks for, over inputs of these types.
    ///
    /// # Errors
    /// The error says what is wrong with the request. That may be several things.
    pub(crate) fn prepare(
        self,
        request: &Request<'_>,
        inputs: &[DType],
    ) -> Result<Prepared, Error> {
        self.check_inputs(inputs.len())?;
        let dtype = inputs[0];
        let mut attrs = request.attrs.clone();
        let (entry, length) = match self {
            Operator::Onnx(entry) => (entry, None),
            Operator::Gallery(family) => {
                let (member, length) = choose(family, &mut attrs)?;
                (&member.entry, length)
            }
        };
        let version = entry.schema().at(request.opset)?;
        let node = Node::new(request.opset, dtype);
        let mut node = call::with_axes(node, &version, request.axes)?;
        node.attrs.extend(attrs.iter().cloned());
        let call = entry.prepare(&node)?.level(request.level).skip_nan(request.skip_nan);
        Ok(Prepared { operator: self, call, length })
    }
}

/// The member of a family that a request asks for, and the length to cut to. What says so is taken from the
/// attributes.
fn choose(
    family: &'static Family,
    attrs: &mut Vec<(String, AttrValue)>,
) -> Result<(&'static Member, Option<usize>), Error> {
    let Some(parameter) = family.length else { return Ok((&family.members[0], None)) };
    let place = attrs.iter().position(|(name, _)| name == parameter);
    let (name, wanted) = (family.name(), family.words());
    let about = |problem: String| Error::new(format!("operator `{name}`: {problem}"));
    let Some(place) = place else {
        return Err(about(format!("say how many results, with --attr {parameter}=N, N {wanted}")));
    };
    let given = attrs.remove(place).1;
    let member = match given {
        AttrValue::Int(length) => usize::try_from(length)
            .ok()
            .and_then(|length| family.member(length).map(|member| (member, Some(length)))),
        _ => None,
    };
    member.ok_or_else(|| {
        about(format!(
            "attribute `{parameter}` is {}; expected an integer, {wanted}",
            shown(&given)
        ))
    })
}

/// The value of an attribute, in words if it is no number.
fn shown(value: &AttrValue) -> String {
    match value {
        AttrValue::Int(int) => int.to_string(),
        AttrValue::Float(float) => format!("{float:?}"),
        AttrValue::Ints(_) => "a list".to_owned(),
        AttrValue::Other(words) => (*words).to_owned(),
    }
}

impl Prepared {
    /// The operator's name.
    pub(crate) fn name(&self) -> &'static str {
        self.operator.schema().name
    }

    /// The axes that are reduced, for data of this rank.
    pub(crate) fn axes(&self, rank: usize) -> Result<AxisSet, Error> {
        Ok(self.call.axes(rank)?)
    }

    /// The shape of each result for data of this shape, with the axis of arrays cut.
    pub(crate) fn output_shape(&self, shape: &Shape) -> Result<Shape, Error> {
        if self.operator.emits() {
            return Ok(shape.clone());
        }
        let output = self.call.output_shape(shape)?;
        match (self.length, output.split_last()) {
            (Some(length), Some((_, outer))) => {
                let sizes: Vec<usize> = outer.iter().copied().chain([length]).collect();
                Ok(Shape::new(&sizes)?)
            }
            _ => Ok(output),
        }
    }

    /// Whether results have one more axis than the shape says, along which their arrays lie.
    pub(crate) fn has_arrays(&self) -> bool {
        self.operator.has_arrays()
    }

    /// All results over some views. A mask, which is broadcast, says which elements count.
    pub(crate) fn run(
        &self,
        inputs: &[AnyView<'_>],
        mask: Option<&View<'_, bool>>,
        progress: Option<&Progress>,
    ) -> Result<Vec<AnyTensor>, Error> {
        if self.operator.emits() {
            return match mask {
                None => Ok(vec![self.call.emit(inputs)?]),
                Some(_) => Err(self.about("emits over all elements; leave out --where")),
            };
        }
        let results = match progress {
            Some(progress) => self.call.clone().progress(progress).run_all(inputs, mask),
            None => self.call.run_all(inputs, mask),
        }?;
        self.cut(results)
    }

    /// What runs it on a device, over inputs of these types; its results are not cut.
    pub(crate) fn on<'e>(
        &self,
        engine: &'e dyn Engine,
        inputs: &[DType],
    ) -> Result<Box<dyn Ready + 'e>, Error> {
        if self.operator.emits() {
            return Err(self.about("emits, which no device does for a command; leave out --gpu"));
        }
        engine.prepare(&self.call, inputs).map_err(Error::new)
    }

    /// All results over some views, computed on a device.
    pub(crate) fn run_on(
        &self,
        engine: &dyn Engine,
        inputs: &[AnyView<'_>],
    ) -> Result<Vec<AnyTensor>, Error> {
        let dtypes: Vec<DType> = inputs.iter().map(AnyView::dtype).collect();
        self.cut(self.on(engine, &dtypes)?.run(inputs).map_err(Error::new)?)
    }

    /// A problem of the operator.
    fn about(&self, problem: &str) -> Error {
        Error::new(format!("operator `{}` {problem}", self.name()))
    }

    /// The results, not longer than was asked for.
    fn cut(&self, results: Vec<AnyTensor>) -> Result<Vec<AnyTensor>, Error> {
        let cut = |result| match self.length {
            Some(length) => shortened(result, length),
            None => Ok(result),
        };
        results.into_iter().map(cut).collect()
    }
}

/// Cuts a tensor to at most `length` elements along its last axis.
fn shortened(tensor: AnyTensor, length: usize) -> Result<AnyTensor, Error> {
    let Some((&all, outer)) = tensor.shape().split_last() else { return Ok(tensor) };
    if all <= length {
        return Ok(tensor);
    }
    let sizes: Vec<usize> = outer.iter().copied().chain([length]).collect();
    with_any!(AnyTensor, &tensor, t => {
        let kept = t.data().chunks(all).flat_map(|array| &array[..length]);
        Ok(Tensor::new(kept.copied().collect(), &sizes)?.into())
    })
}
