//! Models at other opsets, and models mended.

mod hostile;

use prost::Message;

use crate::check::tests::build::*;
use crate::file::Model;
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::tensor_proto::DataType;
use crate::file::proto::{FunctionProto, GraphProto, ModelProto, NodeProto};
use crate::fix::wire::{Segments, fields};

/// What a model becomes, and what is told of it.
fn written(bytes: &[u8], target: Option<u32>) -> Result<(Vec<u8>, String), Vec<&'static str>> {
    let model = Model::from_bytes(bytes.to_vec()).expect("a model");
    let report = model.check();
    let revision = match target {
        None => report.mended(),
        Some(opset) => report.converted(opset).expect("an opset"),
    };
    if revision.problems().len() > 0 {
        return Err(revision.problems().map(|problem| problem.code()).collect());
    }
    let bytes = revision.rewritten().expect("in one piece").to_vec();
    Ok((bytes, revision.to_string()))
}

fn fixed(model: &ModelProto, target: Option<u32>) -> ModelProto {
    let (bytes, _) = written(&model.encode_to_vec(), target).expect("a form");
    let again = written(&bytes, target).expect("a form");
    assert_eq!(again, (bytes.clone(), String::new()), "a second time nothing is left to do");
    let model = ModelProto::decode(&bytes[..]).expect("a model");
    assert!(findings(&model).problems.is_empty(), "{}", told(&model));
    model
}

fn main_graph(model: &ModelProto) -> &GraphProto {
    model.graph.as_ref().expect("a graph")
}

fn mean() -> NodeProto {
    with(node("ReduceMean x -> y"), [int("keepdims", 0), ints("axes", &[1])])
}

#[test]
fn axes_become_an_input_and_an_attribute_again() {
    let old = model(13, graph(&[mean()]));
    let new = fixed(&old, Some(18));
    assert_eq!(new.opset_import, [import("", 18)]);
    let graph = main_graph(&new);
    assert_eq!(
        graph.node,
        [with(node("ReduceMean x yaxes -> y"), [int("keepdims", 0)])]
            .map(|node| { NodeProto { input: vec!["x".to_owned(), "y_axes".to_owned()], ..node } })
    );
    let [axes] = &graph.initializer[..] else { panic!("{graph:?}") };
    assert_eq!((axes.name.as_str(), axes.dims.as_slice()), ("y_axes", &[1][..]));
    assert_eq!(&axes.raw_data[..], 1i64.to_le_bytes());
    assert_eq!(fixed(&new, Some(13)), old);
    let (_, words) = written(&old.encode_to_vec(), Some(18)).expect("a form");
    let line =
        "  node 0 of graph `main`: ReduceMean: axes = [1]: an attribute before, now an input\n";
    assert_eq!(words, line);
    // Nothing changes within a version, but for the import.
    let same = fixed(&old, Some(17));
    assert_eq!(same, ModelProto { opset_import: vec![import("", 17)], ..old.clone() });
    assert_eq!(fixed(&old, None), old);
}

#[test]
fn what_need_not_change_stays() {
    let max = model(13, graph(&[with(node("ReduceMax x -> y"), [ints("axes", &[1])])]));
    let same = ModelProto { opset_import: vec![import("", 11)], ..max.clone() };
    assert_eq!(fixed(&max, Some(11)), same);
    assert_eq!(written(&max.encode_to_vec(), Some(11)), Ok((same.encode_to_vec(), String::new())));
    // A function without reductions has imports, too.
    let relu = |opset| ModelProto {
        functions: vec![function(opset, &[node("Relu x -> y")])],
        ..model(opset, graph(&[]))
    };
    assert_eq!(fixed(&relu(13), Some(18)), relu(18));
}

#[test]
fn nodes_are_mended_where_another_form_was_used() {
    let bad = model(18, graph(&[mean()]));
    assert_eq!(findings(&bad).errors(), 1);
    let good = fixed(&bad, None);
    assert_eq!(good, fixed(&model(13, graph(&[mean()])), Some(18)));
    let input = GraphProto {
        initializer: vec![longs("a", &[1])],
        ..graph(&[with(node("ReduceSum x a -> y"), [int("keepdims", 0)])])
    };
    let attr = fixed(&model(11, input), None);
    let sum = with(node("ReduceSum x -> y"), [int("keepdims", 0), ints("axes", &[1])]);
    assert_eq!(attr, model(11, graph(&[sum])));
    assert_eq!(
        fixed(&model(13, graph(&[node("ReduceMean x _ -> y")])), None),
        model(13, graph(&[node("ReduceMean x -> y")]))
    );
    // What is wrong at every version stays, and is told.
    let bad = model(18, graph(&[with(node("ReduceMean x -> y"), [int("keepdims", 2)])]));
    assert_eq!(written(&bad.encode_to_vec(), None), Err(vec!["attribute-range"]));
    let bad = model(18, graph(&[with(node("ReduceMean x -> y"), [ints("axes", &[2])])]));
    assert_eq!(written(&bad.encode_to_vec(), None), Err(vec!["attribute-of-other-version"]));
    // From a form that is not valid where it is, straight to another opset.
    assert_eq!(fixed(&model(18, graph(&[mean()])), Some(13)), model(13, graph(&[mean()])));
}

