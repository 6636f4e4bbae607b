//! Conversion is tested row by row. Each row says what ONNX's own converter does (onnx 1.23.2), and
//! what this one does instead.

use reduce_core::nodes::{AxesInput, Node, PartialShape};
use reduce_core::{DType, Error, Tensor};
use reduce_specs::ONNX;

const TEN: [&str; 10] = [
    "ReduceSum",
    "ReduceMean",
    "ReduceProd",
    "ReduceL1",
    "ReduceL2",
    "ReduceSumSquare",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMin",
];
const ARG: [&str; 2] = ["ArgMax", "ArgMin"];

/// The nine that take axes as an attribute up to version 17.
fn nine() -> impl Iterator<Item = &'static str> {
    TEN.into_iter().filter(|op| *op != "ReduceSum")
}

fn node(opset: u32) -> Node {
    Node::new(opset, DType::F32)
}

#[track_caller]
fn assert_becomes(op: &str, node: &Node, expected: &Node) {
    let found = ONNX.convert(op, node, expected.opset);
    assert_eq!(found.as_ref(), Ok(expected), "{op}: {node:?}");
}

/// That there and back are these two.
#[track_caller]
fn assert_equivalent(op: &str, old: &Node, new: &Node) {
    assert_becomes(op, old, new);
    assert_becomes(op, new, old);
}

/// The code and the sentence of the only problem.
#[track_caller]
fn refusal(op: &str, node: &Node, opset: u32) -> (&'static str, String) {
    let problems = ONNX.convert(op, node, opset).expect_err("no form");
    let [error] = problems.errors() else { panic!("one problem, not {problems}") };
    (Error::code(error), error.to_string())
}

/// 10 <-> 11, all: unchanged there; here too, negative axes with them.
#[test]
fn from_10_to_11_nothing_changes() {
    for op in TEN {
        let at = |opset| node(opset).attr("axes", [-1, 0]).attr("keepdims", 0);
        let (old, new) = (ONNX.convert(op, &at(10), 11), ONNX.convert(op, &at(11), 10));
        for (found, opset) in [(old, 11), (new, 10)] {
            let found = found.expect("a form");
            assert_eq!(found.opset, opset);
            assert!(found.attrs.contains(&("axes".to_owned(), [-1, 0].into())), "{op}");
            assert!(found.attrs.contains(&("keepdims".to_owned(), 0.into())), "{op}");
        }
    }
    for op in ARG {
        let at = |opset| node(opset).attr("axis", -1);
        assert_equivalent(op, &at(10), &at(11));
    }
}

/// 11 -> 12, Max, Min, `ArgMax`, `ArgMin`: compatible.
#[test]
fn from_11_to_12_nothing_changes() {
    for op in ["ReduceMax", "ReduceMin"] {
        assert_equivalent(op, &node(11).attr("axes", [1]), &node(12).attr("axes", [1]));
    }
    for op in ARG {
        assert_equivalent(op, &node(11).attr("axis", 1), &node(12).attr("axis", 1));
    }
}

/// 12 -> 11, Max, Min: 8-bit integers are refused, and the versions named.
#[test]
fn from_12_to_11_bytes_are_refused() {
    for (op, dtype) in
        ["ReduceMax", "ReduceMin"].into_iter().flat_map(|op| [(op, DType::I8), (op, DType::U8)])
    {
        let (code, message) = refusal(op, &Node::new(12, dtype), 11);
        assert_eq!(code, "dtype-not-allowed");
        assert!(message.contains(&format!("`{dtype}` is allowed at versions 12..")), "{message}");
    }
}

/// 12 -> 11, `ArgMax`, `ArgMin`: `select_last_index` 0 is dropped, 1 refused.
#[test]
fn from_12_to_11_the_last_index_is_refused() {
    for op in ARG {
        assert_becomes(op, &node(12).attr("select_last_index", 0), &node(11));
        let (code, message) = refusal(op, &node(12).attr("select_last_index", 1), 11);
        assert_eq!(code, "no-form");
        assert!(message.contains("only versions 12.. have it"), "{message}");
    }
}

/// 12 <-> 13, Sum, and 17 <-> 18, the nine: axes move between attribute and input.
#[test]
fn constant_axes_move_between_attribute_and_input() {
    for (op, old) in nine().map(|op| (op, 17)).chain([("ReduceSum", 12)]) {
        let new = old + 1;
        assert_equivalent(op, &node(old).attr("axes", [1, -2]), &node(new).axes([1, -2]));
        assert_equivalent(op, &node(old), &node(new));
        // `[]` means all, as does nothing; there, it becomes an empty constant.
        assert_becomes(op, &node(old).attr("axes", []), &node(new));
        let empty = Tensor::from_list(Vec::<i64>::new());
        assert_becomes(op, &node(new).axes(reduce_core::AnyTensor::from(empty)), &node(old));
        // An input named "" is an absent one; there, it is refused.
        assert_becomes(op, &node(new).axes(AxesInput::Absent), &node(old));
    }
}

/// 12 <-> 13, all but Sum: compatible there up, no adapter down; here both work.
#[test]
fn from_13_to_12_every_operator_has_a_form() {
    for op in nine() {
        assert_equivalent(op, &node(12).attr("axes", [0]), &node(13).attr("axes", [0]));
    }
    for op in ARG {
        let at = |opset| node(opset).attr("axis", 1).attr("select_last_index", 1);
        assert_equivalent(op, &at(12), &at(13));
    }
}

