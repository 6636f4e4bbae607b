//! Steps as functions of WGSL.

use std::fmt::Write as _;

use super::Exactness;
use super::terms::{Terms, operand, places};
use super::types::{construct, name};
use crate::graph::{Graph, Id, Steps, Type};

/// A struct with a field for each of some types: `s0`, `s1` and so on. One without fields has a word, since WGSL has no empty
/// structs.
pub fn record(record: &str, fields: &[Type]) -> String {
    let fields: Vec<String> =
        fields.iter().enumerate().map(|(index, ty)| format!("s{index}: {}", name(*ty))).collect();
    let fields = if fields.is_empty() { "none: u32".to_owned() } else { fields.join(", ") };
    format!("struct {record} {{ {fields} }}\n")
}

/// The steps of an operator as functions of records: `Acc` of its accumulator, `Elem` of an element, and `Out` of results.
pub fn steps(steps: &Steps, exactness: Exactness) -> String {
    let parameters = places(steps.parameters.iter().map(|(_, ty)| *ty));
    let terms = Terms { graph: &steps.graph, exactness, parameters: &parameters };
    let mut text = String::new();
    for (head, made, of) in [
        ("identity() -> Acc", &steps.identity, "Acc"),
        ("map_(x: Elem) -> Acc", &steps.map, "Acc"),
        ("push(a: Acc, x: Elem) -> Acc", &steps.push, "Acc"),
        ("combine(a: Acc, b: Acc) -> Acc", &steps.combine, "Acc"),
        ("finalize(a: Acc) -> Out", &steps.finalize, "Out"),
    ] {
        let values: Vec<String> = made.iter().map(|id| operand(*id)).collect();
        text += &function(&terms, head, made, &construct(of, &values));
    }
    if let Some(doubts) = steps.doubts {
        text += &function(&terms, "doubts(a: Acc) -> bool", &[doubts], &operand(doubts));
    }
    text
}

/// A function that computes some nodes, each once.
fn function(terms: &Terms<'_>, head: &str, made: &[Id], result: &str) -> String {
    let mut text = format!("fn {head} {{\n");
    for id in needed(terms.graph, made) {
        let _ = writeln!(text, "  let {} = {};", operand(id), terms.term(terms.graph.node(id)));
    }
    text + &format!("  return {result};\n}}\n")
}

/// Nodes, and all that they are made of, each behind its operands.
fn needed(graph: &Graph, made: &[Id]) -> Vec<Id> {
    let last = made.iter().max().map_or(0, |id| id + 1);
    let mut is_needed = vec![false; last as usize];
    made.iter().for_each(|id| is_needed[*id as usize] = true);
    for id in (0..last).rev() {
        if is_needed[id as usize] {
            graph.node(id).operation.operands().for_each(|of| is_needed[of as usize] = true);
        }
    }
    (0..last).filter(|id| is_needed[*id as usize]).collect()
}
