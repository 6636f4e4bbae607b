//! Conversion to another opset: it fails exactly where no form keeps the meaning,
//! and what it gives runs as before, there and back.
//!
//! What is expected comes from the standard's data, never from the schemas under
//! test.

use reduce_core::nodes::{AxesInput, Call, Node, PartialShape};
use reduce_core::{AnyTensor, DType, Problems, Tensor};
use reduce_specs::ONNX;
use reduce_tests::cases::{tensor, type_of};
use reduce_tests::oracle::{Type, Values};

use crate::facts::{NEWEST, Version, history, onnx_name};

/// The axes of a node, whatever carries them.
#[derive(Clone, Debug, PartialEq)]
enum Axes {
    Absent,
    Listed(Vec<i64>),
    Runtime,
}

/// What a node says, before it has an opset.
#[derive(Clone, Debug)]
struct Form {
    axes: Axes,
    keepdims: Option<i64>,
    noop: Option<i64>,
    last: Option<i64>,
}

impl Form {
    /// The node at an opset, its axes in the form of the version.
    fn node(&self, opset: u32, standard: &Version, dtype: DType) -> Node {
        let mut node = Node::new(opset, dtype);
        let flags = [
            ("keepdims", self.keepdims),
            ("noop_with_empty_axes", self.noop),
            ("select_last_index", self.last),
        ];
        for (name, value) in flags {
            node = value.iter().fold(node, |node, &value| node.attr(name, value));
        }
        match &self.axes {
            Axes::Absent => node,
            Axes::Runtime => node.axes(AxesInput::runtime()),
            Axes::Listed(list) if standard.takes_axes_input() => node.axes(list.clone()),
            Axes::Listed(list) if has_attr(standard, "axis") => node.attr("axis", list[0]),
            Axes::Listed(list) => {
                node.attrs
                    .push(("axes".to_owned(), reduce_core::nodes::AttrValue::Ints(list.clone())));
                node
            }
        }
    }

    /// Whether each element is a result of its own.
    fn is_elementwise(&self) -> bool {
        let is_empty = match &self.axes {
            Axes::Absent => true,
            Axes::Listed(list) => list.is_empty(),
            Axes::Runtime => false,
        };
        is_empty && self.noop == Some(1)
    }

    /// Whether the target can say it. `shape` is what the node knows of its data.
    fn has_form(&self, dtype: DType, target: &Version, shape: Option<&[usize]>) -> bool {
        let has_one_element_axis =
            shape.is_some_and(|shape| shape.is_empty() || shape.contains(&1));
        allows(target, dtype)
            && (self.axes != Axes::Runtime || target.takes_axes_input())
            && (!self.is_elementwise()
                || has_attr(target, "noop_with_empty_axes")
                || has_one_element_axis)
            && (self.last != Some(1) || has_attr(target, "select_last_index"))
    }

    /// Tells whether the axes fit a rank.
    fn fits(&self, standard: &Version, rank: usize) -> bool {
        let rank = i64::try_from(rank).expect("small");
        match &self.axes {
            Axes::Absent => rank > 0 || !has_attr(standard, "axis"),
            Axes::Listed(list) => list.iter().all(|axis| (-rank..rank).contains(axis)),
            Axes::Runtime => true,
        }
    }
}

fn has_attr(standard: &Version, name: &str) -> bool {
    standard.attributes().contains_key(name)
}

fn allows(standard: &Version, dtype: DType) -> bool {
    standard.dtypes().contains(&onnx_name(dtype.name()).as_str())
}

/// Everything that a version lets a node say.
fn forms(standard: &Version) -> Vec<Form> {
    let lists: &[&[i64]] =
        if has_attr(standard, "axis") { &[&[0], &[-1]] } else { &[&[], &[0], &[-1], &[1, -2]] };
    let mut axes: Vec<Axes> = lists.iter().map(|list| Axes::Listed(list.to_vec())).collect();
    axes.push(Axes::Absent);
    if standard.takes_axes_input() {
        axes.push(Axes::Runtime);
    }
    let flag = |name: &str| match has_attr(standard, name) {
        true => vec![None, Some(0), Some(1)],
        false => vec![None],
    };
    let mut forms = Vec::new();
    for axes in &axes {
        for keepdims in flag("keepdims") {
            for noop in flag("noop_with_empty_axes") {
                for last in flag("select_last_index") {
                    forms.push(Form { axes: axes.clone(), keepdims, noop, last });
                }
            }
        }
    }
    forms
}

