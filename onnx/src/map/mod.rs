//! A map of a model: its graphs, those within nodes of others, its functions, and in all of them the
//! nodes that are reductions.

mod near;
mod scope;

pub(crate) use near::Near;
pub(crate) use scope::{At, Branch, Found, Scope, Source};

use std::collections::{BTreeMap, HashMap};

use reduce_specs::ONNX;

use crate::file::proto::{FunctionProto, GraphProto, ModelProto, NodeProto};
use crate::file::{NoOpset, Opset, standard_name};
use crate::words::{plain, quoted};
use near::near_domain;

/// A node, by its scope and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Site {
    pub(crate) scope: usize,
    pub(crate) index: usize,
}

/// A node that calls a function of the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionCall {
    pub(crate) site: Site,
    pub(crate) function: usize,
}

/// What there is in a model.
#[derive(Debug)]
pub(crate) struct Map<'m> {
    pub(crate) model: &'m ModelProto,
    /// Every graph and function. A scope comes after the one that it is in.
    pub(crate) scopes: Vec<Scope<'m>>,
    /// The reductions, in the order of the file.
    pub(crate) reductions: Vec<Site>,
    pub(crate) calls: Vec<FunctionCall>,
    /// Nodes that are no reductions, but nearly.
    pub(crate) near: Vec<(Site, Near)>,
    /// Nodes of the standard domain that are no reductions.
    pub(crate) others: Vec<Site>,
    /// Nodes of other domains.
    pub(crate) foreign: BTreeMap<&'m str, usize>,
    /// The opset of the main graph, and of each function.
    opset: Result<Opset, NoOpset>,
    function_opsets: Vec<Result<Opset, NoOpset>>,
    functions: HashMap<[&'m str; 3], usize>,
    /// Names of operators that are none of the standard's reductions, and which one they nearly are.
    known_names: HashMap<&'m str, Option<&'static str>>,
}

