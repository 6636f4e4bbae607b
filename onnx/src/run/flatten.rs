//! From a model to its program: values get numbers, and calls of the model's functions become the nodes of
//! the functions.
//!
//! Names are looked up in a scope: that of the graph, or of one call of a function. A node finds only what
//! stands before it, so that a program has no circles. What a function gives is known to its caller under
//! the names that the call has for it.

use std::collections::HashMap;
use std::sync::Arc;

use reduce_specs::ONNX;

use super::attributes::{Attributes, Bindings};
use super::inputs::Input;
use super::operation::Operation;
use super::program::{FlatNode, Id, Position, Program};
use super::refusal::Refusal;
use super::support::{self, Functions, functions};
use super::value::Value;
use crate::error::Error;
use crate::file::proto::{
    AttributeProto, FunctionProto, GraphProto, NodeProto, OperatorSetIdProto,
};
use crate::file::{Model, NoOpset, Opset};

/// Calls within calls.
const DEEPEST: usize = 64;
/// Inputs, outputs and nodes of all calls together: a function may call another one several times, and so on.
const MOST: usize = 1 << 20;

impl<'m> Program<'m> {
    /// The program of a model.
    ///
    /// # Errors
    /// If the model has nodes that are not run ([`ErrorKind::NotRun`](crate::ErrorKind::NotRun)), and if something is wrong with
    /// it, which may be any number of things ([`ErrorKind::Invalid`](crate::ErrorKind::Invalid)).
    pub fn new(model: &'m Model) -> Result<Self, Error> {
        Program::flat(model).map_err(Error::from)
    }

    fn flat(model: &'m Model) -> Result<Self, Refusal> {
        let proto = model.proto();
        let graph = proto.graph.as_ref().ok_or("has no graph, so it is no model")?;
        if graph.node.is_empty() {
            return Err("the model has no nodes".into());
        }
        let functions = functions(proto);
        support::check(proto, graph, &functions)?;
        let mut flat =
            Flat { model, functions, program: Program::default(), read: HashMap::new(), count: 0 };
        let mut scope = flat.globals(graph)?;
        let opset = opset(&proto.opset_import, Some(proto.ir_version));
        let body = Body { nodes: &graph.node, opset, caller: None };
        flat.body(&body, &Bindings::new(), &mut scope)?;
        for info in &graph.output {
            let id = scope
                .of(&info.name)
                .ok_or_else(|| Refusal::Wrong(format!("no node gives output `{}`", info.name)))?;
            flat.program.outputs.push((&info.name, id));
        }
        Ok(flat.program)
    }
}

/// The opset of the standard's operators. Whoever has none of them needs no opset.
fn opset(imports: &[OperatorSetIdProto], ir_version: Option<i64>) -> Result<u32, Refusal> {
    let missing = "imports no opset of the standard domain";
    let asked = match Opset::of(imports, ir_version) {
        Ok(Opset { number, newer: None }) => return Ok(number),
        Ok(Opset { newer: Some(newer), .. }) => newer,
        Err(NoOpset::OutOfRange(number)) => number,
        Err(NoOpset::Missing) => return Err(missing.into()),
    };
    let asked = u32::try_from(asked).map_err(|_| format!("opset {asked} does not exist"))?;
    ONNX.check_opset(asked).map_err(|error| Refusal::Wrong(error.to_string()))
}

/// The values that names stand for in the graph, or in one call.
#[derive(Default)]
struct Visible<'m>(HashMap<&'m str, Option<Id>>);

impl<'m> Visible<'m> {
    /// The value of a name, if it has one.
    fn of(&self, name: &str) -> Option<Id> {
        self.0.get(name).copied().flatten()
    }

    fn add(&mut self, name: &'m str, id: Option<Id>) -> Result<(), String> {
        match self.0.insert(name, id) {
            None => Ok(()),
            Some(_) => Err(format!("gives `{name}`, which has a value already")),
        }
    }
}

/// The nodes of the graph or of a function.
struct Body<'m> {
    nodes: &'m [NodeProto],
    opset: Result<u32, Refusal>,
    caller: Option<Arc<Position<'m>>>,
}

/// A program that is not whole yet.
struct Flat<'m> {
    model: &'m Model,
    functions: Functions<'m>,
    program: Program<'m>,
    /// Constants that were read, by the name of the attribute and its place in memory: a function may be called
    /// often.
    read: HashMap<(&'m str, *const AttributeProto), Value<'static>>,
    /// Nodes, inputs and outputs of calls.
    count: usize,
}

