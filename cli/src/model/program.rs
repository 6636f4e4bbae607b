//! A model as it runs: its graph as one list of nodes, with functions put in where they are called.

use std::fmt;
use std::rc::Rc;

use super::operation::Operation;
use super::value::Value;
use crate::onnx::proto::{NodeProto, ValueInfoProto};

/// The number of a value.
pub(crate) type Id = usize;

/// A model as it runs.
#[derive(Debug, Default)]
pub(crate) struct Program<'m> {
    /// In an order in which each reads what is there already.
    pub(super) nodes: Vec<FlatNode<'m>>,
    /// What is given.
    pub(super) inputs: Vec<Input<'m>>,
    /// What the model holds.
    pub(super) constants: Vec<(Id, Value)>,
    /// The names of the results, and what they are.
    pub(super) outputs: Vec<(&'m str, Id)>,
    /// How many values there are.
    pub(super) values: usize,
    /// Bytes of all constants. Those that several calls of a function have in common count once.
    pub(super) constant_bytes: usize,
}

impl<'m> Program<'m> {
    /// The inputs, in the order of the graph.
    pub(crate) fn inputs(&self) -> &[Input<'m>] {
        &self.inputs
    }

    /// The names of the outputs, in the order of the graph.
    pub(crate) fn output_names(&self) -> impl Iterator<Item = &'m str> + '_ {
        self.outputs.iter().map(|(name, _)| *name)
    }
}

/// A value that is given before the model runs.
#[derive(Debug)]
pub(crate) struct Input<'m> {
    /// The graph's declaration of it, with its name.
    pub(crate) declared: &'m ValueInfoProto,
    pub(super) id: Id,
    /// Whether a constant stands in for it if it is not given.
    pub(crate) has_default: bool,
}

/// A node of the graph, or of a function that is called.
#[derive(Debug)]
pub(super) struct FlatNode<'m> {
    pub(super) site: Site<'m>,
    pub(super) operation: Operation,
    pub(super) opset: u32,
    /// What it reads; nothing for an input that is left out.
    pub(super) inputs: Vec<Option<Id>>,
    pub(super) output: Id,
}

/// Where a node stands: in the graph, or in a function that another node calls.
#[derive(Clone, Debug)]
pub(super) struct Site<'m> {
    pub(super) index: usize,
    pub(super) proto: &'m NodeProto,
    pub(super) caller: Option<Rc<Site<'m>>>,
}

impl fmt::Display for Site<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(caller) = &self.caller {
            write!(f, "{caller}, ")?;
        }
        let (index, name) = (self.index, &self.proto.name);
        let op = full_name(self.proto);
        match name.as_str() {
            "" => write!(f, "node {index} ({op})"),
            name => write!(f, "node {index} `{name}` ({op})"),
        }
    }
}

/// The operator of a node, with its domain if that is not the standard's.
pub(super) fn full_name(node: &NodeProto) -> String {
    let (domain, op) = (&node.domain, &node.op_type);
    if crate::onnx::is_standard(domain) { op.clone() } else { format!("{domain}.{op}") }
}