impl<'m> Map<'m> {
    pub(crate) fn of(model: &'m ModelProto) -> Self {
        let key = |function: &'m FunctionProto| {
            [standard_name(&function.domain), function.name.as_str(), function.overload.as_str()]
        };
        let functions = model.functions.iter().enumerate();
        let opsets = model.functions.iter().map(|function| Opset::of(&function.opset_import, None));
        let mut map = Map {
            model,
            scopes: Vec::new(),
            reductions: Vec::new(),
            calls: Vec::new(),
            near: Vec::new(),
            others: Vec::new(),
            foreign: BTreeMap::new(),
            opset: Opset::of(&model.opset_import, Some(model.ir_version)),
            function_opsets: opsets.collect(),
            functions: functions.map(|(index, function)| (key(function), index)).collect(),
            known_names: HashMap::new(),
        };
        if let Some(graph) = &model.graph {
            let words = format!("graph {}", quoted(&graph.name));
            map.visit(Scope::graph(graph, None, None, words));
        }
        for (index, function) in model.functions.iter().enumerate() {
            map.visit(Scope::function(function, index));
        }
        map
    }

    /// Takes in a scope, and those in its nodes.
    fn visit(&mut self, scope: Scope<'m>) {
        let (number, nodes, function) = (self.scopes.len(), scope.nodes, scope.function);
        self.scopes.push(scope);
        for (index, node) in nodes.iter().enumerate() {
            self.sort(Site { scope: number, index }, node);
            let graphs = node.attribute.iter().enumerate().flat_map(|(attr, proto)| {
                let own = proto.g.iter().map(move |graph| (Branch { attr, number: None }, graph));
                let listed = proto.graphs.iter().enumerate();
                own.chain(
                    listed
                        .map(move |(number, graph)| (Branch { attr, number: Some(number) }, graph)),
                )
            });
            for (branch, graph) in graphs {
                let at = At { scope: number, index, branch };
                let words = self.words_of(graph, at);
                self.visit(Scope::graph(graph, function, Some(at), words));
            }
        }
    }

    fn words_of(&self, graph: &GraphProto, at: At) -> String {
        let site = Site { scope: at.scope, index: at.index };
        let (node, place) = (self.node(site), self.place(site));
        let attr = quoted(&node.attribute[at.branch.attr].name);
        format!("graph {} in {attr} of {} ({place})", quoted(&graph.name), plain(&node.op_type))
    }

    /// Says of a node what it is.
    fn sort(&mut self, site: Site, node: &'m NodeProto) {
        let domain = standard_name(&node.domain);
        let key = [domain, node.op_type.as_str(), node.overload.as_str()];
        let by_name = self.functions.get(&key);
        if let Some(&function) = by_name {
            return self.calls.push(FunctionCall { site, function });
        }
        let is_reduction = ONNX.ops().iter().any(|entry| entry.schema().name == node.op_type);
        if !domain.is_empty() {
            *self.foreign.entry(domain).or_default() += 1;
            if is_reduction && near_domain(domain) {
                self.near.push((site, Near::Domain));
            }
            return;
        }
        if is_reduction {
            return self.reductions.push(site);
        }
        self.others.push(site);
        let near = *self.known_names.entry(&node.op_type).or_insert_with_key(|name| {
            let error = ONNX.op(name).err()?;
            match error.kind() {
                reduce_core::ErrorKind::UnknownOp { suggestion, .. } => *suggestion,
                _ => None,
            }
        });
        self.near.extend(near.map(|name| (site, Near::Name(name))));
    }

    pub(crate) fn node(&self, site: Site) -> &'m NodeProto {
        &self.scopes[site.scope].nodes[site.index]
    }

    /// Whether a node is of an operator of the standard domain, and calls no function.
    pub(crate) fn is_operator(&self, site: Site) -> bool {
        let node = self.node(site);
        let key = ["", node.op_type.as_str(), node.overload.as_str()];
        standard_name(&node.domain).is_empty() && !self.functions.contains_key(&key)
    }

    /// The number of axes of a value, if the model says it.
    pub(crate) fn rank(&self, scope: usize, name: &str) -> Option<usize> {
        let found = self.find(scope, name)?;
        let tensor = found.info.and_then(|info| info.r#type.as_ref()?.tensor_type.as_ref());
        let declared = tensor.and_then(|tensor| Some(tensor.shape.as_ref()?.dim.len()));
        declared.or(match found.source {
            Source::Initializer(tensor) => Some(tensor.dims.len()),
            _ => None,
        })
    }

    /// The opset that governs a scope.
    pub(crate) fn opset(&self, scope: usize) -> &Result<Opset, NoOpset> {
        match self.scopes[scope].function {
            None => &self.opset,
            Some(function) => &self.function_opsets[function],
        }
    }

    /// The opset of the main graph, if it has one.
    pub(crate) fn main_opset(&self) -> Option<u32> {
        self.opset.as_ref().ok().map(|opset| opset.number)
    }

    /// How often each value is read: by nodes, and as an output.
    pub(crate) fn uses(&self) -> BTreeMap<(usize, &'m str), usize> {
        let mut uses = BTreeMap::new();
        for (number, scope) in self.scopes.iter().enumerate() {
            let inputs = scope.nodes.iter().flat_map(|node| &node.input);
            let of_graph =
                scope.graph.iter().flat_map(|graph| &graph.output).map(|info| &info.name);
            let function = scope.function.filter(|_| scope.graph.is_none());
            let of_function =
                function.iter().flat_map(|&function| &self.model.functions[function].output);
            for name in inputs.chain(of_graph).chain(of_function) {
                if let Some(found) = self.find(number, name) {
                    *uses.entry((found.scope, name.as_str())).or_default() += 1;
                }
            }
        }
        uses
    }

    /// Where a node is, in words.
    pub(crate) fn place(&self, site: Site) -> String {
        let scope = &self.scopes[site.scope];
        let (node, index) = (&scope.nodes[site.index], site.index);
        match node.name.as_str() {
            "" => format!("node {index} of {}", scope.words),
            name => format!("node {index} {} of {}", quoted(name), scope.words),
        }
    }

    /// Finds the value that a node of a scope means by a name. It is the innermost value of that name.
    pub(crate) fn find(&self, scope: usize, name: &str) -> Option<Found<'m>> {
        let mut next = Some(scope);
        while let Some(number) = next {
            let scope = &self.scopes[number];
            if let Some(source) = scope.given.get(name) {
                let info = scope.infos.get(name).copied();
                return Some(Found { scope: number, source: *source, info });
            }
            next = scope.at.map(|at| at.scope);
        }
        None
    }
}
