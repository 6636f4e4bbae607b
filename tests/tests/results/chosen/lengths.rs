//! Lists of every length up to that of some vectors.

use reduce_core::{Groups, Masked, Reduction, SkipNan, View};
use reduce_specs::ReduceSum;
use reduce_tests::cases::available;

/// Masks of every length, and each true, or false, at one place alone: at the last ones a kernel does something else.
#[test]
fn masks_of_every_length() {
    for count in 1..=80usize {
        let data: Vec<i32> = (0..count).map(|index| 1i32 << (index % 30)).collect();
        let rows = [data.clone(), data.clone(), data.clone()].concat();
        let places = (0..count).filter(|place| place % 7 == 0 || place + 20 > count);
        for (place, counts) in places.flat_map(|place| [(place, true), (place, false)]) {
            let mask: Vec<bool> = (0..count).map(|index| (index == place) == counts).collect();
            let view = View::new(&data, &[count]).expect("a list");
            let chosen = View::new(&mask, &[count]).expect("a list");
            let sum = data.iter().zip(&mask).filter(|(_, counts)| **counts).map(|(x, _)| x);
            let sum = sum.fold(0i32, |sum, &x| sum.wrapping_add(x));
            for level in available() {
                let found = Reduction::new(Masked(ReduceSum)).level(level);
                let found = found.run(&(view.clone(), chosen.clone())).expect("of one shape");
                assert_eq!(found.data(), [sum], "{count} elements, {counts} at {place}, {level:?}");
                let matrix = View::new(&rows, &[3, count]).expect("three rows");
                let rows = Reduction::new(Masked(ReduceSum)).axes([1]).level(level);
                let found = rows.run(&(matrix, chosen.clone())).expect("broadcast");
                assert_eq!(
                    found.data(),
                    [sum; 3],
                    "rows of {count}, {counts} at {place}, {level:?}"
                );
            }
            let mut groups = Groups::new(ReduceSum, 2).expect("few");
            groups.update_masked(&view, &vec![1u8; count], &mask).expect("keys");
            assert_eq!(
                groups.finish().expect("sums").data(),
                [0, sum],
                "{count}, {counts} at {place}"
            );
        }
    }
}

/// NaN at one place of lists of every length.
#[test]
fn nan_is_skipped_at_every_place_of_every_length() {
    for count in 1..=80usize {
        for place in (0..count).filter(|place| place % 7 == 0 || place + 20 > count) {
            let mut data: Vec<f32> = (0..count).map(|index| (index + 1) as f32).collect();
            data[place] = f32::NAN;
            let expected: f32 = data.iter().filter(|x| !x.is_nan()).sum();
            let view = View::new(&data, &[count]).expect("a list");
            for level in available() {
                let found = Reduction::new(SkipNan(ReduceSum)).level(level).run(&view);
                assert_eq!(found.expect("a sum").data(), [expected], "{count}, {place}, {level:?}");
            }
        }
    }
}
