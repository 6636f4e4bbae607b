//! NaN at every place, on every path: it decides the results that it belongs to
//! and no other one.

use std::collections::BTreeMap;

use reduce_core::{AnyTensor, Level};
use reduce_tests::cases::{Levels, Random, Request, Row, available, bits, neutral, spelled};
use reduce_tests::oracle::{Op, Values};

use super::layouts::{Layout, layouts};

/// Every place of a small case; some of a large one, the first and the last
/// among them.
fn places(layout: &Layout, seed: u64) -> Vec<usize> {
    let mut places = layout.walk.places.clone();
    places.sort_unstable();
    places.dedup();
    if layout.small() {
        return places;
    }
    let mut random = Random::new(seed);
    let count = places.len() as u64;
    let some = (0..3).map(|_| usize::try_from(random.bits() % count).expect("small"));
    some.chain([0, places.len() - 1]).map(|index| places[index]).collect()
}

/// Everything in `f32`, and what looks at NaN itself in the other types.
fn is_tested(row: &Row) -> bool {
    let compares = matches!(
        row.op,
        Op::Max | Op::Min | Op::ArgMax { .. } | Op::ArgMin { .. } | Op::Sum | Op::LogSumExp
    );
    row.ty.is_float() && (row.dtype.name() == "f32" || compares)
}

#[test]
fn nan_decides_from_every_place() {
    let levels = Levels::new("NaN on every path");
    let layouts = layouts();
    Row::for_each(|row| {
        if !is_tested(row) {
            return;
        }
        let mut runs = 0;
        for (seed, layout) in (0..).zip(layouts.iter().filter(|layout| layout.has_elements())) {
            let one_axis = layout.case.axes.len() == 1;
            let noop = layout.case.axes.is_empty();
            if (one_axis || !row.takes_one_axis()) && !noop {
                runs += at_every_place(row, layout, seed);
            }
        }
        assert!(runs > 1000, "{}: {runs} places", row.name());
        available().into_iter().for_each(|level| levels.ran(level, runs));
    });
    levels.finish();
}

/// The number of places.
fn at_every_place(row: &Row, layout: &Layout, seed: u64) -> usize {
    let Layout { case, walk, sets, .. } = layout;
    let axes = spelled(&case.axes, walk.shape.len());
    let last = (row.op.is_position() && seed % 2 == 1).then_some(true);
    let request = Request { axes: Some(&axes), last, ..Request::default() };
    let call = request.prepare(row.entry, row.newest(), row.dtype).expect("valid");
    let run = |buffer: &AnyTensor, level: Level| {
        let result: AnyTensor =
            call.clone().level(level).run(&case.recipe.any_view(buffer)).expect("elements");
        bits(&result)
    };
    let neutral = neutral(row.op, row.ty, case.recipe.count());
    let usual = run(&walk.buffer(row.dtype, &neutral), Level::Scalar);
    let Values::Floats(mut values) = neutral else { unreachable!("of floats") };
    let nan = nan_bits(row);
    // Per place, the results that read it, and the position there.
    let mut readers: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    let places = places(layout, seed);
    readers.extend(places.iter().map(|&place| (place, Vec::new())));
    for (result, set) in sets.iter().enumerate() {
        for (position, place) in set.iter().enumerate() {
            if let Some(readers) = readers.get_mut(place) {
                readers.push((result, position));
            }
        }
    }
    for (&place, readers) in &readers {
        let before = std::mem::replace(&mut values[place], f64::NAN);
        let mut expected = usual.clone();
        for (result, positions) in grouped(readers) {
            let position = if last.is_some() { positions.last() } else { positions.first() };
            let position = *position.expect("one or more") as u64;
            expected[result] = if row.op.is_position() { position } else { nan };
        }
        let changed = walk.buffer(row.dtype, &Values::Floats(values.clone()));
        for level in available() {
            let found = run(&changed, level);
            assert!(
                found == expected,
                "{} of {case:?} at {level}, NaN at place {place}: {:?}",
                row.name(),
                first_difference(&expected, &found)
            );
        }
        values[place] = before;
    }
    readers.len()
}

/// The positions per result.
fn grouped(readers: &[(usize, usize)]) -> BTreeMap<usize, Vec<usize>> {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(result, position) in readers {
        groups.entry(result).or_default().push(position);
    }
    groups
}

fn nan_bits(row: &Row) -> u64 {
    let nan = reduce_tests::cases::tensor(row.dtype, &Values::Floats(vec![f64::NAN]), &[1]);
    bits(&nan)[0]
}

fn first_difference(expected: &[u64], found: &[u64]) -> Option<String> {
    let index = expected.iter().zip(found).position(|(a, b)| a != b)?;
    Some(format!("result {index} is {:#x}, not {:#x}", found[index], expected[index]))
}