/// Sample shapes: rank 0, sizes of 1 and other ones, no elements.
const SHAPES: [&[usize]; 6] = [&[], &[2, 3], &[2, 1], &[1, 3], &[1, 1], &[0, 2]];

/// Small numbers, with NaN where there is one.
fn sample(dtype: DType, shape: &[usize]) -> AnyTensor {
    let values = match type_of(dtype) {
        Type::Float { .. } => Values::Floats(vec![2.0, -1.5, f64::NAN, 4.0, 4.0, 0.5]),
        Type::Int { bits: 1, .. } => Values::Ints(vec![1, 0, 1, 1, 0, 1]),
        Type::Int { signed: true, .. } => Values::Ints(vec![-2, 3, 7, 3, -4, 0]),
        Type::Int { signed: false, .. } => Values::Ints(vec![2, 3, 7, 3, 4, 0]),
    };
    tensor(dtype, &values.select(0..shape.iter().product()), shape)
}

/// What a call gives, written out so that NaN equals NaN; of an error, its code.
/// Axes that come later are tried empty and not.
fn outcomes(call: &Call, data: &AnyTensor) -> Vec<String> {
    let written = |result: Result<AnyTensor, reduce_core::Error>| match result {
        Ok(tensor) => format!("{tensor:?}"),
        Err(error) => error.code().to_owned(),
    };
    if !call.needs_axes() {
        return vec![written(call.run(&data.view()))];
    }
    let lists = [vec![], vec![-1], vec![0, 1]].map(|list| AnyTensor::from(Tensor::from_list(list)));
    lists.iter().map(|axes| written(call.run_with_axes(&data.view(), &axes.view()))).collect()
}

/// How often what was done.
#[derive(Debug, Default)]
struct Counts {
    converted: usize,
    refused: usize,
    runs: usize,
}

/// One node and where it goes.
struct Trial<'a> {
    op: &'static str,
    form: &'a Form,
    dtype: DType,
    from: (u32, &'a Version),
    to: (u32, &'a Version),
    /// The node knows this shape of its data, if any.
    known: Option<&'a [usize]>,
}

impl Trial<'_> {
    fn describe(&self) -> String {
        let Trial { op, form, dtype, from, to, known } = self;
        format!("{op} {} -> {}, {dtype}, {form:?}, shape {known:?}", from.0, to.0)
    }

    fn node(&self) -> Node {
        let node = self.form.node(self.from.0, self.from.1, self.dtype);
        match self.known {
            Some(sizes) => node.shape(sizes),
            None => node,
        }
    }

    /// The converted node, if there should be one.
    fn convert(&self, counts: &mut Counts) -> Option<(Node, Node)> {
        let node = self.node();
        let result = ONNX.convert(self.op, &node, self.to.0);
        if self.form.has_form(self.dtype, self.to.1, self.known) {
            counts.converted += 1;
            let converted = result.unwrap_or_else(|error| panic!("{}: {error}", self.describe()));
            assert_eq!(converted.opset, self.to.0, "{}", self.describe());
            return Some((node, converted));
        }
        counts.refused += 1;
        let problems = result.err().unwrap_or_else(|| panic!("{} converts", self.describe()));
        self.check_refusal(&problems);
        None
    }

    fn check_refusal(&self, problems: &Problems) {
        for error in problems.errors() {
            let at = (error.op(), error.version());
            assert_eq!(at, (Some(self.op), Some(self.to.1.since)), "{}: {error}", self.describe());
            let is_known = ["dtype-not-allowed", "no-form"].contains(&error.code());
            assert!(is_known, "{}: {error}", self.describe());
        }
        let codes: Vec<&str> = problems.errors().iter().map(reduce_core::Error::code).collect();
        let is_refused = !allows(self.to.1, self.dtype);
        assert_eq!(codes.contains(&"dtype-not-allowed"), is_refused, "{}", self.describe());
    }

    /// Runs both nodes, and the one that comes back, on the same data.
    fn compare(&self, data: &[AnyTensor], counts: &mut Counts) {
        let Some((node, converted)) = self.convert(counts) else { return };
        let prepared = |node: &Node| {
            ONNX.prepare(self.op, node).unwrap_or_else(|error| {
                panic!("{}: {node:?} is not valid: {error}", self.describe())
            })
        };
        let convert = |node: &Node, opset| {
            let result = ONNX.convert(self.op, node, opset);
            result.unwrap_or_else(|error| panic!("{}, back and forth: {error}", self.describe()))
        };
        let back = convert(&converted, self.from.0);
        assert_eq!(convert(&back, self.to.0), converted, "{}, a round trip", self.describe());
        let calls = [&node, &converted, &back].map(prepared);
        for data in data.iter().filter(|data| match self.known {
            Some(sizes) => data.shape().dims() == sizes,
            None => true,
        }) {
            let [before, after, returned] = calls.each_ref().map(|call| outcomes(call, data));
            assert_eq!(before, after, "{}", self.describe());
            assert_eq!(before, returned, "{}, converted back", self.describe());
            let shape = PartialShape::from(data.shape());
            let [before, after, _] = calls.each_ref().map(|call| call.infer(&shape).ok());
            assert_eq!(before, after, "{}", self.describe());
            counts.runs += 1;
        }
    }
}