/// New axes go where the node is: into the graph within a node, and, in a function, into a node.
#[test]
fn every_scope_has_its_own() {
    let body = inner("then", &[mean()]);
    let cond = with(node("If x -> y"), [subgraph("then_branch", body)]);
    let old = ModelProto {
        functions: vec![
            function(13, &[mean()]),
            FunctionProto {
                name: "g".to_owned(),
                opset_import: vec![import("x", 3)],
                ..function(13, &[])
            },
        ],
        ..model(13, graph(&[cond]))
    };
    let new = fixed(&old, Some(18));
    let inner = new.graph.as_ref().and_then(|graph| graph.node[0].attribute[0].g.as_ref());
    let inner = inner.expect("a graph");
    assert_eq!(inner.initializer[0].name, "y_axes");
    assert!(main_graph(&new).initializer.is_empty());
    let nodes = &new.functions[0].node;
    assert_eq!((nodes[0].op_type.as_str(), nodes[0].output[0].as_str()), ("Constant", "y_axes_2"));
    assert_eq!(nodes[1].input, ["x", "y_axes_2"]);
    assert_eq!(new.functions[0].opset_import, [import("", 18)]);
    assert_eq!(new.functions[1], old.functions[1]);
    assert_eq!(fixed(&new, Some(13)), old);
    // Before version 4 of the format an initializer is an input.
    let new = fixed(&ModelProto { ir_version: 3, ..model(13, graph(&[mean()])) }, Some(18));
    let graph = main_graph(&new);
    assert_eq!((graph.node[0].op_type.as_str(), graph.initializer.len()), ("Constant", 0));
}

/// Before version 3 of the format a model imports nothing, and has opset 1.
#[test]
fn a_model_without_imports_gains_one() {
    let bare =
        |ir_version| ModelProto { ir_version, opset_import: vec![], ..model(1, graph(&[mean()])) };
    let new = fixed(&bare(2), Some(18));
    assert_eq!((new.ir_version, new.opset_import.as_slice()), (3, &[import("", 18)][..]));
    assert_eq!(main_graph(&new).node[1].input, ["x", "y_axes"]);
    // In its own opset nothing is missing.
    assert_eq!(fixed(&bare(1), None), bare(1));
}

/// The higher of two imports counts, and both come along.
#[test]
fn all_imports_of_the_domain_come_along() {
    let two = ModelProto {
        opset_import: vec![import("", 11), import("ai.onnx", 13)],
        ..model(1, graph(&[mean()]))
    };
    assert_eq!(fixed(&two, Some(18)).opset_import, [import("", 18), import("ai.onnx", 18)]);
}

#[test]
fn new_names_never_clash() {
    let body = inner("then", &[node("Relu y_axes_2 -> y")]);
    let mut cond = with(node("If x -> q"), [subgraph("then_branch", body)]);
    cond.output = vec!["y_axes".to_owned()];
    let mut body = cond.clone();
    body.attribute[0].g.as_mut().expect("a graph").node[0].input = vec!["y_axes_2".to_owned()];
    let new = fixed(&model(13, graph(&[mean(), body])), Some(18));
    assert_eq!(main_graph(&new).node[0].input, ["x", "y_axes_3"]);
}

