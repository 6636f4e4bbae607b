//! The validator is called as others call it. Every problem has a code that stays, names the
//! operator and the governing version, and says what to do instead.

use std::collections::{BTreeMap, BTreeSet};

use reduce_core::nodes::{AttrValue, AxesInput, Node, PartialShape};
use reduce_core::{AnyTensor, DType, Error, ErrorKind, Problems, Tensor};
use reduce_specs::ONNX;

use crate::facts::{NEWEST, assert_contains};

/// A node that is wrong, and what is said of it.
struct Example {
    code: &'static str,
    op: &'static str,
    node: Node,
    /// The version that governs, where the operator is known.
    version: Option<u32>,
    /// What to do instead.
    remedy: &'static str,
}

fn example(
    code: &'static str,
    op: &'static str,
    node: Node,
    version: impl Into<Option<u32>>,
    remedy: &'static str,
) -> Example {
    Example { code, op, node, version: version.into(), remedy }
}

fn at(opset: u32) -> Node {
    Node::new(opset, DType::F32)
}

fn tensor<T: reduce_core::Element>(data: Vec<T>, shape: &[usize]) -> AnyTensor {
    Tensor::new(data, shape).expect("as many as the shape has").into()
}

/// Every code that a node can cause, with a node that causes it alone.
fn examples() -> Vec<Example> {
    let byte = Node::new(17, DType::U8);
    let twice = || at(17).attr("keepdims", 1).attr("keepdims", 1);
    let text = AttrValue::Other("a string");
    [
        example("unknown-op", "ReduceMaximum", at(13), None, "did you mean `ReduceMax`"),
        example("opset-out-of-range", "ReduceSum", at(29), None, "expected 1..=28"),
        example("dtype-not-allowed", "ReduceSum", byte, 13, "expected `f16`, `bf16`, `f32`"),
        example("unknown-attribute", "ArgMax", at(11).attr("axs", 0), 11, "did you mean `axis`"),
        example(
            "attribute-of-other-version",
            "ReduceMean",
            at(18).attr("axes", [0]),
            18,
            "pass it as the second input",
        ),
        example("duplicate-attribute", "ReduceMin", twice(), 13, "give it once"),
        example(
            "attribute-kind",
            "ReduceL2",
            at(12).attr("keepdims", text),
            11,
            "takes an integer",
        ),
        example("attribute-range", "ReduceL1", at(28).attr("keepdims", 2), 18, "expected 0 or 1"),
    ]
    .into_iter()
    .chain(axes_examples())
    .collect()
}

/// Those that are about axes.
fn axes_examples() -> [Example; 5] {
    let narrow = tensor(vec![0i32], &[1]);
    let matrix = tensor(vec![0i64], &[1, 1]);
    [
        example(
            "input-of-other-version",
            "ReduceProd",
            at(17).axes([0]),
            13,
            "here it is an attribute",
        ),
        example("input-dtype", "ReduceSum", at(13).axes(narrow), 13, "expected `i64`"),
        example("input-rank", "ReduceSum", at(14).axes(matrix), 13, "expected rank 1"),
        example(
            "axis-out-of-range",
            "ArgMin",
            at(13).attr("axis", 2).shape([3, 4].as_slice()),
            13,
            "expected -2..=1",
        ),
        example(
            "duplicate-axis",
            "ReduceLogSum",
            at(28).axes([0, -2]).shape(PartialShape::of_rank(2)),
            28,
            "name each axis once",
        ),
    ]
}

