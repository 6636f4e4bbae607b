//! The model, as the engine keeps it: nodes with what they do, and constants. All that is wrong with a reduction is
//! found here, before there are data.

use std::collections::HashMap;

use reduce_core::nodes::Call;
use reduce_core::{AnyTensor, DType};
use reduce_onnx::Model;
use reduce_onnx::proto::tensor_shape_proto::Dimension;
use reduce_onnx::proto::tensor_shape_proto::dimension::Value;
use reduce_onnx::proto::{GraphProto, NodeProto, ValueInfoProto};
use reduce_programs::Failure;
use reduce_specs::ONNX;

/// What a node does to floats.
pub(crate) enum Action {
    /// An operator of the registry.
    Reduce(Box<Call>),
    MatMul,
    Each(fn(f32) -> f32),
    Pairs(fn(f32, f32) -> f32),
    /// The new sizes. One of them may be -1, for all that is left, and 0 stands for the old size.
    Reshape(Vec<i64>),
    /// The old axis of each new one.
    Transpose(Vec<usize>),
}

/// Values are known by their numbers.
pub(crate) struct Node {
    pub(crate) action: Action,
    /// The inputs that are tensors of floats.
    pub(crate) inputs: Vec<usize>,
    pub(crate) output: usize,
}

/// A constant, in row-major order.
pub(crate) struct Constant {
    pub(crate) value: usize,
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Vec<f32>,
}

/// A model of one input `[tokens, width]` and one output of the same shape.
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) values: usize,
    pub(crate) input: usize,
    pub(crate) output: usize,
    pub(crate) width: usize,
}

impl Graph {
    /// Reads a model from a file.
    pub(crate) fn open(path: &str) -> Result<Graph, Failure> {
        // Its errors name the file.
        let model = Model::open(path)?;
        Graph::of(&model).map_err(|error| error.at(path))
    }

    fn of(model: &Model) -> Result<Graph, Failure> {
        let opset = model.opset().ok_or("no opset is imported")?;
        let graph = model.proto().graph.as_ref().ok_or("there is no graph")?;
        let [input] = &graph.input[..] else { return Err("a block has one input".into()) };
        let [output] = &graph.output[..] else { return Err("a block has one output".into()) };
        let mut reader = Reader { model, opset, numbers: HashMap::new(), lists: HashMap::new() };
        let (number, width) = (reader.number(&input.name), width(input)?);
        let constants = reader.constants(graph)?;
        let nodes = graph.node.iter().map(|node| reader.node(node)).collect::<Result<_, _>>()?;
        let output = *reader.numbers.get(output.name.as_str()).ok_or("nothing gives the output")?;
        Ok(Graph { nodes, constants, values: reader.numbers.len(), input: number, output, width })
    }
}

/// What was read so far.
struct Reader<'m> {
    model: &'m Model,
    opset: u32,
    numbers: HashMap<&'m str, usize>,
    /// Constants of integers, which are axes and shapes.
    lists: HashMap<&'m str, Vec<i64>>,
}

impl<'m> Reader<'m> {
    fn number(&mut self, name: &'m str) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(name).or_insert(next)
    }

    /// The constants of floats. Those of integers are kept for the nodes that read them.
    fn constants(&mut self, graph: &'m GraphProto) -> Result<Vec<Constant>, Failure> {
        let mut constants = Vec::new();
        for proto in &graph.initializer {
            let tensor = self.model.tensor(proto);
            match tensor.map_err(|error| Failure::from(error).at(&proto.name))? {
                AnyTensor::F32(tensor) => {
                    let (value, shape) = (self.number(&proto.name), tensor.shape().to_vec());
                    constants.push(Constant { value, shape, data: tensor.into_data() });
                }
                AnyTensor::I64(tensor) => {
                    self.lists.insert(&proto.name, tensor.into_data());
                }
                other => return Err(format!("`{}` is of {}", proto.name, other.dtype()).into()),
            }
        }
        Ok(constants)
    }

