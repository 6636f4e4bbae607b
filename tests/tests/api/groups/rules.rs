//! The rules by which the rows of a group are combined: those in the documentation of `Groups`, followed here by hand, to the bit.

use reduce_core::{Groups, Reduction, View};
use reduce_specs::ReduceSum;

/// The sum of a list as a reduction gives it.
fn list(data: &[f32]) -> f32 {
    let view = View::new(data, &[data.len()]).expect("a list");
    Reduction::new(ReduceSum).run(&view).expect("a sum").data()[0]
}

/// The sum of rows that are pushed one after another.
fn pushed(data: impl Iterator<Item = f32>) -> f32 {
    data.fold(0.0, |sum, x| sum + x)
}

/// Runs of 32 rows on average are lists, and all other rows are pushed. Each group has fewer rows than one set takes.
#[test]
fn runs_of_32_rows_on_average_are_lists() {
    let mut told_apart = 0;
    for (rows, run, are_lists) in [
        (31, 31, false),
        (32, 32, true),
        (40, 40, true),
        (63, 63, true),
        (63, 32, false),
        (64, 32, true),
        (64, 33, true),
        (64, 2, false),
        (96, 48, true),
        (96, 4, false),
    ] {
        let data: Vec<f32> = (0..rows).map(|row| (row * 7919 % 1009) as f32 * 0.1 + 1e-3).collect();
        let keys: Vec<usize> = (0..rows).map(|row| row / run % 2).collect();
        let mut groups = Groups::new(ReduceSum, 2).expect("fits");
        groups.update(&View::new(&data, &[rows]).expect("a list"), &keys).expect("rows");
        let found = groups.finish().expect("sums");
        for key in 0..2 {
            let of_key = || data.iter().zip(&keys).filter(|row| *row.1 == key).map(|row| *row.0);
            let (as_list, one_by_one) = (list(&of_key().collect::<Vec<_>>()), pushed(of_key()));
            let expected = if are_lists { as_list } else { one_by_one };
            let found = found.data()[key];
            assert_eq!(found.to_bits(), expected.to_bits(), "{rows} rows in runs of {run}");
            told_apart += usize::from(as_list.to_bits() != one_by_one.to_bits());
        }
    }
    assert!(told_apart >= 8, "orders have other bits in {told_apart} cases");
}