/// Codes that only a later step can cause: views, data, memory, CPU, conversion.
const NOT_OF_NODES: [&str; 48] = [
    "axes-of-list",
    "bad-offset",
    "bad-state",
    "other-axes",
    "other-operator",
    "size-overflow",
    "length-mismatch",
    "other-layout",
    "rank-mismatch",
    "view-out-of-bounds",
    "view-overlaps",
    "output-shape",
    "output-dtype",
    "narrow-output",
    "stopped",
    "emits-nothing",
    "emits-all",
    "emits-exclusive",
    "reversed-stream",
    "other-piece",
    "output-count",
    "not-a-permutation",
    "no-such-axis",
    "bad-slice",
    "zero-step",
    "cannot-broadcast",
    "shapes-differ",
    "input-count",
    "several-results",
    "other-result",
    "empty-set",
    "none-counts",
    // No operator of the registry refuses parameters.
    "parameters",
    "result-too-large",
    "no-memory",
    "rank-too-large",
    "key-out-of-range",
    "empty-group",
    "no-inverse",
    "no-groups",
    "no-order",
    "too-few",
    "other-array",
    "other-columns",
    "level-unavailable",
    "axes-not-given",
    "no-form",
    // No operator of the registry begins later than opset 1, or was withdrawn.
    "not-in-opset",
];

#[test]
fn every_code_has_an_example() {
    for Example { code, op, node, version, remedy } in examples() {
        let problems = ONNX.prepare(op, &node).expect_err(code);
        let [error] = problems.errors() else { panic!("{code}: {problems}") };
        assert_eq!(error.code(), code, "{error}");
        assert_contains(&error.to_string(), &[remedy]);
        assert_eq!((error.op(), error.version()), (version.and(Some(op)), version), "{error}");
        if let Some(version) = version {
            let start = format!("{op} at version {version}: ");
            assert!(error.to_string().starts_with(&start), "{error}");
        }
    }
}

/// The table above is complete.
#[test]
fn no_code_is_left_out() {
    let all: BTreeSet<&str> = ErrorKind::ALL.iter().map(|(code, _)| *code).collect();
    let here: BTreeSet<&str> = examples().iter().map(|example| example.code).collect();
    assert_eq!(here.len(), examples().len(), "an example for each");
    let expected: BTreeSet<&str> = here.iter().copied().chain(NOT_OF_NODES).collect();
    assert_eq!(all, expected);
    assert_eq!(all.len(), here.len() + NOT_OF_NODES.len(), "in one list only");
}

/// Whatever is wrong with nodes of any operator at any opset, no other code
/// comes up than those of the table.
#[test]
fn provokable_codes_are_those_of_the_table() {
    let mut found: BTreeMap<&'static str, usize> = BTreeMap::new();
    let axes = [
        AxesInput::Absent,
        [0].into(),
        [0, 0].into(),
        AxesInput::runtime(),
        tensor(vec![0.0f32], &[1]).into(),
        tensor(vec![0i64], &[]).into(),
        AxesInput::Runtime { dtype: DType::U8, shape: PartialShape::unknown() },
    ];
    let values = [AttrValue::Int(1), AttrValue::Int(7), [0, 0].into(), AttrValue::Float(1.0)];
    let names =
        ["axes", "axis", "keepdims", "noop_with_empty_axes", "select_last_index", "keepdim", ""];
    let attrs = names.into_iter().flat_map(|name| values.iter().map(move |value| (name, value)));
    for (name, value) in attrs {
        for (op, opset) in operators().flat_map(|op| (0..=NEWEST + 1).map(move |n| (op, n))) {
            for (axes, dtype) in axes.iter().zip(DType::ALL) {
                let node = Node::new(opset, dtype).attr(name, value.clone()).axes(axes.clone());
                let node = node.attr(name, 0).shape([2, 3].as_slice());
                let Err(problems) = ONNX.prepare(op, &node) else { continue };
                for error in problems.errors() {
                    *found.entry(error.code()).or_default() += 1;
                }
            }
        }
    }
    println!("{found:?}");
    let found: BTreeSet<&str> = found.into_keys().collect();
    assert_eq!(found, examples().iter().map(|example| example.code).collect());
}

/// The operators, and one that is none.
fn operators() -> impl Iterator<Item = &'static str> {
    ONNX.ops().iter().map(|entry| entry.schema().name).chain(["ReduceSums"])
}

