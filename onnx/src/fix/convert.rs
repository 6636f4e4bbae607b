//! Finds the form that a reduction has at another opset.

use reduce_core::DType;
use reduce_core::nodes::{AttrValue, AxesInput, Node, OpEntry};
use reduce_specs::ONNX;

use crate::check::finding::Finding;
use crate::check::node::{Reader, Reading};
use crate::check::reference::Env;
use crate::check::text::{Part, listed};
use crate::file::proto::NodeProto;
use crate::map::Site;
use crate::words::quoted;

/// The form of a reduction at another opset.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// It is valid as it stands, and means the same.
    Same,
    Changed(Box<Change>),
    /// It has no form there.
    Impossible(Vec<Finding>),
    /// It is not valid where it is, which is reported elsewhere.
    Invalid,
}

/// How a node is to be changed.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) before: Node,
    pub(crate) after: Node,
}

/// The versions that govern a node before and after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Versions {
    pub(crate) before: Option<u32>,
    pub(crate) after: Option<u32>,
}

/// The versions of a node's operator, at its own opset and at another.
pub(crate) fn versions(reader: &Reader<'_, '_>, site: Site, target: u32) -> Versions {
    let schema = ONNX.op(&reader.map.node(site).op_type).ok().map(OpEntry::schema);
    let at = |opset: u32| schema.and_then(|schema| schema.resolve(opset).ok());
    let own = reader.map.opset(site.scope).as_ref().ok().and_then(|opset| at(opset.number));
    Versions { before: own, after: at(target) }
}

/// The node as it has to be at an opset.
pub(crate) fn convert(reader: &Reader<'_, '_>, site: Site, target: u32) -> Form {
    let Ok(opset) = reader.map.opset(site.scope) else { return Form::Invalid };
    match valid(reader, site, opset.number) {
        Some(reading) => of_reading(reader, site, &reading, target),
        None => Form::Invalid,
    }
}

/// The same, and of a node that is not valid where it is, but in the form of another version, that form
/// is taken. The newest goes first: it is what exporters know.
pub(crate) fn mend(reader: &Reader<'_, '_>, site: Site, target: Option<u32>) -> Form {
    let Ok(opset) = reader.map.opset(site.scope) else { return Form::Invalid };
    let target = target.unwrap_or(opset.number);
    if valid(reader, site, opset.number).is_some() {
        return convert(reader, site, target);
    }
    let Ok(entry) = ONNX.op(&reader.map.node(site).op_type) else { return Form::Invalid };
    let mut readings = entry.schema().versions.iter().rev().filter_map(|&version| {
        let reading = valid(reader, site, version)?;
        let outcome = of_reading(reader, site, &reading, target);
        matches!(outcome, Form::Changed(_) | Form::Same).then_some(outcome)
    });
    readings.next().unwrap_or(Form::Invalid)
}

/// Whether nothing is wrong with a node by itself, whatever calls of its function may give it.
pub(crate) fn is_valid(reader: &Reader<'_, '_>, site: Site) -> bool {
    let opset = reader.map.opset(site.scope).as_ref().ok();
    opset.is_some_and(|opset| valid(reader, site, opset.number).is_some())
}

/// The node as it reads at an opset, if nothing is wrong with it there.
fn valid(reader: &Reader<'_, '_>, site: Site, opset: u32) -> Option<Reading> {
    let reading = reader.read(site, opset, &Env::default())?;
    let is_valid = reading.problems.is_empty() && reading.entry.prepare(&reading.node).is_ok();
    is_valid.then_some(reading)
}