/// Axes go when nobody reads them any more, and not before.
#[test]
fn axes_that_others_read_stay() {
    let sums = |second: NodeProto| {
        let nodes = [node("ReduceSum x a -> y"), second];
        model(13, GraphProto { initializer: vec![longs("a", &[1])], ..graph(&nodes) })
    };
    let initializers = |model: &ModelProto| main_graph(&fixed(model, Some(11))).initializer.len();
    assert_eq!(initializers(&sums(node("ReduceSum x a -> z"))), 0);
    assert_eq!(initializers(&sums(node("Relu a -> z"))), 1);
    let body = inner("then", &[node("Relu a -> y")]);
    assert_eq!(initializers(&sums(with(node("If x -> z"), [subgraph("t", body)]))), 1);
    let mut output = sums(node("Relu x -> z"));
    assert_eq!(initializers(&output), 0);
    let graph_of = output.graph.as_mut().expect("a graph");
    graph_of.output.push(info("a", DataType::Int64, &[1]));
    assert_eq!(initializers(&output), 1);
    // So does a node that gives them.
    let constant = with(node("Constant -> a"), [tensor_attr("value", longs("", &[1]))]);
    let nodes = [constant, node("ReduceSum x a -> y")];
    assert_eq!(main_graph(&fixed(&model(13, graph(&nodes)), Some(11))).node.len(), 1);
    let several = [nodes[0].clone(), nodes[1].clone(), node("Relu a -> z")];
    assert_eq!(main_graph(&fixed(&model(13, graph(&several)), Some(11))).node.len(), 3);
}

#[test]
fn what_has_no_form_is_refused() {
    let refused = |model: &ModelProto, target| written(&model.encode_to_vec(), Some(target));
    let computed = [node("Shape x -> a"), node("ReduceSum x a -> y")];
    assert_eq!(refused(&model(13, graph(&computed)), 11), Err(vec!["no-form"]));
    let default = GraphProto {
        input: vec![info("x", DataType::Float, &[2, 3]), info("a", DataType::Int64, &[1])],
        initializer: vec![longs("a", &[1])],
        ..graph(&[node("ReduceSum x a -> y")])
    };
    assert_eq!(refused(&model(13, default), 11), Err(vec!["no-form"]));
    let refer = |name, kind| {
        let nodes = [with(node("ReduceMean x -> y"), [refers(name, "k", kind)])];
        ModelProto { functions: vec![function(13, &nodes)], ..model(13, graph(&[])) }
    };
    assert_eq!(refused(&refer("axes", AttributeType::Ints), 18), Err(vec!["no-form"]));
    assert!(refused(&refer("keepdims", AttributeType::Int), 18).is_ok());
    let noop =
        model(18, graph(&[with(node("ReduceMean x -> y"), [int("noop_with_empty_axes", 1)])]));
    assert_eq!(refused(&noop, 13), Err(vec!["no-form"]));
    let bools = GraphProto {
        input: vec![info("x", DataType::Bool, &[2])],
        ..graph(&[node("ReduceMax x -> y")])
    };
    assert_eq!(refused(&model(20, bools), 18), Err(vec!["dtype-not-allowed"]));
}

/// A node of a function that is valid by itself, and not with what a call gives it.
#[test]
fn what_is_wrong_in_a_call_is_told() {
    let nodes = [with(node("ReduceMean x -> y"), [refers("keepdims", "k", AttributeType::Int)])];
    let mut f = function(13, &nodes);
    f.attribute = vec!["k".to_owned()];
    let of = |k| {
        let called = with(call("f x -> y"), [int("k", k)]);
        let old = ModelProto { functions: vec![f.clone()], ..model(13, graph(&[called])) };
        ModelProto { opset_import: vec![import("", 13), import("local", 1)], ..old }
    };
    for target in [None, Some(18)] {
        assert_eq!(written(&of(2).encode_to_vec(), target), Err(vec!["attribute-range"]));
        assert!(written(&of(1).encode_to_vec(), target).is_ok());
    }
}

/// A field that nobody knows.
const UNKNOWN: [u8; 6] = [0xfa, 0xff, 0x07, 2, 0xab, 0xcd];

/// The fields of a message but some, and the content of the one of a number.
fn others(message: &[u8], skipped: &[u64]) -> Vec<Vec<u8>> {
    let fields = fields(message, 0..message.len()).map(|field| field.expect("a field"));
    let kept = fields.filter(|field| !skipped.contains(&field.number));
    kept.map(|field| message[field.whole].to_vec()).collect()
}

fn content(message: &[u8], number: u64, index: usize) -> Vec<u8> {
    let fields = fields(message, 0..message.len()).map(|field| field.expect("a field"));
    let mut of_number = fields.filter(|field| field.number == number);
    let field = of_number.nth(index).expect("so many");
    message[field.content.expect("a message")].to_vec()
}

/// A message whose first field of a number is another one.
fn replaced(message: &[u8], number: u64, other: &[u8]) -> Vec<u8> {
    let (mut out, mut done) = (Segments::default(), false);
    for field in fields(message, 0..message.len()) {
        let field = field.expect("a field");
        if field.number == number && !done {
            done = true;
            out.bytes(number, other);
        } else {
            out.keep(field.whole);
        }
    }
    let mut bytes = Vec::new();
    out.write(message, &mut bytes).expect("memory");
    bytes
}

