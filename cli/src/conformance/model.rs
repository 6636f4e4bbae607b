//! A model that is nothing but reductions, and constants: its nodes, run in the graph's order.

use std::collections::HashMap;

use reduce_core::{AnyTensor, AxesInput, Level, Node};
use reduce_specs::ONNX;

use crate::onnx;
use crate::onnx::proto::{GraphProto, ModelProto, NodeProto};

/// A graph with its constants read.
pub(super) struct Model<'a> {
    opset: u32,
    graph: &'a GraphProto,
    constants: HashMap<&'a str, Value>,
}

/// The tensors known so far, by name; what was computed hides constants of its name.
pub(super) struct Values<'m> {
    constants: &'m HashMap<&'m str, Value>,
    computed: HashMap<&'m str, Value>,
}

impl<'m> Values<'m> {
    fn get(&self, name: &str) -> Option<&Value> {
        self.computed.get(name).or_else(|| self.constants.get(name))
    }

    fn add(&mut self, name: &'m str, tensor: AnyTensor) {
        self.computed.insert(name, Value { tensor, is_constant: false });
    }
}

struct Value {
    tensor: AnyTensor,
    /// Known from the model alone.
    is_constant: bool,
}

/// Operators that are named, of those that are not in this build.
const NAMED: usize = 20;

/// Why the graph is none of this program's business, if it is not.
pub(super) fn reason_to_skip(graph: &GraphProto) -> Option<String> {
    let is_known = |node: &&NodeProto| {
        is_constant(node) || is_standard(&node.domain) && ONNX.op(&node.op_type).is_ok()
    };
    let mut others: Vec<String> =
        graph.node.iter().filter(|node| !is_known(node)).map(full_name).collect();
    others.sort_unstable();
    others.dedup();
    match (graph.node.len(), others.as_slice()) {
        (1.., []) if graph.node.iter().all(is_constant) => {
            Some("the graph has no reductions".to_owned())
        }
        (_, []) => None,
        (1, [op]) => Some(format!("operator {op} is not in this build")),
        (_, others) => {
            let (named, more) = others.split_at(others.len().min(NAMED));
            let more = match more.len() {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            let named = named.join(", ");
            Some(format!("the graph has nodes that are no reductions: {named}{more}"))
        }
    }
}

fn is_standard(domain: &str) -> bool {
    domain.is_empty() || domain == "ai.onnx"
}

/// Whether a node gives a tensor that the model holds.
fn is_constant(node: &NodeProto) -> bool {
    is_standard(&node.domain) && node.op_type == "Constant"
}

fn full_name(node: &NodeProto) -> String {
    let (domain, op) = (&node.domain, &node.op_type);
    if is_standard(domain) { op.clone() } else { format!("{domain}.{op}") }
}

impl<'a> Model<'a> {
    pub(super) fn new(model: &ModelProto, graph: &'a GraphProto) -> Result<Self, String> {
        if graph.node.is_empty() {
            return Err("model.onnx has no nodes".to_owned());
        }
        let import = model.opset_import.iter().find(|import| is_standard(&import.domain));
        let version = import.ok_or("model.onnx imports no opset of the standard domain")?.version;
        let opset =
            u32::try_from(version).map_err(|_| format!("opset {version} does not exist"))?;
        let mut constants = HashMap::new();
        for proto in &graph.initializer {
            let tensor = onnx::tensor(proto)
                .map_err(|problem| format!("initializer `{}` {problem}", proto.name))?;
            constants.insert(proto.name.as_str(), Value { tensor, is_constant: true });
        }
        for node in graph.node.iter().filter(|node| is_constant(node)) {
            let [output] = node.output.as_slice() else {
                return Err(format!("Constant has {} outputs, not 1", node.output.len()));
            };
            constants.insert(output, Value { tensor: onnx::constant(node)?, is_constant: true });
        }
        Ok(Model { opset, graph, constants })
    }

    /// All that the graph computes of these inputs.
    pub(super) fn run(&self, inputs: Vec<AnyTensor>, level: Level) -> Result<Values<'_>, String> {
        let mut values = Values { constants: &self.constants, computed: HashMap::new() };
        for (name, tensor) in self.input_names(inputs.len())?.into_iter().zip(inputs) {
            values.add(name, tensor);
        }
        for (index, node) in self.graph.node.iter().enumerate() {
            if is_constant(node) {
                continue;
            }
            let result = self.run_node(node, &values, level).map_err(|problem| {
                let count = self.graph.node.len();
                if count == 1 { problem } else { format!("node {index} of {count}: {problem}") }
            })?;
            let [output] = node.output.as_slice() else {
                return Err(format!("{} has {} outputs, not 1", node.op_type, node.output.len()));
            };
            values.add(output, result);
        }
        Ok(values)
    }

    /// The graph's outputs among what it computed. Not copied: a graph may name one any number of times.
    pub(super) fn outputs<'v>(&self, values: &'v Values<'_>) -> Result<Vec<&'v AnyTensor>, String> {
        let output = |name: &str| {
            let value = values.get(name).ok_or_else(|| format!("no node gives output `{name}`"))?;
            Ok(&value.tensor)
        };
        self.graph.output.iter().map(|info| output(&info.name)).collect()
    }

    /// The graph's inputs that so many tensors are for. An input with a constant
    /// of its own name need not be given, so files of tests may leave it out.
    fn input_names(&self, given: usize) -> Result<Vec<&'a str>, String> {
        let all: Vec<&str> = self.graph.input.iter().map(|info| info.name.as_str()).collect();
        let needed: Vec<&str> =
            all.iter().filter(|name| !self.constants.contains_key(*name)).copied().collect();
        let count = all.len();
        [all, needed]
            .into_iter()
            .find(|names| names.len() == given)
            .ok_or_else(|| format!("the model has {count} inputs, the test has {given}"))
    }

    fn run_node(
        &self,
        node: &NodeProto,
        values: &Values<'_>,
        level: Level,
    ) -> Result<AnyTensor, String> {
        let value = |name: &str| {
            values
                .get(name)
                .ok_or_else(|| format!("{} reads `{name}`, which has no value", node.op_type))
        };
        let (data, axes) = match node.input.as_slice() {
            [data] => (value(data)?, None),
            [data, axes] if axes.is_empty() => (value(data)?, None),
            [data, axes] => (value(data)?, Some(value(axes)?)),
            inputs => {
                return Err(format!("{} has {} inputs, not 1 or 2", node.op_type, inputs.len()));
            }
        };
        let data = data.tensor.view();
        let request = Node {
            opset: self.opset,
            dtype: data.dtype(),
            shape: data.shape().into(),
            attrs: node.attribute.iter().map(onnx::attribute).collect(),
            axes: axes.map_or(AxesInput::Absent, axes_input),
        };
        let call =
            ONNX.prepare(&node.op_type, &request).map_err(|problems| problems.to_string())?;
        let call = call.level(level);
        let result = match axes {
            Some(axes) if call.needs_axes() => call.run_with_axes(&data, &axes.tensor.view()),
            _ => call.run(&data),
        };
        result.map_err(|error| error.to_string())
    }
}

/// A constant is static. Of anything else an engine would know type and shape
/// before the model runs, and the values only then.
fn axes_input(value: &Value) -> AxesInput {
    if value.is_constant {
        return AxesInput::Static(value.tensor.clone());
    }
    AxesInput::Runtime { dtype: value.tensor.dtype(), shape: value.tensor.shape().into() }
}

#[cfg(test)]
mod tests;
