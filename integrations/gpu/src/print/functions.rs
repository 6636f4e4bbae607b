//! The steps of an operator as functions of WGSL, and the elementary functions that they call.

use std::collections::{BTreeMap, BTreeSet};

use super::Exactness;
use super::terms::{self, Terms};
use super::types::{construct, name};
use crate::graph::{Argument, Body, Function, Graph, Id, Operation, Steps, Type};

/// A struct with a field for each of some types: `s0`, `s1` and so on. One without fields has a word, since WGSL has no empty
/// structs.
pub fn record(record: &str, fields: &[Type]) -> String {
    let fields: Vec<String> =
        fields.iter().enumerate().map(|(index, ty)| format!("s{index}: {}", name(*ty))).collect();
    let fields = if fields.is_empty() { "none: u32".to_owned() } else { fields.join(", ") };
    format!("struct {record} {{ {fields} }}\n")
}

/// The steps of an operator as functions of records: `Acc` of its accumulator, `Elem` of an element, and `Out` of results.
///
/// - `identity() -> Acc`
/// - `map_(x: Elem) -> Acc`
/// - `push(a: Acc, x: Elem) -> Acc`
/// - `combine(a: Acc, b: Acc) -> Acc`
/// - `finalize(a: Acc) -> Out`
/// - `doubts(a: Acc) -> u32`, if the operator can doubt: a bit for each member of a tuple
/// - `emit(x: Elem, kept: Out)`, of the type that is emitted, if the operator emits
///
/// They call functions that [`elementary`] and [`support`](super::support) print.
pub fn steps(steps: &Steps, exactness: Exactness) -> String {
    let terms = Terms {
        graph: &steps.graph,
        parameters: steps.parameters.iter().map(|&(_, ty)| ty).collect(),
        exactness,
        argument: field,
    };
    let mut text = String::new();
    for (signature, made, of) in [
        ("identity() -> Acc", &steps.identity, "Acc"),
        ("map_(x: Elem) -> Acc", &steps.map, "Acc"),
        ("push(a: Acc, x: Elem) -> Acc", &steps.push, "Acc"),
        ("combine(a: Acc, b: Acc) -> Acc", &steps.combine, "Acc"),
        ("finalize(a: Acc) -> Out", &steps.finalize, "Out"),
    ] {
        let values: Vec<String> = made.iter().map(|&id| terms.operand(id)).collect();
        text += &function(&terms, signature, made, &construct(of, &values));
    }
    if let Some(doubts) = steps.doubts {
        text += &function(&terms, "doubts(a: Acc) -> u32", &[doubts], &terms.operand(doubts));
    }
    if let Some(emit) = steps.emit {
        let signature = format!("emit(x: Elem, kept: Out) -> {}", name(steps.graph.node(emit).ty));
        text += &function(&terms, &signature, &[emit], &terms.operand(emit));
    }
    text
}

/// A function `values(x: Elem) -> Acc` of some nodes, which names nothing but the element.
pub(crate) fn values(graph: &Graph, results: &[Id], exactness: Exactness) -> String {
    let terms = Terms { graph, parameters: Vec::new(), exactness, argument: field };
    let values: Vec<String> = results.iter().map(|&id| terms.operand(id)).collect();
    function(&terms, "values(x: Elem) -> Acc", results, &construct("Acc", &values))
}

/// The functions of `Real` that steps call, and those that these call, as `exp_f32(x0: f32) -> f32`. Each is asked for once.
///
/// # Errors
/// Those of `body`.
pub fn elementary<E>(
    steps: &Steps,
    exactness: Exactness,
    mut body: impl FnMut(Function, Type) -> Result<Body, E>,
) -> Result<String, E> {
    let all = [&steps.identity, &steps.map, &steps.push, &steps.combine, &steps.finalize];
    let made: Vec<Id> =
        all.into_iter().flatten().copied().chain(steps.doubts).chain(steps.emit).collect();
    let mut asked = calls(&steps.graph, &made);
    let mut printed = BTreeMap::new();
    while let Some((function, ty)) = asked.pop() {
        if printed.contains_key(&(function, ty)) {
            continue;
        }
        let body = body(function, ty)?;
        asked.extend(calls(&body.graph, &[body.result]));
        printed.insert((function, ty), printed_body(function, ty, &body, exactness));
    }
    Ok(printed.into_values().collect())
}

/// A function of `Real`, of numbers and not of records.
fn printed_body(of: Function, ty: Type, body: &Body, exactness: Exactness) -> String {
    let terms = Terms {
        graph: &body.graph,
        parameters: Vec::new(),
        exactness,
        argument: |_, slot| format!("x{slot}"),
    };
    let parameters: Vec<String> = body
        .parameters
        .iter()
        .enumerate()
        .map(|(slot, &ty)| format!("x{slot}: {}", name(ty)))
        .collect();
    let signature =
        format!("{}({}) -> {}", terms::function(of, ty), parameters.join(", "), name(ty));
    function(&terms, &signature, &[body.result], &terms.operand(body.result))
}

/// A function that computes each node that a result needs, once and in the order of the graph.
fn function(terms: &Terms<'_>, signature: &str, results: &[Id], value: &str) -> String {
    let mut text = format!("fn {signature} {{\n");
    for id in needed(terms.graph, results) {
        if terms.is_named(id) {
            text += &format!("  let t{id} = {};\n", terms.term(id));
        }
    }
    text + &format!("  return {value};\n}}\n")
}

/// The name of an argument's scalar in the text of the steps, which is a field of a record.
fn field(argument: Argument, slot: u16) -> String {
    let record = match argument {
        Argument::Left => "a",
        Argument::Right => "b",
        Argument::Element => "x",
        Argument::Kept => "kept",
    };
    format!("{record}.s{slot}")
}

/// The nodes that results need, each behind its operands.
fn needed(graph: &Graph, results: &[Id]) -> BTreeSet<Id> {
    let mut needed = BTreeSet::new();
    let mut unseen = results.to_vec();
    while let Some(id) = unseen.pop() {
        if needed.insert(id) {
            unseen.extend(graph.node(id).operation.operands());
        }
    }
    needed
}

/// The elementary functions that results call.
fn calls(graph: &Graph, results: &[Id]) -> Vec<(Function, Type)> {
    let called = |id| {
        let node = graph.node(id);
        match node.operation {
            Operation::Call(function, _) | Operation::Call2(function, ..) => {
                Some((function, node.ty))
            }
            _ => None,
        }
    };
    needed(graph, results).into_iter().filter_map(called).collect()
}
