//! One reduction, held against the version that governs it.

use std::collections::HashMap;

use reduce_core::DType;
use reduce_core::nodes::{AttrValue, AxesInput, Node, OpEntry, PartialShape};
use reduce_core::schema::{AttrKind, VersionSchema};
use reduce_specs::ONNX;

use super::finding::Finding;
use super::reference::{Env, Given};
use super::text::Part;
use super::value::{self, KnownValue, Type};
use crate::file::proto::{AttributeProto, NodeProto};
use crate::file::{self, Model};
use crate::map::{Map, Site, Source};
use crate::words::{counted, quoted};

/// Problems of one node that are told one by one.
const MOST: usize = 20;

/// A reduction as the library takes it, and what was wrong with it before.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) entry: &'static OpEntry,
    pub(crate) node: Node,
    pub(crate) version: VersionSchema,
    pub(crate) problems: Vec<Finding>,
    /// What is known of the data, in words.
    data: Option<String>,
    /// Whether the type of the data is known, and not assumed.
    pub(crate) is_typed: bool,
    /// Attributes that the node has, but whose values are not known.
    pub(crate) references: Vec<String>,
}

/// Reads the nodes of a model, and keeps what was inferred about the results of earlier reductions.
#[derive(Debug)]
pub(crate) struct Reader<'a, 'm> {
    pub(crate) map: &'a Map<'m>,
    pub(crate) model: &'m Model,
    inferred: HashMap<(usize, &'m str), KnownValue>,
}

impl<'a, 'm> Reader<'a, 'm> {
    pub(crate) fn new(map: &'a Map<'m>, model: &'m Model) -> Self {
        Reader { map, model, inferred: HashMap::new() }
    }

    /// The node at an opset, with attributes by reference as they are in an environment.
    pub(crate) fn read(&self, site: Site, opset: u32, env: &Env<'m>) -> Option<Reading> {
        let proto = self.map.node(site);
        let entry = ONNX.op(&proto.op_type).ok()?;
        let version = entry.schema().at(opset).ok()?;
        let mut problems = arity(proto, site, &version);
        let data = self.data(site, proto, &version, &mut problems);
        let dtype = match &data.dtype {
            Type::Of(dtype) => *dtype,
            _ => any_dtype(&version),
        };
        let mut node = Node::new(opset, dtype).shape(data.shape.clone());
        node.axes = self.axes(site, proto, &version, env, &mut problems);
        let mut references = Vec::new();
        for attr in &proto.attribute {
            match given(attr, &version, env) {
                Ok(value) => node.attrs.extend(value.map(|value| (attr.name.clone(), value))),
                Err(name) => references.push(name),
            }
        }
        let words = self.words(proto, &data);
        let is_typed = matches!(data.dtype, Type::Of(_));
        Some(Reading { entry, node, version, problems, data: words, is_typed, references })
    }

    /// All that is wrong with a node, in one environment.
    pub(crate) fn check(&mut self, site: Site, opset: u32, env: &Env<'m>) -> Vec<Finding> {
        let Some(reading) = self.read(site, opset, env) else { return Vec::new() };
        let proto = self.map.node(site);
        let mut problems = reading.problems;
        match reading.entry.prepare(&reading.node) {
            Ok(call) => {
                let shape = call.infer(&reading.node.shape).unwrap_or_default();
                let value = KnownValue { dtype: Type::Of(call.output_dtype()), shape };
                // Of a type that is only assumed nothing follows.
                let is_known = reading.is_typed && problems.is_empty();
                if let ([name], true) = (proto.output.as_slice(), is_known) {
                    self.inferred.insert((site.scope, name), value);
                }
            }
            Err(found) => {
                let about = |error| Finding::of(error, site, proto);
                problems.extend(found.errors().iter().take(MOST).map(about));
                if let more @ 1.. = found.errors().len().saturating_sub(MOST) {
                    let fact = format!("{} of this node", counted(more, "more problem"));
                    let problem = Finding::new("more-problems", site, Part::Operator, fact);
                    problems.push(problem.help("mend those that are shown, and check again"));
                }
            }
        }
        for problem in &mut problems {
            problem.version = Some(reading.version.since);
            let is_of_data = matches!(
                problem.code,
                "dtype-not-allowed" | "axis-out-of-range" | "duplicate-axis" | "rank-mismatch"
            );
            if is_of_data && problem.note.is_none() {
                problem.note.clone_from(&reading.data);
            }
        }
        problems
    }

