//! Functions of a model, put in where they are called.

use std::slice::from_ref;

use super::{
    AttributeType, file, graph, import, int, ints, list, longs, matrix, model, node, of_type,
    reference, run_as, tensor, with,
};
use crate::error::ErrorKind;
use crate::file::proto::{AttributeProto, FunctionProto, ModelProto, NodeProto};
use crate::run::Program;

fn function(name: &str, inputs: &str, outputs: &str, nodes: &[NodeProto]) -> FunctionProto {
    FunctionProto {
        name: name.to_owned(),
        domain: "own".to_owned(),
        input: super::names(inputs),
        output: super::names(outputs),
        node: nodes.to_vec(),
        opset_import: import("", 13),
        ..FunctionProto::default()
    }
}

fn call(name: &str, input: &str, output: &str) -> NodeProto {
    NodeProto { domain: "own".to_owned(), ..node(name, input, output) }
}

fn with_functions(nodes: &[NodeProto], functions: &[FunctionProto]) -> ModelProto {
    // Functions have an opset of their own: at this one axes of ReduceL1 are an input.
    ModelProto { functions: functions.to_vec(), ..model(18, &graph(nodes, "x", "y")) }
}

fn refused(model: &ModelProto) -> String {
    run_as(model, &[matrix()], true).expect_err("refused").sentence().to_owned()
}

#[test]
fn attributes_are_handed_down() {
    let keep = reference("keepdims", "keep", AttributeType::Int);
    let value = reference("value_ints", "over", AttributeType::Ints);
    let sum = function(
        "Sum",
        "a",
        "b",
        &[
            with(value, node("Constant", "", "axes")),
            with(keep.clone(), node("ReduceSum", "a axes", "b")),
        ],
    );
    let sum = FunctionProto { attribute_proto: vec![ints("over", &[1])], ..sum };
    // A name of the caller's is another one inside.
    let outer = function(
        "Outer",
        "b",
        "a",
        &[
            node("Abs", "b", "axes"),
            with(reference("keep", "keep", AttributeType::Int), call("Sum", "axes", "a")),
        ],
    );
    let functions = [sum, outer];
    let given = |attrs: &[AttributeProto], op: &str| {
        let node = NodeProto { attribute: attrs.to_vec(), ..call(op, "x", "y") };
        run_as(&with_functions(&[node], &functions), &[matrix()], true)
    };
    let rows = tensor(&[3.0f32, 7.0], &[2, 1]);
    assert_eq!(given(&[], "Sum"), Ok(vec![rows.clone()]));
    assert_eq!(given(&[int("keep", 0)], "Sum"), Ok(vec![list(&[3.0f32, 7.0])]));
    assert_eq!(given(&[int("keep", 0), ints("over", &[0])], "Sum"), Ok(vec![list(&[4.0f32, 6.0])]));
    assert_eq!(given(&[int("keep", 0)], "Outer"), Ok(vec![list(&[3.0f32, 7.0])]));
    assert_eq!(given(&[], "Outer"), Ok(vec![rows]));
}

#[test]
fn functions_have_opsets_and_optional_inputs_of_their_own() {
    // At opset 13 the axes of ReduceL1 are an attribute.
    let old = function(
        "Old",
        "a axes",
        "b c",
        &[with(ints("axes", &[1]), node("ReduceL1", "a", "b")), node("ReduceSum", "a axes", "c")],
    );
    let model = with_functions(&[call("Old", "x", "z y")], from_ref(&old));
    assert_eq!(run_as(&model, &[matrix()], true), Ok(vec![tensor(&[10.0f32], &[1, 1])]));
    let first = with_functions(&[call("Old", "x", "y")], &[old]);
    assert_eq!(run_as(&first, &[matrix()], true), Ok(vec![tensor(&[3.0f32, 7.0], &[2, 1])]));
    // One of the model goes before an operator of its name.
    let own = FunctionProto {
        domain: String::new(),
        ..function("Exp", "a", "b", &[node("Abs", "a", "b")])
    };
    let model = with_functions(&[node("Exp", "x", "y")], &[own]);
    assert_eq!(run_as(&model, &[matrix()], true), Ok(vec![matrix()]));
}

#[test]
fn functions_that_cannot_be_run() {
    let inner = function("Inner", "a", "b", &[node("Exp", "a", "b"), node("Exp", "b", "a")]);
    let model = with_functions(&[call("Inner", "x", "y")], &[inner]);
    let problem = refused(&model);
    let words = "node 0 (own.Inner), node 1 (Exp): gives `a`, which has a value already";
    assert_eq!(problem, words);
    let circle = function("Circle", "a", "b", &[call("Circle", "a", "b")]);
    let problem = refused(&with_functions(&[call("Circle", "x", "y")], &[circle]));
    assert!(problem.contains("a function calls itself"), "{}", problem.len());
    let empty = function("Empty", "a", "b", &[]);
    let problem = refused(&with_functions(&[call("Empty", "x", "y")], from_ref(&empty)));
    assert!(problem.contains("no node of its function gives output `b`"), "{problem}");
    let problem = refused(&with_functions(&[call("Empty", "x x", "y")], &[empty]));
    assert!(problem.contains("more inputs or outputs than its function"), "{problem}");
    // Also in a function that another one calls.
    let other = function("Other", "a", "b", &[node("Conv", "a", "b")]);
    let nest = function("Nest", "a", "b", &[call("Other", "a", "b")]);
    let other = with_functions(&[call("Nest", "x", "y")], &[other, nest]);
    let refusal = run_as(&other, &[matrix()], true).expect_err("not run");
    assert_eq!(refusal.kind(), ErrorKind::NotRun);
    assert!(refusal.sentence().contains("(Conv) of opset 13"), "{refusal:?}");
}

/// A constant of a function is one, however often that is called; a model of nothing but calls needs no opset.
#[test]
fn constants_of_functions_are_shared() {
    let tensor = longs("", &[1 << 16], &[1; 1 << 16]);
    let value = AttributeProto { t: Some(tensor), ..of_type("value", AttributeType::Tensor) };
    let same = [with(value, node("Constant", "", "b"))];
    let function = function("Same", "a", "b", &same);
    let calls: Vec<NodeProto> =
        (0..1000).map(|number| call("Same", "x", &format!("y{number}"))).collect();
    let model = ModelProto {
        functions: vec![function],
        opset_import: import("own", 1),
        ..model(1, &graph(&calls, "x", "y0 y999"))
    };
    let file = file(&model);
    let program = Program::new(&file).expect("sound");
    assert_eq!((program.constants.len(), program.constant_bytes), (1000, 8 << 16));
    let results = run_as(&model, &[matrix()], true).expect("constants");
    assert_eq!(results[0], results[1]);
}

/// Each of thirty functions calls the next twice: a thousand million nodes.
#[test]
fn calls_that_multiply_are_refused() {
    let names: Vec<String> = (0..31).map(|number| format!("F{number}")).collect();
    let mut functions: Vec<FunctionProto> = names
        .windows(2)
        .map(|pair| {
            function(&pair[0], "a", "c", &[call(&pair[1], "a", "b"), call(&pair[1], "b", "c")])
        })
        .collect();
    functions.push(function("F30", "a", "b", &[node("Abs", "a", "b")]));
    let start = std::time::Instant::now();
    let problem = refused(&with_functions(&[call("F0", "x", "y")], &functions));
    assert!(problem.contains("too many nodes"), "{problem}");
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
