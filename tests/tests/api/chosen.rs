//! The place of the largest element that counts, in results of many blocks: it is searched for in the block that it came from.

use reduce_core::{Masked, Reduction, SkipNan, View};
use reduce_specs::ArgMax;

/// The number of elements of a result: some blocks, even if only some elements count.
const COUNT: usize = 50_000;

/// Reduces two results of [`COUNT`] elements, of which every third counts in the first and two of three in the second.
/// The largest that counts is at `place` in both.
fn check(place: usize, in_rows: bool) {
    let counts = |result: usize, index: usize| (index + place) % 3 <= result || index == place;
    let value =
        |index: usize| if index == place { 9.0 } else { (index * 7919 % 1009) as f32 / 1009.0 };
    let (shape, axis) = if in_rows { ([2, COUNT], 1) } else { ([COUNT, 2], 0) };
    let each = (0..2 * COUNT).map(|number| match in_rows {
        true => (number / COUNT, number % COUNT),
        false => (number % 2, number / 2),
    });
    let each: Vec<(usize, usize)> = each.collect();
    let mask: Vec<bool> = each.iter().map(|&(result, index)| counts(result, index)).collect();
    // Those that do not count would win.
    let other = |nan: bool| if nan { f32::NAN } else { 100.0 };
    let data = |nan: bool| -> Vec<f32> {
        let values = each.iter().zip(&mask);
        values
            .map(|(&(_, index), &counts)| if counts { value(index) } else { other(nan) })
            .collect()
    };
    let (large, with_nan) = (data(false), data(true));
    let mask = View::new(&mask, &shape).expect("as many");
    let large = View::new(&large, &shape).expect("as many");
    let with_nan = View::new(&with_nan, &shape).expect("as many");
    let masked = Reduction::new(Masked(ArgMax::default())).axes([axis]).run(&(large, mask));
    let skipped = Reduction::new(SkipNan(ArgMax::default())).axes([axis]).run(&with_nan);
    let place = i64::try_from(place).expect("a position");
    for found in [masked, skipped] {
        let found = found.expect("elements that count");
        assert_eq!(found.data(), [place; 2], "at {place}, in rows: {in_rows}");
    }
}

#[test]
fn the_largest_is_found_in_every_block() {
    for place in [0, 1, 1023, 1024, 2047, 2048, 8191, 16_385, 30_000, 49_151, COUNT - 1] {
        check(place, true);
        check(place, false);
    }
}
