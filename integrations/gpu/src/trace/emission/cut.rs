//! A graph cut where accumulators end and elements begin.

use std::collections::HashMap;

use crate::graph::{Argument, Graph, Id, Operation, Type};

/// The arguments that a node depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Depends {
    accumulator: bool,
    element: bool,
}

impl Depends {
    fn or(self, other: Self) -> Self {
        Depends {
            accumulator: self.accumulator || other.accumulator,
            element: self.element || other.element,
        }
    }
}

/// The nodes to keep, and a result that takes them as [`Argument::Kept`] in place of the accumulator. Kept is what depends
/// on the accumulator and not on the element, where the two meet or the result is reached.
pub(super) fn cut(graph: &mut Graph, result: Id) -> (Vec<Id>, Id) {
    let mut depends: Vec<Depends> = Vec::new();
    for node in graph.nodes() {
        let own = Depends {
            accumulator: matches!(node.operation, Operation::Argument(Argument::Left, _)),
            element: matches!(node.operation, Operation::Argument(Argument::Element, _)),
        };
        let operands = node.operation.operands().map(|id| depends[id as usize]);
        depends.push(operands.fold(own, Depends::or));
    }
    let mut kept: Vec<Id> = Vec::new();
    let mut cut: HashMap<Id, Id> = HashMap::new();
    for id in needed(graph, result, &depends) {
        let (node, of) = (graph.node(id), depends[id as usize]);
        let is_position =
            of.element && node.ty == Type::Place && node.operation.operands().next().is_none();
        let operation = match () {
            // Every element is read as the first one.
            () if is_position => Operation::Constant(0),
            () if of.accumulator && !of.element => {
                kept.push(id);
                let slot = u16::try_from(kept.len() - 1).unwrap_or(u16::MAX);
                Operation::Argument(Argument::Kept, slot)
            }
            () => node.operation.on(|id| cut[&id]),
        };
        let new = graph.add(operation, node.ty);
        cut.insert(id, new);
    }
    (kept, cut[&result])
}

/// The nodes that the result is computed of, in the order of the graph; none behind those that are kept.
fn needed(graph: &Graph, result: Id, depends: &[Depends]) -> Vec<Id> {
    let mut is_needed = vec![false; depends.len()];
    is_needed[result as usize] = true;
    for id in (0..depends.len()).rev().filter(|&id| depends[id].element || !depends[id].accumulator)
    {
        if is_needed[id] {
            let operands = graph.nodes()[id].operation.operands();
            operands.for_each(|operand| is_needed[operand as usize] = true);
        }
    }
    (0..).zip(is_needed).filter(|(_, needed)| *needed).map(|(id, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::cut;
    use crate::graph::{Argument, Binary, Graph, Operation, Type, Unary};

    #[test]
    fn what_depends_on_the_accumulator_alone_is_kept() {
        let mut graph = Graph::default();
        let sum = graph.add(Operation::Argument(Argument::Left, 0), Type::F32);
        let x = graph.add(Operation::Argument(Argument::Element, 0), Type::F32);
        let two = graph.constant(2f32.to_bits().into(), Type::F32);
        let half = graph.add(Operation::Binary(Binary::Div, sum, two), Type::F32);
        let root = graph.add(Operation::Unary(Unary::Sqrt, half), Type::F32);
        let scaled = graph.add(Operation::Binary(Binary::Mul, x, root), Type::F32);
        let result = graph.add(Operation::Binary(Binary::Sub, scaled, half), Type::F32);
        let (kept, emit) = cut(&mut graph, result);
        assert_eq!(kept, [half, root]);
        let Operation::Binary(Binary::Sub, scaled, half) = graph.node(emit).operation else {
            panic!("a difference");
        };
        assert_eq!(graph.node(half).operation, Operation::Argument(Argument::Kept, 0));
        let Operation::Binary(Binary::Mul, first, second) = graph.node(scaled).operation else {
            panic!("a product");
        };
        assert_eq!(first, x);
        assert_eq!(graph.node(second).operation, Operation::Argument(Argument::Kept, 1));
    }
}
