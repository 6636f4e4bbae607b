//! Nodes: whatever a model says of an operator is valid or has its sentences, and a node that is converted to
//! another opset means the same there.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use reduce_core::nodes::{AttrValue, AxesInput, Call, Dim, Node, PartialShape};
use reduce_core::{DType, Problems};
use reduce_fuzz::{prepare, within};
use reduce_specs::ONNX;

/// A use of an operator, mostly of words that mean something.
#[derive(Arbitrary, Debug)]
struct Use<'a> {
    operator: Name<'a>,
    opset: u8,
    target: u8,
    dtype: u8,
    shape: Option<Vec<Size<'a>>>,
    attrs: Vec<(Name<'a>, Given)>,
    axes: Axes,
}

/// One of those that are known, or any.
#[derive(Arbitrary, Debug)]
enum Name<'a> {
    Known(u8),
    Any(&'a str),
}

impl<'a> Name<'a> {
    fn of(&self, known: &[&'a str]) -> &'a str {
        match self {
            Name::Known(number) => known[usize::from(*number) % known.len()],
            Name::Any(text) => text,
        }
    }
}

#[derive(Arbitrary, Debug)]
enum Size<'a> {
    Small(u8),
    Any(usize),
    Named(&'a str),
    Unknown,
}

#[derive(Arbitrary, Debug)]
enum Given {
    Small(i8),
    Int(i64),
    SmallInts(Vec<i8>),
    Ints(Vec<i64>),
    Float(f64),
    Other,
}

#[derive(Arbitrary, Debug)]
enum Axes {
    Absent,
    Static(Vec<i8>),
    Any(Vec<i64>),
    Runtime { dtype: u8, shape: Option<Vec<u8>> },
}

const ATTRS: [&str; 5] = ["axes", "keepdims", "noop_with_empty_axes", "axis", "select_last_index"];

fn dtype(number: u8) -> DType {
    DType::ALL[usize::from(number) % DType::ALL.len()]
}

impl Use<'_> {
    fn node(&self) -> Node {
        let mut node = Node::new(self.opset.into(), dtype(self.dtype));
        if let Some(sizes) = &self.shape {
            node = node.shape(PartialShape::new(sizes.iter().map(|size| match size {
                Size::Small(size) => Dim::Known((size % 4).into()),
                Size::Any(size) => Dim::Known(*size),
                Size::Named(name) => Dim::Named((*name).to_owned()),
                Size::Unknown => Dim::Unknown,
            })));
        }
        for (name, value) in &self.attrs {
            let value = match value {
                Given::Small(value) => AttrValue::Int((*value).into()),
                Given::Int(value) => AttrValue::Int(*value),
                Given::SmallInts(values) => {
                    AttrValue::Ints(values.iter().map(|&x| x.into()).collect())
                }
                Given::Ints(values) => AttrValue::Ints(values.clone()),
                Given::Float(value) => AttrValue::Float(*value),
                Given::Other => AttrValue::Other("a graph"),
            };
            node = node.attr(name.of(&ATTRS), value);
        }
        node.axes(match &self.axes {
            Axes::Absent => AxesInput::Absent,
            Axes::Static(axes) => axes.iter().map(|&axis| axis.into()).collect::<Vec<i64>>().into(),
            Axes::Any(axes) => axes.clone().into(),
            Axes::Runtime { dtype: number, shape } => AxesInput::Runtime {
                dtype: dtype(*number),
                shape: shape.as_ref().map_or_else(PartialShape::unknown, |sizes| {
                    PartialShape::new(sizes.iter().map(|&size| Dim::Known(size.into())))
                }),
            },
        })
    }
}

/// That there is something to say, and each of it in one line.
fn assert_told(problems: &Problems) {
    assert!(!problems.errors().is_empty());
    for error in problems.errors() {
        assert!(!error.code().is_empty() && !error.to_string().is_empty());
    }
}

/// What is known of a node's result.
fn result(call: &Call, shape: &PartialShape) -> (DType, Option<PartialShape>) {
    let inferred = call.infer(shape).ok();
    if let (Some(known), false) = (shape.to_shape(), call.needs_axes()) {
        let output = call.output_shape(&known).ok();
        let inferred = inferred.as_ref().and_then(PartialShape::to_shape);
        assert_eq!(inferred, output, "inferred, and of a known shape");
    }
    (call.output_dtype(), inferred)
}

fuzz_target!(init: prepare(), |given: Use<'_>| {
    let names: Vec<&str> = ONNX.ops().iter().map(|entry| entry.schema().name).collect();
    let (name, node, target) = (given.operator.of(&names), given.node(), given.target.into());
    let size = format!("{given:?}").len();
    let prepared = within((1 << 16) + 256 * size, || ONNX.prepare(name, &node));
    let converted = within((1 << 16) + 256 * size, || ONNX.convert(name, &node, target));
    let call = match prepared {
        Ok(call) => call,
        Err(problems) => {
            assert_told(&problems);
            assert!(converted.is_err(), "a node that is not valid is converted");
            return;
        }
    };
    let expected = result(&call, &node.shape);
    let other = match converted {
        Ok(other) => other,
        Err(problems) => return assert_told(&problems),
    };
    assert_eq!(other.opset, target);
    let there = ONNX.prepare(name, &other).expect("what is converted is valid");
    assert_eq!(result(&there, &other.shape), expected, "converted to {other:?}");
    // Back again, unless what is only said where it was has no form there.
    let back = ONNX.convert(name, &other, node.opset).expect("what came from there has a form there");
    let here = ONNX.prepare(name, &back).expect("what is converted is valid");
    assert_eq!(result(&here, &back.shape), expected, "converted back to {back:?}");
    assert_eq!(ONNX.convert(name, &back, target), Ok(other), "there and back changes something");
});
