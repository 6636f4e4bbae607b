//! Validation: what each version accepts and refuses. What is expected comes
//! from the standard's data, never from the schema under test.

use std::collections::BTreeSet;

use reduce_core::nodes::{AttrValue, Node, OpEntry};
use reduce_core::schema::AttrKind;
use reduce_core::{
    AnyTensor, DType, Error, ErrorKind, Num, ReduceOp, Shape, Tensor, View, reduce_op,
};
use reduce_specs::ONNX;

use crate::facts::{NEWEST, assert_contains, everywhere, history, only_problem, onnx_name, spans};

/// Attributes of any operator of the registry or of the standard, and names that
/// nothing has.
fn names() -> BTreeSet<String> {
    let ours = ONNX.ops().iter().flat_map(|entry| entry.schema().attrs);
    let mut names: BTreeSet<String> = ours.map(|attr| attr.name.to_owned()).collect();
    for entry in ONNX.ops() {
        let versions = history(entry.schema().name);
        names.extend(versions.iter().flat_map(|version| version.attributes().keys().cloned()));
    }
    let nothing =
        ["", "Axes", "axe", "keepdim", "keep_dims", "KEEPDIMS", "noop_with_empty_axis", "x y"];
    names.extend(nothing.map(str::to_owned));
    names
}

/// A value of the kind that the standard's attribute of this name has.
fn good_value(name: &str) -> AttrValue {
    if name == "axes" { AttrValue::Ints(vec![0]) } else { AttrValue::Int(0) }
}

#[test]
fn attributes_where_the_standard_has_them_and_nowhere_else() {
    let (mut accepted, mut refused) = (0, 0);
    everywhere(|entry, opset, standard| {
        let op = entry.schema().name;
        for name in names() {
            let node = Node::new(opset, DType::F32).attr(&name, good_value(&name));
            let result = entry.prepare(&node);
            if standard.attributes().contains_key(&name) {
                result.unwrap_or_else(|error| panic!("{op} at {opset}: {error}"));
                accepted += 1;
                continue;
            }
            let message = only_problem(entry, standard, result);
            assert_contains(&message, &[&format!("`{name}`")]);
            let elsewhere = spans(op, |version| version.attributes().contains_key(&name));
            if elsewhere.is_empty() {
                assert_contains(&message, &["unknown attribute"]);
            } else {
                assert_contains(&message, &[&elsewhere]);
            }
            let input_here = name == "axes" && standard.takes_axes_input();
            assert_eq!(message.contains("pass it as the second input"), input_here, "{message}");
            refused += 1;
        }
    });
    assert!(accepted > 250 && refused > 1000, "{accepted} accepted, {refused} refused");
}

/// A misspelling is told the name that is meant.
#[test]
fn misspelt_attributes() {
    everywhere(|entry, opset, standard| {
        for (given, meant) in [
            ("keepdim", "keepdims"),
            ("KEEPDIMS", "keepdims"),
            ("noop_with_empty_axis", "noop_with_empty_axes"),
            ("select_last_idx", "select_last_index"),
        ] {
            let node = Node::new(opset, DType::F32).attr(given, 1);
            let message = only_problem(entry, standard, entry.prepare(&node));
            if standard.attributes().contains_key(meant) {
                assert_contains(&message, &[&format!("did you mean `{meant}`")]);
            }
        }
    });
}

#[test]
fn flags_are_0_or_1() {
    everywhere(|entry, opset, standard| {
        let node = || Node::new(opset, DType::F64);
        for (name, attribute) in standard.attributes() {
            if attribute["type"] != "INT" || name == "axis" {
                continue;
            }
            for value in [0, 1] {
                entry.prepare(&node().attr(name, value)).expect("0 and 1 are values of a flag");
            }
            for value in [2, -1, 10, i64::MAX, i64::MIN] {
                let message =
                    only_problem(entry, standard, entry.prepare(&node().attr(name, value)));
                assert_contains(&message, &[&format!("`{name}` is {value}"), "0 or 1"]);
            }
            for (value, words) in [
                (AttrValue::Float(1.0), "a float"),
                (AttrValue::Ints(vec![1]), "a list of integers"),
                (AttrValue::Other("a string"), "a string"),
            ] {
                let message =
                    only_problem(entry, standard, entry.prepare(&node().attr(name, value)));
                assert_contains(&message, &[&format!("`{name}`"), "an integer, 0 or 1", words]);
            }
        }
    });
}

