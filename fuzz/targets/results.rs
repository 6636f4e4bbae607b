//! Results: an operator of the registry, at any version, over any view, any axes, all elements or those that a mask chooses,
//! planned and at once. Every level gives the same bits, and they are those that the oracle allows.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use reduce_core::nodes::{AnyData, Call};
use reduce_core::planning::Layout;
use reduce_core::{AnyTensor, AnyView, Error, View};
use reduce_fuzz::prepare;
use reduce_tests::cases::{
    Recipe, Request, Row, Walk, available, found, ordinary, rows, same_bits, tensor,
};
use reduce_tests::compare;
use reduce_tests::oracle::{self, Element, Expected, Values};

#[derive(Arbitrary, Debug)]
struct Asked {
    row: u16,
    opset: u8,
    sizes: Vec<u8>,
    steps: Vec<Step>,
    /// A bit for each axis that is reduced, and one for each that is counted from behind.
    axes: (u8, u8),
    keepdims: Option<bool>,
    last: Option<bool>,
    runtime: bool,
    seed: u64,
    /// Where a special value stands, and which.
    special: Option<(u16, u8)>,
    mask: Option<u64>,
}

#[derive(Arbitrary, Debug)]
enum Step {
    /// Neighbouring axes change places.
    Swap(u8),
    Slice {
        axis: u8,
        start: u8,
        end: u8,
        step: i8,
    },
    /// Axes of one element, and new ones in front, are repeated.
    Repeat {
        front: u8,
        times: u8,
    },
}

/// Up to this many elements are read, or results made of none, so that the oracle is quick.
const MOST: usize = 2000;

/// The number of elements, or of results if an axis without elements is reduced.
fn count(shape: &[usize]) -> usize {
    shape.iter().map(|&size| size.max(1)).product()
}

/// The view of a request, as steps that are right.
fn recipe(asked: &Asked) -> Recipe {
    let mut shape: Vec<usize> = Vec::new();
    for &size in asked.sizes.iter().take(4) {
        // Most sizes are small, so that there are several.
        let size = usize::from(if size < 200 { size % 10 } else { size });
        shape.push(size.min(MOST / count(&shape)));
    }
    let mut recipe = Recipe::of(&shape);
    for step in asked.steps.iter().take(6) {
        let rank = shape.len();
        match *step {
            Step::Swap(axis) if rank > 1 => {
                let axis = usize::from(axis) % (rank - 1);
                let mut order: Vec<usize> = (0..rank).collect();
                order.swap(axis, axis + 1);
                shape.swap(axis, axis + 1);
                recipe = recipe.permute(&order);
            }
            Step::Slice { axis, start, end, step } if rank > 0 && step != 0 => {
                let axis = usize::from(axis) % rank;
                let end = usize::from(end) % (shape[axis] + 1);
                let start = usize::from(start) % (end + 1);
                shape[axis] = (end - start).div_ceil(step.unsigned_abs().into());
                recipe = recipe.slice(axis, start..end, step.into());
            }
            Step::Repeat { front, times } if rank < 6 => {
                let times = usize::from(times % 5);
                let ones = shape.iter().filter(|&&size| size == 1).count() as u32;
                let new = usize::from(front % 2);
                if count(&shape) * times.max(1).pow(ones + new as u32) <= MOST {
                    shape.iter_mut().filter(|size| **size == 1).for_each(|size| *size = times);
                    if new == 1 {
                        shape.insert(0, times);
                    }
                    recipe = recipe.broadcast(&shape);
                }
            }
            _ => {}
        }
    }
    recipe
}

/// The values of the buffer, and among them a special one.
fn values(asked: &Asked, row: &Row, count: usize) -> Values {
    let mut values = ordinary(row.op, row.ty, count, asked.seed);
    let (Values::Floats(floats), Some((place, which))) = (&mut values, asked.special) else {
        return values;
    };
    if count > 0 {
        let special =
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0][usize::from(which) % 5];
        // Some types have no infinity: what they hold is what counts.
        floats[usize::from(place) % count] = row.ty.store(special);
    }
    values
}

/// The call that is asked for, with axes that are right and attributes that the version has. None if the version lacks the type,
/// or if no axis is reduced.
fn prepared<'a>(
    asked: &Asked,
    row: &Row,
    axes: &'a [usize],
    spelled: &'a [i64],
) -> Option<(Request<'a>, Call)> {
    let versions = row.versions();
    let opset = u32::from(asked.opset % 28) + 1;
    let version = row.entry.schema().at(opset).ok()?.since;
    if row.takes_one_axis() && axes.len() != 1 || axes.is_empty() {
        return None;
    }
    let request = Request {
        axes: Some(spelled),
        keepdims: asked.keepdims,
        noop: None,
        last: asked.last.filter(|_| row.has(version, "select_last_index")),
        runtime: asked.runtime,
    };
    let call = request.prepare(row.entry, opset, row.dtype);
    assert_eq!(call.is_ok(), versions.contains(&version), "{} at {opset}: {call:?}", row.name());
    Some((request, call.ok()?))
}