impl<'m> Flat<'m> {
    fn value(&mut self) -> Id {
        self.program.values += 1;
        self.program.values - 1
    }

    /// The inputs and constants of the graph. A constant of an input's name is what it is if it is not given.
    fn globals(&mut self, graph: &'m GraphProto) -> Result<Visible<'m>, Refusal> {
        let mut scope = Visible::default();
        for declared in &graph.input {
            let id = self.value();
            scope
                .add(&declared.name, Some(id))
                .map_err(|_| format!("has two inputs of the name `{}`", declared.name))?;
            self.program.inputs.push(Input { declared, id, has_default: false });
        }
        let given = self.program.inputs.len();
        for proto in &graph.initializer {
            let tensor = self.model.read(proto);
            let tensor =
                tensor.map_err(|problem| format!("initializer `{}` {problem}", proto.name))?;
            let id = match scope.of(&proto.name) {
                Some(id) if id < given && !self.program.inputs[id].has_default => {
                    self.program.inputs[id].has_default = true;
                    id
                }
                _ => {
                    let id = self.value();
                    scope.add(&proto.name, Some(id)).map_err(|_| {
                        format!("has two initializers of the name `{}`", proto.name)
                    })?;
                    id
                }
            };
            self.constant(id, tensor.into());
        }
        Ok(scope)
    }

    /// Appends nodes.
    fn body(
        &mut self,
        body: &Body<'m>,
        bindings: &Bindings<'m>,
        scope: &mut Visible<'m>,
    ) -> Result<(), Refusal> {
        for (index, proto) in body.nodes.iter().enumerate() {
            let site = Position { index, proto, caller: body.caller.clone() };
            let result = self.node(&site, body, bindings, scope);
            // A node of a call is named by its whole way already.
            result.map_err(|refusal| match refusal {
                Located::Here(refusal) => refusal.about(&site),
                Located::Within(refusal) => refusal,
            })?;
        }
        Ok(())
    }

    fn node(
        &mut self,
        site: &Position<'m>,
        body: &Body<'m>,
        bindings: &Bindings<'m>,
        scope: &mut Visible<'m>,
    ) -> Result<(), Located> {
        let proto = site.proto;
        if site.caller.is_some() {
            self.count += 1 + proto.input.len() + proto.output.len();
        }
        if self.count > MOST {
            return Err(Refusal::from("all calls together have too many nodes").into());
        }
        let mut inputs = Vec::with_capacity(proto.input.len());
        for name in &proto.input {
            inputs.push(look_up(name, scope, body.nodes)?);
        }
        let attrs = Attributes::new(proto, bindings);
        if let Some(function) = self.functions.of(proto) {
            return self.call(site, function, &inputs, &attrs, scope);
        }
        let [name] = proto.output.as_slice() else {
            return Err(Refusal::from(format!("has {} outputs, not 1", proto.output.len())).into());
        };
        if proto.op_type == "Constant" {
            let id = self.constant_node(proto, &attrs)?;
            return Ok(scope.add(name, Some(id))?);
        }
        let opset = body.opset.clone()?;
        let operation = Operation::new(&proto.op_type, opset, attrs)?;
        check_arity(&operation, opset, &inputs)?;
        let output = self.value();
        scope.add(name, Some(output))?;
        self.program.nodes.push(FlatNode { site: site.clone(), operation, opset, inputs, output });
        Ok(())
    }

    fn constant(&mut self, id: Id, value: Value<'static>) {
        let bytes = &mut self.program.constant_bytes;
        *bytes = bytes.saturating_add(value.bytes());
        self.program.constants.push((id, value));
    }

    /// The value of a node `Constant`, whose attributes may be those of a call.
    fn constant_node(
        &mut self,
        proto: &'m NodeProto,
        attrs: &Attributes<'m>,
    ) -> Result<Id, Refusal> {
        let is_text = |(name, _): (&str, &AttributeProto)| {
            ["value_string", "value_strings", "sparse_value"].contains(&name)
        };
        if attrs.all().any(is_text) {
            return Err(Refusal::NotRun("its value is text, or sparse, which is not run".into()));
        }
        let id = self.value();
        let mut all = attrs.all();
        let only = all.next().filter(|_| all.next().is_none());
        let place = only.map(|(name, attr)| (name, std::ptr::from_ref(attr)));
        if let Some(value) = place.and_then(|place| self.read.get(&place)) {
            self.program.constants.push((id, value.clone()));
            return Ok(id);
        }
        let tensor = if proto.attribute.iter().all(|attr| attr.ref_attr_name.is_empty()) {
            self.model.constant(proto)
        } else {
            let bound = |(name, attr): (&str, &AttributeProto)| AttributeProto {
                name: name.to_owned(),
                ref_attr_name: String::new(),
                ..attr.clone()
            };
            let attribute = attrs.all().map(bound).collect();
            self.model.constant(&NodeProto { attribute, ..NodeProto::default() })
        };
        let value = Value::from(tensor?);
        self.read.extend(place.map(|place| (place, value.clone())));
        self.constant(id, value);
        Ok(id)
    }

    /// Puts the nodes of a function in the place of a call.
    fn call(
        &mut self,
        site: &Position<'m>,
        function: &'m FunctionProto,
        inputs: &[Option<Id>],
        attrs: &Attributes<'m>,
        scope: &mut Visible<'m>,
    ) -> Result<(), Located> {
        let depth = std::iter::successors(site.caller.as_deref(), |site| site.caller.as_deref());
        if depth.count() >= DEEPEST {
            let sentence =
                format!("calls are more than {DEEPEST} deep, or a function calls itself");
            return Err(Refusal::from(sentence).into());
        }
        let mut inner = Visible::default();
        if inputs.len() > function.input.len() || site.proto.output.len() > function.output.len() {
            return Err(Refusal::from("has more inputs or outputs than its function").into());
        }
        for (place, name) in function.input.iter().enumerate() {
            inner.add(name, inputs.get(place).copied().flatten())?;
        }
        let mut bindings: Bindings<'m> =
            function.attribute_proto.iter().map(|attr| (attr.name.as_str(), attr)).collect();
        bindings.extend(attrs.all());
        let caller = Some(Arc::new(site.clone()));
        let opset = opset(&function.opset_import, None);
        let body = Body { nodes: &function.node, opset, caller };
        self.body(&body, &bindings, &mut inner).map_err(Located::Within)?;
        for (name, inner_name) in site.proto.output.iter().zip(&function.output) {
            let id = inner.of(inner_name).ok_or_else(|| {
                Refusal::from(format!("no node of its function gives output `{inner_name}`"))
            })?;
            if !name.is_empty() {
                scope.add(name, Some(id))?;
            }
        }
        Ok(())
    }
}

/// The value that a node reads by this name, or that it reads none.
fn look_up(name: &str, scope: &Visible<'_>, nodes: &[NodeProto]) -> Result<Option<Id>, String> {
    if name.is_empty() {
        return Ok(None);
    }
    if let Some(found) = scope.0.get(name) {
        return Ok(*found);
    }
    let gives = |node: &NodeProto| node.output.iter().any(|output| output == name);
    Err(match nodes.iter().position(gives) {
        Some(index) => format!(
            "reads `{name}`, which node {index} gives only then or later; sort the nodes, without circles"
        ),
        None => format!("reads `{name}`, which has no value"),
    })
}

fn check_arity(operation: &Operation, opset: u32, inputs: &[Option<Id>]) -> Result<(), String> {
    let (least, most) = operation.arity(opset);
    let count = inputs.len();
    if !(least..=most).contains(&count) {
        return Err(match (least, most) {
            (least, usize::MAX) => format!("has {count} inputs, not {least} or more"),
            (least, most) if least == most => format!("has {count} inputs, not {least}"),
            (least, most) if most == least + 1 => {
                format!("has {count} inputs, not {least} or {most}")
            }
            (least, most) => format!("has {count} inputs, not {least} to {most}"),
        });
    }
    let needed = if most == usize::MAX { count } else { least };
    match inputs[..needed].iter().position(Option::is_none) {
        Some(place) => Err(format!("leaves out input {place}, which it needs")),
        None => Ok(()),
    }
}

/// A refusal, and whether it says already where.
enum Located {
    Here(Refusal),
    Within(Refusal),
}

impl From<Refusal> for Located {
    fn from(refusal: Refusal) -> Self {
        Located::Here(refusal)
    }
}

impl From<String> for Located {
    fn from(sentence: String) -> Self {
        Located::Here(sentence.into())
    }
}
