//! Every operator is run over the elements that count: a mask chooses them, or they are not NaN. Its result is the
//! oracle's over a list of them, and has the bits of a run over that list. That holds in every layout, at every level
//! and with several threads.

mod lengths;
mod pieces;

use reduce_core::{AnyTensor, ErrorKind, Masked, Reduction, SkipNan, Threads, View};
use reduce_specs::{ArgMax, ArgMin, ReduceMax, ReduceMean, ReduceProd, ReduceSum};
use reduce_tests::cases::{
    Layout, Random, Request, Row, Stored, available, found, ordinary, pool, same_bits,
};
use reduce_tests::compare::{self, Found};
use reduce_tests::oracle::{self, Type, Values};

/// Shapes, and the one axis that is reduced; or all of them.
const CASES: [(&[usize], Option<usize>); 11] = [
    (&[0], Some(0)),
    (&[1], Some(0)),
    (&[40], Some(0)),
    (&[8192], Some(0)),
    (&[9000], Some(0)),
    (&[5, 67], Some(1)),
    (&[67, 5], Some(0)),
    (&[700, 40], Some(0)),
    (&[3, 130, 4], Some(1)),
    (&[6, 5, 7], None),
    (&[3, 2, 700], None),
];

/// Makes masks of `count` elements: some choose a part, one all and one none.
fn masks(count: usize) -> Vec<Vec<bool>> {
    let mut random = Random::new(7);
    let mut one_in = |parts: u64| -> Vec<bool> {
        (0..count).map(|_| random.bits().is_multiple_of(parts)).collect()
    };
    let (half, few, most) = (one_in(2), one_in(40), one_in(40));
    let most = most.into_iter().map(|leaves_out| !leaves_out).collect();
    let second_half = (0..count).map(|index| index >= count / 2).collect();
    vec![half, few, most, vec![true; count], vec![false; count], second_half]
}

/// The indices of the elements of each result, in row-major order.
fn sets(shape: &[usize], axis: Option<usize>) -> Vec<Vec<usize>> {
    let count: usize = shape.iter().product();
    let Some(axis) = axis else { return vec![(0..count).collect()] };
    let inner: usize = shape[axis + 1..].iter().product();
    let outer: usize = shape[..axis].iter().product();
    let size = shape[axis];
    let of = |(outer, nearest): (usize, usize)| {
        (0..size).map(|index| (outer * size + index) * inner + nearest).collect()
    };
    let results = (0..outer).flat_map(|outer| (0..inner).map(move |nearest| (outer, nearest)));
    results.map(of).collect()
}

/// Runs a call over the elements that count; the result is the same at every level. It is `None` if there is no value.
fn run(
    row: &Row,
    stored: &Stored,
    axes: &[i64],
    mask: Option<&View<'_, bool>>,
) -> Option<AnyTensor> {
    let request = Request { axes: Some(axes), keepdims: Some(false), ..Request::default() };
    let call = request.prepare(row.entry, row.newest(), row.dtype).expect("a valid call");
    let call = call.skip_nan(mask.is_none());
    let run = |level| {
        let call = call.clone().level(level);
        match mask {
            Some(mask) => call.run_where(&stored.view(), mask),
            None => call.run(&stored.view()),
        }
    };
    let mut results = available().into_iter().map(run);
    let first = results.next().expect("a level");
    for result in results {
        match (&first, &result) {
            (Ok(first), Ok(result)) => same_bits(first, result).expect("the same bits"),
            (first, result) => assert_eq!(first, result),
        }
    }
    match first {
        Ok(result) => Some(result),
        Err(error) => {
            let kind = error.kind();
            let is_none = matches!(kind, ErrorKind::NoneCounts { .. } | ErrorKind::EmptySet { .. });
            assert!(is_none, "{}: {error}", row.name());
            None
        }
    }
}

