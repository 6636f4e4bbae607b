//! Every operator, version, type, form of the axes, `keepdims`,
//! `noop_with_empty_axes` and `select_last_index`, given or left to its default,
//! against the oracle at every level. The combinations are the registry's.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use reduce_core::nodes::{AxesInput, Dim, Node, PartialShape};
use reduce_core::schema::VersionSchema;
use reduce_core::{AnyTensor, DType, Error, ErrorKind, Level};
use reduce_tests::cases::{
    Levels, Row, available, found, ordinary, same_bits, spelled, tensor, type_of,
};
use reduce_tests::compare;
use reduce_tests::oracle::{self, Expected, Values};

/// How a node says which axes are meant.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// Nothing is given.
    Absent,
    /// A list, as the attribute `axes`.
    Attribute,
    /// A list, as a constant input.
    Static,
    /// A list, as an input that is computed.
    Runtime,
    /// The attribute `axis`.
    Axis,
}

/// A form, and the axes it lists.
type Axes = (Form, Vec<usize>);

/// One combination: what a node gives.
#[derive(Debug)]
struct Case<'a> {
    row: &'a Row,
    version: u32,
    axes: &'a Axes,
    /// `keepdims`, `noop_with_empty_axes` and `select_last_index`.
    flags: [Option<bool>; 3],
}

const FLAGS: [&str; 3] = ["keepdims", "noop_with_empty_axes", "select_last_index"];
const SHAPES: [&[usize]; 5] = [&[3, 2, 5], &[2, 0, 3], &[1, 37], &[70, 4], &[2, 3, 1, 2]];

/// Every form that a version takes, with every list of up to all axes.
fn forms(version: &VersionSchema, rank: usize) -> Vec<Axes> {
    let lists = reduce_tests::cases::subsets(rank);
    let of = |form| lists.iter().cloned().map(|axes| (form, axes)).collect::<Vec<Axes>>();
    let given: Vec<Axes> = if version.attr("axis").is_some() {
        (0..rank).map(|axis| (Form::Axis, vec![axis])).collect()
    } else if version.axes_input {
        [of(Form::Static), of(Form::Runtime)].concat()
    } else {
        of(Form::Attribute)
    };
    [vec![(Form::Absent, vec![])], given].concat()
}

/// 0, 1 or not given, where a version has the flag; else only not given.
fn values(version: &VersionSchema, flag: &str) -> Vec<Option<bool>> {
    match version.attr(flag) {
        Some(_) => vec![None, Some(false), Some(true)],
        None => vec![None],
    }
}

impl Case<'_> {
    fn node(&self, rank: usize) -> Node {
        let mut node = Node::new(self.version, self.row.dtype);
        for (name, flag) in FLAGS.iter().zip(self.flags) {
            if let Some(flag) = flag {
                node = node.attr(name, i64::from(flag));
            }
        }
        let (form, axes) = self.axes;
        let axes = spelled(axes, rank);
        match form {
            Form::Absent => node,
            Form::Attribute => {
                node.attrs.push(("axes".to_owned(), reduce_core::nodes::AttrValue::Ints(axes)));
                node
            }
            Form::Static => node.axes(axes),
            Form::Runtime => node.axes(AxesInput::runtime()),
            Form::Axis => node.attr("axis", axes[0]),
        }
    }

    /// The axes that are meant, as the standard says.
    fn reduced(&self, rank: usize) -> Vec<usize> {
        let (_, listed) = self.axes;
        match (self.row.takes_one_axis(), listed.is_empty(), self.flags[1]) {
            (true, true, _) => vec![0],
            (false, true, None | Some(false)) => (0..rank).collect(),
            _ => listed.clone(),
        }
    }

    fn expected(&self, shape: &[usize], values: &Values) -> Option<Expected> {
        let [keepdims, _, last] = self.flags;
        let op = self.row.op.select_last(last.unwrap_or(false));
        let reduced = self.reduced(shape.len());
        oracle::reduce(op, self.row.ty, (shape, values), &reduced, keepdims.unwrap_or(true))
    }

    /// Runs at every level: the first against the oracle, the others against it.
    fn check(&self, shape: &[usize], values: &Values, data: &AnyTensor) -> Result<(), String> {
        let node = self.node(shape.len());
        let call = self.row.entry.prepare(&node).map_err(|error| error.to_string())?;
        let expected = self.expected(shape, values);
        let axes =
            AnyTensor::from(reduce_core::Tensor::from_list(spelled(&self.axes.1, shape.len())));
        let run = |level: Level| -> Result<AnyTensor, Error> {
            let call = call.clone().level(level);
            match self.axes.0 {
                Form::Runtime => call.run_with_axes(&data.view(), &axes.view()),
                _ => call.run(&data.view()),
            }
        };
        let inferred = call.infer(&PartialShape::from(data.shape()));
        let inferred = inferred.map_err(|error| error.to_string())?;
        let first = run(Level::Scalar);
        match (&expected, &first) {
            (Some(expected), Ok(first)) => {
                compare::check(expected, &found(first))?;
                if !fits(&inferred, first.shape().dims()) {
                    return Err(format!("inferred {inferred:?}, found {:?}", first.shape()));
                }
            }
            (None, Err(error)) if matches!(error.kind(), ErrorKind::EmptySet { .. }) => {}
            (expected, first) => return Err(format!("expected {expected:?}, found {first:?}")),
        }
        for level in available() {
            match (&first, &run(level)) {
                (Ok(first), Ok(other)) => same_bits(first, other)?,
                (first, other) if first == other => {}
                (first, other) => return Err(format!("{level}: {other:?}, not {first:?}")),
            }
        }
        Ok(())
    }
}