    /// What is known of a value that a scope reads.
    fn value(&self, scope: usize, name: &str) -> Option<KnownValue> {
        let found = self.map.find(scope, name)?;
        let value = KnownValue::of(self.map, self.model, &found);
        if value.dtype != Type::Unknown && value.shape.rank().is_some() {
            return Some(value);
        }
        let inferred = self.inferred.get(&(found.scope, name));
        Some(match inferred {
            None => value,
            Some(inferred) => KnownValue {
                dtype: match value.dtype {
                    Type::Unknown => inferred.dtype.clone(),
                    known => known,
                },
                shape: match value.shape.rank() {
                    None => inferred.shape.clone(),
                    Some(_) => value.shape,
                },
            },
        })
    }

    fn data(
        &self,
        site: Site,
        proto: &NodeProto,
        version: &VersionSchema,
        problems: &mut Vec<Finding>,
    ) -> KnownValue {
        let unknown = KnownValue { dtype: Type::Unknown, shape: PartialShape::unknown() };
        let Some(name) = proto.input.first().filter(|name| !name.is_empty()) else {
            return unknown;
        };
        problems.extend(self.missing(site, 0, name));
        let value = self.value(site.scope, name).unwrap_or(unknown);
        if let Type::Other(problem) = &value.dtype {
            let mut allowed: Vec<DType> = version.dtypes.iter().map(|row| row.input).collect();
            allowed.sort_unstable();
            let allowed: Vec<&str> = allowed.into_iter().map(DType::name).collect();
            let fact = format!("{} {problem}", quoted(name));
            let found = Finding::new("dtype-not-allowed", site, Part::Input(0), fact);
            problems.push(found.help(format!("give data of one of: {}", allowed.join(", "))));
        }
        value
    }

    fn axes(
        &self,
        site: Site,
        proto: &NodeProto,
        version: &VersionSchema,
        env: &Env<'m>,
        problems: &mut Vec<Finding>,
    ) -> AxesInput {
        let Some(name) = proto.input.get(1).filter(|name| !name.is_empty()) else {
            return AxesInput::Absent;
        };
        // Of a version without this input, that is what is wrong.
        if version.axes_input {
            problems.extend(self.missing(site, 1, name));
        }
        let Some(found) = self.map.find(site.scope, name) else { return AxesInput::runtime() };
        match value::axes(self.map, self.model, &found, env) {
            Ok(AxesInput::Runtime { dtype, shape }) => {
                match self.inferred.get(&(found.scope, name)) {
                    Some(KnownValue { dtype: Type::Of(dtype), shape }) => {
                        AxesInput::Runtime { dtype: *dtype, shape: shape.clone() }
                    }
                    _ => AxesInput::Runtime { dtype, shape },
                }
            }
            Ok(axes) => axes,
            Err(problem) => {
                let fact = format!("the axes, {}: the tensor {problem}", quoted(name));
                let help = "give axes of i64 that can be read";
                let found = Finding::new("axes-unreadable", site, Part::Input(1), fact);
                problems.push(found.help(help));
                AxesInput::runtime()
            }
        }
    }

    /// What is wrong with an input that nobody gives, or only later.
    fn missing(&self, site: Site, input: usize, name: &str) -> Option<Finding> {
        let problem = |fact: String, help: &str| {
            Some(Finding::new("no-such-value", site, Part::Input(input), fact).help(help))
        };
        match self.map.find(site.scope, name) {
            None => problem(
                format!("nothing gives {}", quoted(name)),
                "name a value of this graph or of one around it",
            ),
            Some(found) if found.scope == site.scope => match found.source {
                Source::Node(index) if index >= site.index => problem(
                    format!(
                        "{} is given only by node {index}, which is not before it",
                        quoted(name)
                    ),
                    "put nodes behind those whose results they read",
                ),
                _ => None,
            },
            Some(_) => None,
        }
    }

