//! What models of tests are made of.

use crate::check::findings::Findings;
use crate::check::{Gravity, Problem};
use crate::file::Model;
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::tensor_proto::DataType;
use crate::file::proto::tensor_shape_proto::Dimension;
use crate::file::proto::tensor_shape_proto::dimension::Value;
use crate::file::proto::{
    AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
};

pub(crate) fn names(list: &str) -> Vec<String> {
    list.split_whitespace().map(|name| name.replace('_', "")).collect()
}

/// A node of a text such as `ReduceSum x axes -> y`; `_` stands for the empty name.
pub(crate) fn node(text: &str) -> NodeProto {
    let (left, output) = text.split_once("->").expect("an arrow");
    let (op, input) = left.trim().split_once(' ').unwrap_or((left.trim(), ""));
    NodeProto {
        op_type: op.to_owned(),
        input: names(input),
        output: names(output),
        ..NodeProto::default()
    }
}

pub(crate) fn with(
    node: NodeProto,
    attribute: impl IntoIterator<Item = AttributeProto>,
) -> NodeProto {
    NodeProto { attribute: attribute.into_iter().collect(), ..node }
}

fn attr(name: &str, r#type: AttributeType) -> AttributeProto {
    AttributeProto { name: name.to_owned(), r#type: r#type.into(), ..AttributeProto::default() }
}

pub(crate) fn int(name: &str, i: i64) -> AttributeProto {
    AttributeProto { i, ..attr(name, AttributeType::Int) }
}

pub(crate) fn ints(name: &str, ints: &[i64]) -> AttributeProto {
    AttributeProto { ints: ints.to_vec(), ..attr(name, AttributeType::Ints) }
}

pub(crate) fn float(name: &str, f: f32) -> AttributeProto {
    AttributeProto { f, ..attr(name, AttributeType::Float) }
}

pub(crate) fn subgraph(name: &str, graph: GraphProto) -> AttributeProto {
    AttributeProto { g: Some(graph), ..attr(name, AttributeType::Graph) }
}

pub(crate) fn tensor_attr(name: &str, tensor: TensorProto) -> AttributeProto {
    AttributeProto { t: Some(tensor), ..attr(name, AttributeType::Tensor) }
}

/// An attribute that takes the one of the function.
pub(crate) fn refers(name: &str, to: &str, r#type: AttributeType) -> AttributeProto {
    AttributeProto { ref_attr_name: to.to_owned(), ..attr(name, r#type) }
}

/// A tensor of `i64`, of rank 1.
pub(crate) fn longs(name: &str, values: &[i64]) -> TensorProto {
    TensorProto {
        name: name.to_owned(),
        dims: vec![i64::try_from(values.len()).expect("short")],
        data_type: DataType::Int64.into(),
        int64_data: values.to_vec(),
        ..TensorProto::default()
    }
}

/// A value of a type, its sizes known or not (-1).
pub(crate) fn info(name: &str, elem_type: DataType, sizes: &[i64]) -> ValueInfoProto {
    let dim = |&size: &i64| Dimension { value: (size >= 0).then_some(Value::DimValue(size)) };
    let shape = Some(TensorShapeProto { dim: sizes.iter().map(dim).collect() });
    let tensor_type = Some(type_proto::Tensor { elem_type: elem_type.into(), shape });
    ValueInfoProto { name: name.to_owned(), r#type: Some(TypeProto { tensor_type }) }
}

fn untyped(name: &str) -> ValueInfoProto {
    ValueInfoProto { name: name.to_owned(), r#type: None }
}

/// A graph with the data `x`, a matrix of floats, and the output `y`.
pub(crate) fn graph(nodes: &[NodeProto]) -> GraphProto {
    GraphProto {
        name: "main".to_owned(),
        node: nodes.to_vec(),
        input: vec![info("x", DataType::Float, &[2, 3])],
        output: vec![untyped("y")],
        ..GraphProto::default()
    }
}

/// A graph within a node: it reads what is around it.
pub(crate) fn inner(name: &str, nodes: &[NodeProto]) -> GraphProto {
    GraphProto { name: name.to_owned(), input: vec![], ..graph(nodes) }
}

pub(crate) fn import(domain: &str, version: i64) -> OperatorSetIdProto {
    OperatorSetIdProto { domain: domain.to_owned(), version }
}

pub(crate) fn model(opset: i64, graph: GraphProto) -> ModelProto {
    ModelProto {
        ir_version: 8,
        graph: Some(graph),
        opset_import: vec![import("", opset)],
        ..ModelProto::default()
    }
}

/// A function `f` of the domain `local`, of `x` and with the output `y`.
pub(crate) fn function(opset: i64, nodes: &[NodeProto]) -> FunctionProto {
    FunctionProto {
        name: "f".to_owned(),
        domain: "local".to_owned(),
        input: names("x"),
        output: names("y"),
        node: nodes.to_vec(),
        opset_import: vec![import("", opset)],
        ..FunctionProto::default()
    }
}

/// A node that calls the function `f`.
pub(crate) fn call(text: &str) -> NodeProto {
    NodeProto { domain: "local".to_owned(), ..node(text) }
}

pub(crate) fn read(model: &ModelProto) -> Model {
    Model::from_proto(model).and_then(|model| model.in_folder("/")).expect("a model")
}

pub(crate) fn findings(model: &ModelProto) -> Findings {
    read(model).check().findings
}

/// What a person is told of a model.
pub(crate) fn told(model: &ModelProto) -> String {
    let model = read(model);
    let report = model.check();
    let words = |problem: Problem<'_>| {
        let level = match problem.gravity() {
            Gravity::Error => "error",
            Gravity::Note => "note",
        };
        let (code, title, place) = (problem.code(), problem.title(), problem.place());
        let (text, label) = (problem.text(), problem.label());
        let marks = "^".repeat(text.span.len());
        let note = problem.note().map_or_else(String::new, |note| format!("note: {note}\n"));
        let help = problem.help().map_or_else(String::new, |help| format!("help: {help}\n"));
        let under = format!("--> m.onnx: {place}\n{}\n{marks} {label}\n", text.text);
        format!("{level}[{code}]: {title}\n{under}{note}{help}")
    };
    report.problems().map(words).collect::<String>() + &format!("m.onnx: {report}\n")
}

/// That a model has one problem, of this code, in whose text all of these words are.
pub(crate) fn finds(model: &ModelProto, code: &str, words: &[&str]) {
    let found: Vec<_> = findings(model).problems;
    let codes: Vec<&str> = found.iter().map(|problem| problem.code).collect();
    let text = told(model);
    assert_eq!(codes, [code], "{text}");
    for word in words {
        assert!(text.contains(word), "{word} in {text}");
    }
}

/// Checks that a model has no problem, and that it has `reductions` reductions.
pub(crate) fn is_sound(model: &ModelProto, reductions: usize) {
    let found = findings(model);
    assert!(found.problems.is_empty(), "{}", told(model));
    assert_eq!(found.reductions.values().sum::<usize>(), reductions);
}
