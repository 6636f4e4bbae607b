//! A model as it runs: its graph as one list of nodes, with functions put in where they are called.

use std::fmt;
use std::sync::Arc;

use super::inputs::Input;
use super::operation::Operation;
use super::value::Value;
use crate::error::{Error, ErrorKind};
use crate::file::proto::NodeProto;
use crate::words::listed;

/// The number of a value.
pub(super) type Id = usize;

/// A model as it runs.
///
/// It is made once, and run any number of times, by several threads if they like.
///
/// ```
/// use reduce_core::View;
/// use reduce_onnx::{Model, Program};
///
/// let model = Model::open("data/rms.onnx")?;
/// let program = Program::new(&model)?;
/// let x = View::new(&[3.0f32, 4.0, 6.0, 8.0], &[2, 2])?;
/// let results = program.run([("x", x.into())])?;
/// let y = results[0].tensor()?.into_owned().downcast::<f32>().expect("floats");
/// assert_eq!(y.data(), [12.5f32.sqrt(), 50f32.sqrt()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Program<'m> {
    /// In an order in which each reads what is there already.
    pub(super) nodes: Vec<FlatNode<'m>>,
    /// What is given.
    pub(super) inputs: Vec<Input<'m>>,
    /// What the model holds.
    pub(super) constants: Vec<(Id, Value<'static>)>,
    /// The names of the results, and what they are.
    pub(super) outputs: Vec<(&'m str, Id)>,
    /// How many values there are.
    pub(super) values: usize,
    /// Bytes of all constants. Those that several calls of a function have in common count once.
    pub(super) constant_bytes: usize,
}

impl<'m> Program<'m> {
    /// The inputs, in the order of the graph.
    pub fn inputs(&self) -> &[Input<'m>] {
        &self.inputs
    }

    /// The place of an input among all.
    ///
    /// # Errors
    /// If there is none of this name ([`ErrorKind::Inputs`]).
    pub fn input(&self, name: &str) -> Result<usize, Error> {
        let place = self.inputs.iter().position(|input| input.name() == name);
        place.ok_or_else(|| {
            let names = listed(self.inputs.iter().map(Input::name));
            let sentence = format!("the model has no input `{name}`; its inputs are: {names}");
            Error::new(ErrorKind::Inputs, sentence)
        })
    }

    /// The names of the outputs, in the order of the graph.
    pub fn output_names(&self) -> impl ExactSizeIterator<Item = &'m str> + '_ {
        self.outputs.iter().map(|(name, _)| *name)
    }
}

/// A node of the graph, or of a function that is called.
#[derive(Debug)]
pub(super) struct FlatNode<'m> {
    pub(super) site: Position<'m>,
    pub(super) operation: Operation,
    pub(super) opset: u32,
    /// What it reads; nothing for an input that is left out.
    pub(super) inputs: Vec<Option<Id>>,
    pub(super) output: Id,
}

/// Where a node stands: in the graph, or in a function that another node calls.
#[derive(Clone, Debug)]
pub(super) struct Position<'m> {
    pub(super) index: usize,
    pub(super) proto: &'m NodeProto,
    pub(super) caller: Option<Arc<Position<'m>>>,
}

impl fmt::Display for Position<'_> {
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
    if crate::file::is_standard(domain) { op.clone() } else { format!("{domain}.{op}") }
}