/// Whether a shape is one that was inferred.
fn fits(inferred: &PartialShape, found: &[usize]) -> bool {
    let same = |dims: &[Dim]| {
        let sizes = dims.iter().zip(found);
        let fits = |(dim, size): (&Dim, &usize)| *dim == Dim::Known(*size) || *dim == Dim::Unknown;
        dims.len() == found.len() && { sizes }.all(fits)
    };
    inferred.dims().is_none_or(same)
}

/// Runs every combination of a row and a version. Their number.
fn every_combination(row: &Row, version: &VersionSchema, seed: u64) -> usize {
    let mut combinations = 0;
    for shape in SHAPES {
        let numbers = ordinary(row.op, row.ty, shape.iter().product(), seed);
        let data = tensor(row.dtype, &numbers, shape);
        for axes in &forms(version, shape.len()) {
            for keepdims in values(version, FLAGS[0]) {
                for noop in values(version, FLAGS[1]) {
                    for last in values(version, FLAGS[2]) {
                        let flags = [keepdims, noop, last];
                        let case = Case { row, version: version.since, axes, flags };
                        case.check(shape, &numbers, &data).unwrap_or_else(|error| {
                            panic!("{case:?} of {shape:?}: {error}");
                        });
                        combinations += 1;
                    }
                }
            }
        }
    }
    combinations
}

#[test]
fn every_form_of_every_node() {
    let levels = Levels::new("forms");
    let combinations = AtomicUsize::new(0);
    let rows = AtomicUsize::new(0);
    Row::for_each(|row| {
        for version in row.entry.schema().history() {
            if !version.dtypes.iter().any(|dtype| dtype.input == row.dtype) {
                continue;
            }
            let ran = every_combination(row, &version, u64::from(version.since));
            combinations.fetch_add(ran, Ordering::Relaxed);
            rows.fetch_add(1, Ordering::Relaxed);
            available().into_iter().for_each(|level| levels.ran(level, ran));
        }
    });
    levels.finish();
    let (rows, combinations) = (rows.into_inner(), combinations.into_inner());
    let line =
        format!("forms: {rows} rows of operator, version and type; {combinations} combinations\n");
    std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
    assert_eq!(rows, 438, "the types of all 53 schemas");
    assert!(combinations > 120_000, "{line}");
}

/// The result of a position is of another type than its data, everywhere.
#[test]
fn types_of_results() {
    for row in reduce_tests::cases::rows() {
        for version in row.versions() {
            let call = row.entry.prepare(&Node::new(version, row.dtype)).expect("valid");
            let expected = if row.op.is_position() { DType::I64 } else { row.dtype };
            assert_eq!(call.output_dtype(), expected, "{}", row.name());
            assert_eq!(type_of(expected).is_float(), expected == row.dtype && row.ty.is_float());
        }
    }
}
