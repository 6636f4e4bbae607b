//! Scopes: a graph or a function, with the names that its nodes may read.

use std::collections::HashMap;

use crate::file::proto::{FunctionProto, GraphProto, NodeProto, TensorProto, ValueInfoProto};
use crate::words::{plain, quoted};

/// The graph of an attribute: its only one, or one of several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Branch {
    pub(crate) attr: usize,
    pub(crate) number: Option<usize>,
}

/// Where a graph is within a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) scope: usize,
    pub(crate) index: usize,
    pub(crate) branch: Branch,
}

/// Who gives a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'m> {
    /// Whoever runs the model, calls the function or runs the node that the graph is in. An initializer
    /// of the same name is but a default.
    Caller,
    /// The model.
    Initializer(&'m TensorProto),
    /// The model, most elements being zero.
    Sparse,
    /// The node of this place in the scope.
    Node(usize),
}

/// What was found of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'m> {
    /// The scope that it belongs to.
    pub(crate) scope: usize,
    pub(crate) source: Source<'m>,
    /// What the model says of its type.
    pub(crate) info: Option<&'m ValueInfoProto>,
}

/// A graph or a function.
#[derive(Debug)]
pub(crate) struct Scope<'m> {
    /// What it is, in words.
    pub(crate) words: String,
    pub(crate) nodes: &'m [NodeProto],
    /// The graph, where it is not a function.
    pub(crate) graph: Option<&'m GraphProto>,
    /// The function that it is or is in.
    pub(crate) function: Option<usize>,
    /// The node that it is in, if it is neither a function nor the main graph.
    pub(crate) at: Option<At>,
    pub(crate) given: HashMap<&'m str, Source<'m>>,
    pub(crate) infos: HashMap<&'m str, &'m ValueInfoProto>,
}

impl<'m> Scope<'m> {
    pub(crate) fn graph(
        graph: &'m GraphProto,
        function: Option<usize>,
        at: Option<At>,
        words: String,
    ) -> Self {
        let mut given = given_by(&graph.node);
        for tensor in &graph.initializer {
            given.insert(&tensor.name, Source::Initializer(tensor));
        }
        let sparse = graph.sparse_initializer.iter().filter_map(|sparse| sparse.values.as_ref());
        given.extend(sparse.map(|values| (values.name.as_str(), Source::Sparse)));
        given.extend(graph.input.iter().map(|info| (info.name.as_str(), Source::Caller)));
        given.remove("");
        let infos = graph.value_info.iter().chain(&graph.output).chain(&graph.input);
        let infos = infos.filter(|info| info.r#type.is_some());
        let infos = infos.map(|info| (info.name.as_str(), info)).collect();
        Scope { words, nodes: &graph.node, graph: Some(graph), function, at, given, infos }
    }

    pub(crate) fn function(function: &'m FunctionProto, index: usize) -> Self {
        let mut given = given_by(&function.node);
        given.extend(function.input.iter().map(|name| (name.as_str(), Source::Caller)));
        given.remove("");
        let infos = function.value_info.iter().filter(|info| info.r#type.is_some());
        let infos = infos.map(|info| (info.name.as_str(), info)).collect();
        let name = match function.domain.as_str() {
            "" => function.name.clone(),
            domain => format!("{}.{}", plain(domain), plain(&function.name)),
        };
        let (words, nodes) = (format!("function {}", quoted(&name)), function.node.as_slice());
        Scope { words, nodes, graph: None, function: Some(index), at: None, given, infos }
    }
}

/// What nodes give. Of two that give one name, the first counts.
fn given_by(nodes: &[NodeProto]) -> HashMap<&str, Source<'_>> {
    let outputs = nodes.iter().enumerate().rev().flat_map(|(index, node)| {
        node.output.iter().map(move |name| (name.as_str(), Source::Node(index)))
    });
    outputs.collect()
}