fn codes(problems: &Problems) -> Vec<&'static str> {
    problems.errors().iter().map(Error::code).collect()
}

/// Everything is said at once, in the order of the node; the last is found only
/// because the shape is known.
#[test]
fn several_problems_at_once() {
    let node = Node::new(17, DType::I16)
        .attr("keepdims", 3)
        .attr("noop_with_empty_axes", 0)
        .attr("axes", [0, 5])
        .attr("keep_dims", 1)
        .shape(PartialShape::of_rank(3));
    let problems = ONNX.prepare("ReduceLogSumExp", &node).expect_err("all wrong");
    assert_eq!(
        codes(&problems),
        [
            "dtype-not-allowed",
            "attribute-range",
            "attribute-of-other-version",
            "unknown-attribute",
            "axis-out-of-range"
        ]
    );
    let message = problems.to_string();
    assert_eq!(message.matches("ReduceLogSumExp at version 13: ").count(), 1, "{message}");
    assert!(problems.errors().iter().all(|error| error.op() == Some("ReduceLogSumExp")));
}

/// Axes are held against the rank as soon as it is known, however they are given.
#[test]
fn axes_are_checked_at_prepare() {
    let rank = PartialShape::of_rank;
    for (op, node) in [
        ("ReduceSum", at(12).attr("axes", [2])),
        ("ReduceSum", at(13).axes([-3])),
        ("ReduceMax", at(20).axes([0, 2])),
        ("ArgMax", at(13).attr("axis", -3)),
    ] {
        assert!(ONNX.prepare(op, &node).is_ok(), "{op}: nothing is known of the data");
        assert!(ONNX.prepare(op, &node.clone().shape(rank(3))).is_ok(), "{op}");
        let problems = ONNX.prepare(op, &node.clone().shape(rank(2))).expect_err("rank 2");
        assert_eq!(codes(&problems), ["axis-out-of-range"]);
        assert_contains(&problems.to_string(), &[op, "rank 2", "-2..=1"]);
        let problems = ONNX.prepare(op, &node.shape(rank(0))).expect_err("rank 0");
        assert_contains(&problems.to_string(), &["rank 0 has no axes"]);
    }
    for (op, node) in [("ArgMax", at(13)), ("ArgMin", at(1))] {
        let problems = ONNX.prepare(op, &node.clone().shape(rank(0))).expect_err("by default");
        assert_eq!(codes(&problems), ["axis-out-of-range"]);
        assert_contains(&problems.to_string(), &["named or not", "give a tensor of rank 1"]);
        assert!(!problems.to_string().contains("name none"), "{problems}");
        let scalar = tensor(vec![1.0f32], &[]);
        let call = ONNX.prepare(op, &node).expect("nothing is known of the data");
        let error = call.run(&scalar.view()).expect_err("axis 0 by default");
        assert_contains(&error.to_string(), &[op, "named or not", "give a tensor of rank 1"]);
        assert_eq!(call.infer(&rank(0)).expect_err("the same"), error);
    }
    let many = reduce_core::View::new(&[0i64], &[1]).and_then(|view| view.broadcast(&[1 << 60]));
    let call = ONNX.prepare("ReduceSum", &at(13).axes(AxesInput::runtime())).expect("valid");
    let row = tensor(vec![1.0f32], &[1]);
    let error = call.run_with_axes(&row.view(), &many.expect("one axis").into());
    assert_contains(&error.expect_err("too many").to_string(), &["more than any tensor has"]);
    let later = at(13).axes(AxesInput::runtime()).shape(rank(0));
    assert!(ONNX.prepare("ReduceSum", &later).is_ok(), "nothing is known of the axes");
}

