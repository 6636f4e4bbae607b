//! What is to be changed in a model, scope by scope.

use std::collections::{BTreeMap, BTreeSet};

use prost::Message;
use reduce_core::AnyTensor;
use reduce_core::nodes::{AttrValue, AxesInput, Node};

use super::convert::Change;
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::tensor_proto::DataType;
use crate::file::proto::{AttributeProto, NodeProto, TensorProto};
use crate::map::{Map, Site, Source};

/// The changes of one node.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeEdit {
    /// All inputs, if they change.
    pub(super) inputs: Option<Vec<String>>,
    /// The new bytes of attributes, by their places, or nothing for an attribute that goes.
    pub(super) attributes: BTreeMap<usize, Option<Vec<u8>>>,
    /// Attributes that come to it.
    pub(super) added: Vec<Vec<u8>>,
}

/// The changes of a graph or a function.
#[derive(Clone, Debug, Default)]
pub(super) struct ScopeEdit {
    pub(super) nodes: BTreeMap<usize, NodeEdit>,
    /// Nodes that go before others.
    pub(super) inserted: BTreeMap<usize, Vec<u8>>,
    pub(super) removed_nodes: BTreeSet<usize>,
    pub(super) removed_initializers: BTreeSet<usize>,
    pub(super) added_initializers: Vec<Vec<u8>>,
}

/// The changes of a model.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) scopes: BTreeMap<usize, ScopeEdit>,
    /// The opset of the standard domain, wherever it is imported.
    pub(super) opset: Option<u32>,
    /// Whether the model imports none, since its format is older than imports are.
    pub(super) gains_import: bool,
}

impl Edit {
    /// The edit that makes these changes.
    pub(super) fn of(map: &Map<'_>, changes: &[(Site, Change)], opset: Option<u32>) -> Self {
        let gains_import = opset.is_some() && map.model.opset_import.is_empty();
        let mut edit = Edit { scopes: BTreeMap::new(), opset, gains_import };
        let mut names = Names::of(map);
        let mut dropped: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        for (site, change) in changes {
            let proto = map.node(*site);
            let mut node = attributes(proto, &change.after);
            let old = proto.input.get(1).filter(|name| !name.is_empty());
            match &change.after.axes {
                AxesInput::Absent if proto.input.len() > 1 => {
                    node.inputs = Some(proto.input[..1].to_vec());
                }
                AxesInput::Static(tensor) if change.before.axes != change.after.axes => {
                    let name = names.unused(proto);
                    node.inputs = Some(vec![proto.input[0].clone(), name.clone()]);
                    edit.give(map, *site, &name, tensor);
                }
                _ => {}
            }
            let found = old.filter(|_| node.inputs.is_some());
            if let Some((name, found)) =
                found.and_then(|name| Some((name, map.find(site.scope, name)?)))
            {
                *dropped.entry((found.scope, name)).or_default() += 1;
            }
            edit.scopes.entry(site.scope).or_default().nodes.insert(site.index, node);
        }
        edit.remove_unread(map, &dropped);
        edit
    }

    /// Gives a node axes of a name: an initializer of its graph. A function has none, and before version
    /// 4 of the format each had to be an input as well; there, a node gives it.
    fn give(&mut self, map: &Map<'_>, site: Site, name: &str, axes: &AnyTensor) {
        let AnyTensor::I64(axes) = axes else { return };
        let tensor = TensorProto {
            dims: axes
                .shape()
                .iter()
                .map(|&size| i64::try_from(size).unwrap_or(i64::MAX))
                .collect(),
            data_type: DataType::Int64.into(),
            raw_data: axes
                .data()
                .iter()
                .flat_map(|axis| axis.to_le_bytes())
                .collect::<Vec<u8>>()
                .into(),
            name: name.to_owned(),
            ..TensorProto::default()
        };
        let scope = self.scopes.entry(site.scope).or_default();
        if map.scopes[site.scope].graph.is_some() && map.model.ir_version > 3 {
            return scope.added_initializers.push(tensor.encode_to_vec());
        }
        let value = AttributeProto {
            name: "value".to_owned(),
            r#type: AttributeType::Tensor.into(),
            t: Some(TensorProto { name: String::new(), ..tensor }),
            ..AttributeProto::default()
        };
        let constant = NodeProto {
            op_type: "Constant".to_owned(),
            domain: map.node(site).domain.clone(),
            output: vec![name.to_owned()],
            attribute: vec![value],
            ..NodeProto::default()
        };
        scope.inserted.insert(site.index, constant.encode_to_vec());
    }

