//! Models as tests and exporters write them, and as nobody should.

use reduce_core::{AnyTensor, Level, Tensor};

use super::{Model, reason_to_skip};
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

fn int(name: &str, i: i64) -> AttributeProto {
    let r#type = AttributeType::Int.into();
    AttributeProto { name: name.to_owned(), i, r#type, ..AttributeProto::default() }
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

fn import(domain: &str, version: i64) -> ModelProto {
    let import = OperatorSetIdProto { domain: domain.to_owned(), version };
    ModelProto { opset_import: vec![import], ..ModelProto::default() }
}

/// Runs a graph at an opset over tensors.
fn run(opset: i64, graph: &GraphProto, inputs: &[AnyTensor]) -> Result<Vec<AnyTensor>, String> {
    let model = import("", opset);
    let model = Model::new(&model, graph)?;
    let values = model.run(inputs.to_vec(), Level::Scalar)?;
    Ok(model.outputs(&values)?.into_iter().cloned().collect())
}

fn matrix() -> AnyTensor {
    Tensor::new(vec![1.0f32, 2.0, 3.0, 4.0], &[2, 2]).expect("2 by 2").into()
}

fn floats(values: &[f32], shape: &[usize]) -> AnyTensor {
    Tensor::new(values.to_vec(), shape).expect("right length").into()
}

#[test]
fn axes_reach_the_node_in_every_way() {
    let flat = |input: &str| NodeProto {
        attribute: vec![int("keepdims", 0)],
        ..node("ReduceSum", input, "y")
    };
    let all = floats(&[10.0], &[]);
    for input in ["x", "x _"] {
        assert_eq!(run(13, &graph(&[flat(input)], "x", "y"), &[matrix()]), Ok(vec![all.clone()]));
    }
    let last = floats(&[3.0, 7.0], &[2]);
    let computed = graph(&[flat("x axes")], "x axes", "y");
    let axes: AnyTensor = Tensor::new(vec![-1i64], &[1]).expect("rank 1").into();
    assert_eq!(run(13, &computed, &[matrix(), axes]), Ok(vec![last.clone()]));
    // A constant that is also an input: given, left to its default, or no input.
    for input in ["x axes", "x"] {
        let initializer = vec![longs("axes", &[1], &[1])];
        let constant = GraphProto { initializer, ..graph(&[flat("x axes")], input, "y") };
        assert_eq!(run(13, &constant, &[matrix()]), Ok(vec![last.clone()]), "{input}");
    }
    let initializer = vec![longs("axes", &[1], &[1])];
    let constant = GraphProto { initializer, ..graph(&[flat("x axes")], "x axes", "y") };
    let axes: AnyTensor = Tensor::new(vec![0i64], &[1]).expect("rank 1").into();
    let first = floats(&[4.0, 6.0], &[2]);
    assert_eq!(run(13, &constant, &[matrix(), axes]), Ok(vec![first]));
}

/// Row 13 of what was reported: axes from a node, as the converter of the standard writes them.
#[test]
fn axes_may_be_a_constant_node() {
    let constant =
        |attr: AttributeProto| NodeProto { attribute: vec![attr], ..node("Constant", "", "axes") };
    let of_type = |name: &str, r#type: AttributeType| AttributeProto {
        name: name.to_owned(),
        r#type: r#type.into(),
        ..AttributeProto::default()
    };
    let t = Some(longs("", &[1], &[-1]));
    let tensor = AttributeProto { t, ..of_type("value", AttributeType::Tensor) };
    let ints = AttributeProto { ints: vec![1], ..of_type("value_ints", AttributeType::Ints) };
    let sum = NodeProto { attribute: vec![int("keepdims", 0)], ..node("ReduceSum", "x axes", "y") };
    for attr in [tensor, ints] {
        let graph = graph(&[constant(attr), sum.clone()], "x", "y");
        assert_eq!(reason_to_skip(&graph), None);
        assert_eq!(run(13, &graph, &[matrix()]), Ok(vec![floats(&[3.0, 7.0], &[2])]));
    }
    let alone = graph(&[constant(int("value_int", 1))], "", "axes");
    assert_eq!(reason_to_skip(&alone).as_deref(), Some("the graph has no reductions"));
    for (attr, words) in [
        (int("value_int", 1), "input `axes` has rank 0"),
        (of_type("value", AttributeType::Tensor), "Constant has no number in `value`"),
        (of_type("sparse_value", AttributeType::SparseTensor), "no single dense value"),
    ] {
        let problem = run(13, &graph(&[constant(attr), sum.clone()], "x", "y"), &[matrix()]);
        let problem = problem.expect_err(words);
        assert!(problem.contains(words), "{words} in {problem}");
    }
}

#[test]
fn nodes_run_in_a_chain() {
    let nodes = [node("ReduceL1", "x axes", "rows"), node("ReduceMean", "rows", "y")];
    let initializer = vec![longs("axes", &[1], &[1])];
    let chain = GraphProto { initializer, ..graph(&nodes, "x", "y rows") };
    let expected = vec![floats(&[5.0], &[1, 1]), floats(&[3.0, 7.0], &[2, 1])];
    assert_eq!(run(18, &chain, &[matrix()]), Ok(expected));
    let problem = run(17, &chain, &[matrix()]).expect_err("axes are an attribute there");
    assert!(problem.starts_with("node 0 of 2: ReduceL1 at version 13: `axes`"), "{problem}");
}

#[test]
fn what_cannot_run_says_why() {
    let sum = |input: &str| graph(&[node("ReduceSum", input, "y")], "x", "y");
    let with = |attribute: AttributeProto| {
        let node = NodeProto { attribute: vec![attribute], ..node("ReduceSum", "x", "y") };
        graph(&[node], "x", "y")
    };
    let typeless = AttributeProto { r#type: 0, ..int("keepdims", 0) };
    let text = AttributeProto { r#type: AttributeType::String.into(), ..int("keepdims", 0) };
    let twice = graph(&[node("ReduceSum", "x", "y z")], "x", "y");
    let rank_two = GraphProto { initializer: vec![longs("a", &[1, 1], &[0])], ..sum("x a") };
    for (graph, words) in [
        (sum("z"), "ReduceSum reads `z`, which has no value"),
        (sum("x a"), "reads `a`"),
        (sum("x _ _"), "has 3 inputs"),
        (sum(""), "has 0 inputs"),
        (twice, "has 2 outputs"),
        (graph(&[], "x", "y"), "has no nodes"),
        (graph(&[node("ReduceSum", "x", "z")], "x", "y"), "no node gives output `y`"),
        (graph(&[node("ReduceSum", "x", "y")], "x w", "y"), "has 2 inputs, the test has 1"),
        (with(typeless), "not a value of no type"),
        (with(text), "not a string"),
        (with(int("keepdims", 2)), "`keepdims` is 2"),
        (rank_two, "input `axes` has rank 2"),
    ] {
        let problem = run(13, &graph, &[matrix()]).expect_err(words);
        assert!(problem.contains(words), "{words} in {problem}");
    }
}

#[test]
fn the_opset_is_that_of_the_standard_domain() {
    let graph = graph(&[node("ReduceSum", "x", "y")], "x", "y");
    let opset = |model: &ModelProto| Model::new(model, &graph).map(|model| model.opset);
    assert_eq!(opset(&import("ai.onnx", 13)), Ok(13));
    for (model, words) in [
        (import("com.example", 13), "imports no opset of the standard domain"),
        (import("", -1), "opset -1 does not exist"),
        (import("", 1 << 40), "opset 1099511627776 does not exist"),
    ] {
        assert!(opset(&model).expect_err(words).contains(words));
    }
    assert!(run(999, &graph, &[matrix()]).expect_err("no such").contains("opset 999"));
}

#[test]
fn other_operators_are_skipped() {
    let skip = |nodes: &[NodeProto]| reason_to_skip(&graph(nodes, "x", "y"));
    let sum = node("ReduceSum", "x", "y");
    assert_eq!(skip(std::slice::from_ref(&sum)), None);
    let conv = skip(&[node("Conv", "x", "y")]);
    assert_eq!(conv.as_deref(), Some("operator Conv is not in this build"));
    let foreign = NodeProto { domain: "com.example".to_owned(), ..sum.clone() };
    let foreign = skip(&[foreign]);
    assert_eq!(foreign.as_deref(), Some("operator com.example.ReduceSum is not in this build"));
    let several = skip(&[node("Log", "x", "z"), sum, node("Abs", "z", "y")]);
    assert_eq!(several.as_deref(), Some("the graph has nodes that are no reductions: Abs, Log"));
}

/// Names that are many and long are passed over at once, and some are told.
#[test]
fn many_other_operators() {
    let name = |number: usize| format!("{}{number}", "ReduceSum".repeat(110));
    let nodes: Vec<NodeProto> = (0..20_000).map(|number| node(&name(number), "x", "y")).collect();
    let graph = graph(&nodes, "x", "y");
    let start = std::time::Instant::now();
    let reason = reason_to_skip(&graph).expect("none is known");
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
    assert!(reason.ends_with(", and 19980 more") && reason.len() < 30_000, "{reason}");
}

/// An output that is named any number of times is one tensor.
#[test]
fn outputs_are_not_copied() {
    let graph = graph(&[node("ReduceSum", "x", "y")], "x", &"y ".repeat(20_000));
    let model = import("", 13);
    let model = Model::new(&model, &graph).expect("sound");
    let values = model.run(vec![matrix()], Level::Scalar).expect("a sum");
    let outputs = model.outputs(&values).expect("all are one");
    assert_eq!(outputs.len(), 20_000);
    assert!(outputs.iter().all(|output| std::ptr::eq(*output, outputs[0])));
}
