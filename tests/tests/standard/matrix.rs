//! Every operator, version, type, level, layout, choice of axes and `keepdims`,
//! against the oracle. What is tested is what the registry has.

use reduce_core::bounds::Reduces;
use reduce_core::{AnyTensor, AnyView, Axes, Element, Error, ErrorKind, Level, OpSpec, Reduction};
use reduce_specs::{
    ArgMax, ArgMin, ONNX, ReduceL1, ReduceL2, ReduceLogSum, ReduceLogSumExp, ReduceMax, ReduceMean,
    ReduceMin, ReduceProd, ReduceSum, ReduceSumSquare,
};
use reduce_tests::cases::{
    LENGTHS, Layout, Levels, Request, Row, Stored, available, bits, found, label, ordinary, rows,
    same_bits, spelled,
};
use reduce_tests::compare;
use reduce_tests::oracle::{self, Expected};

/// Lengths for tensors of more axes.
const FEWER_LENGTHS: [usize; 9] = [0, 1, 2, 7, 17, 33, 64, 65, 257];

#[test]
fn vectors() {
    matrix("vectors", &LENGTHS.map(|n| vec![n]));
}

#[test]
fn matrices() {
    let wide = FEWER_LENGTHS.iter().map(|&n| vec![3, n]);
    let tall = FEWER_LENGTHS.iter().map(|&n| vec![n, 5]);
    matrix("matrices", &wide.chain(tall).collect::<Vec<_>>());
}

#[test]
fn tensors() {
    let rank_3 = [3, 17, 70].map(|n| vec![2, n, 3]).to_vec();
    let sizes_of_one = vec![vec![1, 4, 1], vec![1, 1, 1], vec![]];
    let rank_4 = vec![vec![2, 3, 4, 5], vec![3, 1, 2, 33]];
    let zeros = vec![vec![2, 0, 3], vec![0, 0, 2]];
    matrix("tensors", &[rank_3, sizes_of_one, rank_4, zeros].concat());
}

/// Runs shapes through everything else.
fn matrix(what: &'static str, shapes: &[Vec<usize>]) {
    let levels = Levels::new(what);
    Row::for_each(|row| {
        let mut runs = 0;
        for (seed, shape) in (0..).zip(shapes) {
            let values = ordinary(row.op, row.ty, shape.iter().product(), seed);
            for layout in Layout::ALL {
                let stored = Stored::new(layout, row.dtype, shape, &values);
                runs += every_choice_of_axes(row, shape, layout, &stored);
            }
        }
        available().into_iter().for_each(|level| levels.ran(level, runs));
    });
    levels.finish();
}

/// The number of runs per level.
fn every_choice_of_axes(row: &Row, shape: &[usize], layout: Layout, stored: &Stored) -> usize {
    let view = stored.view();
    let rank = shape.len();
    let mut runs = 0;
    for reduced in row.choices(rank) {
        let axes = spelled(&reduced, rank);
        let expected = [false, true].map(|last| {
            let op = row.op.select_last(last);
            oracle::reduce(op, row.ty, (shape, &stored.values), &reduced, false)
        });
        let shapes = [false, true].map(|keep| oracle::output_shape(shape, &reduced, keep));
        for (place, version) in row.versions().into_iter().enumerate() {
            for request in requests(row, version, rank, &axes, place % 2 == 0) {
                let keep = request.keepdims.unwrap_or(true);
                let mut expected = expected[usize::from(request.last == Some(true))].clone();
                if let Some(expected) = &mut expected {
                    expected.shape.clone_from(&shapes[usize::from(keep)]);
                }
                every_level(row, version, &request, &view, expected.as_ref()).unwrap_or_else(
                    |error| {
                        let label = label(row.entry, version, row.dtype, &request);
                        panic!("{label} of {shape:?} {layout:?}: {error}")
                    },
                );
                runs += 1;
            }
        }
    }
    runs
}

