//! Whether a node can be read at a version of its operator: by the names and kinds of its attributes, and by
//! how many inputs and outputs it has.

use super::table::{Formal, Kind, Version, arity, formal};
use crate::check::text::Part;
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::{AttributeProto, NodeProto};
use crate::words::{counted, quoted};

/// Why a node is not valid at a version, or not the same.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Flaw {
    pub(super) part: Part,
    /// A sentence about the operator at the version.
    pub(super) fact: String,
}

impl Flaw {
    pub(super) fn new(part: Part, fact: impl Into<String>) -> Self {
        Flaw { part, fact: fact.into() }
    }
}

/// What is wrong with a node at a version, if anything is.
pub(super) fn flaw(node: &NodeProto, version: &Version) -> Option<Flaw> {
    if version.is_deprecated {
        return Some(Flaw::new(Part::Operator, "it is deprecated"));
    }
    let attributes = node.attribute.iter().enumerate();
    let of_attributes = attributes
        .filter_map(|(place, attr)| attribute(attr, version).map(|fact| (place, fact)))
        .map(|(place, fact)| Flaw::new(Part::Attribute(place), fact))
        .next();
    let is_given = |name: &String| node.attribute.iter().any(|attr| attr.name == *name);
    let mut required = version.attributes.iter().filter(|(_, attr)| attr.is_required);
    let missing = || {
        let (name, _) = required.find(|(name, _)| !is_given(name))?;
        Some(Flaw::new(Part::Operator, format!("it needs the attribute {}", quoted(name))))
    };
    let inputs = || {
        let (least, most) = (version.least_inputs, arity(&version.inputs).1);
        count(&node.input, &version.inputs, (least, most), "input")
            .map(|(place, fact)| Flaw::new(place.map_or(Part::Inputs, Part::Input), fact))
    };
    let outputs = || {
        count(&node.output, &version.outputs, arity(&version.outputs), "output")
            .map(|(place, fact)| Flaw::new(place.map_or(Part::Operator, Part::Output), fact))
    };
    of_attributes.or_else(missing).or_else(inputs).or_else(outputs)
}

fn attribute(attr: &AttributeProto, version: &Version) -> Option<String> {
    let name = quoted(&attr.name);
    let Some(known) = version.attributes.get(&attr.name) else {
        let is_input = version.inputs.iter().any(|input| input.name == attr.name);
        let instead = if is_input { ", but an input" } else { "" };
        return Some(format!("{name} is no attribute{instead}"));
    };
    let kind = kind(attr);
    (kind != known.kind).then(|| format!("{name} is of the kind {}, and not {kind}", known.kind))
}

/// The kind of an attribute's value.
fn kind(attr: &AttributeProto) -> String {
    match attr.r#type() {
        AttributeType::Undefined => "unknown".to_owned(),
        known => known.as_str_name().to_lowercase(),
    }
}

/// What is wrong with the names of inputs or outputs, and with which.
fn count(
    names: &[String],
    formals: &[Formal],
    (least, most): (usize, usize),
    what: &str,
) -> Option<(Option<usize>, String)> {
    let found = counted(names.len(), what);
    if names.len() < least {
        return Some((None, format!("it needs {}, and has {found}", counted(least, what))));
    }
    if names.len() > most {
        return Some((Some(most), format!("it takes {}, and has {found}", counted(most, what))));
    }
    let is_missing =
        |place: usize| formal(formals, place).is_some_and(|formal| formal.kind == Kind::Needed);
    let place = (0..names.len()).find(|&place| names[place].is_empty() && is_missing(place))?;
    let name = formal(formals, place).map_or("", |formal| formal.name.as_str());
    Some((Some(place), format!("the {what} {} is needed, and left out", quoted(name))))
}
