//! Says whether a node means the same at two versions.
//!
//! A node that is valid at both means the same, with two exceptions. An attribute that it leaves out may have
//! another default; the schemas say so. Or the standard's text changed, which [`CHANGES`] lists.

use super::changes::{CHANGES, FLATTENED, MeaningChange, Way};
use super::table::Version;
use super::valid::Flaw;
use crate::check::text::Part;
use crate::file::proto::NodeProto;
use crate::map::{Map, Site};
use crate::words::quoted;

/// Up to this opset versions were written down too briefly to say what they do not take.
const BRIEF: u32 = 6;

/// Why a node means something else at the next version, or at the one before.
pub(super) fn flaw(
    map: &Map<'_>,
    site: Site,
    [before, after]: [&Version; 2],
    counts: &dyn Fn(&str) -> bool,
) -> Option<Flaw> {
    let node = map.node(site);
    let since = before.since.max(after.since);
    let goes_back = after.since < before.since;
    let is_meant = |change: &&MeaningChange| {
        change.since == since
            && change.operators.contains(&node.op_type.as_str())
            && (goes_back || change.way == Way::Both)
            && change.nodes.have(map, site, counts)
    };
    let told = |why: &str| match goes_back {
        true => format!("from version {since} on {why}, and here not"),
        false => why.to_owned(),
    };
    if let Some(change) = CHANGES.iter().find(is_meant) {
        return Some(Flaw::new(change.nodes.part(node), told(change.why)));
    }
    if goes_back && since <= BRIEF {
        return Some(Flaw::new(Part::Operator, told("it takes more")));
    }
    default(node, [before, after])
}

/// An attribute that a node leaves out, or may leave out in some call, and that has another default.
fn default(node: &NodeProto, [before, after]: [&Version; 2]) -> Option<Flaw> {
    let is_given = |name: &str| {
        node.attribute.iter().any(|attr| attr.name == name && attr.ref_attr_name.is_empty())
    };
    let is_listed = FLATTENED.contains(&node.op_type.as_str());
    let shown = |value: &Option<serde_json::Value>| {
        value.as_ref().map_or("nothing".to_owned(), ToString::to_string)
    };
    before.attributes.iter().filter(|_| !is_listed).find_map(|(name, attr)| {
        let there = after.attributes.get(name)?;
        if there.default == attr.default || is_given(name) {
            return None;
        }
        let (old, new) = (shown(&attr.default), shown(&there.default));
        let name = quoted(name);
        Some(Flaw::new(
            Part::Operator,
            format!("{name} is left out, which meant {old}, and means {new}"),
        ))
    })
}
