//! The schemas written by `#[reduce_op]` against those of the standard, field
//! by field, for every operator of the registry.

use reduce_core::nodes::{AxesInput, Node, OpEntry};
use reduce_core::schema::{AttrDefault, AttrKind, VersionSchema};
use reduce_core::{DType, ErrorKind};
use reduce_specs::ONNX;
use reduce_tests::cases::{Request, Row, found, rows, tensor};
use reduce_tests::oracle::Values;
use serde_json::{Map, Value, json};

use crate::facts::{NEWEST, Version, governing, history, onnx_name, strings};

/// Fields of a version in the data. All of them are compared; one that is added
/// must be as well, or be listed here with the reason why not.
const COMPARED: [&str; 9] = [
    "since",
    "until",
    "dtypes",
    "attributes",
    "min_input",
    "max_input",
    "inputs",
    "outputs",
    "derived",
];

/// Facts read out of the documentation. All of them are compared.
const DERIVED: [&str; 6] = [
    "axes_source",
    "has_noop_with_empty_axes",
    "has_select_last_index",
    "doc_axis_range",
    "doc_empty_set",
    "doc_rank_zero",
];

/// Every version of every operator, as the standard and as the registry has it.
fn every_version(mut compare: impl FnMut(&'static OpEntry, &Version, &VersionSchema)) {
    for entry in ONNX.ops() {
        let name = entry.schema().name;
        let (standard, ours) = (history(name), entry.schema().history());
        let since =
            |versions: &[VersionSchema]| versions.iter().map(|v| v.since).collect::<Vec<_>>();
        let expected: Vec<u32> = standard.iter().map(|version| version.since).collect();
        assert_eq!(since(&ours), expected, "{name}: versions");
        for (standard, ours) in standard.iter().zip(&ours) {
            compare(entry, standard, ours);
        }
    }
}

#[test]
fn every_field_of_the_data_is_compared() {
    every_version(|_, standard, _| {
        assert_same_set(standard.json.keys(), &COMPARED);
        assert_same_set(standard.json["derived"].as_object().expect("an object").keys(), &DERIVED);
        for attribute in standard.attributes().values() {
            let fields = attribute.as_object().expect("an object").keys();
            assert_same_set(fields, &["type", "default", "required"]);
        }
        for formal in [&standard.json["inputs"], &standard.json["outputs"]] {
            for formal in formal.as_array().expect("a list") {
                let fields = formal.as_object().expect("an object").keys();
                assert_same_set(fields, &["name", "type", "dtypes", "option"]);
            }
        }
    });
}

fn assert_same_set<'a>(found: impl Iterator<Item = &'a String>, known: &[&str]) {
    let mut found: Vec<&str> = found.map(String::as_str).collect();
    let mut known = known.to_vec();
    found.sort_unstable();
    known.sort_unstable();
    assert_eq!(found, known);
}

#[test]
fn versions_types_and_attributes() {
    every_version(|entry, standard, ours| {
        let what = format!("{}-{}", entry.schema().name, standard.since);
        assert_eq!(ours.until, standard.until, "{what}: until");
        let mut dtypes: Vec<String> =
            ours.dtypes.iter().map(|row| onnx_name(row.input.name())).collect();
        dtypes.sort_unstable();
        let mut expected = standard.dtypes();
        expected.sort_unstable();
        assert_eq!(dtypes, expected, "{what}: dtypes");
        assert_eq!(&attributes(ours), standard.attributes(), "{what}: attributes");
    });
}

/// Our attributes as the data writes them.
fn attributes(ours: &VersionSchema) -> Map<String, Value> {
    let attribute = |attr: &reduce_core::schema::AttrSchema| {
        let kind = match attr.kind {
            AttrKind::Bool | AttrKind::Int => "INT",
            AttrKind::Float => "FLOAT",
            AttrKind::Ints => "INTS",
            AttrKind::Input => panic!("`{}` is an input among the attributes", attr.name),
        };
        let default = match attr.default {
            AttrDefault::All => Value::Null,
            AttrDefault::Bool(flag) => json!(i64::from(flag)),
            AttrDefault::Int(int) => json!(int),
            AttrDefault::Float(float) => json!(float),
        };
        // A schema of ours always has a default, so nothing is required.
        (attr.name.to_owned(), json!({ "type": kind, "default": default, "required": false }))
    };
    ours.attrs.iter().map(attribute).collect()
}