/// Every attribute of the standard that is a list takes lists only.
#[test]
fn lists_are_lists() {
    everywhere(|entry, opset, standard| {
        let node = || Node::new(opset, DType::F64);
        for (name, _) in standard.attributes().iter().filter(|(_, attr)| attr["type"] == "INTS") {
            for list in [vec![], vec![0], vec![-1, 0]] {
                entry.prepare(&node().attr(name, AttrValue::Ints(list))).expect("a list");
            }
            for (value, words) in [
                (AttrValue::Int(0), "an integer"),
                (AttrValue::Float(0.0), "a float"),
                (AttrValue::Other("a tensor"), "a tensor"),
            ] {
                let message =
                    only_problem(entry, standard, entry.prepare(&node().attr(name, value)));
                assert_contains(&message, &[&format!("`{name}`"), "a list of integers", words]);
            }
        }
    });
}

/// The one axis of `ArgMax` and `ArgMin` is an integer; any, as long as the rank
/// is not known.
#[test]
fn an_axis_is_an_integer() {
    let mut found = 0;
    everywhere(|entry, opset, standard| {
        if !standard.attributes().contains_key("axis") {
            return;
        }
        let node = || Node::new(opset, DType::F64);
        for axis in [0, -1, 7, i64::MIN] {
            entry.prepare(&node().attr("axis", axis)).expect("an integer");
        }
        for (value, words) in [
            (AttrValue::Float(1.0), "a float"),
            (AttrValue::Ints(vec![1]), "a list of integers"),
            (AttrValue::Other("a string"), "a string"),
        ] {
            let message = only_problem(entry, standard, entry.prepare(&node().attr("axis", value)));
            assert_contains(&message, &["`axis`", "an integer", words]);
        }
        found += 1;
    });
    assert_eq!(found, 56, "two operators at 28 opsets");
}

#[test]
fn types() {
    everywhere(|entry, opset, standard| {
        let op = entry.schema().name;
        for dtype in DType::ALL {
            let onnx = onnx_name(dtype.name());
            let result = entry.prepare(&Node::new(opset, dtype));
            if standard.dtypes().contains(&onnx.as_str()) {
                result.unwrap_or_else(|error| panic!("{op} at {opset}: {error}"));
                continue;
            }
            let message = only_problem(entry, standard, result);
            assert_contains(&message, &[&format!("`{dtype}` is not allowed")]);
            for allowed in DType::ALL {
                if standard.dtypes().contains(&onnx_name(allowed.name()).as_str()) {
                    assert_contains(&message, &[&format!("`{allowed}`")]);
                }
            }
            let elsewhere = spans(op, |version| version.dtypes().contains(&onnx.as_str()));
            let words = format!("`{dtype}` is allowed at versions {elsewhere}");
            assert_eq!(message.contains(&words), !elsewhere.is_empty(), "{message}");
        }
    });
}

#[test]
fn opsets_and_operators_that_do_not_exist() {
    for entry in ONNX.ops() {
        let name = entry.schema().name;
        for opset in [0, NEWEST + 1, u32::MAX] {
            let problems = ONNX.prepare(name, &Node::new(opset, DType::F32)).expect_err("no opset");
            assert_contains(&problems.to_string(), &[&format!("opset {opset} "), "1..=28"]);
        }
        let before =
            entry.prepare(&Node::new(0, DType::F32)).expect_err("before the first version");
        assert_contains(&before.to_string(), &[name, "opset 0", "1.."]);
        let misspelt = name.replace("Reduce", "reduce").replace("Arg", "arg");
        let problems = ONNX.prepare(&misspelt, &Node::new(13, DType::F32)).expect_err("misspelt");
        assert_contains(&problems.to_string(), &[&misspelt, &format!("did you mean `{name}`")]);
    }
    let problems = ONNX.prepare("Conv", &Node::new(13, DType::F32)).expect_err("no reduction");
    assert_contains(&problems.to_string(), &["unknown operator `Conv`"]);
}

