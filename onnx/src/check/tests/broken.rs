//! Each kind of broken node is found with its sentence, and its valid neighbour is not.

use super::build::*;
use crate::check::finding::Gravity;
use crate::check::text::Part;
use crate::file::proto::tensor_proto::{DataLocation, DataType};
use crate::file::proto::{GraphProto, ModelProto, NodeProto, SparseTensorProto, TensorProto};

fn sum() -> NodeProto {
    node("ReduceSum x -> y")
}

/// A node alone in a model.
fn alone(opset: i64, node: NodeProto) -> ModelProto {
    model(opset, graph(&[node]))
}

/// A node whose axes are in the model.
fn with_axes(opset: i64, op: &str, axes: TensorProto) -> ModelProto {
    let initializer = vec![TensorProto { name: "axes".to_owned(), ..axes }];
    let nodes = [node(&format!("{op} x axes -> y"))];
    model(opset, GraphProto { initializer, ..graph(&nodes) })
}

/// A node over data of a type.
fn over(opset: i64, dtype: DataType, sizes: &[i64], node: NodeProto) -> ModelProto {
    model(opset, GraphProto { input: vec![info("x", dtype, sizes)], ..graph(&[node]) })
}

#[test]
fn attributes() {
    let mean = |attrs: &[_]| with(node("ReduceMean x -> y"), attrs.to_vec());
    finds(
        &alone(18, mean(&[ints("axes", &[0])])),
        "attribute-of-other-version",
        &[
            "error[attribute-of-other-version]: ReduceMean at version 18: `axes` is an attribute only",
            "--> m.onnx: node 0 of graph `main`\n",
            "y = ReduceMean <axes = [0]> (x)",
            "^^^^^^^^^^ an input at version 18",
            "help: here it is an input: pass it as the second input",
            "m.onnx: 1 reduction (1 ReduceMean-18); 1 problem\n",
        ],
    );
    is_sound(&alone(17, mean(&[ints("axes", &[0])])), 1);
    let noop = int("noop_with_empty_axes", 1);
    let words = ["versions 18.. have it", "version 13 has no such attribute"];
    finds(&alone(13, mean(std::slice::from_ref(&noop))), "attribute-of-other-version", &words);
    is_sound(&alone(18, mean(&[noop])), 1);
    let last = int("select_last_index", 1);
    let argmax = |opset| alone(opset, with(node("ArgMax x -> y"), [last.clone()]));
    finds(&argmax(11), "attribute-of-other-version", &["ArgMax at version 11", "12.. have it"]);
    is_sound(&argmax(12), 1);
    finds(
        &alone(13, with(sum(), [int("keepdim", 0)])),
        "unknown-attribute",
        &["unknown attribute `keepdim`", "help: did you mean `keepdims`", "^^^^^^^^^^^ unknown"],
    );
    let twice = with(sum(), [int("keepdims", 0), int("keepdims", 1)]);
    finds(&alone(13, twice.clone()), "duplicate-attribute", &["is given twice", "given again"]);
    assert_eq!(findings(&alone(13, twice)).problems[0].part, Part::Attribute(1));
    finds(&alone(13, with(sum(), [int("keepdims", 2)])), "attribute-range", &["expected 0 or 1"]);
    let kind = ["takes an integer, 0 or 1, not a float"];
    finds(&alone(13, with(sum(), [float("keepdims", 1.0)])), "attribute-kind", &kind);
    is_sound(&alone(13, with(sum(), [int("keepdims", 0)])), 1);
}

#[test]
fn the_axes() {
    let axis = |axis| alone(11, with(node("ReduceMax x -> y"), [ints("axes", &[axis])]));
    let words = ["axis 2 is out of range for rank 2", "`x` is f32 [2, 3]", "help: expected -2..=1"];
    finds(&axis(2), "axis-out-of-range", &words);
    is_sound(&axis(-2), 1);
    let twice = alone(11, with(sum(), [ints("axes", &[1, -1])]));
    finds(&twice, "duplicate-axis", &["axis -1 names axis 1", "^ named twice"]);
    let argmin = |axis| alone(13, with(node("ArgMin x -> y"), [int("axis", axis)]));
    finds(&argmin(3), "axis-out-of-range", &["ArgMin at version 13", "axis = 3"]);
    is_sound(&argmin(1), 1);
    // As an input: out of range, of another type, of another rank, and where there is no such input.
    finds(
        &with_axes(13, "ReduceSum", longs("", &[5])),
        "axis-out-of-range",
        &["the data has rank 2"],
    );
    is_sound(&with_axes(13, "ReduceSum", longs("", &[1])), 1);
    is_sound(&with_axes(13, "ReduceSum", longs("", &[])), 1);
    let int32 = TensorProto {
        dims: vec![1],
        data_type: DataType::Int32.into(),
        int32_data: vec![1],
        ..TensorProto::default()
    };
    finds(
        &with_axes(13, "ReduceSum", int32),
        "input-dtype",
        &["of `i32`", "ReduceSum at version 13"],
    );
    let rank_two = TensorProto { dims: vec![1, 1], ..longs("", &[1]) };
    finds(&with_axes(18, "ReduceMin", rank_two), "input-rank", &["^^^^ of rank 2"]);
    finds(
        &with_axes(17, "ReduceMin", longs("", &[1])),
        "input-of-other-version",
        &["ReduceMin at version 13", "version 13 has no such input"],
    );
    finds(
        &with_axes(11, "ReduceSum", longs("", &[1])),
        "input-of-other-version",
        &["at version 11"],
    );
    let elsewhere = TensorProto { data_location: DataLocation::External.into(), ..longs("", &[1]) };
    finds(&with_axes(13, "ReduceSum", elsewhere), "axes-unreadable", &["without a location"]);
}