#[test]
fn all_other_bytes_stay() {
    let nodes = [mean(), node("Relu x -> r")];
    let plain = model(13, GraphProto { initializer: vec![longs("w", &[7])], ..graph(&nodes) });
    let plain = plain.encode_to_vec();
    let graph = content(&plain, 7, 0);
    let node = [&UNKNOWN[..], &content(&graph, 1, 0), &UNKNOWN].concat();
    let graph = [&UNKNOWN[..], &replaced(&graph, 1, &node), &UNKNOWN].concat();
    let import = [&content(&plain, 8, 0)[..], &UNKNOWN].concat();
    let source = replaced(&replaced(&plain, 7, &graph), 8, &import);
    let source = [&UNKNOWN[..], &source, &UNKNOWN].concat();
    let (out, _) = written(&source, Some(18)).expect("a form");
    assert_eq!(others(&out, &[7, 8]), others(&source, &[7, 8]));
    let (new, old) = (content(&out, 7, 0), content(&source, 7, 0));
    let (new_node, old_node) = (content(&new, 1, 0), content(&old, 1, 0));
    assert_eq!(others(&new, &[1, 5]), others(&old, &[1, 5]));
    assert_eq!(content(&new, 1, 1), content(&old, 1, 1));
    assert_eq!(content(&new, 5, 0), content(&old, 5, 0));
    assert_eq!(others(&new_node, &[1, 5]), others(&old_node, &[1, 5]));
    assert_eq!(content(&new_node, 1, 0), content(&old_node, 1, 0));
    assert_eq!(content(&new_node, 5, 0), content(&old_node, 5, 0));
    assert_eq!(others(&content(&out, 8, 0), &[2]), others(&content(&source, 8, 0), &[2]));
    // There and back again, but for the order of fields.
    let (back, _) = written(&out, Some(13)).expect("a form");
    let decoded = |bytes: &[u8]| ModelProto::decode(bytes).expect("a model");
    assert_eq!((decoded(&back), back.len()), (decoded(&source), source.len()));
}

/// Graphs for training run under the same opset, and nobody has looked at them.
#[test]
fn graphs_for_training_do_not_come_along() {
    let mut training = Segments::default();
    let bytes = model(13, graph(&[mean()])).encode_to_vec();
    training.keep(0..bytes.len());
    training.bytes(20, &[]);
    let mut source = Vec::new();
    training.write(&bytes, &mut source).expect("memory");
    let model = Model::from_bytes(source).expect("a model");
    let report = model.check();
    let refused = report.converted(18).expect("an opset").rewritten().expect_err("two graphs");
    assert!(refused.sentence().contains("graphs for training"), "{refused}");
    assert!(report.mended().rewritten().is_ok());
}

/// A message may be in several pieces, which a reader joins; no exporter does that.
#[test]
fn a_graph_in_pieces_is_refused() {
    let bytes = model(13, graph(&[mean()])).encode_to_vec();
    let mut pieces = Segments::default();
    pieces.keep(0..bytes.len());
    pieces
        .bytes(7, &GraphProto { name: "more".to_owned(), ..GraphProto::default() }.encode_to_vec());
    let mut source = Vec::new();
    pieces.write(&bytes, &mut source).expect("memory");
    let model = Model::from_bytes(source).expect("a model");
    let error = model.convert(18).expect_err("pieces");
    assert_eq!(error.code(), "not-changed");
    assert!(error.sentence().contains("several pieces"), "{error}");
}

/// The short way says what hinders it, and of several problems how many there are.
#[test]
fn what_does_not_come_along_is_an_error() {
    let upsample = node("Upsample x -> z");
    let old = read(&model(9, graph(&[upsample.clone(), upsample, mean()])));
    let error = old.convert(18).expect_err("it is deprecated");
    assert_eq!(error.code(), "not-converted");
    let expected =
        "2 problems at opset 18, the first in node 0 of graph `main`: Upsample at version";
    assert!(error.to_string().starts_with(expected), "{error}");
    assert_eq!(old.convert(1_000).expect_err("none").code(), "opset");
    let none = ModelProto { opset_import: vec![], ..model(13, graph(&[mean()])) };
    assert_eq!(read(&none).convert(18).expect_err("no opset").code(), "opset");
    let newer = read(&model(13, graph(&[mean()]))).convert(18).expect("a form");
    assert_eq!(Model::from_bytes(newer).expect("a model").opset(), Some(18));
}
