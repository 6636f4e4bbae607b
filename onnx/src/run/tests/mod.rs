//! Models as tests and exporters write them, and as nobody should, built in memory and run.

mod bodies;
mod functions;
mod hostile;
mod joins;
mod nodes;
mod reductions;

use reduce_core::{AnyTensor, AnyView, DType, Element, Level, Tensor, View};

use super::{Holder, Program, Value};
use crate::error::Error;
use crate::file::Model;
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::tensor_proto::DataType;
use crate::file::proto::tensor_shape_proto::{Dimension, dimension};
use crate::file::proto::{
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TypeProto, ValueInfoProto, type_proto,
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

fn file(model: &ModelProto) -> Model {
    Model::from_proto(model).expect("what was encoded")
}

/// Runs a model, with chains joined or not.
fn run_as(model: &ModelProto, inputs: &[AnyTensor], joins: bool) -> Result<Vec<AnyTensor>, Error> {
    let file = file(model);
    let program = Program::new(&file)?;
    let given = inputs.iter().cloned().map(|tensor| Some(Value::from(tensor)));
    let none = (inputs.len()..program.inputs().len()).map(|_| None);
    let values: Vec<Option<Value<'_>>> = given.chain(none).collect();
    let dtypes: Vec<_> = values.iter().map(|value| value.as_ref().map(Value::dtype)).collect();
    let plan = program.plan(&dtypes, joins)?.level(Level::Scalar);
    plan.run(values)?.iter().map(|value| Ok(value.tensor()?.into_owned())).collect()
}

/// The sentence of an error.
#[allow(clippy::needless_pass_by_value, reason = "what `map_err` takes")]
fn said(error: Error) -> String {
    error.sentence().to_owned()
}

/// Runs a graph at an opset over tensors, node by node.
fn results(opset: i64, graph: &GraphProto, inputs: &[AnyTensor]) -> Result<Vec<AnyTensor>, String> {
    run_as(&model(opset, graph), inputs, false).map_err(said)
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

/// A program is made once and run by any thread, several at a time.
#[test]
fn programs_are_shared_by_threads() {
    let file = file(&model(13, &graph(&[node("ReduceSum", "x", "y")], "x", "y")));
    let program = Program::new(&file).expect("sound");
    let sum = || {
        let results = program.run([("x", matrix().into())]).expect("a sum");
        results[0].tensor().expect("there").into_owned()
    };
    let all: Vec<AnyTensor> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(sum)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a result")).collect()
    });
    assert!(all.iter().all(|result| *result == tensor(&[10.0f32], &[1, 1])));
}