    /// What is known of the data, for people.
    fn words(&self, proto: &NodeProto, data: &KnownValue) -> Option<String> {
        let name = quoted(proto.input.first()?);
        match (&data.dtype, data.shape.rank()) {
            (Type::Of(dtype), None) => Some(format!("{name} is {dtype} of unknown rank")),
            (Type::Of(dtype), _) => Some(format!("{name} is {dtype} {}", shown(&data.shape))),
            (_, Some(_)) => Some(format!("{name} has shape {}", shown(&data.shape))),
            _ => None,
        }
    }
}

/// A shape; of one with very many axes the beginning. Names of sizes are from the file.
fn shown(shape: &PartialShape) -> String {
    crate::words::plain(&shape.to_string())
}

/// A type that a version accepts, for data of unknown type. It is one that all versions have, if there
/// is one.
fn any_dtype(version: &VersionSchema) -> DType {
    let allowed = |dtype| version.dtypes.iter().any(|row| row.input == dtype);
    let first = || version.dtypes.first().map_or(DType::F32, |row| row.input);
    if allowed(DType::F32) { DType::F32 } else { first() }
}

/// What is wrong with the numbers of inputs and outputs.
fn arity(proto: &NodeProto, site: Site, version: &VersionSchema) -> Vec<Finding> {
    let mut problems = Vec::new();
    let most = if version.axes_input { 2 } else { 1 };
    let (inputs, outputs) = (proto.input.len(), proto.output.len());
    if proto.input.first().is_none_or(String::is_empty) {
        let fact = "no data: the node has no first input".to_owned();
        let problem = Finding::new("input-count", site, Part::Inputs, fact);
        problems.push(problem.help("name the tensor to reduce"));
    }
    // A second input with a name is the library's to judge.
    let is_nameless = inputs == 2 && proto.input[1].is_empty();
    if inputs > 2 || is_nameless && most == 1 {
        let fact = format!(
            "{}, of which version {} takes {most}",
            counted(inputs, "input"),
            version.since
        );
        let problem = Finding::new("input-count", site, Part::Input(most), fact);
        problems
            .push(problem.help("leave out those behind, the nameless too").label("one too many"));
    }
    if outputs != 1 {
        let fact = format!("{}; a reduction has 1", counted(outputs, "output"));
        let part = if outputs > 1 { Part::Output(1) } else { Part::Operator };
        problems.push(Finding::new("output-count", site, part, fact).help("name one output"));
    } else if proto.output[0].is_empty() {
        let fact = "the output has no name".to_owned();
        let problem = Finding::new("output-count", site, Part::Output(0), fact);
        problems.push(problem.help("name it"));
    }
    problems
}

/// The value of an attribute; its name, if it is by reference and not known.
fn given(
    attr: &AttributeProto,
    version: &VersionSchema,
    env: &Env<'_>,
) -> Result<Option<AttrValue>, String> {
    let resolved = env.value_of(attr);
    match resolved {
        Given::Value(value) => Ok(Some(file::attribute(value).1)),
        Given::Absent => Ok(None),
        Given::Unknown => {
            // What the reference says of its kind, so that a wrong one is found.
            let of_kind = file::attribute(attr).1;
            let kind = version.attr(&attr.name).map(|attr| attr.kind);
            let is_right = matches!(
                (kind, &of_kind),
                (Some(AttrKind::Bool | AttrKind::Int), AttrValue::Int(_))
                    | (Some(AttrKind::Float), AttrValue::Float(_))
                    | (Some(AttrKind::Ints), AttrValue::Ints(_))
                    | (Some(_), AttrValue::Other("a value of no type"))
            );
            if is_right { Err(attr.name.clone()) } else { Ok(Some(of_kind)) }
        }
    }
}
