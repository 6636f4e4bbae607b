//! Calls that are planned: the results of calls at once, to the bit, in whatever buffers the caller has.

use std::mem::MaybeUninit;

use reduce_core::nodes::{AnyData, AnyPlaces, Call, Node, OpEntry, PlannedCall};
use reduce_core::planning::Layout;
use reduce_core::{
    AnyTensor, AnyView, DType, Error, Num, Real, ReduceOp, Tensor, Threads, View, reduce_op,
};
use reduce_specs::ONNX;
use reduce_tests::cases::{Layout as Lie, Row, Stored, ordinary, same_bits, spelled};

/// Shapes that are planned.
const SHAPES: [&[usize]; 6] = [&[16], &[3, 40], &[40, 3], &[2, 3, 4], &[300, 41], &[2, 0, 3]];

/// The results of a planned call in row-major order.
fn in_order(planned: &PlannedCall, inputs: &[AnyView<'_>]) -> Result<Vec<AnyTensor>, Error> {
    let data: Vec<AnyData<'_>> = inputs.iter().map(AnyData::from).collect();
    let blank = |layout: &Layout| blank(layout.dtype(), layout.shape());
    let mut results: Vec<AnyTensor> = planned.outputs().map(blank).collect();
    let mut places: Vec<AnyPlaces<'_>> = results.iter_mut().map(AnyPlaces::from).collect();
    planned.run(&data, &mut places)?;
    Ok(results)
}

/// A layout in row-major order.
fn layout(dtype: DType, shape: &[usize]) -> Layout {
    Layout::new(dtype, shape).expect("small")
}

/// A tensor of no numbers in particular.
fn blank(dtype: DType, shape: &[usize]) -> AnyTensor {
    reduce_core::dtypes::with_dtype!(dtype, T => {
        Tensor::new(vec![T::default(); shape.iter().product()], shape).expect("its shape").into()
    })
}

/// The results of a planned call whose outputs have gaps of two elements behind each, and five in front.
fn with_gaps(
    call: &Call,
    inputs: &[Layout],
    (views, mask): (&[AnyView<'_>], bool),
    expected: &[AnyTensor],
) -> Result<Vec<AnyTensor>, Error> {
    let apart = |result: &AnyTensor| {
        let in_order = Layout::from(&result.view());
        let strides: Vec<isize> = in_order.strides().iter().map(|stride| 3 * stride).collect();
        Layout::with_strides(result.dtype(), result.shape(), &strides, 5).expect("a layout")
    };
    let outputs: Vec<Layout> = expected.iter().map(apart).collect();
    let planned = match mask {
        true => call.plan_where(inputs, &outputs)?,
        false => call.plan_into(inputs, &outputs)?,
    };
    let data: Vec<AnyData<'_>> = views.iter().map(AnyData::from).collect();
    let long = |layout: &Layout| blank(layout.dtype(), &[layout.length() + 1]);
    let mut buffers: Vec<AnyTensor> = outputs.iter().map(long).collect();
    let mut places: Vec<AnyPlaces<'_>> = buffers.iter_mut().map(AnyPlaces::from).collect();
    planned.run(&data, &mut places)?;
    let picked = buffers.iter().zip(&outputs).map(|(buffer, layout)| {
        reduce_core::dtypes::with_any!(AnyTensor, buffer, buffer => {
            let count: usize = layout.shape().iter().product();
            let data = (0..count).map(|at| buffer.data()[5 + 3 * at]).collect();
            AnyTensor::from(Tensor::new(data, layout.shape()).expect("its shape"))
        })
    });
    Ok(picked.collect())
}

fn agree(expected: &[AnyTensor], found: &[AnyTensor], what: &str) {
    assert_eq!(expected.len(), found.len(), "{what}");
    for (expected, found) in expected.iter().zip(found) {
        same_bits(expected, found).unwrap_or_else(|error| panic!("{what}: {error}"));
    }
}

/// Every operator of the registry, over each type, layout and choice of axes.
#[test]
fn planned_calls_are_calls() {
    Row::for_each(|row| {
        for (seed, shape) in (0..).zip(SHAPES) {
            let values = ordinary(row.op, row.ty, shape.iter().product(), seed);
            for lie in Lie::ALL {
                let stored = Stored::new(lie, row.dtype, shape, &values);
                for reduced in row.choices(shape.len()) {
                    one(
                        row,
                        &stored.view(),
                        &reduced,
                        &format!("{} {shape:?} {lie:?}", row.name()),
                    );
                }
            }
        }
    });
}

fn one(row: &Row, view: &AnyView<'_>, reduced: &[usize], what: &str) {
    let axes = spelled(reduced, view.shape().len());
    if axes.is_empty() {
        return;
    }
    let request = reduce_tests::cases::Request { axes: Some(&axes), ..Default::default() };
    let version = *row.versions().last().expect("a version");
    let call = request.prepare(row.entry, version, row.dtype).expect("valid");
    let layout = Layout::from(view);
    let planned = call.plan(std::slice::from_ref(&layout)).expect("valid");
    let views = std::slice::from_ref(view);
    match (call.run(view), in_order(&planned, views)) {
        (Ok(expected), Ok(found)) => {
            agree(std::slice::from_ref(&expected), &found, what);
            let found =
                with_gaps(&call, &[layout], (views, false), std::slice::from_ref(&expected));
            agree(&[expected], &found.expect("as before"), what);
        }
        (Err(expected), Err(found)) => {
            assert_eq!(expected.to_string(), found.to_string(), "{what}");
        }
        (expected, found) => panic!("{what}: {expected:?} at once, {found:?} planned"),
    }
}

/// The sum of products of two inputs.
#[derive(Clone, Copy, Debug, Default)]
struct Products;

#[reduce_op(dtypes = [f32])]
impl<A: Num> ReduceOp<(A, A)> for Products {
    type Acc = A;
    type Output = A;

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, (x, y): (A, A)) -> A {
        x * y
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

/// The mean, and how many elements there are: results of two types.
#[derive(Clone, Copy, Debug, Default)]
struct MeanCount;

#[reduce_op(dtypes = [f32])]
impl<A: Real> ReduceOp<A> for MeanCount {
    type Acc = A;
    type Output = (A, i64);

    fn identity(&self) -> A {
        A::ZERO
    }

    fn map(&self, x: A) -> A {
        x
    }

    fn combine(&self, a: A, b: A) -> A {
        a + b
    }

    fn finalize(&self, sum: A, count: usize) -> (A, i64) {
        (sum.div_count(count), i64::try_from(count).unwrap_or(i64::MAX))
    }
}

/// Sums of powers, an array, and the number of elements.
#[derive(Clone, Copy, Debug, Default)]
struct Powers;

#[reduce_op(dtypes = [f32])]
impl<A: Real> ReduceOp<A> for Powers {
    type Acc = [A; 3];
    type Output = ([A; 3], i64);

    fn identity(&self) -> [A; 3] {
        [A::ZERO; 3]
    }

    fn map(&self, x: A) -> [A; 3] {
        [x, x * x, x * x * x]
    }

    fn combine(&self, a: [A; 3], b: [A; 3]) -> [A; 3] {
        [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
    }

    fn finalize(&self, sums: [A; 3], count: usize) -> ([A; 3], i64) {
        (sums, i64::try_from(count).unwrap_or(i64::MAX))
    }
}

static PRODUCTS: OpEntry = OpEntry::of::<Products>();
static MEAN_COUNT: OpEntry = OpEntry::of::<MeanCount>();
static POWERS: OpEntry = OpEntry::of::<Powers>();

/// Several inputs, several results, arrays of several types; all of it over elements that count, too.
#[test]
fn inputs_results_and_masks_of_any_number() {
    let numbers: Vec<f32> = (0..6 * 50u16).map(|at| f32::from(at * 31 % 97) - 40.0).collect();
    let with_nan: Vec<f32> =
        numbers.iter().map(|&x| if x % 7.0 == 0.0 { f32::NAN } else { x }).collect();
    let known: Vec<bool> = numbers.iter().map(|x| x % 3.0 != 0.0).collect();
    let x = View::new(&numbers, &[6, 50]).expect("its shape");
    let columns = View::with_strides(&numbers, &[50, 6], &[1, 50], 0).expect("its shape");
    let row = View::new(&numbers[..50], &[50]).expect("its shape");
    let holes = View::new(&with_nan, &[6, 50]).expect("its shape");
    let mask = View::new(&known, &[6, 50]).expect("its shape");
    let turned = View::with_strides(&known, &[50, 6], &[1, 50], 0).expect("its shape");
    let mut changed = 0;
    for (entry, views, mask) in [
        (&PRODUCTS, vec![AnyView::from(x.clone()), row.into()], &mask),
        (&PRODUCTS, vec![x.clone().into(), holes.clone().into()], &mask),
        (&MEAN_COUNT, vec![x.clone().into()], &mask),
        (&MEAN_COUNT, vec![holes.clone().into()], &mask),
        (&MEAN_COUNT, vec![columns.clone().into()], &turned),
        (&POWERS, vec![x.into()], &mask),
        (&POWERS, vec![columns.into()], &turned),
        (&POWERS, vec![holes.into()], &mask),
    ] {
        for (axis, skip_nan, threads) in
            [(0, false, Threads::One), (1, false, Threads::Shared), (1, true, Threads::One)]
        {
            let node = Node::new(1, DType::F32).attr("axes", [axis]).attr("keepdims", 0);
            let call = entry.prepare(&node).expect("valid").skip_nan(skip_nan).threads(threads);
            let what = format!("{} over {axis}, {skip_nan}", call.name());
            let layouts: Vec<Layout> = views.iter().map(Layout::from).collect();
            let expected = call.run_all(&views, None).expect("valid");
            let planned = call.plan(&layouts).expect("valid");
            agree(&expected, &in_order(&planned, &views).expect("as planned"), &what);
            let apart = with_gaps(&call, &layouts, (&views, false), &expected);
            agree(&expected, &apart.expect("as planned"), &what);

            let chosen = call.run_all(&views, Some(mask)).expect("valid");
            let all = [&views[..], &[AnyView::from(mask.clone())]].concat();
            let layouts: Vec<Layout> = all.iter().map(Layout::from).collect();
            let planned = call.plan_where(&layouts, &[]).expect("valid");
            agree(&chosen, &in_order(&planned, &all).expect("as planned"), &what);
            let apart = with_gaps(&call, &layouts, (&all, true), &chosen);
            agree(&chosen, &apart.expect("as planned"), &what);
            let differ = |(all, some): (&AnyTensor, _)| same_bits(all, some).is_err();
            changed += usize::from(expected.iter().zip(&chosen).any(differ));
        }
    }
    // Where NaN is in each set, the mask may change nothing.
    assert!(changed >= 16, "the mask counts in {changed} of 24");
}

/// Memory that was never written is no less good.
#[test]
#[allow(unsafe_code, reason = "memory that was not initialised")]
fn places_need_not_be_initialised() {
    let node = Node::new(18, DType::F64).axes([0]).attr("keepdims", 0);
    let call = ONNX.prepare("ReduceMax", &node).expect("valid");
    let planned = call.plan(&[Layout::new(DType::F64, &[2, 3]).expect("small")]).expect("valid");
    let mut pool = [const { MaybeUninit::<f64>::uninit() }; 3];
    let data = [1.0, 5.0, -2.0, 4.0, 0.0, f64::NAN];
    planned.run(&[(&data[..]).into()], &mut [(&mut pool[..]).into()]).expect("as planned");
    // SAFETY: the run wrote each of them.
    let found = pool.map(|place| unsafe { place.assume_init() });
    assert_eq!(found[..2], [4.0, 5.0]);
    assert!(found[2].is_nan());
}

/// What is not as planned is refused, and names what is.
#[test]
fn other_buffers_are_refused() {
    let node = Node::new(18, DType::F32).axes([1]).attr("keepdims", 0);
    let call = ONNX.prepare("ReduceSum", &node).expect("valid");
    let rows = [layout(DType::F32, &[2, 3])];
    let planned = call.plan(&rows).expect("valid");
    let (data, ints) = ([1.0f32; 6], [1i32; 6]);
    let (mut sums, mut wide) = ([0.0f32; 3], [0.0f64; 2]);
    let mut code = |inputs: &[AnyData<'_>], places: usize| {
        let run = planned.run(inputs, &mut [(&mut sums[..places]).into()]);
        run.map_or_else(|error| error.code(), |()| "ok")
    };
    assert_eq!(code(&[(&data[..]).into()], 2), "ok");
    // A buffer may be longer than the layout reaches; what is written in order is as long as it says.
    assert_eq!(code(&[(&[1.0f32; 9][..]).into()], 2), "ok");
    assert_eq!(code(&[(&data[..5]).into()], 2), "length-mismatch");
    assert_eq!(code(&[(&ints[..]).into()], 2), "input-dtype");
    assert_eq!(code(&[(&data[..]).into(), (&data[..]).into()], 2), "input-count");
    assert_eq!(code(&[], 2), "input-count");
    assert_eq!(code(&[(&data[..]).into()], 1), "length-mismatch");
    assert_eq!(code(&[(&data[..]).into()], 3), "length-mismatch");
    let data: AnyData<'_> = (&data[..]).into();
    let error = planned.run(&[data], &mut [(&mut wide[..]).into()]).expect_err("other places");
    assert_eq!(error.code(), "output-dtype");
    assert!(
        error.to_string().starts_with("ReduceSum at version 13: the output holds `f64`"),
        "{error}"
    );
    assert_eq!(planned.run(&[data], &mut []).expect_err("no places").code(), "output-count");

    let planned = |inputs: &[Layout], outputs: &[Layout]| {
        call.plan_into(inputs, outputs).map_or_else(|error| error.code(), |_| "ok")
    };
    let strided = |shape: &[usize], strides: &[isize]| {
        Layout::with_strides(DType::F32, shape, strides, 0).expect("a layout")
    };
    assert_eq!(planned(&rows, &[strided(&[2], &[7])]), "ok");
    assert_eq!(planned(&rows, &[strided(&[2], &[0])]), "view-overlaps");
    assert_eq!(planned(&rows, &[strided(&[2, 1], &[1, 1])]), "output-shape");
    assert_eq!(planned(&rows, &[layout(DType::F64, &[2])]), "output-dtype");
    assert_eq!(planned(&rows, &[strided(&[2], &[1]), strided(&[2], &[1])]), "output-count");
    assert_eq!(planned(&[layout(DType::Bool, &[2, 3])], &[]), "dtype-not-allowed");
    assert_eq!(planned(&[layout(DType::F32, &[3])], &[]), "axis-out-of-range");
    assert_eq!(planned(&[], &[]), "input-count");
    let masked = |mask: Layout| {
        let all = [rows[0].clone(), mask];
        call.plan_where(&all, &[]).map_or_else(|error| error.code(), |_| "ok")
    };
    assert_eq!(masked(layout(DType::Bool, &[3])), "ok");
    assert_eq!(masked(layout(DType::U8, &[3])), "input-dtype");
    assert_eq!(masked(layout(DType::Bool, &[4])), "shapes-differ");
}

/// Positions of `i64` go to places for `i32`, strided ones too. What is no number of `i32` is an error, and nothing is written.
#[test]
fn positions_may_be_narrow() {
    let data = [3.0f32, 9.0, 1.0, 7.0, 2.0, 8.0];
    let rows = [layout(DType::F32, &[2, 3])];
    let node = Node::new(13, DType::F32).attr("axis", -1).attr("keepdims", 0);
    let call = ONNX.prepare("ArgMax", &node).expect("a call");
    let planned = call.plan_into(&rows, &[layout(DType::I32, &[2])]).expect("narrow places");
    let mut places = [7i32; 2];
    planned.run(&[(&data[..]).into()], &mut [(&mut places[..]).into()]).expect("positions");
    assert_eq!(places, [1, 2]);
    let apart = Layout::with_strides(DType::I32, &[2], &[2], 1).expect("a layout");
    let planned = call.plan_into(&rows, &[apart]).expect("narrow places");
    let mut places = [7i32; 4];
    planned.run(&[(&data[..]).into()], &mut [(&mut places[..]).into()]).expect("positions");
    assert_eq!(places, [7, 1, 7, 2]);
    let mut wide = [0i64; 4];
    let error = planned.run(&[(&data[..]).into()], &mut [(&mut wide[..]).into()]);
    assert_eq!(error.expect_err("places of `i32` are planned").code(), "output-dtype");

    let node = Node::new(13, DType::I64).axes([1]).attr("keepdims", 0);
    let sums = ONNX.prepare("ReduceSum", &node).expect("a call");
    let planned = sums.plan_into(&[layout(DType::I64, &[2, 2])], &[layout(DType::I32, &[2])]);
    let planned = planned.expect("narrow places");
    let run = |data: [i64; 4]| {
        let mut places = [7i32; 2];
        let run = planned.run(&[(&data[..]).into()], &mut [(&mut places[..]).into()]);
        (run.map_err(|error| error.to_string()), places)
    };
    let (least, greatest) = (i64::from(i32::MIN), i64::from(i32::MAX));
    assert_eq!(run([least, 0, greatest - 1, 1]), (Ok(()), [i32::MIN, i32::MAX]));
    let sentence = "ReduceSum at version 13: the result 2147483648 is no number of `i32`; plan an output of `i64`";
    assert_eq!(run([1, 2, greatest, 1]), (Err(sentence.to_owned()), [7, 7]));
}

/// A node is prepared before its type is known. Every row of every version runs so, and no other type does.
#[test]
fn a_node_is_prepared_before_its_type() {
    Row::for_each(|row| {
        for version in row.versions() {
            let call = row.entry.prepare(&Node::new(version, DType::F32)).expect("all take `f32`");
            let of_type = call.with_dtype(row.dtype).expect("a row of the version");
            assert_eq!((of_type.input_dtype(), of_type.version()), (row.dtype, version));
            let known =
                row.entry.prepare(&Node::new(version, row.dtype)).expect("a row of the version");
            assert_eq!(of_type.output_dtype(), known.output_dtype(), "{}", row.name());
            let values = ordinary(row.op, row.ty, 12, 3);
            let stored = Stored::new(Lie::ALL[0], row.dtype, &[3, 4], &values);
            let (late, early) = (of_type.run(&stored.view()), known.run(&stored.view()));
            same_bits(&early.expect("elements"), &late.expect("elements")).expect("the same call");
        }
    });
    let call = ONNX.prepare("ReduceSum", &Node::new(13, DType::F32)).expect("valid");
    let error = call.with_dtype(DType::Bool).expect_err("no sums of `bool`");
    assert_eq!(error.code(), "dtype-not-allowed");
    assert!(error.to_string().starts_with("ReduceSum at version 13: "), "{error}");
}