#[test]
fn inputs_and_outputs() {
    every_version(|entry, standard, ours| {
        let what = format!("{}-{}", entry.schema().name, standard.since);
        let count = 1 + u64::from(ours.axes_input);
        assert_eq!(standard.json["min_input"], 1, "{what}: the axes input may be left out");
        assert_eq!(standard.json["max_input"], count, "{what}: number of inputs");
        assert_eq!(standard.inputs().len() as u64, count, "{what}: inputs");

        let data = &standard.inputs()[0];
        assert_eq!((&data["name"], &data["type"]), (&json!("data"), &json!("T")), "{what}");
        assert_eq!(
            (&data["option"], &data["dtypes"]),
            (&json!("Single"), &standard.json["dtypes"])
        );
        if ours.axes_input {
            let axes = json!({
                "name": "axes", "type": "tensor(int64)", "dtypes": ["int64"], "option": "Optional"
            });
            assert_eq!(standard.inputs()[1], axes, "{what}: the axes input");
        }
        let [output] = standard.json["outputs"].as_array().expect("a list").as_slice() else {
            panic!("{what}: one output")
        };
        assert_eq!((&output["name"], &output["option"]), (&json!("reduced"), &json!("Single")));
        for row in &ours.dtypes {
            let expected = if output["type"] == "T" { row.input } else { DType::I64 };
            assert_eq!(row.output, expected, "{what}: the result of {}", row.input);
            assert!(strings(&output["dtypes"]).contains(&onnx_name(row.output.name()).as_str()));
        }
    });
}

#[test]
fn derived_facts() {
    every_version(|entry, standard, ours| {
        let what = format!("{}-{}", entry.schema().name, standard.since);
        let source = match (ours.axes_input, ours.attr("axes"), ours.attr("axis")) {
            (true, None, None) => "input",
            (false, Some(_), None) => "attribute",
            (false, None, Some(_)) => "single-axis-attribute",
            several => panic!("{what}: {several:?}"),
        };
        assert_eq!(standard.derived("axes_source"), source, "{what}");
        for (attr, fact) in [
            ("noop_with_empty_axes", "has_noop_with_empty_axes"),
            ("select_last_index", "has_select_last_index"),
        ] {
            assert_eq!(standard.derived(fact), ours.attr(attr).is_some(), "{what}: {attr}");
        }
    });
}

/// Where the documentation gives the range of an axis, it is ours; where it is
/// silent, ours is the same.
#[test]
fn axes_from_minus_the_rank() {
    for row in rows() {
        let data = tensor(row.dtype, &zeros(&row, 6), &[1, 2, 3]);
        for version in row.versions() {
            let documented = governing(row.entry.schema().name, version);
            let documented = documented.derived("doc_axis_range");
            assert!(documented.is_null() || documented == "[-r, r-1]", "{documented}");
            for axis in -5..=5 {
                let axes = [axis];
                let request = Request { axes: Some(&axes), ..Request::default() };
                let result = row.run(version, &data.view(), &request);
                assert_eq!(result.is_ok(), (-3..3).contains(&axis), "{} axis {axis}", row.name());
            }
        }
    }
}

fn zeros(row: &Row, count: usize) -> Values {
    if row.ty.is_float() { Values::Floats(vec![0.0; count]) } else { Values::Ints(vec![0; count]) }
}

#[test]
fn rank_zero_is_valid() {
    for row in rows() {
        let data = tensor(row.dtype, &zeros(&row, 1), &[]);
        for version in row.versions() {
            let documented = governing(row.entry.schema().name, version);
            let documented = documented.derived("doc_rank_zero");
            assert!(documented.is_null() || documented == "valid", "{documented}");
            let result = row.run(version, &data.view(), &Request::default());
            if row.takes_one_axis() {
                assert!(documented.is_null(), "the standard is silent, and rank 0 has no axis 0");
                let error = result.expect_err("rank 0 has no axis 0");
                assert_eq!(*error.kind(), ErrorKind::AxisOutOfRange { axis: 0, rank: 0 });
            } else {
                assert_eq!(result.expect("valid").shape().rank(), 0, "{}", row.name());
            }
        }
    }
}

