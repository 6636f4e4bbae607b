//! The bytes of a changed model: those of the source, but where a message is on the way to a change.

use std::collections::BTreeMap;
use std::ops::Range;

use super::edit::{Edit, NodeEdit, ScopeEdit};
use super::wire::{Field, Segments, fields};
use crate::file::is_standard;
use crate::file::proto::OperatorSetIdProto;
use crate::map::{Branch, Map};

/// The numbers of fields, as `onnx.proto` has them.
mod number {
    pub(super) const MODEL_FORMAT: u64 = 1;
    pub(super) const MODEL_GRAPH: u64 = 7;
    pub(super) const MODEL_OPSET: u64 = 8;
    pub(super) const MODEL_TRAINING: u64 = 20;
    pub(super) const MODEL_FUNCTION: u64 = 25;
    pub(super) const FUNCTION_NODE: u64 = 7;
    pub(super) const FUNCTION_OPSET: u64 = 9;
    pub(super) const GRAPH_NODE: u64 = 1;
    pub(super) const GRAPH_INITIALIZER: u64 = 5;
    pub(super) const NODE_INPUT: u64 = 1;
    pub(super) const NODE_ATTRIBUTE: u64 = 5;
    pub(super) const ATTRIBUTE_GRAPH: u64 = 6;
    pub(super) const ATTRIBUTE_GRAPHS: u64 = 11;
    pub(super) const OPSET_VERSION: u64 = 2;
}

/// The first version of the format in which a model imports opsets.
const WITH_IMPORTS: u64 = 3;

/// A message that may be there once is there in several pieces, which a reader would join.
const PIECES: &str =
    "has a graph in several pieces, as no exporter writes it; it cannot be changed";

/// Graphs for training run under the model's opset too, and are not read here.
const TRAINING: &str = "has graphs for training, which do not come to another opset; remove them";

type Written = Result<Segments, &'static str>;

/// The model with its changes.
pub(super) fn model(source: &[u8], map: &Map<'_>, edit: &Edit) -> Written {
    Rewriter::new(source, map, edit).model()
}

struct Rewriter<'a> {
    source: &'a [u8],
    map: &'a Map<'a>,
    edit: &'a Edit,
    /// The scopes to write anew, by the nodes that they are in. They change, or a scope within their nodes does.
    inner: BTreeMap<(usize, usize), Vec<(Branch, usize)>>,
    outermost: Vec<usize>,
}

impl<'a> Rewriter<'a> {
    fn new(source: &'a [u8], map: &'a Map<'a>, edit: &'a Edit) -> Self {
        let mut rewriter =
            Rewriter { source, map, edit, inner: BTreeMap::new(), outermost: Vec::new() };
        for &scope in edit.scopes.keys() {
            rewriter.reach(scope);
        }
        rewriter
    }

    /// Notes the way to a scope.
    fn reach(&mut self, mut scope: usize) {
        while let Some(at) = self.map.scopes[scope].at {
            let branches = self.inner.entry((at.scope, at.index)).or_default();
            if branches.iter().any(|(_, known)| *known == scope) {
                return;
            }
            branches.push((at.branch, scope));
            scope = at.scope;
        }
        self.outermost.push(scope);
    }

    /// The scope of the main graph, or of a function, if it changes.
    fn outermost(&self, function: Option<usize>) -> Option<usize> {
        self.outermost.iter().copied().find(|&scope| self.map.scopes[scope].function == function)
    }

