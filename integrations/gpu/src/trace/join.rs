//! Results of two paths joined by what they differ in.
//!
//! A node that selects one of two values computes both. Where both are made by one operation, it is better to select what that
//! is applied to: `if a > b { f(a) } else { f(b) }` then takes one `f`.

use crate::graph::{Function, Graph, Id, Operation, Unary};

/// Operations from which on it pays to select operands, though several differ.
const DEAR: u32 = 8;

/// The depth to which operands are compared.
const DEPTH: u32 = 24;

/// The first value where a condition holds, else the second.
pub(super) fn select(graph: &mut Graph, condition: Id, yes: Id, no: Id) -> Id {
    selected(graph, condition, yes, no, DEPTH)
}

fn selected(graph: &mut Graph, condition: Id, yes: Id, no: Id, depth: u32) -> Id {
    if yes == no {
        return yes;
    }
    let (first, second) = (graph.node(yes), graph.node(no));
    // Where a condition holds, it holds in what follows too.
    match (first.operation, second.operation) {
        (Operation::Select(known, inner, _), _) if known == condition => {
            return selected(graph, condition, inner, no, depth);
        }
        (_, Operation::Select(known, _, inner)) if known == condition => {
            return selected(graph, condition, yes, inner, depth);
        }
        _ => {}
    }
    let operands = |operation: Operation| operation.operands().collect::<Vec<_>>();
    let (of_first, of_second) = (operands(first.operation), operands(second.operation));
    let shape = |operation: Operation| operation.on(|_| 0);
    let are_alike = shape(first.operation) == shape(second.operation) && first.ty == second.ty;
    if depth > 0 && are_alike && !of_first.is_empty() {
        let differing = of_first.iter().zip(&of_second).filter(|(a, b)| a != b).count();
        let are_of_one_type =
            of_first.iter().zip(&of_second).all(|(&a, &b)| graph.node(a).ty == graph.node(b).ty);
        // A choice of choices by other conditions stays one.
        let is_choice =
            matches!(first.operation, Operation::Select(..)) && of_first[0] != of_second[0];
        let is_dear = own_cost(first.operation) >= DEAR;
        if are_of_one_type && !is_choice && (differing <= 1 || is_dear) {
            let joined: Vec<Id> = of_first
                .iter()
                .zip(&of_second)
                .map(|(&a, &b)| selected(graph, condition, a, b, depth - 1))
                .collect();
            let mut joined = joined.into_iter();
            let operation = first.operation.on(|id| joined.next().unwrap_or(id));
            return graph.add(operation, first.ty);
        }
    }
    graph.add(Operation::Select(condition, yes, no), first.ty)
}

/// How much work an operation is, about.
fn own_cost(operation: Operation) -> u32 {
    match operation {
        Operation::Call(Function::Powf, _) | Operation::Call2(..) => 40,
        Operation::Call(..) => 20,
        Operation::Unary(Unary::Sqrt, _) => DEAR,
        Operation::Binary(crate::graph::Binary::Div, ..) | Operation::MulAdd(..) => DEAR,
        _ => 1,
    }
}
