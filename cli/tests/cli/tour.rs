//! `reduce` without arguments.

use reduce_specs::ONNX;

use crate::support::printed;

const ELNINO: &str = include_str!("../../../tour/data/elnino.csv");

#[test]
fn every_operator_and_month_is_in_it() {
    let tour = printed("");
    for entry in ONNX.ops() {
        assert!(tour.contains(entry.schema().name), "{}", entry.schema().name);
    }
    assert!(tour.contains("Variance"));
    let header = ELNINO.lines().next().expect("a header");
    for month in header.split(',').skip(1) {
        let month = month.trim_matches('"');
        assert!(tour.lines().any(|line| line.trim_start().starts_with(month)), "{month}");
    }
    assert!(tour.lines().all(|line| line.chars().count() <= 100), "{tour}");
}

#[test]
fn its_numbers_are_those_of_the_data() {
    let tour = printed("");
    let header = ELNINO.lines().next().expect("a header");
    for (index, month) in header.split(',').enumerate().skip(1) {
        let column = |line: &str| -> f64 {
            line.split(',').nth(index).and_then(|x| x.parse().ok()).expect("a number")
        };
        let values: Vec<f64> = ELNINO.lines().skip(1).map(column).collect();
        let count = f64::from(u32::try_from(values.len()).expect("few"));
        let sum: f64 = values.iter().sum();
        let mean = sum / count;
        let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
        let product: f64 = values.iter().product();
        let month = month.trim_matches('"');
        let rows = tour.lines().filter(|line| line.trim_start().starts_with(month));
        let row = rows.collect::<Vec<_>>().join(" ");
        let largest = values.iter().copied().fold(f64::MIN, f64::max);
        let place = values.iter().position(|&x| x == largest).expect("one of them");
        for number in [
            format!("{largest:.4}"),
            format!(" {place} "),
            format!("{sum:.4}"),
            format!("{mean:.4}"),
            format!("{product:.4e}"),
            format!("{variance:.4}"),
        ] {
            assert!(row.contains(&number), "{number} in {row}");
        }
    }
}