/// Everything that is wrong is said at once, once, in the order of the node.
#[test]
fn several_problems() {
    let axes: AnyTensor = Tensor::from_list(vec![0i32]).into();
    everywhere(|entry, opset, standard| {
        let allowed = |dtype: &DType| standard.dtypes().contains(&onnx_name(dtype.name()).as_str());
        let refused = DType::ALL.into_iter().find(|dtype| !allowed(dtype)).expect("a type");
        let node = Node::new(opset, refused)
            .attr("keepdims", 2)
            .attr("nonsense", 1)
            .attr("keepdims", 1)
            .attr("keepdims", 0)
            .axes(axes.clone());
        let problems = entry.prepare(&node).expect_err("much is wrong");
        let kinds: Vec<&ErrorKind> = problems.errors().iter().map(Error::kind).collect();
        let [dtype, range, unknown, twice, input] = kinds.as_slice() else {
            panic!("five problems, not {problems}")
        };
        assert!(matches!(dtype, ErrorKind::DTypeNotAllowed { dtype, .. } if *dtype == refused));
        assert!(matches!(range, ErrorKind::AttrRange { attr: "keepdims", .. }));
        assert!(matches!(unknown, ErrorKind::UnknownAttr { attr, .. } if attr == "nonsense"));
        assert!(matches!(twice, ErrorKind::DuplicateAttr { attr: "keepdims" }));
        let expected = |kind: &&ErrorKind| {
            matches!(kind, ErrorKind::InputOfOtherVersion { .. } | ErrorKind::InputDType { .. })
        };
        assert!(expected(input), "{input:?}");
        let message = problems.to_string();
        assert_eq!(message.matches("; also, ").count(), 4, "{message}");
        assert!(!message.contains('\n'), "{message}");
    });
}

/// Data of another type than the node was validated for does not run.
#[test]
fn data_of_another_type() {
    let data = View::new(&[1.0f32, 2.0], &[2]).expect("two elements").into();
    everywhere(|entry, opset, standard| {
        let call = entry.prepare(&Node::new(opset, DType::F64)).expect("valid");
        let error = call.run(&data).expect_err("another type").to_string();
        assert_contains(
            &error,
            &[entry.schema().name, &format!("version {}", standard.since), "`f32`", "`f64`"],
        );
    });
}

/// A sum that is a no-op unless told otherwise.
#[derive(Clone, Copy, Debug, Default)]
struct Lazy;

/// The sum, of nothing by default.
#[reduce_op(
    dtypes = [f32],
    attrs = { 1.. => [axes: ints = all, keepdims: bool = false, noop_with_empty_axes: bool = true] },
)]
impl<A: Num> ReduceOp<A> for Lazy {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// The default of a flag is the schema's, whichever flag it is.
#[test]
fn defaults_of_flags() {
    static LAZY: OpEntry = OpEntry::of::<Lazy>();
    let shape = Shape::new(&[2, 3]).expect("small");
    let dims = |node: Node| {
        let call = LAZY.prepare(&node).expect("valid");
        call.output_shape(&shape).expect("no axes to be wrong").to_vec()
    };
    let node = || Node::new(1, DType::F32);
    assert_eq!(dims(node().attr("noop_with_empty_axes", 1)), [2, 3]);
    assert_eq!(dims(node().attr("noop_with_empty_axes", 0)), [0usize; 0]);
    assert_eq!(dims(node().attr("axes", [1])), [2], "keepdims is false by default");
    assert_eq!(dims(node()), [2, 3], "noop_with_empty_axes is true by default");
}

/// The standard's attributes are all of the kinds that are tested here.
#[test]
fn kinds_of_attributes() {
    for attr in ONNX.ops().iter().flat_map(|entry| entry.schema().attrs) {
        let tested = matches!(attr.kind, AttrKind::Bool | AttrKind::Ints | AttrKind::Input);
        assert!(
            tested || (attr.name, attr.kind) == ("axis", AttrKind::Int),
            "no test of values for `{}`, {:?}",
            attr.name,
            attr.kind
        );
    }
}
