//! Graphs within nodes, and functions with attributes by reference.

use super::build::*;
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::tensor_proto::DataType;
use crate::file::proto::{AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto};

/// A graph in a graph in a graph. The innermost one has the node `last`.
fn deep(opset: i64, last: NodeProto) -> ModelProto {
    let body = inner("c", &[last]);
    let body = inner("b", &[with(node("Loop m -> y"), [subgraph("body", body)])]);
    let graphs =
        vec![inner("a", &[]), inner("a", &[with(node("If k -> y"), [subgraph("t", body)])])];
    let several = AttributeProto {
        name: "branches".to_owned(),
        graphs,
        r#type: AttributeType::Graphs.into(),
        ..AttributeProto::default()
    };
    let outer = NodeProto { domain: "x".to_owned(), ..node("Switch k -> y") };
    model(opset, graph(&[with(outer, [several])]))
}

#[test]
fn graphs_within_nodes() {
    // The data is that of the outermost graph.
    let bad = with(node("ReduceMax x -> y"), [ints("axes", &[0, 2])]);
    finds(
        &deep(13, bad.clone()),
        "axis-out-of-range",
        &[
            "node 0 of graph `c` in `body` of Loop (node 0 of graph `b` in `t` of If",
            "in `branches` of Switch (node 0 of graph `main`)",
            "`x` is f32 [2, 3]",
        ],
    );
    is_sound(&deep(13, with(bad, [ints("axes", &[0, 1])])), 1);
    finds(&deep(13, node("ReduceMax z -> y")), "no-such-value", &["nothing gives `z`"]);
    // The inner of two of one name counts.
    let own = GraphProto {
        input: vec![info("x", DataType::Float, &[1, 2, 3])],
        ..inner("own", &[with(node("ReduceMax x -> y"), [ints("axes", &[2])])])
    };
    is_sound(&model(13, graph(&[with(node("Scan x -> y"), [subgraph("body", own)])])), 1);
}

/// A model with a function, and calls of it.
fn calls(function: FunctionProto, nodes: &[NodeProto]) -> ModelProto {
    ModelProto { functions: vec![function], ..model(18, graph(nodes)) }
}

#[test]
fn a_function_has_its_own_opset() {
    let axes = with(node("ReduceMean x -> y"), [ints("axes", &[0])]);
    is_sound(&calls(function(13, std::slice::from_ref(&axes)), &[call("f x -> y")]), 1);
    let words = ["node 0 of function `local.f`", "ReduceMean at version 18"];
    finds(
        &calls(function(18, std::slice::from_ref(&axes)), &[]),
        "attribute-of-other-version",
        &words,
    );
    let none = FunctionProto { opset_import: vec![], ..function(18, &[axes]) };
    finds(&calls(none, &[]), "no-opset-import", &["function `local.f`"]);
    // It does not see the graph around its call, and a call is no reduction.
    let outer = function(18, &[node("ReduceMean w -> y")]);
    finds(&calls(outer, &[node("Relu x -> w")]), "no-such-value", &["nothing gives `w`"]);
    let own =
        FunctionProto { name: "ReduceMean".to_owned(), domain: String::new(), ..function(18, &[]) };
    is_sound(&calls(own, &[with(node("ReduceMean x q r -> y"), [int("p", 1)])]), 0);
}

/// A function whose node refers to two attributes. The second one has a default.
fn referring() -> FunctionProto {
    let attrs = [
        refers("axes", "along", AttributeType::Ints),
        refers("keepdims", "keep", AttributeType::Int),
    ];
    let nodes = [with(node("ReduceMax x -> y"), attrs)];
    FunctionProto {
        attribute: names("along"),
        attribute_proto: vec![int("keep", 1)],
        ..function(13, &nodes)
    }
}

#[test]
fn attributes_by_reference() {
    // Nobody calls it: nothing is known of the first, and the second is right.
    is_sound(&calls(referring(), &[]), 1);
    let broken = FunctionProto { attribute_proto: vec![int("keep", 2)], ..referring() };
    finds(&calls(broken.clone(), &[]), "attribute-range", &["keepdims = @keep", "is 2"]);
    // Every call gives another value in place of the default.
    let good = with(call("f x -> y"), [ints("along", &[0]), int("keep", 0)]);
    is_sound(&calls(broken, std::slice::from_ref(&good)), 1);
    let twice =
        NodeProto { name: "here".to_owned(), ..with(call("f x -> z"), [ints("along", &[0, 0])]) };
    is_sound(&calls(referring(), std::slice::from_ref(&good)), 1);
    let sized =
        FunctionProto { value_info: vec![info("x", DataType::Float, &[2, 3])], ..referring() };
    finds(&calls(sized, &[good.clone(), twice]), "duplicate-axis", &["axis 0 is named twice"]);
    let keep = NodeProto { name: "here".to_owned(), ..with(call("f x -> z"), [int("keep", 5)]) };
    let words = ["so it is in the call by node 1 `here` of graph `main`"];
    finds(&calls(referring(), &[good, keep]), "attribute-range", &words);
    // A reference to what the version has not is wrong whatever its value.
    let at_18 = FunctionProto { opset_import: vec![import("", 18)], ..referring() };
    finds(&calls(at_18, &[]), "attribute-of-other-version", &["axes = @along"]);
    let kind = with(node("ReduceMax x -> y"), [refers("keepdims", "k", AttributeType::Float)]);
    finds(&calls(function(13, &[kind]), &[]), "attribute-kind", &["not a float"]);
}

/// As exporters write functions of opsets in which axes are an input.
#[test]
fn constants_by_reference() {
    let constant =
        with(node("Constant -> axes"), [refers("value_ints", "along", AttributeType::Ints)]);
    let f = FunctionProto {
        attribute: names("along"),
        value_info: vec![info("x", DataType::Float, &[2, 3])],
        ..function(18, &[constant, node("ReduceMax x axes -> y")])
    };
    is_sound(&calls(f.clone(), &[]), 1);
    is_sound(&calls(f.clone(), &[with(call("f x -> y"), [ints("along", &[1])])]), 1);
    let bad = with(call("f x -> y"), [ints("along", &[2])]);
    finds(&calls(f, &[bad]), "axis-out-of-range", &["axis 2 is out of range for rank 2"]);
}

/// A function in a function, with the attribute handed on; and functions that call themselves.
#[test]
fn functions_that_call_functions() {
    let handed = refers("along", "outer", AttributeType::Ints);
    let g = FunctionProto {
        name: "g".to_owned(),
        attribute: names("outer"),
        ..function(13, &[with(call("f x -> y"), [handed])])
    };
    let sized = FunctionProto { value_info: vec![info("x", DataType::Float, &[2])], ..referring() };
    let of = |axes: &[i64]| ModelProto {
        functions: vec![sized.clone(), g.clone()],
        ..model(13, graph(&[with(call("g x -> y"), [ints("outer", axes)])]))
    };
    is_sound(&of(&[0]), 1);
    finds(&of(&[1]), "axis-out-of-range", &["axis 1 is out of range for rank 1"]);
    let itself = function(13, &[call("f x -> z"), node("ReduceSum x -> y")]);
    is_sound(&calls(itself, &[call("f x -> y")]), 1);
}
