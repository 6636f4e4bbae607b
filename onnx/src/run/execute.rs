//! Running a schedule: step by step, each value dropped after its last reader.

use reduce_core::nodes::{AxesInput, Call, Node};
use reduce_core::{AnyTensor, AnyView, DType, Level, Reduction};
use reduce_gallery::Dot;
use reduce_specs::ONNX;

use super::elementwise::{Binary, binary, broadcast_shape, cast, unary};
use super::operation::Operation;
use super::program::{FlatNode, Id, Program};
use super::schedule::{Joined, Operator, Schedule, Step};
use super::shaping::{
    Bounds, concat, gather, range, reshape, shape, size, slice, squeeze, unsqueeze,
};
use super::value::{Budget, Value};

/// Most entries of a list of axes or sizes that is an input.
const MOST_AXES: usize = 1 << 10;

/// The values there are.
struct Values<'a> {
    known: Vec<Option<Value<'a>>>,
    /// Whether the value is known from the model alone.
    is_constant: Vec<bool>,
    budget: Budget,
    level: Level,
}

/// What the program gives for these inputs, in the order of its outputs. Values are not copied: outputs may
/// be inputs, and the same any number of times.
///
/// # Errors
/// A sentence that names the node.
pub(super) fn run<'a>(
    program: &Program<'_>,
    schedule: &Schedule,
    inputs: Vec<Option<Value<'a>>>,
    level: Level,
) -> Result<Vec<Value<'a>>, String> {
    let mut values = Values::new(program, inputs, level);
    let mut is_output = vec![false; program.values];
    program.outputs.iter().for_each(|&(_, id)| is_output[id] = true);
    for (number, step) in schedule.steps.iter().enumerate() {
        let last = step.nodes.last().map(|&place| &program.nodes[place]);
        let Some(last) = last else { continue };
        let result = match &step.joined {
            None => values.node(last, step),
            Some(joined) => values.joined(&program.nodes[joined.core], *joined, step),
        };
        let result = result.map_err(|problem| format!("{}: {problem}", last.site))?;
        let is_read = is_output[step.output] || schedule.last_reader[step.output].is_some();
        values.known[step.output] = Some(result).filter(|_| is_read);
        for &id in step.inputs.iter().flatten() {
            if schedule.last_reader[id] == Some(number) && !is_output[id] {
                values.known[id] = None;
            }
        }
    }
    let output = |&(name, id): &(&str, Id)| {
        values.known[id].clone().ok_or_else(|| format!("nothing gives output `{name}`"))
    };
    program.outputs.iter().map(output).collect()
}

impl<'a> Values<'a> {
    fn new(program: &Program<'_>, inputs: Vec<Option<Value<'a>>>, level: Level) -> Self {
        let mut known: Vec<Option<Value<'a>>> = (0..program.values).map(|_| None).collect();
        let mut is_constant = vec![false; program.values];
        for (input, value) in program.inputs.iter().zip(inputs) {
            known[input.id] = value;
        }
        let given = known.iter().flatten().map(Value::bytes);
        let given = given.fold(program.constant_bytes, usize::saturating_add);
        for (id, value) in &program.constants {
            if known[*id].is_none() {
                known[*id] = Some(value.clone());
                is_constant[*id] = true;
            }
        }
        Values { known, is_constant, budget: Budget::new(given), level }
    }

