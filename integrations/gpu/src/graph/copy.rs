//! A graph copied into another one.

use super::{Graph, Id, Node};

impl Graph {
    /// Copies all nodes of another graph: the number of each in this one. An argument or a parameter becomes what `leaf` gives.
    pub(crate) fn copy(
        &mut self,
        from: &Graph,
        mut leaf: impl FnMut(&mut Graph, Node) -> Id,
    ) -> Vec<Id> {
        let mut ids: Vec<Id> = Vec::with_capacity(from.nodes().len());
        for &node in from.nodes() {
            let id = match node.operation.is_leaf() {
                true => leaf(self, node),
                false => self.add(node.operation.on(|operand| ids[operand as usize]), node.ty),
            };
            ids.push(id);
        }
        ids
    }
}