/// What only the running model knows is not judged, but for what is known of it.
#[test]
fn axes_that_come_later() {
    let nodes = [node("ReduceSum x axes -> y")];
    let of = |axes, initializer: Vec<TensorProto>| {
        let graph = graph(&nodes);
        let input = vec![graph.input[0].clone(), axes];
        model(13, GraphProto { input, initializer, ..graph })
    };
    is_sound(&of(info("axes", DataType::Int64, &[-1]), vec![]), 1);
    // An initializer that is also an input is but a default.
    is_sound(&of(info("axes", DataType::Int64, &[1]), vec![longs("axes", &[7])]), 1);
    finds(&of(info("axes", DataType::Int32, &[1]), vec![]), "input-dtype", &["`i32`"]);
    finds(&of(info("axes", DataType::Int64, &[1, 1]), vec![]), "input-rank", &["rank 2"]);
    finds(&of(info("axes", DataType::Int64, &[3]), vec![]), "rank-mismatch", &["3 entries"]);
    let constant = with(node("Constant -> axes"), [ints("value_ints", &[2])]);
    let held = [constant.clone(), nodes[0].clone()];
    finds(&model(13, graph(&held)), "axis-out-of-range", &["axis 2 is out of range"]);
    let later = [nodes[0].clone(), constant];
    let found = findings(&model(13, graph(&later)));
    assert_eq!(found.problems[0].code, "no-such-value", "{found:?}");
    assert!(found.problems[0].fact.contains("given only by node 1"), "{found:?}");
    let computed = [node("Shape x -> axes"), nodes[0].clone()];
    is_sound(&model(13, graph(&computed)), 1);
}

#[test]
fn the_data() {
    finds(
        &over(18, DataType::Bool, &[2], node("ReduceMax x -> y")),
        "dtype-not-allowed",
        &["dtype `bool` is not allowed", "of `bool`", "note: `x` is bool [2]"],
    );
    is_sound(&over(20, DataType::Bool, &[2], node("ReduceMax x -> y")), 1);
    let log = || node("ReduceLogSumExp x -> y");
    finds(&over(28, DataType::Int32, &[2], log()), "dtype-not-allowed", &["at versions 1..=27"]);
    is_sound(&over(27, DataType::Int32, &[2], log()), 1);
    finds(&over(13, DataType::String, &[2], sum()), "dtype-not-allowed", &["data type STRING"]);
    finds(&over(13, DataType::Float8e5m2, &[2], sum()), "dtype-not-allowed", &["of `f8e5m2`"]);
    let scalar = with(sum(), [ints("axes", &[0])]);
    finds(&over(11, DataType::Float, &[], scalar.clone()), "axis-out-of-range", &["rank 0"]);
    is_sound(&over(11, DataType::Float, &[1], scalar), 1);
    // Of an unknown type all else is checked, and what follows from a reduction is known.
    let unknown = [node("Relu x -> z"), with(node("ReduceSum z -> y"), [int("keepdims", 3)])];
    finds(&model(13, graph(&unknown)), "attribute-range", &["expected 0 or 1"]);
    let chain = |axis| {
        let first = with(node("ArgMax x -> z"), [int("keepdims", 0)]);
        model(11, graph(&[first, with(node("ReduceSum z -> y"), [ints("axes", &[axis])])]))
    };
    finds(&chain(1), "axis-out-of-range", &["note: `z` is i64 [3]"]);
    is_sound(&chain(0), 2);
}

/// Most models from elsewhere say nothing about the values between their inputs and outputs.
#[test]
fn data_of_which_nothing_is_said() {
    let behind = |nodes: &[&str]| {
        let cast = with(node("Cast x -> z"), [int("to", DataType::String as i64)]);
        let mut nodes: Vec<NodeProto> =
            [cast].into_iter().chain(nodes.iter().map(|text| node(text))).collect();
        let data = nodes.last().map_or("z", |node| &node.output[0]);
        nodes.push(node(&format!("ReduceSum {data} -> y")));
        model(13, graph(&nodes))
    };
    finds(&behind(&[]), "dtype-not-allowed", &["data type STRING"]);
    finds(&behind(&["Identity z -> w", "Reshape w s -> v"]), "dtype-not-allowed", &["STRING"]);
    // What an operator makes of it that is not looked through may be anything.
    is_sound(&behind(&["StringNormalizer z -> w"]), 1);
    let boolean = with(node("Cast x -> z"), [int("to", DataType::Bool as i64)]);
    let largest = |opset| model(opset, graph(&[boolean.clone(), node("ReduceMax z -> y")]));
    finds(&largest(13), "dtype-not-allowed", &["dtype `bool` is not allowed"]);
    is_sound(&largest(20), 1);
    // The same number is the same axis, whatever the rank.
    let axes = |axes: &[i64]| {
        model(
            11,
            graph(&[
                node("Reshape x s -> z"),
                with(node("ReduceMax z -> y"), [ints("axes", axes)]),
            ]),
        )
    };
    finds(&axes(&[1, 1]), "duplicate-axis", &["axis 1 is named twice"]);
    is_sound(&axes(&[1, -1]), 1);
}