fn of_reading(reader: &Reader<'_, '_>, site: Site, reading: &Reading, target: u32) -> Form {
    let proto = reader.map.node(site);
    let schema = reading.entry.schema();
    let Ok(version) = schema.at(target) else { return Form::Invalid };
    if version.since == reading.version.since {
        return Form::Same;
    }
    let lost = reading.references.iter().filter(|name| version.attr(name).is_none());
    let lost: Vec<Finding> =
        lost.map(|name| no_reference(proto, site, name, version.since)).collect();
    if !lost.is_empty() {
        return Form::Impossible(lost);
    }
    // Of data whose type is not known, the operator may take some type there.
    let mut before = reading.node.clone();
    if !reading.is_typed && version.dtypes.iter().all(|row| row.input != before.dtype) {
        before.dtype = version.dtypes.first().map_or(DType::F32, |row| row.input);
    }
    let after = match reading.entry.convert(&before, target) {
        Ok(after) => after,
        Err(problems) => {
            let problem = |error| Finding::of(error, site, proto);
            return Form::Impossible(problems.errors().iter().map(problem).collect());
        }
    };
    let overridden =
        reading.references.iter().find(|name| after.attrs.iter().any(|(other, _)| other == *name));
    if let Some(name) = overridden {
        return Form::Impossible(vec![no_reference(proto, site, name, version.since)]);
    }
    let mut as_it_is = before.clone();
    as_it_is.opset = target;
    let is_same = reading.entry.convert(&as_it_is, target).is_ok_and(|same| same == after)
        && proto.input.len() <= if version.axes_input { 2 } else { 1 };
    if is_same { Form::Same } else { Form::Changed(Box::new(Change { before, after })) }
}

fn no_reference(proto: &NodeProto, site: Site, name: &str, version: u32) -> Finding {
    let place = proto.attribute.iter().position(|attr| attr.name == name);
    let part = place.map_or(Part::Operator, Part::Attribute);
    let fact =
        format!("{} refers to an attribute of the function, and has no form there", quoted(name));
    let mut problem = Finding::new("no-form", site, part, fact)
        .help("give the value in the function itself")
        .label("known in a call alone");
    problem.version = Some(version);
    problem
}

impl Change {
    /// Describes the changes in the words of `reduce explain`.
    pub(crate) fn words(&self) -> Vec<String> {
        let axes = |node: &Node| node.attrs.iter().find(|(name, _)| name == "axes").cloned();
        let (old, new) = (axes(&self.before), axes(&self.after));
        let mut words = Vec::new();
        match (&old, &self.before.axes, &new, &self.after.axes) {
            (Some((_, axes)), _, None, AxesInput::Static(_)) => {
                words.push(format!("axes = {}: an attribute before, now an input", value(axes)));
            }
            (None, AxesInput::Static(_), Some((_, axes)), _) => {
                words.push(format!("axes = {}: an input before, now an attribute", value(axes)));
            }
            (None, AxesInput::Absent, None, AxesInput::Static(_)) => {
                words.push("gains the input axes".to_owned());
            }
            (_, AxesInput::Static(_) | AxesInput::Runtime { .. }, None, AxesInput::Absent) => {
                words.push("the input axes is left out".to_owned());
            }
            (None, _, Some((_, axes)), _) => {
                words.push(format!("gains the attribute axes = {}", value(axes)));
            }
            (Some(_), _, None, _) => words.push("the attribute axes is left out".to_owned()),
            _ => {}
        }
        let others = |node: &Node| -> Vec<(String, AttrValue)> {
            node.attrs.iter().filter(|(name, _)| name != "axes").cloned().collect()
        };
        let (old, new) = (others(&self.before), others(&self.after));
        for (name, given) in &new {
            match old.iter().find(|(other, _)| other == name) {
                None => words.push(format!("gains the attribute {name} = {}", value(given))),
                Some((_, was)) if was != given => {
                    words.push(format!("{name}: was {}; is {}", value(was), value(given)));
                }
                _ => {}
            }
        }
        let lost = old.iter().filter(|(name, _)| new.iter().all(|(other, _)| other != name));
        words
            .extend(lost.map(|(name, was)| format!("loses the attribute {name} = {}", value(was))));
        if words.is_empty() {
            words.push("a nameless input is left out".to_owned());
        }
        words
    }
}

fn value(value: &AttrValue) -> String {
    match value {
        AttrValue::Int(int) => int.to_string(),
        AttrValue::Float(float) => format!("{float:?}"),
        AttrValue::Ints(ints) => listed(ints.iter().map(i64::to_string)),
        AttrValue::Other(words) => (*words).to_owned(),
    }
}