/// What is given is held against what is asked for, and each mistake has its sentence.
#[test]
fn inputs_are_those_that_are_asked_for() {
    let floats = |name: &str, sizes: &[&str]| {
        let size = |size: &&str| match size.parse() {
            Ok(number) => dimension::Value::DimValue(number),
            Err(_) => dimension::Value::DimParam((*size).to_owned()),
        };
        let dim = sizes.iter().map(|of| Dimension { value: Some(size(of)) }).collect();
        let shape = Some(TensorShapeProto { dim });
        let tensor_type = Some(type_proto::Tensor { elem_type: DataType::Float.into(), shape });
        ValueInfoProto { name: name.to_owned(), r#type: Some(TypeProto { tensor_type }) }
    };
    let nodes = [node("Add", "x w", "y")];
    let input = vec![floats("x", &["n", "2"]), floats("w", &["n", "1"])];
    let file = file(&model(13, &GraphProto { input, ..graph(&nodes, "", "y") }));
    let program = Program::new(&file).expect("sound");
    let refused = |inputs: Vec<(&str, Value<'static>)>, words: &str| {
        let error = program.run(inputs).expect_err(words);
        assert_eq!(error.code(), "inputs");
        assert!(error.sentence().contains(words), "{words} in {error}");
    };
    let (x, column) = (|| Value::from(matrix()), |rows| tensor(&vec![1.0f32; rows], &[rows, 1]));
    refused(vec![("v", x())], "has no input `v`; its inputs are: `x`, `w`");
    refused(vec![("x", x()), ("x", x())], "input `x` is given twice");
    refused(vec![("x", x())], "input `w` is not given; give a value of f32 [n, 1]");
    refused(
        vec![("x", tensor(&[1i64, 2], &[1, 2]).into())],
        "declared as `f32`, and this is `i64`",
    );
    refused(vec![("x", list(&[1.0f32]).into())], "declared with 2 axes");
    refused(vec![("x", column(2).into())], "declared with size 2 along axis 1");
    refused(vec![("x", x()), ("w", column(3).into())], "calls `n`; that is 2 in input `x`");
    let results = program.run([("w", column(2).into()), ("x", x())]).expect("all are right");
    let expected = tensor(&[2.0f32, 3.0, 4.0, 5.0], &[2, 2]);
    assert_eq!(*results[0].tensor().expect("there"), expected);
    assert_eq!(program.plan(&[], true).expect_err("no type").code(), "invalid");
    let plan = program.plan(&[Some(DType::F32), Some(DType::F32)], true).expect("known types");
    assert_eq!(plan.run(vec![None]).expect_err("one is missing").code(), "inputs");
}

/// A view is read where it lies, in any layout.
#[test]
fn views_are_read_where_they_lie() {
    let nodes = [node("Identity", "x", "z"), node("ReduceSum", "x one", "y")];
    let initializer = vec![longs("one", &[1], &[1])];
    let file = file(&model(13, &GraphProto { initializer, ..graph(&nodes, "x", "z y") }));
    let program = Program::new(&file).expect("sound");
    let data = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    let columns = View::with_strides(&data, &[2, 3], &[1, 2], 0).expect("within the data");
    let results = program.run([("x", AnyView::from(columns).into())]).expect("a sum");
    let sums = tensor(&[9.0f32, 12.0], &[2, 1]);
    assert_eq!(*results[1].tensor().expect("there"), sums);
    let rows = tensor(&[1.0f32, 3.0, 5.0, 2.0, 4.0, 6.0], &[2, 3]);
    assert_eq!(*results[0].tensor().expect("there"), rows);
    let AnyView::F32(same) = results[0].view().expect("there") else { panic!("another type") };
    assert!(std::ptr::eq(same.data(), &data[..]), "it is copied");
}

/// A part of a larger buffer is not taken for the whole of it, whoever reads it, and whoever holds it.
#[test]
fn parts_of_buffers_are_parts() {
    /// The second row of three.
    #[derive(Debug)]
    struct Middle(Vec<f32>);

    impl Holder for Middle {
        fn view(&self) -> Result<AnyView<'_>, reduce_core::Error> {
            View::with_strides(&self.0, &[1, 2], &[2, 1], 2).map(AnyView::from)
        }
    }

    let nodes = [
        node("Concat", "x x", "a"),
        node("Gather", "x zero", "b"),
        node("Unsqueeze", "x zero", "c"),
        node("Neg", "x", "d"),
    ];
    let nodes = nodes.map(|node| match node.op_type.as_str() {
        "Concat" => with(int("axis", 1), node),
        _ => node,
    });
    let initializer = vec![longs("zero", &[1], &[0])];
    let file = file(&model(13, &GraphProto { initializer, ..graph(&nodes, "x", "a b c d") }));
    let program = Program::new(&file).expect("sound");
    let data = vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    let view = View::with_strides(&data, &[1, 2], &[2, 1], 2).expect("within the data");
    let held = Value::held(Middle(data.clone())).expect("a view");
    for x in [Value::from(view), held] {
        let results = program.run([("x", x)]).expect("they are run");
        let results = results.iter().map(|value| value.tensor().expect("there").into_owned());
        let expected = [
            tensor(&[3.0f32, 4.0, 3.0, 4.0], &[1, 4]),
            tensor(&[3.0f32, 4.0], &[1, 2]),
            tensor(&[3.0f32, 4.0], &[1, 1, 2]),
            tensor(&[-3.0f32, -4.0], &[1, 2]),
        ];
        assert_eq!(results.collect::<Vec<_>>(), expected);
    }
}
