//! Reductions in graphs: axes in every form, chains, defaults.

use std::slice::from_ref;

use super::{
    AttributeProto, AttributeType, GraphProto, ModelProto, NodeProto, file, graph, import, int,
    ints, list, longs, matrix, model, node, of_type, refuses, results, run_as, said, tensor, with,
};
use crate::error::ErrorKind;
use crate::run::Program;

#[test]
fn axes_reach_the_node_in_every_way() {
    let flat = |input: &str| with(int("keepdims", 0), node("ReduceSum", input, "y"));
    for input in ["x", "x _"] {
        let all = results(13, &graph(&[flat(input)], "x", "y"), &[matrix()]);
        assert_eq!(all, Ok(vec![tensor(&[10.0f32], &[])]));
    }
    let last = list(&[3.0f32, 7.0]);
    let computed = graph(&[flat("x axes")], "x axes", "y");
    assert_eq!(results(13, &computed, &[matrix(), list(&[-1i64])]), Ok(vec![last.clone()]));
    // A constant that is also an input: given, left to its default, or no input.
    for input in ["x axes", "x"] {
        let initializer = vec![longs("axes", &[1], &[1])];
        let constant = GraphProto { initializer, ..graph(&[flat("x axes")], input, "y") };
        assert_eq!(results(13, &constant, &[matrix()]), Ok(vec![last.clone()]), "{input}");
    }
    // All that is wrong with a constant is told.
    let initializer = vec![longs("axes", &[2], &[5, 6])];
    let constant = GraphProto { initializer, ..graph(&[flat("x axes")], "x", "y") };
    for words in ["axis 5", "axis 6"] {
        refuses(13, &constant, &[matrix()], words);
    }
    let initializer = vec![longs("axes", &[1], &[1])];
    let constant = GraphProto { initializer, ..graph(&[flat("x axes")], "x axes", "y") };
    let first = list(&[4.0f32, 6.0]);
    assert_eq!(results(13, &constant, &[matrix(), list(&[0i64])]), Ok(vec![first]));
}

#[test]
fn axes_come_from_constants() {
    let constant = |attr: AttributeProto| with(attr, node("Constant", "", "axes"));
    let sum = with(int("keepdims", 0), node("ReduceSum", "x axes", "y"));
    let t = Some(longs("", &[1], &[1]));
    let value = AttributeProto { t, ..of_type("value", AttributeType::Tensor) };
    for attr in [value, ints("value_ints", &[1])] {
        let graph = graph(&[constant(attr), sum.clone()], "x", "y");
        assert_eq!(results(13, &graph, &[matrix()]), Ok(vec![list(&[3.0f32, 7.0])]));
    }
    for (attr, words) in [
        (int("value_int", 1), "input `axes` has rank 0"),
        (of_type("value", AttributeType::Tensor), "Constant has no number in `value`"),
        (of_type("sparse_value", AttributeType::SparseTensor), "sparse, which is not run"),
        (of_type("value_string", AttributeType::String), "text, or sparse"),
    ] {
        refuses(13, &graph(&[constant(attr), sum.clone()], "x", "y"), &[matrix()], words);
    }
    let floats =
        AttributeProto { floats: vec![0.5], ..of_type("value_floats", AttributeType::Floats) };
    for (attr, value) in [
        (
            AttributeProto { f: 1.5, ..of_type("value_float", AttributeType::Float) },
            tensor(&[1.5f32], &[]),
        ),
        (floats, list(&[0.5f32])),
        (int("value_int", 7), tensor(&[7i64], &[])),
    ] {
        assert_eq!(results(13, &graph(&[constant(attr)], "", "axes"), &[]), Ok(vec![value]));
    }
}

#[test]
fn nodes_run_in_a_chain() {
    let nodes = [node("ReduceL1", "x axes", "rows"), node("ReduceMean", "rows", "y")];
    let initializer = vec![longs("axes", &[1], &[1])];
    let chain = GraphProto { initializer, ..graph(&nodes, "x", "y rows") };
    let expected = vec![tensor(&[5.0f32], &[1, 1]), tensor(&[3.0f32, 7.0], &[2, 1])];
    assert_eq!(results(18, &chain, &[matrix()]), Ok(expected));
    refuses(17, &chain, &[matrix()], "node 0 (ReduceL1): ReduceL1 at version 13: `axes`");
}

