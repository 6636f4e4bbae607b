//! Graphs computed on the CPU.

use super::value::value;
use super::{Argument, Bits, Graph, Id, Operation, Type};

/// What a graph is computed of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// The scalars of the accumulator before.
    pub left: &'a [Bits],
    /// The scalars of the accumulator behind.
    pub right: &'a [Bits],
    /// The scalars of the element.
    pub element: &'a [Bits],
    /// What is kept of the result.
    pub kept: &'a [Bits],
    /// Parameters.
    pub parameters: &'a [(Bits, Type)],
}

/// The values of some nodes. An argument or a parameter that is not given is 0.
pub fn evaluate(graph: &Graph, results: &[Id], given: &Given<'_>) -> Vec<Bits> {
    let last = results.iter().max().map_or(0, |&id| id as usize + 1);
    let mut needed = vec![false; last];
    for &id in results {
        needed[id as usize] = true;
    }
    // Operands stand before what is made of them.
    for id in (0..last).rev() {
        if needed[id] {
            graph.nodes()[id]
                .operation
                .operands()
                .for_each(|operand| needed[operand as usize] = true);
        }
    }
    let mut values = vec![0; last];
    for (id, node) in graph.nodes()[..last].iter().enumerate().filter(|(id, _)| needed[*id]) {
        let bits = match node.operation {
            Operation::Argument(argument, slot) => {
                let scalars = match argument {
                    Argument::Left => given.left,
                    Argument::Right => given.right,
                    Argument::Element => given.element,
                    Argument::Kept => given.kept,
                };
                scalars.get(usize::from(slot)).copied()
            }
            Operation::Parameter(place) => given.parameters.get(usize::from(place)).map(|p| p.0),
            _ => value(graph, *node, |id| values[id as usize]),
        };
        values[id] = bits.unwrap_or_default();
    }
    results.iter().map(|&id| values[id as usize]).collect()
}
