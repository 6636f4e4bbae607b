//! Which nodes of a model are run, by the names of their operators alone.

use std::collections::{BTreeSet, HashMap};

use reduce_specs::ONNX;

use super::operation::since;
use super::program::{Position, full_name};
use super::refusal::Refusal;
use crate::file::proto::{
    FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, ValueInfoProto,
};
use crate::file::{imported, is_standard, standard_name};

/// Operators that are named, of those that are not run.
const NAMED: usize = 20;

/// The functions of a model, by domain, name and overload.
pub(super) struct Functions<'m>(HashMap<[&'m str; 3], &'m FunctionProto>);

/// The functions of a model.
pub(super) fn functions(model: &ModelProto) -> Functions<'_> {
    let mut found = HashMap::new();
    for function in &model.functions {
        let name = [standard_name(&function.domain), &function.name, &function.overload];
        found.insert(name, function);
    }
    Functions(found)
}

impl<'m> Functions<'m> {
    /// The function that a node calls. One of the model goes before an operator of its name.
    pub(super) fn of(&self, node: &NodeProto) -> Option<&'m FunctionProto> {
        let name = [standard_name(&node.domain), node.op_type.as_str(), node.overload.as_str()];
        self.0.get(&name).copied()
    }
}

/// Looks at all nodes, also those of functions that are called, and at the types of inputs.
///
/// # Errors
/// If there is one that is not run, which is not for its attributes.
pub(super) fn check<'m>(
    model: &'m ModelProto,
    graph: &'m GraphProto,
    functions: &Functions<'m>,
) -> Result<(), Refusal> {
    let mut others = Others::default();
    others.look(&graph.node, &model.opset_import, functions);
    let mut called: Vec<&FunctionProto> =
        graph.node.iter().filter_map(|node| functions.of(node)).collect();
    let mut seen = BTreeSet::new();
    while let Some(function) = called.pop() {
        if seen.insert(std::ptr::from_ref(function).addr()) {
            others.look(&function.node, &function.opset_import, functions);
            called.extend(function.node.iter().filter_map(|node| functions.of(node)));
        }
    }
    others.check()?;
    graph.input.iter().try_for_each(check_type)
}

/// The operators that are not run, each with the first node of it.
#[derive(Default)]
struct Others {
    seen: BTreeSet<String>,
    named: Vec<String>,
}

impl Others {
    fn look(
        &mut self,
        nodes: &[NodeProto],
        imports: &[OperatorSetIdProto],
        functions: &Functions<'_>,
    ) {
        for (index, node) in nodes.iter().enumerate() {
            let is_known = is_standard(&node.domain)
                && (ONNX.op(&node.op_type).is_ok() || since(&node.op_type).is_some());
            if is_known || functions.of(node).is_some() || !self.seen.insert(full_name(node)) {
                continue;
            }
            if self.named.len() < NAMED {
                let site = Position { index, proto: node, caller: None };
                let opset = imported(imports, &node.domain)
                    .map_or_else(String::new, |version| format!(" of opset {version}"));
                self.named.push(format!("{site}{opset}"));
            }
        }
    }

    fn check(self) -> Result<(), Refusal> {
        let more = self.seen.len() - self.named.len();
        let named = self.named.join(", ");
        match (self.seen.len(), more) {
            (0, _) => Ok(()),
            (1, _) => {
                Err(Refusal::NotRun(format!("{named} is not run: it is no operator of this build")))
            }
            (_, 0) => Err(Refusal::NotRun(format!(
                "{named} are not run: they are no operators of this build"
            ))),
            _ => Err(Refusal::NotRun(format!(
                "{named} and {more} more are not run: they are no operators of this build"
            ))),
        }
    }
}

/// Whether tensors can have the type that an input is declared to have, if that is said.
fn check_type(info: &ValueInfoProto) -> Result<(), Refusal> {
    let tensor = info.r#type.as_ref().and_then(|r#type| r#type.tensor_type.as_ref());
    match (&info.r#type, tensor) {
        (None, _) => Ok(()),
        (Some(_), None) => Err(Refusal::NotRun(format!(
            "input `{}` is no dense tensor, which is not run",
            info.name
        ))),
        (Some(_), Some(tensor)) => match crate::file::dtype(tensor.elem_type) {
            Ok(_) => Ok(()),
            Err(problem) => Err(Refusal::NotRun(format!("input `{}` {problem}", info.name))),
        },
    }
}