    /// The value of an input of a step, if it is not left out.
    fn optional(&self, step: &Step, place: usize) -> Option<&Value<'a>> {
        step.inputs.get(place).copied().flatten().and_then(|id| self.known[id].as_ref())
    }

    fn input(&self, step: &Step, place: usize) -> Result<&Value<'a>, String> {
        self.optional(step, place).ok_or_else(|| format!("input {place} has no value"))
    }

    /// A list of axes or sizes.
    fn list(&self, step: &Step, place: usize) -> Result<Option<Vec<i64>>, String> {
        self.optional(step, place).map(|value| value.integers(MOST_AXES)).transpose()
    }

    fn needed_list(&self, step: &Step, place: usize) -> Result<Vec<i64>, String> {
        self.list(step, place)?.ok_or_else(|| format!("input {place} has no value"))
    }

    fn node(&self, node: &FlatNode<'_>, step: &Step) -> Result<Value<'a>, String> {
        let data = self.input(step, 0)?;
        let budget = &self.budget;
        match &node.operation {
            Operation::Reduce(entry, _) => {
                let request = self.request(node, &data.viewed()?, step, 1)?;
                self.reduced(entry.schema().name, &request, data, step)
            }
            Operation::Identity => Ok(data.clone()),
            Operation::Shape { start, end } => Ok(shape(data, *start, *end)?.into()),
            Operation::Size => Ok(size(data)?.into()),
            Operation::Gather { axis } => gather(data, self.input(step, 1)?, *axis, budget),
            Operation::Range => range(data, self.input(step, 1)?, self.input(step, 2)?, budget),
            Operation::Concat { axis } => {
                let parts = (0..step.inputs.len()).map(|place| self.input(step, place));
                concat(&parts.collect::<Result<Vec<_>, _>>()?, *axis, budget)
            }
            Operation::Unsqueeze(Some(axes)) => unsqueeze(data, axes, budget),
            Operation::Unsqueeze(None) => unsqueeze(data, &self.needed_list(step, 1)?, budget),
            Operation::Squeeze(Some(axes)) => squeeze(data, Some(axes), budget),
            Operation::Squeeze(None) => squeeze(data, self.list(step, 1)?.as_deref(), budget),
            Operation::Reshape(Some(sizes), zero) => reshape(data, sizes, *zero, budget),
            Operation::Reshape(None, zero) => {
                reshape(data, &self.needed_list(step, 1)?, *zero, budget)
            }
            Operation::Slice(Some(bounds)) => slice(data, bounds, budget),
            Operation::Slice(None) => slice(data, &self.bounds(step)?, budget),
            _ => self.arithmetic(node, data, step),
        }
    }

    /// The bounds of a slice that are inputs.
    fn bounds(&self, step: &Step) -> Result<Bounds, String> {
        Ok(Bounds {
            starts: self.integers(step, 1)?.unwrap_or_default(),
            ends: self.integers(step, 2)?.unwrap_or_default(),
            axes: self.integers(step, 3)?,
            steps: self.integers(step, 4)?,
        })
    }

    /// Does what [`Values::list`] does, and takes integers of 32 bits too.
    fn integers(&self, step: &Step, place: usize) -> Result<Option<Vec<i64>>, String> {
        let Some(value) = self.optional(step, place) else { return Ok(None) };
        match value.dtype() {
            DType::I32 if value.shape().count() <= MOST_AXES => {
                let wide = cast(&value.viewed()?, DType::I64)?;
                Value::from(wide).integers(MOST_AXES).map(Some)
            }
            _ => value.integers(MOST_AXES).map(Some),
        }
    }

    /// What is made element by element.
    fn arithmetic(
        &self,
        node: &FlatNode<'_>,
        data: &Value<'a>,
        step: &Step,
    ) -> Result<Value<'a>, String> {
        let view = data.viewed()?;
        match node.operation {
            Operation::Cast(_) | Operation::CastLike => {
                let to = step.dtype.ok_or("is to a type that is not known")?;
                if to == data.dtype() {
                    return Ok(data.clone());
                }
                let lease = self.budget.lease(to, data.shape())?;
                Ok(Value::computed(cast(&view, to)?, lease))
            }
            Operation::Unary(op) => {
                let lease = self.budget.lease(data.dtype(), data.shape())?;
                Ok(Value::computed(unary(op, &view)?, lease))
            }
            Operation::Binary(op) => {
                let other = self.input(step, 1)?;
                if node.opset < 7 && data.shape() != other.shape() {
                    return Err("takes shapes that are equal, before opset 7".to_owned());
                }
                self.binary(op, data, other)
            }
            Operation::Fold(op) => {
                let mut result = data.clone();
                for place in 1..step.inputs.len() {
                    result = self.binary(op, &result, self.input(step, place)?)?;
                }
                Ok(result)
            }
            _ => Err("is not run".to_owned()),
        }
    }

    fn binary(&self, op: Binary, a: &Value<'a>, b: &Value<'a>) -> Result<Value<'a>, String> {
        let shape = broadcast_shape(a.shape(), b.shape())?;
        let lease = self.budget.lease(a.dtype(), &shape)?;
        Ok(Value::computed(binary(op, &a.viewed()?, &b.viewed()?)?, lease))
    }

    /// A reduction as `reduce-core` validates it: with its axes as a constant only if they are one. Of
    /// anything else an engine would know type and shape before the model runs, and the values only then.
    fn request(
        &self,
        node: &FlatNode<'_>,
        data: &AnyView<'_>,
        step: &Step,
        axes: usize,
    ) -> Result<Node, String> {
        let Operation::Reduce(_, attrs) = &node.operation else {
            return Err("is no reduction".to_owned());
        };
        let mut request = Node::new(node.opset, data.dtype()).shape(data.shape());
        request.attrs.clone_from(attrs);
        let id = step.inputs.get(axes).copied().flatten();
        if let Some((id, value)) = id.zip(self.optional(step, axes)) {
            request.axes = match self.is_constant[id] {
                true => AxesInput::Static(value.whole()?.into_owned()),
                false => AxesInput::Runtime { dtype: value.dtype(), shape: value.shape().into() },
            };
        }
        Ok(request)
    }

    /// The reduction of one input, whose axes, if they are an input, are the second.
    fn reduced(
        &self,
        name: &str,
        request: &Node,
        data: &Value<'a>,
        step: &Step,
    ) -> Result<Value<'a>, String> {
        let call = self.prepare(name, request)?;
        let view = data.viewed()?;
        let result = match self.optional(step, 1) {
            Some(axes) if call.needs_axes() => call.run_with_axes(&view, &axes.viewed()?),
            _ => call.run(&view),
        };
        self.kept(result.map_err(|error| error.to_string())?)
    }

    fn prepare(&self, name: &str, request: &Node) -> Result<Call, String> {
        let call = ONNX.prepare(name, request).map_err(|problems| problems.to_string())?;
        Ok(call.level(self.level))
    }

    fn kept(&self, tensor: AnyTensor) -> Result<Value<'a>, String> {
        let lease = self.budget.lease(tensor.dtype(), tensor.shape())?;
        Ok(Value::computed(tensor, lease))
    }

    /// A reduction in the place of several nodes, with the axes and flags of one of them.
    fn joined(
        &self,
        core: &FlatNode<'_>,
        joined: Joined,
        step: &Step,
    ) -> Result<Value<'a>, String> {
        let Operation::Reduce(entry, _) = &core.operation else {
            return Err("is no reduction".to_owned());
        };
        let data = self.input(step, 0)?;
        let at_newest = |request: &Node| {
            let request = entry.convert(request, ONNX.newest());
            request.map_err(|problems| problems.to_string())
        };
        match joined.operator {
            Operator::Standard(operator) => {
                let request = self.request(core, &data.viewed()?, step, 1)?;
                self.reduced(operator.schema().name, &at_newest(&request)?, data, step)
            }
            Operator::Dot => {
                let other = self.input(step, 1)?;
                self.dot(core, data, other, step)
            }
        }
    }

    /// The dot product along the axes of a sum.
    fn dot(
        &self,
        core: &FlatNode<'_>,
        a: &Value<'a>,
        b: &Value<'a>,
        step: &Step,
    ) -> Result<Value<'a>, String> {
        let views = [a.viewed()?, b.viewed()?];
        let shape = broadcast_shape(a.shape(), b.shape())?;
        let mut request = self.request(core, &views[0], step, 2)?;
        request.shape = (&shape).into();
        if let Some(axes) = self.optional(step, 2) {
            request.axes = AxesInput::Static(axes.whole()?.into_owned());
        }
        let call = self.prepare("ReduceSum", &request)?;
        let output = call.output_shape(&shape).map_err(|error| error.to_string())?;
        let axes = call.axes(shape.rank()).map_err(|error| error.to_string())?;
        let is_reduced = |(_, axis): &(i64, usize)| axes.contains(*axis);
        let axes: Vec<i64> =
            (0..).zip(0..shape.rank()).filter(is_reduced).map(|(axis, _)| axis).collect();
        let lease = self.budget.lease(a.dtype(), &output)?;
        let keepdims = output.rank() == shape.rank();
        let reduction = Reduction::new(Dot).axes(axes).keepdims(keepdims).level(self.level);
        let results = reduction.run_all(&views).map_err(|error| error.to_string())?;
        let result = results.into_iter().next().ok_or("gives nothing")?;
        Ok(Value::computed(result, lease))
    }
}
