//! Models as tests and exporters write them, and as nobody should, built in memory and run.

mod bodies;
mod functions;
mod hostile;
mod joins;
mod nodes;
mod reductions;

use std::path::PathBuf;

use prost::Message;
use reduce_core::{AnyTensor, Element, Level, Tensor};

use super::{Plan, Program, Refusal, Types, Value, run};
use crate::onnx::File;
use crate::onnx::proto::attribute_proto::AttributeType;
use crate::onnx::proto::tensor_proto::DataType;
use crate::onnx::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    ValueInfoProto,
};

fn names(list: &str) -> Vec<String> {
    list.split_whitespace().map(|name| name.replace('_', "")).collect()
}

fn infos(list: &str) -> Vec<ValueInfoProto> {
    names(list).into_iter().map(|name| ValueInfoProto { name, r#type: None }).collect()
}

/// A node; `_` stands for the empty name.
fn node(op: &str, input: &str, output: &str) -> NodeProto {
    NodeProto {
        op_type: op.to_owned(),
        input: names(input),
        output: names(output),
        ..NodeProto::default()
    }
}

/// A node with an attribute.
fn with(attribute: AttributeProto, node: NodeProto) -> NodeProto {
    NodeProto { attribute: [node.attribute, vec![attribute]].concat(), ..node }
}

fn of_type(name: &str, r#type: AttributeType) -> AttributeProto {
    AttributeProto { name: name.to_owned(), r#type: r#type.into(), ..AttributeProto::default() }
}

fn int(name: &str, i: i64) -> AttributeProto {
    AttributeProto { i, ..of_type(name, AttributeType::Int) }
}

fn ints(name: &str, ints: &[i64]) -> AttributeProto {
    AttributeProto { ints: ints.to_vec(), ..of_type(name, AttributeType::Ints) }
}

/// An attribute that is one of the function around.
fn reference(name: &str, to: &str, r#type: AttributeType) -> AttributeProto {
    AttributeProto { ref_attr_name: to.to_owned(), ..of_type(name, r#type) }
}

fn longs(name: &str, dims: &[i64], values: &[i64]) -> TensorProto {
    TensorProto {
        name: name.to_owned(),
        dims: dims.to_vec(),
        data_type: DataType::Int64.into(),
        int64_data: values.to_vec(),
        ..TensorProto::default()
    }
}

fn graph(nodes: &[NodeProto], input: &str, output: &str) -> GraphProto {
    GraphProto {
        node: nodes.to_vec(),
        input: infos(input),
        output: infos(output),
        ..GraphProto::default()
    }
}

fn import(domain: &str, version: i64) -> Vec<OperatorSetIdProto> {
    vec![OperatorSetIdProto { domain: domain.to_owned(), version }]
}

fn model(opset: i64, graph: &GraphProto) -> ModelProto {
    let graph = Some(graph.clone());
    ModelProto { opset_import: import("", opset), graph, ..ModelProto::default() }
}

fn file(model: &ModelProto) -> File {
    File::of(model.encode_to_vec().into(), PathBuf::new()).expect("what was encoded")
}

/// Runs a model, with chains joined or not.
fn run_as(
    model: &ModelProto,
    inputs: &[AnyTensor],
    joins: bool,
) -> Result<Vec<AnyTensor>, Refusal> {
    let file = file(model);
    let program = Program::new(&file)?;
    let given = inputs.iter().cloned().map(|tensor| Some(Value::from(tensor)));
    let none = (inputs.len()..program.inputs().len()).map(|_| None);
    let values: Vec<Option<Value>> = given.chain(none).collect();
    let dtypes: Vec<_> = values.iter().map(|value| value.as_ref().map(Value::dtype)).collect();
    let types = Types::new(&program, &dtypes)?;
    let plan = Plan::new(&program, &types, joins);
    let results = run(&program, &plan, values, Level::Scalar)?;
    results.iter().map(|value| Ok(value.tensor()?.into_owned())).collect()
}

/// Runs a graph at an opset over tensors, node by node.
fn results(opset: i64, graph: &GraphProto, inputs: &[AnyTensor]) -> Result<Vec<AnyTensor>, String> {
    run_as(&model(opset, graph), inputs, false).map_err(Refusal::sentence)
}

/// The one result of a node that reads x, y and so on, as many as there are tensors.
fn one(opset: i64, node: &NodeProto, inputs: &[AnyTensor]) -> Result<AnyTensor, String> {
    let names = ["x", "y", "z", "v", "w"][..inputs.len()].join(" ");
    let graph = graph(std::slice::from_ref(node), &names, &node.output.join(" "));
    Ok(results(opset, &graph, inputs)?.swap_remove(0))
}

fn tensor<T: Element>(values: &[T], shape: &[usize]) -> AnyTensor {
    AnyTensor::from(Tensor::new(values.to_vec(), shape).expect("right length"))
}

fn list<T: Element>(values: &[T]) -> AnyTensor {
    tensor(values, &[values.len()])
}

fn matrix() -> AnyTensor {
    tensor(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])
}

/// Asserts that the graph is refused, with these words.
fn refuses(opset: i64, graph: &GraphProto, inputs: &[AnyTensor], words: &str) {
    let problem = results(opset, graph, inputs).expect_err(words);
    assert!(problem.contains(words), "{words} in {problem}");
}