/// Holds a call over the elements for which something is true against the oracle, and against the
/// operator over a list of them.
fn check(
    row: &Row,
    stored: &Stored,
    (shape, axis): (&[usize], Option<usize>),
    result: Option<&AnyTensor>,
    counts: &dyn Fn(usize) -> bool,
) {
    let sets = sets(shape, axis);
    let chosen: Vec<Vec<usize>> = sets
        .iter()
        .map(|set| (0..set.len()).filter(|&place| counts(set[place])).collect())
        .collect();
    let lists: Vec<Values> = chosen
        .iter()
        .zip(&sets)
        .map(|(chosen, set)| stored.values.select(chosen.iter().map(|&place| set[place])))
        .collect();
    let right = |list: &Values| oracle::reduce(row.op, row.ty, (&[list.len()], list), &[0], false);
    let Some(result) = result else {
        assert!(lists.iter().any(|list| right(list).is_none()), "{}: no value", row.name());
        return;
    };
    let result = found(result);
    assert_eq!(result.values.len(), lists.len(), "{}", row.name());
    let request = Request { axes: Some(&[0]), keepdims: Some(false), ..Request::default() };
    for (number, (list, chosen)) in lists.iter().zip(&chosen).enumerate() {
        let about = format!("{} {shape:?} {axis:?}, result {number}", row.name());
        let mut values = result.values.select([number]);
        if row.op.is_position() {
            values = among(chosen, &values, &about);
        }
        let one = Found { ty: result.ty, shape: Vec::new(), values };
        let right = right(list).unwrap_or_else(|| panic!("{about}: a value over none"));
        compare::check(&right, &one).unwrap_or_else(|error| panic!("{about}: {error}"));
        let packed = row.reduce((&[list.len()], list), &request);
        assert_eq!(format!("{:?}", one.values), format!("{:?}", packed.values), "{about}");
    }
}

/// Where a position is among those of the elements that count.
fn among(chosen: &[usize], position: &Values, about: &str) -> Values {
    let Values::Ints(position) = position else { panic!("{about}: no position") };
    let place = chosen.iter().position(|&index| index as i128 == position[0]);
    Values::Ints(vec![place.unwrap_or_else(|| panic!("{about}: {position:?}")) as i128])
}

fn axes(axis: Option<usize>, rank: usize) -> Vec<i64> {
    let all = 0..i64::try_from(rank).expect("a small rank");
    all.filter(|&index| axis.is_none_or(|axis| usize::try_from(index) == Ok(axis))).collect()
}

#[test]
fn elements_that_a_mask_chooses() {
    Row::for_each(|row| {
        for (shape, axis) in
            CASES.into_iter().filter(|(_, axis)| axis.is_some() || !row.takes_one_axis())
        {
            let count = shape.iter().product();
            let values = ordinary(row.op, row.ty, count, 3);
            for layout in Layout::ALL {
                let stored = Stored::new(layout, row.dtype, shape, &values);
                for mask in masks(count) {
                    let view = View::new(&mask, shape).expect("its shape");
                    let result = run(row, &stored, &axes(axis, shape.len()), Some(&view));
                    check(row, &stored, (shape, axis), result.as_ref(), &|index| mask[index]);
                }
            }
        }
    });
}

#[test]
fn elements_that_are_not_nan() {
    Row::for_each(|row| {
        for (shape, axis) in
            CASES.into_iter().filter(|(_, axis)| axis.is_some() || !row.takes_one_axis())
        {
            let count = shape.iter().product();
            for mask in masks(count) {
                let mut values = ordinary(row.op, row.ty, count, 5);
                if let (Values::Floats(values), Type::Float { .. }) = (&mut values, row.ty) {
                    for (value, _) in values.iter_mut().zip(&mask).filter(|&(_, &counts)| !counts) {
                        *value = f64::NAN;
                    }
                }
                let stored = Stored::new(Layout::Transposed, row.dtype, shape, &values);
                let result = run(row, &stored, &axes(axis, shape.len()), None);
                let is_number = |index: usize| match &stored.values {
                    Values::Floats(values) => !values[index].is_nan(),
                    Values::Ints(_) => true,
                };
                check(row, &stored, (shape, axis), result.as_ref(), &is_number);
            }
        }
    });
}

/// A mask of its own shape and strides, for rows, for columns, and one element for all.
#[test]
fn masks_are_broadcast() {
    let data: Vec<f32> = (0..12).map(|index| index as f32).collect();
    let view = View::new(&data, &[3, 4]).expect("its shape");
    let sums = |mask: &[bool], shape: &[usize], axis: i64| {
        let mask = View::new(mask, shape).expect("its shape");
        let sums = Reduction::new(Masked(ReduceSum)).axes([axis]).run(&(view.clone(), mask));
        sums.expect("sums").data().to_vec()
    };
    assert_eq!(sums(&[true, false, false, true], &[4], 1), [3.0, 11.0, 19.0]);
    assert_eq!(sums(&[true, false, true], &[3, 1], 0), [8.0, 10.0, 12.0, 14.0]);
    assert_eq!(sums(&[false], &[1], 0), [0.0; 4]);
    // A mask may be larger than the data.
    let one = View::new(&[2.0f32], &[1]).expect("its shape");
    let mask = View::new(&[true, true, false, true], &[4]).expect("its shape");
    assert_eq!(Reduction::new(Masked(ReduceSum)).run(&(one, mask)).expect("a sum").data(), [6.0]);
}