/// The ways to ask a version for a set of axes.
fn requests<'a>(
    row: &Row,
    version: u32,
    rank: usize,
    axes: &'a [i64],
    runtime: bool,
) -> Vec<Request<'a>> {
    let schema = row.entry.schema().at(version).expect("a version");
    let none = axes.is_empty() && rank > 0;
    if none && schema.attr("noop_with_empty_axes").is_none() {
        return Vec::new();
    }
    let noop = none.then_some(true);
    let last = schema.attr("select_last_index").map(|_| true);
    let listed =
        Request { axes: Some(axes), keepdims: Some(false), noop, runtime, ..Request::default() };
    let mut requests = vec![listed, Request { keepdims: None, last, ..listed }];
    let default = if row.takes_one_axis() { axes == [0] } else { axes.len() == rank };
    if none || default {
        requests.push(Request { axes: None, keepdims: Some(true), ..listed });
    }
    requests
}

/// The result of the first level against the oracle, those of the others
/// against it, bit by bit.
fn every_level(
    row: &Row,
    version: u32,
    request: &Request<'_>,
    view: &AnyView<'_>,
    expected: Option<&Expected>,
) -> Result<(), String> {
    let call = request.prepare(row.entry, version, row.dtype).map_err(|error| error.to_string())?;
    let mut first = None;
    for level in available() {
        let result = request.run(&call.clone().level(level), view);
        let Some(expected) = expected else {
            refused(result, level)?;
            continue;
        };
        let result = result.map_err(|error| format!("{level}: {error}"))?;
        match &first {
            None => {
                compare::check(expected, &found(&result)).map_err(|e| format!("{level}: {e}"))?;
                first = Some(result);
            }
            Some(first) => same_bits(first, &result).map_err(|e| format!("{level}: {e}"))?,
        }
    }
    Ok(())
}

/// That a result over no elements, which has no value, is an error.
fn refused(result: Result<AnyTensor, Error>, level: Level) -> Result<(), String> {
    match result {
        Err(error) if matches!(error.kind(), ErrorKind::EmptySet { .. }) => Ok(()),
        Err(error) => Err(format!("{level}: another error than that of an empty set: {error}")),
        Ok(result) => Err(format!("{level}: a value over no elements: {:x?}", bits(&result))),
    }
}

/// A reduction whose operator is known at compile time is the same as a call.
#[test]
fn typed_reductions_agree_with_calls() {
    let mut covered = Vec::new();
    macro_rules! every {
        ($($op:ident),*) => {
            $(typed::<$op, _, _>();)*
            covered.extend([$($op::SCHEMA.name),*]);
        };
    }
    every!(ReduceSum, ReduceMean, ReduceProd, ReduceL1, ReduceL2, ReduceSumSquare, ReduceLogSum);
    every!(ReduceLogSumExp, ReduceMax, ReduceMin, ArgMax, ArgMin);
    for entry in ONNX.ops() {
        let name = entry.schema().name;
        assert!(covered.contains(&name), "add {name} to the list of this test");
    }
}

fn typed<Op, F, I>()
where
    Op: Reduces<f32, Output = F> + Reduces<i32, Output = I>,
    F: Element,
    I: Element,
{
    let shape = [3, 17, 5];
    let ours = |row: &&Row| row.entry.schema().name == Op::SCHEMA.name;
    for row in rows().iter().filter(ours) {
        let values = ordinary(row.op, row.ty, shape.iter().product(), 1);
        let stored = Stored::new(Layout::Transposed, row.dtype, &shape, &values);
        let view = stored.view();
        for reduced in row.choices(shape.len()) {
            if reduced.is_empty() {
                continue;
            }
            let axes = spelled(&reduced, shape.len());
            let version = *row.versions().last().expect("a version");
            let request = Request { axes: Some(&axes), keepdims: Some(true), ..Request::default() };
            let call = request.prepare(row.entry, version, row.dtype).expect("valid");
            let expected = call.run(&view).expect("valid");
            let reduction = Reduction::new(Op::default()).axes(Axes::of(&axes)).keepdims(true);
            let any = reduction.run_any(&view).expect("valid");
            let typed: Option<AnyTensor> = match &view {
                AnyView::F32(view) => Some(reduction.run(view).expect("valid").into()),
                AnyView::I32(view) => Some(reduction.run(view).expect("valid").into()),
                _ => None,
            };
            for found in [Some(any), typed].iter().flatten() {
                same_bits(&expected, found).unwrap_or_else(|e| panic!("{}: {e}", row.name()));
            }
        }
    }
}