/// What the oracle says of the elements that count.
fn expected(
    asked: &Asked,
    row: &Row,
    request: &Request<'_>,
    (walk, axes): (&Walk, &[usize]),
    (values, mask): (&Values, Option<&[bool]>),
) -> Option<Expected> {
    let op = row.op.select_last(request.last.unwrap_or(false));
    let sets = oracle::sets(&walk.shape, axes);
    let counts = |&index: &usize| mask.is_none_or(|mask| mask[index]);
    let chosen: Vec<Vec<usize>> =
        sets.iter().map(|set| (0..set.len()).filter(|&at| counts(&set[at])).collect()).collect();
    let places: Vec<Vec<usize>> = chosen
        .iter()
        .zip(&sets)
        .map(|(chosen, set)| chosen.iter().map(|&at| walk.places[set[at]]).collect())
        .collect();
    let mut expected = oracle::reduce_sets(op, row.ty, values, &places)?;
    if op.is_position() {
        // A position counts the elements that do not count, too.
        for (element, chosen) in expected.elements.iter_mut().zip(&chosen) {
            if let Element::Int(at) = element {
                *at = chosen[usize::try_from(*at).expect("a position")] as i128;
            }
        }
    }
    expected.shape = oracle::output_shape(&walk.shape, axes, asked.keepdims.unwrap_or(true));
    Some(expected)
}

/// The result of a plan for these layouts.
fn planned(
    call: &Call,
    view: &AnyView<'_>,
    mask: Option<&View<'_, bool>>,
    like: &AnyTensor,
) -> Result<AnyTensor, Error> {
    let (mut layouts, mut data) = (vec![Layout::from(view)], vec![AnyData::from(view)]);
    let plan = match mask {
        Some(mask) => {
            layouts.push(Layout::from(mask));
            data.push(AnyData::from(mask));
            call.plan_where(&layouts, &[])
        }
        None => call.plan(&layouts),
    }?;
    let mut output = like.clone();
    plan.run(&data, &mut [(&mut output).into()])?;
    Ok(output)
}

fuzz_target!(init: prepare(), |asked: Asked| {
    let rows = rows();
    let row = &rows[usize::from(asked.row) % rows.len()];
    let recipe = recipe(&asked);
    let walk = recipe.walk();
    let rank = walk.shape.len();
    let axes: Vec<usize> = (0..rank).filter(|axis| asked.axes.0 >> axis & 1 == 1).collect();
    let spell = |&axis: &usize| {
        let behind = asked.axes.1 >> axis & 1 == 1;
        axis as i64 - if behind { rank as i64 } else { 0 }
    };
    let spelled: Vec<i64> = axes.iter().map(spell).collect();
    let Some((request, call)) = prepared(&asked, row, &axes, &spelled) else { return };

    let values = values(&asked, row, recipe.count());
    let buffer = tensor(row.dtype, &values, &[values.len()]);
    let view = recipe.any_view(&buffer);
    let mask: Option<Vec<bool>> = asked.mask.map(|bits| {
        (0..walk.places.len() as u32).map(|index| bits.rotate_left(index * 7) % 3 > 0).collect()
    });
    let mask_view =
        mask.as_ref().map(|mask| View::new(mask, &walk.shape).expect("one for each element"));
    // Axes that are computed are known only when the call runs, and a mask asks for known ones.
    if call.needs_axes() && mask.is_some() {
        return;
    }
    let run = |call: &Call| match &mask_view {
        Some(mask) => call.run_where(&view, mask),
        None => request.run(call, &view),
    };
    let right = expected(&asked, row, &request, (&walk, &axes), (&values, mask.as_deref()));
    let mut first: Option<AnyTensor> = None;
    for level in available() {
        let call = call.clone().level(level);
        let about = || format!("{} at {level:?}: {asked:?}", row.name());
        let (result, right) = match (run(&call), &right) {
            (Ok(result), Some(right)) => (result, right),
            (Err(error), None) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
            (result, right) => panic!("{}: {result:?}, expected {right:?}", about()),
        };
        compare::check(right, &found(&result)).unwrap_or_else(|how| panic!("{}: {how}", about()));
        if !call.needs_axes() {
            let planned = planned(&call, &view, mask_view.as_ref(), &result);
            let planned = planned.unwrap_or_else(|error| panic!("{}: {error}", about()));
            same_bits(&result, &planned).unwrap_or_else(|how| panic!("{}, planned: {how}", about()));
        }
        let first = first.get_or_insert_with(|| result.clone());
        same_bits(first, &result).unwrap_or_else(|how| panic!("{}: {how}", about()));
    }
});