    fn fields(&self, message: Range<usize>) -> impl Iterator<Item = Result<Field, &'static str>> {
        fields(self.source, message)
    }

    fn model(&self) -> Written {
        let mut out = Segments::default();
        let (mut functions, mut graphs) = (0, 0);
        for field in self.fields(0..self.source.len()) {
            let field = field?;
            match (field.number, field.content.clone()) {
                (number::MODEL_GRAPH, Some(content)) => {
                    graphs += 1;
                    match self.outermost(None) {
                        Some(_) if graphs > 1 => return Err(PIECES),
                        Some(scope) => out.message(field.number, self.scope(scope, content)?),
                        None => out.keep(field.whole),
                    }
                }
                (number::MODEL_FUNCTION, Some(content)) => {
                    self.function(functions, &field, content, &mut out)?;
                    functions += 1;
                }
                (number::MODEL_OPSET, Some(content)) => self.import(&field, content, &mut out)?,
                (number::MODEL_TRAINING, _) if self.edit.opset.is_some() => return Err(TRAINING),
                (number::MODEL_FORMAT, None) if self.edit.gains_import => {}
                _ => out.keep(field.whole),
            }
        }
        if let Some(opset) = self.edit.opset.filter(|_| self.edit.gains_import) {
            out.number(number::MODEL_FORMAT, WITH_IMPORTS);
            let mut import = Segments::default();
            import.number(number::OPSET_VERSION, opset.into());
            out.message(number::MODEL_OPSET, import);
        }
        Ok(out)
    }

    fn function(
        &self,
        function: usize,
        field: &Field,
        content: Range<usize>,
        out: &mut Segments,
    ) -> Result<(), &'static str> {
        let scope = self.outermost(Some(function));
        let scope = scope.or_else(|| {
            let mut scopes = self.map.scopes.iter();
            let is_it = |scope: &crate::map::Scope<'_>| scope.function == Some(function);
            self.edit.opset.and_then(|_| scopes.position(is_it))
        });
        match scope {
            Some(scope) => out.message(field.number, self.scope(scope, content)?),
            None => out.keep(field.whole.clone()),
        }
        Ok(())
    }

    /// An import, of another version if it is of the standard domain.
    fn import(
        &self,
        field: &Field,
        content: Range<usize>,
        out: &mut Segments,
    ) -> Result<(), &'static str> {
        let import = <OperatorSetIdProto as prost::Message>::decode(&self.source[content.clone()]);
        let is_meant = import.is_ok_and(|import| is_standard(&import.domain));
        let Some(opset) = self.edit.opset.filter(|_| is_meant) else {
            out.keep(field.whole.clone());
            return Ok(());
        };
        let mut import = Segments::default();
        for field in self.fields(content) {
            let field = field?;
            if field.number != number::OPSET_VERSION {
                import.keep(field.whole);
            }
        }
        import.number(number::OPSET_VERSION, opset.into());
        out.message(field.number, import);
        Ok(())
    }

    /// A graph or a function.
    fn scope(&self, scope: usize, content: Range<usize>) -> Written {
        let none = ScopeEdit::default();
        let edit = self.edit.scopes.get(&scope).unwrap_or(&none);
        let is_graph = self.map.scopes[scope].graph.is_some();
        let of_node = if is_graph { number::GRAPH_NODE } else { number::FUNCTION_NODE };
        let mut out = Segments::default();
        let (mut nodes, mut initializers) = (0, 0);
        for field in self.fields(content) {
            let field = field?;
            match (field.number, field.content.clone()) {
                (kind, Some(content)) if kind == of_node => {
                    if let Some(before) = edit.inserted.get(&nodes) {
                        out.bytes(kind, before);
                    }
                    self.node([scope, nodes], &field, content, &mut out)?;
                    nodes += 1;
                }
                (number::GRAPH_INITIALIZER, Some(_)) if is_graph => {
                    if !edit.removed_initializers.contains(&initializers) {
                        out.keep(field.whole);
                    }
                    initializers += 1;
                }
                (number::FUNCTION_OPSET, Some(content)) if !is_graph => {
                    self.import(&field, content, &mut out)?;
                }
                _ => out.keep(field.whole),
            }
        }
        edit.added_initializers
            .iter()
            .for_each(|tensor| out.bytes(number::GRAPH_INITIALIZER, tensor));
        Ok(out)
    }

    fn node(
        &self,
        [scope, index]: [usize; 2],
        field: &Field,
        content: Range<usize>,
        out: &mut Segments,
    ) -> Result<(), &'static str> {
        let of_scope = self.edit.scopes.get(&scope);
        if of_scope.is_some_and(|edit| edit.removed_nodes.contains(&index)) {
            return Ok(());
        }
        let edit = of_scope.and_then(|edit| edit.nodes.get(&index));
        let inner = self.inner.get(&(scope, index)).map_or(&[][..], Vec::as_slice);
        if edit.is_none() && inner.is_empty() {
            out.keep(field.whole.clone());
            return Ok(());
        }
        let none = NodeEdit::default();
        let edit = edit.unwrap_or(&none);
        let mut node = Segments::default();
        let (mut inputs, mut attributes) = (0, 0);
        let most = self.map.scopes[scope].nodes[index].input.len();
        for field in self.fields(content) {
            let field = field?;
            match (field.number, field.content.clone()) {
                (number::NODE_INPUT, Some(_)) => {
                    input(edit, [inputs, most], &field, &mut node, self.source);
                    inputs += 1;
                }
                (number::NODE_ATTRIBUTE, Some(content)) => {
                    match edit.attributes.get(&attributes) {
                        Some(Some(other)) => node.bytes(field.number, other),
                        Some(None) => {}
                        None => self.attribute(inner, attributes, &field, content, &mut node)?,
                    }
                    attributes += 1;
                }
                _ => node.keep(field.whole),
            }
        }
        edit.added.iter().for_each(|attr| node.bytes(number::NODE_ATTRIBUTE, attr));
        out.message(field.number, node);
        Ok(())
    }

    /// An attribute, with the changes of graphs in it.
    fn attribute(
        &self,
        inner: &[(Branch, usize)],
        attr: usize,
        field: &Field,
        content: Range<usize>,
        out: &mut Segments,
    ) -> Result<(), &'static str> {
        let within = |number: Option<usize>| {
            let branch = Branch { attr, number };
            inner.iter().find(|(known, _)| *known == branch).map(|(_, scope)| *scope)
        };
        if inner.iter().all(|(branch, _)| branch.attr != attr) {
            out.keep(field.whole.clone());
            return Ok(());
        }
        let mut attribute = Segments::default();
        let (mut own, mut listed) = (0, 0);
        for field in self.fields(content) {
            let field = field?;
            let scope = match field.number {
                number::ATTRIBUTE_GRAPH => {
                    own += 1;
                    within(None)
                }
                number::ATTRIBUTE_GRAPHS => {
                    listed += 1;
                    within(Some(listed - 1))
                }
                _ => None,
            };
            match (scope, field.content.clone()) {
                (Some(_), _) if own > 1 => return Err(PIECES),
                (Some(scope), Some(content)) => {
                    attribute.message(field.number, self.scope(scope, content)?);
                }
                _ => attribute.keep(field.whole),
            }
        }
        out.message(field.number, attribute);
        Ok(())
    }
}

/// One input of a node, and behind the last those that come to them.
fn input(
    edit: &NodeEdit,
    [index, most]: [usize; 2],
    field: &Field,
    out: &mut Segments,
    source: &[u8],
) {
    let Some(inputs) = &edit.inputs else { return out.keep(field.whole.clone()) };
    let old = field.content.clone().map_or(&[][..], |content| &source[content]);
    match inputs.get(index) {
        Some(name) if name.as_bytes() == old => out.keep(field.whole.clone()),
        Some(name) => out.bytes(field.number, name.as_bytes()),
        None => {}
    }
    if index + 1 == most {
        inputs.iter().skip(most).for_each(|name| out.bytes(field.number, name.as_bytes()));
    }
}