/// 13 -> 12: bfloat16 becomes an invalid model there; here it is refused.
#[test]
fn from_13_to_12_bfloat16_is_refused() {
    for op in TEN.into_iter().chain(ARG) {
        let (code, message) = refusal(op, &Node::new(13, DType::BF16), 12);
        assert_eq!(code, "dtype-not-allowed");
        assert!(message.contains("`bf16` is allowed at versions 13.."), "{message}");
    }
}

/// Axes that are computed: refused by both.
#[test]
fn computed_axes_have_no_form_as_an_attribute() {
    for (op, old) in nine().map(|op| (op, 17)).chain([("ReduceSum", 12)]) {
        let computed = node(old + 1).axes(AxesInput::runtime());
        let (code, message) = refusal(op, &computed, old);
        assert_eq!(code, "no-form");
        assert!(message.contains("`axes`") && message.contains("a constant"), "{message}");
        let kept = node(28).axes(AxesInput::runtime()).attr("noop_with_empty_axes", 1);
        assert_becomes(op, &Node { opset: old + 1, ..kept.clone() }, &kept);
    }
}

/// A left-over `noop_with_empty_axes`: there it stays and the model is invalid;
/// here it goes where it says nothing, and is refused where it matters.
#[test]
fn noop_goes_where_it_says_nothing() {
    for (op, old) in nine().map(|op| (op, 17)).chain([("ReduceSum", 12)]) {
        let noop = |value| node(old + 1).attr("noop_with_empty_axes", value);
        assert_becomes(op, &noop(0), &node(old));
        assert_becomes(op, &noop(0).axes([1]), &node(old).attr("axes", [1]));
        assert_becomes(op, &noop(1).axes([1]), &node(old).attr("axes", [1]));
        for node in [noop(1), noop(1).axes([]), noop(1).shape(PartialShape::of_rank(2))] {
            let (code, message) = refusal(op, &node, old);
            assert_eq!(code, "no-form");
            assert!(message.contains("`noop_with_empty_axes`"), "{message}");
        }
    }
}

/// One result for each element still has a form along an axis of size 1.
#[test]
fn noop_becomes_an_axis_of_size_1() {
    for (op, old) in nine().map(|op| (op, 17)).chain([("ReduceSum", 12)]) {
        let noop = |sizes: &[usize]| {
            let node = node(old + 1).attr("noop_with_empty_axes", 1).attr("keepdims", 0);
            node.shape(sizes)
        };
        let kept = |sizes: &[usize]| node(old).attr("keepdims", 1).shape(sizes);
        assert_becomes(op, &noop(&[2, 1]), &kept(&[2, 1]).attr("axes", [1]));
        assert_becomes(op, &noop(&[]), &kept(&[]));
        assert_eq!(refusal(op, &noop(&[2, 3]), old).0, "no-form");
    }
}

/// 19 -> 20, Max, Min: compatible; 20 -> 19: `bool` is refused.
#[test]
fn from_20_to_19_bool_is_refused() {
    for op in ["ReduceMax", "ReduceMin"] {
        assert_equivalent(op, &node(19).axes([0]), &node(20).axes([0]));
        assert_eq!(refusal(op, &Node::new(20, DType::Bool), 19).0, "dtype-not-allowed");
    }
}

/// 27 -> 28, `LogSum`, `LogSumExp`: integers are refused; 28 -> 27: compatible.
#[test]
fn from_27_to_28_integers_are_refused() {
    for op in ["ReduceLogSum", "ReduceLogSumExp"] {
        for dtype in [DType::I32, DType::I64, DType::U32, DType::U64] {
            let (code, message) = refusal(op, &Node::new(27, dtype), 28);
            assert_eq!(code, "dtype-not-allowed");
            assert!(message.contains("versions 1..=27"), "{message}");
        }
        for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
            assert_equivalent(op, &Node::new(27, dtype), &Node::new(28, dtype));
        }
    }
}

/// From the first opset to the newest in one step, and back.
#[test]
fn from_1_to_28() {
    for op in TEN {
        assert_equivalent(op, &node(1).attr("axes", [0]), &node(28).axes([0]));
    }
    for op in ARG {
        assert_equivalent(op, &node(1).attr("axis", 0), &node(28).attr("axis", 0));
    }
}

/// Everything that has no form is said at once, about the target.
#[test]
fn several_problems() {
    let node = Node::new(20, DType::Bool).axes(AxesInput::runtime());
    let problems = ONNX.convert("ReduceMax", &node, 17).expect_err("two things have no form");
    let codes: Vec<&str> = problems.errors().iter().map(Error::code).collect();
    assert_eq!(codes, ["dtype-not-allowed", "no-form"]);
    assert!(problems.errors().iter().all(|error| error.version() == Some(13)), "{problems}");
}

/// What is wrong where the node is comes first, and names that version.
#[test]
fn a_node_that_is_wrong_is_not_converted() {
    let wrong = node(13).attr("axes", [0]);
    let problems = ONNX.convert("ReduceSum", &wrong, 12).expect_err("not valid at 13");
    assert_eq!(problems.errors()[0].code(), "attribute-of-other-version");
    assert_eq!(problems.errors()[0].version(), Some(13));
    for opset in [0, 29] {
        let problems = ONNX.convert("ReduceSum", &node(13), opset).expect_err("no such opset");
        assert_eq!(problems.errors()[0].code(), "opset-out-of-range");
    }
    let problems = ONNX.convert("ReduceSun", &node(13), 12).expect_err("misspelt");
    assert_eq!(problems.errors()[0].code(), "unknown-op");
}