#[test]
fn inputs_and_outputs() {
    finds(&alone(13, node("ReduceSum -> y")), "input-count", &["no data", "name the tensor"]);
    finds(&alone(13, node("ReduceSum _ -> y")), "input-count", &["no data"]);
    finds(&alone(13, node("ReduceSum x _ _ -> y")), "input-count", &["3 inputs"]);
    finds(&alone(13, node("ReduceMean x _ -> y")), "input-count", &["takes 1", "one too many"]);
    is_sound(&alone(13, node("ReduceSum x _ -> y")), 1);
    finds(&alone(13, node("ReduceSum x -> y z")), "output-count", &["2 outputs"]);
    finds(&alone(13, node("ReduceSum x ->")), "output-count", &["0 outputs"]);
    finds(&alone(13, node("ReduceSum x -> _")), "output-count", &["has no name"]);
    finds(&alone(13, node("ReduceSum z -> y")), "no-such-value", &["nothing gives `z`"]);
    finds(&alone(13, node("ReduceSum x z -> y")), "no-such-value", &["nothing gives `z`"]);
    let values = Some(longs("z", &[1]));
    let sparse_initializer = vec![SparseTensorProto { values }];
    let sparse = GraphProto { sparse_initializer, ..graph(&[node("ReduceSum z -> y")]) };
    is_sound(&model(13, sparse), 1);
}

#[test]
fn names_and_domains_that_nearly_are() {
    let of = |domain: &str, op: &str| NodeProto {
        domain: domain.to_owned(),
        ..node(&format!("{op} x -> y"))
    };
    finds(&alone(13, of("", "ReduceSumm")), "unknown-op", &["did you mean `ReduceSum`"]);
    finds(&alone(13, of("ai.onx", "ReduceSum")), "unknown-domain", &["`ai.onnx`"]);
    for node in [of("", "Conv"), of("com.microsoft", "ReduceSum"), of("", "ReduceStd")] {
        is_sound(&alone(13, node), 0);
    }
    is_sound(&alone(13, of("ai.onnx", "ReduceSum")), 1);
}

#[test]
fn opsets() {
    let with_imports = |opset_import| ModelProto { opset_import, ..alone(13, sum()) };
    finds(
        &with_imports(vec![]),
        "no-opset-import",
        &["add one to opset_import", "1 of no version"],
    );
    finds(&with_imports(vec![import("x", 1)]), "no-opset-import", &[]);
    finds(&with_imports(vec![import("", 0)]), "opset-out-of-range", &["opset 0 does not exist"]);
    // The higher of two counts.
    for two in [[import("", 11), import("ai.onnx", 13)], [import("", 13), import("", 11)]] {
        is_sound(&with_imports(two.to_vec()), 1);
        let found = findings(&with_imports(two.to_vec()));
        assert_eq!(found.reductions.keys().copied().collect::<Vec<_>>(), [("ReduceSum", 13)]);
    }
    is_sound(&ModelProto { ir_version: 2, ..with_imports(vec![]) }, 1);
    let newer = with_imports(vec![import("", 99)]);
    finds(
        &newer,
        "newer-opset",
        &["note[newer-opset]: opset 99", "rules of opset 28", "1 note; no"],
    );
    assert_eq!(findings(&newer).problems[0].gravity, Gravity::Note);
    // Only reductions are this program's business.
    let conv = ModelProto { opset_import: vec![], ..alone(13, node("Conv x -> y")) };
    is_sound(&conv, 0);
}

/// All problems of a node are told, and where it is.
#[test]
fn every_problem_of_every_node() {
    let bad = NodeProto {
        name: "bad\n".to_owned(),
        ..with(sum(), [int("keepdims", 2), ints("axes", &[0])])
    };
    let two = model(13, graph(&[bad, node("ReduceMax z -> y")]));
    let codes: Vec<_> = findings(&two).problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["attribute-range", "attribute-of-other-version", "no-such-value"]);
    let text = told(&two);
    assert!(text.contains(r"node 0 `bad\n` of graph `main`"), "{text}");
    assert!(text.contains("node 1 of graph `main`"), "{text}");
    assert!(text.contains("2 reductions (1 ReduceMax-13, 1 ReduceSum-13); 3 problems"), "{text}");
}
