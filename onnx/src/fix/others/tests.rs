//! Nodes of other operators, at other opsets.

use super::problems;
use crate::check::tests::build::*;
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::tensor_proto::DataType;
use crate::file::proto::{AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto};
use crate::map::Map;

/// What is wrong at another opset: the version, and the fact.
fn flaws(model: &ModelProto, target: u32) -> Vec<String> {
    let model = read(model);
    let map = Map::of(model.proto());
    let told = |problem: super::Finding| {
        let version = problem.version.map_or(String::new(), |version| format!("{version}: "));
        version + &problem.fact
    };
    problems(&map, target).into_iter().map(told).collect()
}

/// What is wrong with nodes in a graph of the matrix `x`.
fn of(nodes: &[NodeProto], from: i64, target: u32) -> Vec<String> {
    flaws(&model(from, graph(nodes)), target)
}

fn stays(node: NodeProto, from: i64, target: u32) {
    let nodes = [node];
    assert_eq!(of(&nodes, from, target), [""; 0], "{nodes:?} {from} {target}");
}

fn changes(node: NodeProto, from: i64, target: u32, fact: &str) {
    let nodes = [node];
    assert_eq!(of(&nodes, from, target), [fact], "{nodes:?} {from} {target}");
}

fn text(name: &str, value: &str) -> AttributeProto {
    let (kind, s) = (AttributeType::String.into(), value.as_bytes().to_vec().into());
    AttributeProto { name: name.to_owned(), r#type: kind, s, ..AttributeProto::default() }
}

#[test]
fn another_form_is_named() {
    let axes = |op: &str| with(node(&format!("{op} x -> y")), [ints("axes", &[0])]);
    for op in ["Squeeze", "Unsqueeze"] {
        changes(axes(op), 11, 18, "13: `axes` is no attribute, but an input");
        let back = of(&[node(&format!("{op} x a -> y"))], 13, 11);
        assert!(back[0].starts_with("11: it "), "{back:?}");
        stays(axes(op), 1, 12);
        stays(node(&format!("{op} x a -> y")), 13, 25);
    }
    let split = with(node("Split x -> y z"), [ints("split", &[1, 1])]);
    changes(split, 11, 13, "13: `split` is no attribute, but an input");
    let dropout = with(node("Dropout x -> y"), [float("ratio", 0.1)]);
    changes(dropout, 10, 18, "12: `ratio` is no attribute, but an input");
    stays(node("Dropout x -> y"), 7, 22);
    let clip = with(node("Clip x -> y"), [float("max", 6.0)]);
    changes(clip, 6, 11, "11: `max` is no attribute, but an input");
    changes(node("Upsample x s -> y"), 9, 10, "10: it is deprecated");
    let cast = with(node("Cast x -> y"), [text("to", "FLOAT")]);
    changes(cast, 1, 6, "6: `to` is of the kind int, and not string");
    changes(node("Concat x -> y"), 3, 4, "4: it needs the attribute `axis`");
    changes(node("Gemm x x -> y"), 11, 9, "9: it needs 3 inputs, and has 2 inputs");
    changes(node("Resize x _ _ s -> y"), 13, 11, "11: the input `roi` is needed, and left out");
    changes(
        with(node("Add x x -> y"), [int("broadcast", 1)]),
        6,
        7,
        "7: `broadcast` is no attribute",
    );
}

#[test]
fn what_there_is_none_of_is_named() {
    changes(node("Swish x -> y"), 18, 19, "opset 18 has no `Swish`, which is new in opset 24");
    let new = "opset 16 has no `LayerNormalization`, which is new in opset 17";
    changes(node("LayerNormalization x x -> y"), 16, 18, new);
    changes(node("LayerNormalization x x -> y"), 17, 16, new);
    changes(node("Affine x -> y"), 9, 18, "`Affine` is no operator of the standard");
    changes(node("reducemean x -> y"), 9, 18, "unknown operator `reducemean`");
    let foreign = NodeProto { domain: "com.microsoft".to_owned(), ..node("Squeeze x -> y") };
    stays(foreign, 9, 18);
    let newer = flaws(&model(99, graph(&[node("Relu x -> y"), node("Relu x -> z")])), 18);
    assert_eq!(newer, ["opset 99 is newer than this build knows"]);
}

/// Along the last axis alone both versions mean the same.
#[test]
fn softmax_is_along_the_last_axis_or_it_changes() {
    let fact = "13: it is along one axis, and was along all from `axis` on";
    let deep = |axis: Option<i64>| {
        let node = with(node("Softmax w -> y"), axis.map(|axis| int("axis", axis)));
        let input = vec![info("w", DataType::Float, &[2, 3, 4])];
        model(11, GraphProto { input, ..graph(&[node]) })
    };
    for op in ["Softmax", "LogSoftmax", "Hardmax"] {
        let of = |axis| with(node(&format!("{op} x -> y")), [int("axis", axis)]);
        stays(node(&format!("{op} x -> y")), 11, 18);
        stays(of(1), 11, 18);
        stays(of(-1), 11, 18);
        changes(of(0), 11, 18, fact);
        stays(of(0), 11, 12);
        // Of another value than `x` nothing is known.
        changes(with(node(&format!("{op} w -> v")), [int("axis", 1)]), 11, 18, fact);
        stays(with(node(&format!("{op} w -> v")), [int("axis", -1)]), 11, 18);
    }
    for (axis, found) in
        [(Some(2), [""; 0].as_slice()), (Some(-1), &[]), (Some(1), &[fact]), (None, &[fact])]
    {
        assert_eq!(flaws(&deep(axis), 13), found, "{axis:?}");
    }
    let back = of(&[with(node("Softmax w -> v"), [int("axis", 1)])], 13, 11);
    assert_eq!(
        back,
        [
            "11: from version 13 on it is along one axis, and was along all from `axis` on, and here not"
        ]
    );
}

#[test]
fn changes_of_meaning_are_known() {
    changes(node("Split x -> y z"), 11, 18, "18: it needs the input `split` or `num_outputs`");
    stays(node("Split x -> y z"), 11, 13);
    stays(node("Split x s -> y z"), 13, 18);
    let masked = [node("Dropout x -> y m"), node("Not m -> n")];
    assert_eq!(of(&masked, 10, 12), ["12: its mask is of a run that does not train"]);
    stays(node("Dropout x -> y m"), 7, 13);
    changes(
        node("BatchNormalization x a b c d -> y"),
        6,
        7,
        "7: it trains only where that is asked for",
    );
    stays(node("BatchNormalization x a b c d -> y"), 9, 14);
    let pool =
        |mode| with(node("MaxPool x -> y"), [ints("kernel_shape", &[2]), int("ceil_mode", mode)]);
    changes(pool(1), 18, 22, "22: windows that begin in the padding behind are left out");
    stays(pool(0), 18, 22);
    changes(node("Attention x x x -> y"), 23, 24, "24: its masks are aligned in another way");
    let both = node("Resize x r s z -> y");
    changes(both, 11, 18, "13: it takes `scales` or `sizes`, and not both");
    let default = "`mode` is left out, which meant \"bilinear\", and means \"linear\"";
    let grid = node("GridSample x g -> y");
    assert!(of(&[grid], 16, 20)[0].starts_with("20: its modes"), "{default}");
    let selu =
        "6: `alpha` is left out, which meant 1.673200011253357, and means 1.6732631921768188";
    changes(node("Selu x -> y"), 1, 6, selu);
    stays(with(node("Selu x -> y"), [float("alpha", 1.0), float("gamma", 1.0)]), 1, 6);
}

/// What the newer version takes, and the older not.
#[test]
fn some_go_forth_and_not_back() {
    let concat = |axis| with(node("Concat x x -> y"), [int("axis", axis)]);
    stays(concat(-1), 11, 13);
    stays(concat(1), 11, 9);
    changes(concat(-1), 11, 9, "4: from version 11 on axes may be negative, and here not");
    stays(node("Add x x -> y"), 6, 13);
    changes(
        node("Add x x -> y"),
        13,
        6,
        "6: from version 7 on inputs may differ in shape, and here not",
    );
    changes(node("Abs x -> y"), 6, 1, "1: from version 6 on it takes more, and here not");
    let wrap = with(node("Pad x p -> y"), [text("mode", "wrap")]);
    changes(wrap, 19, 18, "18: from version 19 on it has the mode `wrap`, and here not");
    stays(with(node("Pad x p -> y"), [text("mode", "edge")]), 19, 18);
}

#[test]
fn types_are_followed() {
    let refused = "13: `w` may be of int32, int64, int16, int8, which it does not take";
    // `x` is declared, of `w` nothing is known, and what `Conv` gives is a float.
    stays(node("Relu x -> y"), 14, 13);
    assert_eq!(of(&[node("Relu w -> y")], 14, 13), [refused]);
    stays(node("Relu w -> y"), 13, 14);
    assert_eq!(of(&[node("Conv v k -> w"), node("Relu w -> y")], 14, 13), [""; 0]);
    assert_eq!(
        of(&[node("Reshape w s -> v"), node("Relu v -> y")], 14, 13),
        [refused.replace("`w`", "`v`")]
    );
    // A constant, and a type that is said.
    let (one, cast) = (tensor_attr("value", longs("", &[1])), int("to", 1));
    let constant = |attr: AttributeProto| with(node("Constant -> w"), [attr]);
    assert_eq!(
        of(&[constant(one), node("Relu w -> y")], 14, 13),
        [refused.replace("may be of int32, int64, int16, int8", "is of int64")]
    );
    let halves = TensorProto { data_type: DataType::Float16.into(), ..TensorProto::default() };
    assert_eq!(of(&[constant(tensor_attr("value", halves)), node("Relu w -> y")], 14, 13), [""; 0]);
    let casts = [with(node("Cast v -> w"), [cast]), node("Relu w -> y")];
    assert_eq!(of(&casts, 14, 13), [""; 0]);
    // What an operator gives in another type.
    let mask = of(&[node("Dropout w -> y m"), node("Abs m -> n")], 7, 10);
    assert_eq!(mask, ["10: `m` may be of float, float16, double, which it does not give"]);
    // Two types that were one before.
    let scales = |data| {
        let input = vec![info("w", data, &[2]), info("s", DataType::Float, &[])];
        flaws(&model(23, GraphProto { input, ..graph(&[node("QuantizeLinear w s -> y")]) }), 21)
    };
    assert_eq!(scales(DataType::Float), [""; 0]);
    assert_eq!(
        scales(DataType::Float16),
        ["21: `w` and `s` have to be of one type, and may differ"]
    );
    // A reduction whose input may be bool.
    assert_eq!(
        of(&[node("ReduceMax w -> y")], 20, 18),
        ["18: `w` may be of bool, which it does not take"]
    );
    stays(node("ReduceMax x -> y"), 20, 18);
}

/// Nodes in graphs within nodes, and in functions, which have opsets of their own.
#[test]
fn every_scope_is_looked_at() {
    let old = with(node("Squeeze x -> s"), [ints("axes", &[0])]);
    let body = inner("then", &[node("Conv x k -> w"), node("If x -> r"), old.clone()]);
    let cond = with(node("If x -> y"), [subgraph("then_branch", body)]);
    let found = of(&[cond], 12, 13);
    assert_eq!(found.len(), 3, "two branches are missing, and one node is old: {found:?}");
    let calls = |nodes: &[NodeProto], opset| ModelProto {
        functions: vec![function(opset, nodes)],
        ..model(13, graph(&[call("f x -> y")]))
    };
    let fact = "13: `axes` is no attribute, but an input";
    assert_eq!(flaws(&calls(std::slice::from_ref(&old), 11), 18), [fact]);
    assert_eq!(flaws(&calls(&[node("Squeeze x -> y")], 11), 18), [""; 0]);
    let none = ModelProto {
        functions: vec![crate::file::proto::FunctionProto {
            opset_import: vec![],
            ..function(1, &[old])
        }],
        ..model(13, graph(&[]))
    };
    assert_eq!(flaws(&none, 18), ["no opset of the standard domain is imported"]);
    // An attribute that only calls know may be any, or be left out.
    let refers = with(node("Softmax x -> y"), [refers("axis", "a", AttributeType::Int)]);
    assert_eq!(flaws(&calls(&[refers], 11), 13).len(), 1);
    // A function of the model goes before an operator of its name.
    let own = ModelProto {
        functions: vec![crate::file::proto::FunctionProto {
            name: "Squeeze".to_owned(),
            domain: String::new(),
            ..function(13, &[node("Relu x -> y")])
        }],
        ..model(11, graph(&[with(node("Squeeze x -> y"), [ints("axes", &[0])])]))
    };
    assert_eq!(flaws(&own, 18), [""; 0]);
}