/// Every version to every version, with everything a node can say, and runs.
#[test]
fn every_version_to_every_version() {
    let mut counts = Counts::default();
    for entry in ONNX.ops() {
        let op = entry.schema().name;
        let versions = history(op);
        for from in &versions {
            let forms = forms(from);
            for dtype in DType::ALL.into_iter().filter(|&dtype| allows(from, dtype)) {
                let data = SHAPES.map(|shape| sample(dtype, shape));
                for (to, form) in versions.iter().flat_map(|to| forms.iter().map(move |f| (to, f)))
                {
                    let (from, to) = ((from.since, from), (to.since, to));
                    let trial = Trial { op, form, dtype, from, to, known: None };
                    trial.compare(&data, &mut counts);
                    for shape in SHAPES.into_iter().filter(|s| form.fits(from.1, s.len())) {
                        Trial { known: Some(shape), ..trial }.compare(&data, &mut counts);
                    }
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.converted > 100_000 && counts.refused > 10_000, "{counts:?}");
}

/// One node, from every opset of a version to every one of another: as from version to version.
fn only_versions_count(
    op: &'static str,
    form: &Form,
    dtype: DType,
    (source, target): (&Version, &Version),
    counts: &mut Counts,
) {
    let opsets = |version: &Version| (1..=NEWEST).filter(|&opset| version.governs(opset)).collect();
    let (sources, targets): (Vec<u32>, Vec<u32>) = (opsets(source), opsets(target));
    let at_versions = ONNX.convert(op, &form.node(source.since, source, dtype), target.since);
    for (&from, &to) in sources.iter().flat_map(|from| targets.iter().map(move |to| (from, to))) {
        let (from, to) = ((from, source), (to, target));
        let trial = Trial { op, form, dtype, from, to, known: None };
        if let Some((_, mut converted)) = trial.convert(counts) {
            converted.opset = target.since;
            assert_eq!(at_versions.as_ref(), Ok(&converted), "{}", trial.describe());
        }
    }
}

/// Every opset to every opset: only the version counts.
#[test]
fn every_opset_to_every_opset() {
    let mut counts = Counts::default();
    for entry in ONNX.ops() {
        let op = entry.schema().name;
        let versions = history(op);
        for (source, target) in
            versions.iter().flat_map(|from| versions.iter().map(move |to| (from, to)))
        {
            let forms = forms(source);
            for dtype in DType::ALL.into_iter().filter(|&dtype| allows(source, dtype)) {
                for form in &forms {
                    let ends = (source, target);
                    only_versions_count(op, form, dtype, ends, &mut counts);
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.converted > 1_000_000 && counts.refused > 100_000, "{counts:?}");
}

/// What both versions mean without saying it is not written, whatever else the node says.
#[test]
fn equal_defaults_are_not_written() {
    let node = Node::new(18, DType::F32).attr("keepdims", 0).axes(AxesInput::runtime());
    let converted = ONNX.convert("ReduceMax", &node, 20).expect("the same in both");
    assert_eq!(converted.attrs, [("keepdims".to_owned(), 0.into())]);
}