#[test]
fn what_cannot_run_says_why() {
    let sum = |input: &str| graph(&[node("ReduceSum", input, "y")], "x", "y");
    let having = |attr: AttributeProto| graph(&[with(attr, node("ReduceSum", "x", "y"))], "x", "y");
    let typeless = AttributeProto { r#type: 0, ..int("keepdims", 0) };
    let text = of_type("keepdims", AttributeType::String);
    let twice = graph(&[node("ReduceSum", "x", "y z")], "x", "y");
    let rank_two = GraphProto { initializer: vec![longs("a", &[1, 1], &[0])], ..sum("x a") };
    for (graph, words) in [
        (sum("z"), "node 0 (ReduceSum): reads `z`, which has no value"),
        (sum("x a"), "reads `a`"),
        (sum("x _ _"), "has 3 inputs, not 1 or 2"),
        (sum(""), "has 0 inputs, not 1 or 2"),
        (sum("_"), "leaves out input 0"),
        (twice, "has 2 outputs"),
        (graph(&[], "x", "y"), "has no nodes"),
        (graph(&[node("ReduceSum", "x", "z")], "x", "y"), "no node gives output `y`"),
        (graph(&[node("ReduceSum", "w", "y")], "x w", "y"), "type is not known"),
        (having(typeless), "not a value of no type"),
        (having(text), "not a string"),
        (having(int("keepdims", 2)), "`keepdims` is 2"),
        (rank_two, "input `axes` has rank 2"),
    ] {
        refuses(13, &graph, &[matrix()], words);
    }
}

#[test]
fn the_opset_is_that_of_the_standard_domain() {
    let sum = graph(&[node("ReduceSum", "x", "y")], "x", "y");
    let of = |domain: &str, version: i64| {
        let model = ModelProto { opset_import: import(domain, version), ..model(1, &sum) };
        Program::new(&file(&model)).map(|_| ()).map_err(said)
    };
    assert_eq!(of("ai.onnx", 13), Ok(()));
    for (domain, version, words) in [
        ("com.example", 13, "imports no opset of the standard domain"),
        ("", -1, "opset -1 does not exist"),
        ("", 1 << 40, "opset 1099511627776 does not exist"),
        ("", 999, "opset 999"),
    ] {
        assert!(of(domain, version).expect_err(words).contains(words));
    }
}

#[test]
fn of_two_opsets_the_highest_counts_and_an_old_format_has_opset_1() {
    let sum = graph(&[node("ReduceSum", "x", "y")], "x", "y");
    let opset = |opset_import, ir_version| {
        let file = file(&ModelProto { opset_import, ir_version, ..model(1, &sum) });
        let program = Program::new(&file).map_err(said)?;
        Ok::<u32, String>(program.nodes[0].opset)
    };
    for two in [[("", 11), ("ai.onnx", 13)], [("", 13), ("", 11)]] {
        let imports = two.iter().flat_map(|&(domain, version)| import(domain, version)).collect();
        assert_eq!(opset(imports, 8), Ok(13), "{two:?}");
    }
    for ir_version in [1, 2] {
        assert_eq!(opset(vec![], ir_version), Ok(1), "{ir_version}");
    }
    for ir_version in [0, 3] {
        let none = opset(vec![], ir_version).expect_err("no opset");
        assert!(none.contains("imports no opset of the standard domain"), "{none}");
    }
}

#[test]
fn other_operators_are_not_run() {
    let not_run = |nodes: &[NodeProto]| {
        let refusal = run_as(&model(13, &graph(nodes, "x", "y")), &[matrix()], true);
        let refusal = refusal.expect_err("none is run");
        assert_eq!(refusal.kind(), ErrorKind::NotRun);
        said(refusal)
    };
    let sum = node("ReduceSum", "x", "z");
    let conv = NodeProto { name: "c".to_owned(), ..node("Conv", "x", "y") };
    let alone = "is not run: it is no operator of this build";
    assert_eq!(not_run(from_ref(&conv)), format!("node 0 `c` (Conv) of opset 13 {alone}"));
    let foreign = NodeProto { domain: "com.example".to_owned(), ..sum.clone() };
    assert_eq!(not_run(&[foreign]), format!("node 0 (com.example.ReduceSum) {alone}"));
    let several = not_run(&[node("Tan", "x", "a"), sum, conv, node("Tan", "a", "b")]);
    assert!(
        several.starts_with("node 0 (Tan) of opset 13, node 2 `c` (Conv) of opset 13 are"),
        "{several}"
    );
}

/// Names that are many and long are passed over at once, and some are told.
#[test]
fn many_other_operators() {
    let name = |number: usize| format!("{}{number}", "ReduceSum".repeat(110));
    let nodes: Vec<NodeProto> = (0..20_000).map(|number| node(&name(number), "x", "y")).collect();
    let model = model(13, &graph(&nodes, "x", "y"));
    let start = std::time::Instant::now();
    let reason = said(run_as(&model, &[], true).expect_err("none is known"));
    assert!(start.elapsed().as_secs() < 3, "{:?}", start.elapsed());
    assert!(reason.contains(" and 19980 more are not run") && reason.len() < 30_000, "{reason}");
}

/// An output that is named any number of times is one tensor.
#[test]
fn outputs_are_not_copied() {
    let graph = graph(&[node("ReduceSum", "x", "y")], "x", &"y ".repeat(20_000));
    let file = file(&model(13, &graph));
    let program = Program::new(&file).expect("sound");
    let outputs = program.run([("x", matrix().into())]).expect("a sum");
    let tensors: Vec<_> = outputs.iter().map(|value| value.tensor().expect("there")).collect();
    assert_eq!(tensors.len(), 20_000);
    assert!(tensors.iter().all(|tensor| std::ptr::eq(&**tensor, &*tensors[0])));
}
