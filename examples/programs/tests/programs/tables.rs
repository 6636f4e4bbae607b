//! Programs about tables and images.

use super::{Temporary, numbers, printed, run};

const ELNINO: &str = include_str!("../../../../tour/data/elnino.csv");

fn is_near(found: &[f64], expected: &[f64]) {
    let near = |(found, expected): (&f64, &f64)| (found - expected).abs() <= 5.0001e-4;
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(near),
        "{found:?}, not {expected:?}"
    );
}

/// Years down, months across.
fn elnino() -> Vec<Vec<f64>> {
    let row = |line: &str| {
        line.split(',').skip(1).map(|field| field.parse().expect("a number")).collect()
    };
    ELNINO.lines().skip(1).map(row).collect()
}

/// A mean and a deviation in two passes.
fn moments(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    (mean, (squares / values.len() as f64).sqrt())
}

#[test]
fn a_log_by_plain_loops() {
    let found = printed("sensor-log", &[], ELNINO);
    for (month, name) in ["JAN", "FEB", "MAR", "APR"].iter().enumerate() {
        let values: Vec<f64> = elnino().iter().map(|year| year[month]).collect();
        let (mean, deviation) = moments(&values);
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        is_near(&numbers(&found, name), &[61.0, mean, deviation, least, greatest]);
    }
}

/// There are more rows than a piece has, and some are without a value. The drawing is checked, too.
#[test]
fn a_long_log_with_gaps() {
    let row = |index: usize| match index % 5 {
        0 => format!("{index},,1"),
        _ => format!("{index},{},{}", index % 5, 4 - index % 2),
    };
    let log: String = ["time,\"a\",b\n".to_owned()]
        .into_iter()
        .chain((0..5000).map(|index| row(index) + "\n"))
        .collect();
    let found = printed("sensor-log", &[], &log);
    is_near(&numbers(&found, "a "), &[4000.0, 2.5, 1.25f64.sqrt(), 1.0, 4.0]);
    let of_b = [1000.0, 2000.0, 2000.0].iter().zip([1.0, 3.0, 4.0]);
    let mean = of_b.clone().map(|(times, x)| times * x).sum::<f64>() / 5000.0;
    let variance = of_b.map(|(times, x)| times * (x - mean) * (x - mean)).sum::<f64>() / 5000.0;
    is_near(&numbers(&found, "b "), &[5000.0, mean, variance.sqrt(), 1.0, 4.0]);
    // Among 30 cells for 1 to 4, the mean is in the middle, with a deviation of 1.118 to either side.
    let drawn = found.lines().nth(1).and_then(|line| line.split("  ").last());
    assert_eq!(drawn, Some("────━━━━━━━━━━━●━━━━━━━━━━────"));
}

#[test]
fn a_column_without_values() {
    let found = printed("sensor-log", &[], "time,a,b\n1,,7\n2,,7\n");
    assert_eq!(found.lines().nth(1), Some("a                 0  no values"));
    is_near(&numbers(&found, "b "), &[2.0, 7.0, 0.0, 7.0, 7.0]);
}

#[test]
fn logs_are_merged() {
    let lines: Vec<&str> = ELNINO.lines().collect();
    let (first, second) = (lines[..20].join("\n"), [&lines[..1], &lines[20..]].concat().join("\n"));
    let first = Temporary::new("first.csv", first.as_bytes());
    let second = Temporary::new("second.csv", second.as_bytes());
    assert_eq!(
        printed("sensor-log", &[&first.0, &second.0], ""),
        printed("sensor-log", &[], ELNINO)
    );

    let other = Temporary::new("other.csv", b"time,a\n1,2\n");
    let (_, complaint, succeeded) = run("sensor-log", &[&other.0, &second.0], "");
    assert!(
        !succeeded
            && complaint
                .starts_with("Error: logs have the same columns; one has time,a, another \"YEAR\"")
    );
}

#[test]
fn errors_where_something_was_measured() {
    // Of the first column, the pairs (4, 1) and (4, 4) count, and the mean is 3; of the second, (14, 12), and 12.
    let table = Temporary::new("gaps.csv", b"YEAR,\"A\",B\n1,1,10\n2,4,-9999\n3,4,12\n4,,14\n");
    let found = printed("masked-error", &[&table.0], "");
    assert!(found.starts_with("3 of 6 pairs count"), "{found}");
    is_near(&numbers(&found, "A "), &[4.5f64.sqrt(), 1.0]);
    is_near(&numbers(&found, "B "), &[2.0, 2.0]);
    is_near(&numbers(&found, "all"), &[(13f64 / 3.0).sqrt(), 2f64.sqrt()]);
}

#[test]
fn errors_over_the_record() {
    let found = printed("masked-error", &[], "");
    let years = elnino();
    let is_measured = |year: usize, month: usize| !((30..32).contains(&year) && month >= 4);
    let (mut of_all, mut count) = ([0.0; 2], 0.0);
    for (month, name) in
        ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
            .iter()
            .enumerate()
    {
        let measured: Vec<f64> = (0..61)
            .filter(|&year| is_measured(year, month))
            .map(|year| years[year][month])
            .collect();
        let (mean, _) = moments(&measured);
        let counted = |&year: &usize| is_measured(year, month) && is_measured(year - 1, month);
        let pairs: Vec<(f64, f64)> = (1..61)
            .filter(counted)
            .map(|year| (years[year][month], years[year - 1][month]))
            .collect();
        let squares: [f64; 2] = [
            pairs.iter().map(|(now, before)| (now - before) * (now - before)).sum(),
            pairs.iter().map(|(now, _)| (now - mean) * (now - mean)).sum(),
        ];
        is_near(&numbers(&found, name), &squares.map(|sum| (sum / pairs.len() as f64).sqrt()));
        of_all = [of_all[0] + squares[0], of_all[1] + squares[1]];
        count += pairs.len() as f64;
    }
    assert!(found.starts_with(&format!("{count} of 720 pairs count")), "{found}");
    is_near(&numbers(&found, "all"), &of_all.map(|sum| (sum / count).sqrt()));
}

/// Six pixels: red 0 to 250, green always 255, blue 7 but once.
#[test]
fn an_image_of_known_pixels() {
    let pixels =
        [[0, 255, 7], [50, 255, 7], [100, 255, 7], [150, 255, 8], [200, 255, 7], [250, 255, 7]]
            .concat();
    let image = Temporary::new(
        "six.ppm",
        &[&b"P6\n# made by hand\n# twice\n3 2 255\n"[..], &pixels].concat(),
    );
    let found = printed("exposure", &[&image.0], "");
    assert_eq!(numbers(&found, "red "), [0.0, 100.0, 250.0, 16.7, 0.0]);
    assert_eq!(numbers(&found, "green "), [255.0, 255.0, 255.0, 0.0, 100.0]);
    assert_eq!(numbers(&found, "blue "), [7.0, 7.0, 8.0, 0.0, 0.0]);
    // Bins of eight values: 7 in the first, 8 in the second; a fifth of five is two steps of eight.
    assert!(found.lines().last().is_some_and(|line| line.contains("  █▂")), "{found}");
}