/// Tuples inside of an adaptor, adaptors inside of a tuple, and one inside of the other.
#[test]
#[allow(clippy::cast_possible_truncation, reason = "the data of the test")]
fn adaptors_and_tuples() {
    let count = 1 << 18;
    let mut random = Random::new(11);
    let data: Vec<f32> = (0..count).map(|_| random.between(-1.0, 1.0) as f32).collect();
    let data: Vec<f32> = data.iter().map(|&x| if x > 0.9 { f32::NAN } else { x }).collect();
    let mask: Vec<bool> = data.iter().map(|x| x.to_bits() % 3 != 0).collect();
    let shape = [count / 512, 512];
    let (view, chosen) = (View::new(&data, &shape), View::new(&mask, &shape));
    let input = (view.expect("its shape"), chosen.expect("its shape"));
    for axis in [0, 1] {
        let run = |threads: Threads| {
            let inside = Masked((SkipNan(ReduceSum), ArgMax::default(), ReduceMax));
            let inside = Reduction::new(inside).axes([axis]).threads(threads.clone());
            let outside =
                (Masked(SkipNan(ReduceSum)), Masked(ArgMax::default()), Masked(ReduceMax));
            let outside = Reduction::new(outside).axes([axis]).threads(threads);
            let inside = inside.run(&input).expect("elements count");
            let bits = |data: &[f32]| data.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            let outside = outside.run(&input).expect("elements count");
            assert_eq!(inside.1, outside.1);
            assert_eq!(bits(inside.2.data()), bits(outside.2.data()));
            assert_eq!(bits(inside.0.data()), bits(outside.0.data()));
            (bits(inside.0.data()), inside.1, bits(inside.2.data()))
        };
        assert_eq!(run(Threads::One), run(Threads::Pool(pool(3))));
    }
}

/// What goes beyond the range on the way is mended over the elements that count.
#[test]
fn doubtful_results() {
    let max = f64::MAX;
    let data = [f64::NAN, max, f64::INFINITY, max, 0.5, max];
    let view = View::new(&data, &[6]).expect("its shape");
    let mask = [false, true, false, true, false, true];
    let mask = View::new(&mask, &[6]).expect("its shape");
    let mean = Reduction::new(Masked(ReduceMean)).run(&(view, mask)).expect("a mean");
    assert_eq!(mean.data(), [max]);
    // One of these columns is doubtful.
    let power = f32::powi(2.0, 100);
    let of = |index: usize| match index % 4 {
        0 => f32::NAN,
        1 if index % 8 == 1 => power,
        1 => power.recip(),
        _ => 1.0,
    };
    let data: Vec<f32> = (0..400).map(of).collect();
    let view = View::new(&data, &[100, 4]).expect("its shape");
    let ops = (SkipNan(ReduceProd), SkipNan(ReduceSum));
    let (product, sum) = Reduction::new(ops).axes([0]).run(&view).expect("values");
    assert_eq!(product.data(), [1.0; 4]);
    assert_eq!((sum.data()[0], &sum.data()[2..]), (0.0, &[100.0, 100.0][..]));
}

/// Rows 11 and 12 of the report: a position is counted among all elements, and is an error if no element counts.
#[test]
fn positions_of_chosen_elements() {
    let nan = vec![f64::NAN; 100];
    let view = View::new(&nan, &[100]).expect("its shape");
    let error = Reduction::new(SkipNan(ArgMax::default())).run(&view).expect_err("none");
    assert!(matches!(error.kind(), ErrorKind::NoneCounts { .. }), "{error}");
    let mut data = nan;
    data[50] = f64::NEG_INFINITY;
    let view = View::new(&data, &[100]).expect("its shape");
    let place = Reduction::new(SkipNan(ArgMax::default())).run(&view).expect("a position");
    assert_eq!(place.data(), [50]);
    let mut mask = [false; 300];
    mask[200] = true;
    let mut data = [1.0f32; 300];
    data[200] = f32::INFINITY;
    let input = (
        View::new(&data, &[300]).expect("its shape"),
        View::new(&mask, &[300]).expect("its shape"),
    );
    let place = Reduction::new(Masked(ArgMin::default())).run(&input).expect("a position");
    assert_eq!(place.data(), [200]);
}

/// Planned calls, and computing in another type.
#[test]
fn what_a_reduction_can_be_told() {
    let data = [1e8f32, f32::NAN, 1.0, -1e8, 1.0];
    let view = View::new(&data, &[5]).expect("its shape");
    let sum = Reduction::new(SkipNan(ReduceSum)).computing_in::<f64>().run(&view).expect("a sum");
    assert_eq!(sum.data(), [2.0]);
    let planned = Reduction::new(SkipNan(ReduceMax)).planned(&view).expect("a plan");
    let mut max = [0.0];
    planned.run_into(&view, &mut max).expect("a maximum");
    assert_eq!(max, [1e8]);
}