/// The documented value over an empty set is what a run gives.
#[test]
fn documented_empty_sets() {
    for row in rows() {
        let data = tensor(row.dtype, &zeros(&row, 0), &[0]);
        for version in row.versions() {
            let documented = governing(row.entry.schema().name, version);
            let one = |float: f64, int: i128| match row.ty.is_float() {
                true => Values::Floats(vec![float]),
                false => Values::Ints(vec![int]),
            };
            let expected = match documented.derived("doc_empty_set").as_str() {
                Some("0") => one(0.0, 0),
                Some("1") => one(1.0, 1),
                Some("minus infinity (if supported by the datatype) or undefined otherwise") => {
                    // What is undefined is the least value, as near as it can be.
                    one(f64::NEG_INFINITY, row.ty.limits().0)
                }
                Some(
                    "minus infinity (if supported by the datatype) or the minimum value of the \
                     data type otherwise",
                ) => one(f64::NEG_INFINITY, row.ty.limits().0),
                Some(
                    "plus infinity (if supported by the datatype) or the maximum value of the \
                     data type otherwise",
                ) => one(f64::INFINITY, row.ty.limits().1),
                Some("input must not be empty") => {
                    let result = row.run(version, &data.view(), &Request::default());
                    let error = result.expect_err("documented");
                    assert!(matches!(error.kind(), ErrorKind::EmptySet { .. }), "{error}");
                    continue;
                }
                None | Some("undefined") => continue,
                Some(other) => panic!("no test of {other:?}"),
            };
            let result = row.run(version, &data.view(), &Request::default()).expect("a value");
            assert_eq!(found(&result).values, expected, "{} at {version}", row.name());
        }
    }
}

/// Table 1.0 of the fact sheet: the version that governs each span of opsets.
const GOVERNING: [(std::ops::RangeInclusive<u32>, [u32; 12]); 7] = [
    (1..=10, [1; 12]),
    (11..=11, [11; 12]),
    (12..=12, [11, 11, 11, 11, 11, 11, 11, 12, 12, 11, 12, 12]),
    (13..=17, [13; 12]),
    (18..=19, [13, 18, 18, 18, 18, 18, 18, 18, 18, 18, 13, 13]),
    (20..=27, [13, 18, 18, 18, 18, 18, 18, 20, 20, 18, 13, 13]),
    (28..=28, [13, 18, 18, 18, 18, 28, 28, 20, 20, 18, 13, 13]),
];

/// The columns of that table.
const OPERATORS: [&str; 12] = [
    "ReduceSum",
    "ReduceMean",
    "ReduceProd",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMin",
    "ReduceSumSquare",
    "ArgMax",
    "ArgMin",
];

#[test]
fn the_table_of_opsets() {
    assert_eq!(GOVERNING.iter().flat_map(|(span, _)| span.clone()).count(), 28, "every opset");
    for (name, column) in OPERATORS.iter().zip(0..) {
        let entry = ONNX.op(name).expect("all twelve are registered");
        for (span, versions) in &GOVERNING {
            for opset in span.clone() {
                let since = versions[column];
                assert_eq!(entry.schema().resolve(opset), Ok(since), "{name} at {opset}");
            }
        }
    }
}

/// Twelve operators and 53 schemas, all of them compared.
#[test]
fn nothing_is_missing() {
    assert_eq!(ONNX.ops().len(), OPERATORS.len());
    let mut compared = 0;
    every_version(|_, _, _| compared += 1);
    assert_eq!(compared, 53);
}

/// The version that governs each opset, through every door.
#[test]
fn governing_versions() {
    assert_eq!(ONNX.newest(), NEWEST);
    for entry in ONNX.ops() {
        let name = entry.schema().name;
        for opset in 1..=NEWEST {
            let expected = governing(name, opset).since;
            assert_eq!(entry.schema().resolve(opset), Ok(expected), "{name} at {opset}");
            assert_eq!(entry.schema().at(opset).expect("exists").since, expected);
            let node = Node::new(opset, DType::F32).axes(AxesInput::Absent);
            assert_eq!(ONNX.prepare(name, &node).expect("valid").version(), expected);
        }
    }
}