    /// Removes axes that no node reads any more.
    fn remove_unread(&mut self, map: &Map<'_>, dropped: &BTreeMap<(usize, &str), usize>) {
        if dropped.is_empty() {
            return;
        }
        let uses = map.uses();
        for ((number, name), count) in dropped {
            if uses.get(&(*number, *name)) != Some(count) {
                continue;
            }
            let scope = &map.scopes[*number];
            let edit = self.scopes.entry(*number).or_default();
            match scope.given.get(name) {
                Some(Source::Initializer(_)) => {
                    let tensors =
                        scope.graph.iter().flat_map(|graph| &graph.initializer).enumerate();
                    let named = tensors.filter(|(_, tensor)| tensor.name == **name);
                    edit.removed_initializers.extend(named.map(|(index, _)| index));
                }
                Some(&Source::Node(index)) if scope.nodes[index].output.len() == 1 => {
                    edit.removed_nodes.insert(index);
                }
                _ => {}
            }
        }
    }
}

/// The changes to the attributes that a node has to have. Attributes by reference stay as they are.
fn attributes(proto: &NodeProto, after: &Node) -> NodeEdit {
    let mut edit = NodeEdit::default();
    let own = proto.attribute.iter().enumerate().filter(|(_, attr)| attr.ref_attr_name.is_empty());
    for (index, attr) in own {
        let wanted = after.attrs.iter().find(|(name, _)| *name == attr.name);
        match wanted {
            None => {
                edit.attributes.insert(index, None);
            }
            Some((_, value)) if crate::file::attribute(attr).1 != *value => {
                edit.attributes.insert(index, Some(encoded(&attr.name, value)));
            }
            Some(_) => {}
        }
    }
    let new = after
        .attrs
        .iter()
        .filter(|(name, _)| proto.attribute.iter().all(|attr| attr.name != *name));
    edit.added.extend(new.map(|(name, value)| encoded(name, value)));
    edit
}

fn encoded(name: &str, value: &AttrValue) -> Vec<u8> {
    let mut attr = AttributeProto { name: name.to_owned(), ..AttributeProto::default() };
    match value {
        AttrValue::Int(int) => {
            (attr.i, attr.r#type) = (*int, AttributeType::Int.into());
        }
        AttrValue::Ints(ints) => {
            (attr.ints, attr.r#type) = (ints.clone(), AttributeType::Ints.into());
        }
        #[allow(clippy::cast_possible_truncation, reason = "it was one of 32 bits")]
        AttrValue::Float(float) => {
            (attr.f, attr.r#type) = (*float as f32, AttributeType::Float.into());
        }
        AttrValue::Other(_) => {}
    }
    attr.encode_to_vec()
}

/// The names that are taken, in any graph or function.
struct Names(BTreeSet<String>);

impl Names {
    fn of(map: &Map<'_>) -> Self {
        let nodes = map.scopes.iter().flat_map(|scope| scope.nodes);
        let read = nodes.flat_map(|node| node.input.iter().chain(&node.output)).cloned();
        let given =
            map.scopes.iter().flat_map(|scope| scope.given.keys().chain(scope.infos.keys()));
        Names(given.map(|name| (*name).to_owned()).chain(read).collect())
    }

    /// A name for the axes of a node, that nothing else has.
    fn unused(&mut self, proto: &NodeProto) -> String {
        let output = proto.output.first().map_or("", String::as_str);
        let base = format!("{output}_axes");
        let numbered = (2u64..).map(|number| format!("{base}_{number}"));
        let name =
            std::iter::once(base.clone()).chain(numbered).find(|name| !self.0.contains(name));
        let name = name.unwrap_or(base);
        self.0.insert(name.clone());
        name
    }
}
