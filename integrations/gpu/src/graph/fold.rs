//! What is known of a node before anything runs: nodes of constants are constants, and some choices are none.

use super::value::value;
use super::{Bits, Graph, Id, Node, Operation, Type, Unary};

impl Graph {
    /// The bits of a node that is a constant.
    pub fn known(&self, id: Id) -> Option<Bits> {
        match self.node(id).operation {
            Operation::Constant(bits) => Some(bits),
            _ => None,
        }
    }
}

/// The simplest node with the same value, to the last bit: a constant, one that the graph has, or the node itself.
pub(super) fn folded(graph: &Graph, node: Node) -> Node {
    match node.operation {
        Operation::Select(_, yes, no) if yes == no => return graph.node(yes),
        Operation::Select(condition, yes, no) => {
            if let Some(bits) = graph.known(condition) {
                return graph.node(if bits != 0 { yes } else { no });
            }
            if node.ty == Type::Flag && (graph.known(yes), graph.known(no)) == (Some(1), Some(0)) {
                return graph.node(condition);
            }
        }
        Operation::Unary(Unary::Not, a) => {
            if let Operation::Unary(Unary::Not, inner) = graph.node(a).operation {
                return graph.node(inner);
            }
        }
        Operation::Unary(Unary::ToBits, a) => {
            if let Operation::Unary(Unary::FromBits, inner) = graph.node(a).operation {
                return graph.node(inner);
            }
        }
        _ => {}
    }
    let has_operands = node.operation.operands().next().is_some();
    let are_known = node.operation.operands().all(|id| graph.known(id).is_some());
    if has_operands && are_known {
        let of = |id: Id| graph.known(id).unwrap_or_default();
        if let Some(bits) = value(graph, node, of) {
            return Node { operation: Operation::Constant(bits), ty: node.ty };
        }
    }
    node
}