    fn node(&mut self, node: &'m NodeProto) -> Result<Node, Failure> {
        let action = self.action(node)?;
        let inputs = if matches!(action, Action::MatMul | Action::Pairs(_)) { 2 } else { 1 };
        let given = node.input.get(..inputs).ok_or("an input is missing");
        let given = given.map_err(|error| Failure::from(error).at(&node.op_type))?;
        let mut number = |name: &'m String| match self.numbers.get(name.as_str()) {
            Some(&number) => Ok(number),
            None => Err(Failure::from(format!("{}: nothing gives `{name}`", node.op_type))),
        };
        let inputs = given.iter().map(&mut number).collect::<Result<_, _>>()?;
        let [output] = &node.output[..] else { return Err("a node has one output".into()) };
        Ok(Node { action, inputs, output: self.number(output) })
    }

    fn action(&self, node: &NodeProto) -> Result<Action, Failure> {
        if !["", "ai.onnx"].contains(&node.domain.as_str()) {
            let (name, domain) = (&node.op_type, &node.domain);
            return Err(format!("`{name}` is of the domain `{domain}`, and not of ONNX").into());
        }
        Ok(match node.op_type.as_str() {
            "MatMul" => Action::MatMul,
            "Add" => Action::Pairs(|a, b| a + b),
            "Sub" => Action::Pairs(|a, b| a - b),
            "Mul" => Action::Pairs(|a, b| a * b),
            "Div" => Action::Pairs(|a, b| a / b),
            "Sqrt" => Action::Each(f32::sqrt),
            "Exp" => Action::Each(f32::exp),
            // NaN stays NaN.
            "Relu" => Action::Each(|x| if x < 0.0 { 0.0 } else { x }),
            "Reshape" => Action::Reshape(self.list(node)?.clone()),
            "Transpose" => Action::Transpose(permutation(node)?),
            name => Action::Reduce(Box::new(self.reduction(name, node)?)),
        })
    }

    /// A node of any other operator is the registry's. It also says if an operator is unknown.
    fn reduction(&self, name: &str, node: &NodeProto) -> Result<Call, Failure> {
        let mut reduction = reduce_onnx::node(node, self.opset, DType::F32);
        // An input with an empty name is absent.
        if node.input.get(1).is_some_and(|name| !name.is_empty()) {
            reduction = reduction.axes(self.list(node)?.clone());
        }
        let call = ONNX.prepare(name, &reduction)?;
        match call.output_dtype() {
            DType::F32 => Ok(call),
            other => Err(format!("{name} gives {other}; this engine has f32 alone").into()),
        }
    }

    /// The second input of a node, which is a constant list of integers.
    fn list(&self, node: &NodeProto) -> Result<&Vec<i64>, Failure> {
        let list = node.input.get(1).and_then(|name| self.lists.get(name.as_str()));
        list.ok_or_else(|| format!("{}: the second input is no constant", node.op_type).into())
    }
}

/// The second size of a matrix; the first is not asked for.
fn width(input: &ValueInfoProto) -> Result<usize, Failure> {
    let tensor = input.r#type.as_ref().and_then(|r#type| r#type.tensor_type.as_ref());
    let shape = tensor.and_then(|tensor| tensor.shape.as_ref());
    let width = match shape.map(|shape| &shape.dim[..]) {
        Some([_, Dimension { value: Some(Value::DimValue(width)) }]) => {
            usize::try_from(*width).ok()
        }
        _ => None,
    };
    width.ok_or_else(|| format!("`{}` is no matrix of known width", input.name).into())
}

/// The attribute `perm` of a node.
fn permutation(node: &NodeProto) -> Result<Vec<usize>, Failure> {
    let perm = node.attribute.iter().find(|attr| attr.name == "perm");
    let perm = perm.ok_or("Transpose has no `perm`; this engine asks for it")?;
    Ok(perm.ints.iter().map(|&axis| usize::try_from(axis)).collect::<Result<_, _>>()?)
}