/// Of axes, every mistake is said, in the order of the list.
#[test]
fn every_wrong_axis() {
    for (listed, said) in [
        (vec![4, 0, 0], vec!["axis 4 is out of range", "axis 0 is named twice"]),
        (vec![7, 9], vec!["axis 7 is out of range", "axis 9 is out of range"]),
        (vec![0, -2, 4], vec!["axis -2 names axis 0, which is named already", "axis 4 is out"]),
        (vec![1, 1, 1], vec!["axis 1 is named twice", "axis 1 is named twice"]),
    ] {
        let node = at(18).axes(listed.clone()).shape(PartialShape::of_rank(2));
        let problems = ONNX.prepare("ReduceMax", &node).expect_err("wrong axes");
        assert_eq!(problems.errors().len(), said.len(), "{listed:?}: {problems}");
        for (error, said) in problems.errors().iter().zip(said) {
            assert_contains(&error.to_string(), &["ReduceMax at version 18: ", said]);
        }
    }
}

/// A misspelling is told the name that is meant, and where it is an attribute.
#[test]
fn did_you_mean() {
    for (op, opset, given, words) in [
        ("ReduceSum", 13, "keepdim", "did you mean `keepdims`"),
        ("ReduceSum", 13, "noop_with_empty_axis", "did you mean `noop_with_empty_axes`"),
        (
            "ReduceSum",
            12,
            "noop_with_empty_axis",
            "did you mean `noop_with_empty_axes`, which versions 13.. have",
        ),
        (
            "ReduceLogSum",
            13,
            "noop_with_empty_axis",
            "did you mean `noop_with_empty_axes`, which versions 18.. have",
        ),
        ("ReduceSum", 13, "axess", "did you mean `axes`, which versions 1..=12 have"),
        (
            "ArgMax",
            11,
            "select_last_indx",
            "did you mean `select_last_index`, which versions 12.. have",
        ),
        ("ArgMax", 12, "select_last_indx", "did you mean `select_last_index`"),
        ("ArgMax", 13, "axes", "did you mean `axis`"),
        ("ReduceMax", 13, "select_first", "expected `axes` or `keepdims`"),
    ] {
        let problems = ONNX.prepare(op, &at(opset).attr(given, 1)).expect_err("misspelt");
        assert_eq!(codes(&problems), ["unknown-attribute"], "{problems}");
        let message = problems.to_string();
        assert!(message.ends_with(words), "{message}");
    }
    for (given, meant) in
        [("ReduceMaxx", "ReduceMax"), ("argmax", "ArgMax"), ("ReduceLogSumexp", "ReduceLogSumExp")]
    {
        let problems = ONNX.prepare(given, &at(13)).expect_err("misspelt");
        assert_contains(&problems.to_string(), &[given, &format!("did you mean `{meant}`")]);
    }
    for given in ["ReduceStd", "ReduceMedian", "ReduceVar", "ReduceNorm", "ReduceL3", "ArgSort"] {
        let problems = ONNX.prepare(given, &at(13)).expect_err("none");
        assert_eq!(problems.to_string(), format!("unknown operator `{given}`"));
    }
    assert!(!ONNX.prepare("Conv", &at(13)).expect_err("none").to_string().contains("mean"));
}

/// Axes in the wrong place are told where they belong.
#[test]
fn axes_in_the_wrong_place() {
    for (op, moved) in [("ReduceSum", 13), ("ReduceMean", 18), ("ReduceMax", 18)] {
        let old = moved - 1;
        for opset in moved..=NEWEST {
            let problems = ONNX.prepare(op, &at(opset).attr("axes", [0])).expect_err("an input");
            let words =
                [format!("at versions 1..={old}"), "pass it as the second input".to_owned()];
            assert_contains(&problems.to_string(), &words.each_ref().map(String::as_str));
        }
        for opset in 1..=old {
            let problems = ONNX.prepare(op, &at(opset).axes([0])).expect_err("an attribute");
            let words = [format!("at versions {moved}.."), "here it is an attribute".to_owned()];
            assert_contains(&problems.to_string(), &words.each_ref().map(String::as_str));
        }
    }
    let problems = ONNX.prepare("ArgMax", &at(13).axes([0])).expect_err("neither");
    assert_contains(&problems.to_string(), &["no input `axes`", "the only input is the data"]);
}
