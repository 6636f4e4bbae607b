//! A scan of pieces against the scan of all at once.

use reduce_core::along::ScanStream;
use reduce_core::{Error, Masked, OnePass, Reduction, View};
use reduce_specs::{ArgMax, ReduceLogSumExp, ReduceMean, ReduceSum};
use reduce_tests::cases::{Random, available};

#[allow(clippy::cast_possible_truncation, reason = "rounded to the type")]
fn elements(count: usize) -> Vec<f32> {
    let mut random = Random::new(count as u64);
    (0..count).map(|_| random.between(-3.0, 3.0) as f32).collect()
}

/// Scans rows of a matrix, a few at a time, down its columns.
fn check<Op: OnePass<f32, Result = O> + Clone, O: reduce_core::Element>(op: Op, exclusive: bool) {
    for (rows, columns) in [(9000, 1), (5000, 3), (300, 40), (4500, 100)] {
        let data = elements(rows * columns);
        let whole = View::new(&data, &[rows, columns]).expect("all rows");
        for level in available() {
            let scan = Reduction::new(op.clone()).axes([0]).level(level).scanning();
            let scan = scan.exclusive(exclusive);
            let expected = scan.run(&whole).expect("a scan");
            let mut stream = ScanStream::over(scan);
            let (mut from, mut found) = (0, Vec::new());
            for size in [0, 1, 62, 1, 1, 63, 64, 700, 4000, 5, 100_000] {
                let to = rows.min(from + size);
                let piece = &data[from * columns..to * columns];
                let piece = View::new(piece, &[to - from, columns]).expect("some rows");
                found.extend_from_slice(stream.update(&piece).expect("a piece").data());
                from = to;
            }
            assert_eq!(stream.count(), rows);
            let same = |(a, b): (&O, &O)| a.to_f64().to_bits() == b.to_f64().to_bits();
            let place = found.iter().zip(expected.data()).position(|pair| !same(pair));
            assert_eq!((found.len(), place), (data.len(), None), "{rows} {columns} {level}");
        }
    }
}

#[test]
fn pieces_have_the_bits_of_all_at_once() {
    for exclusive in [false, true] {
        check(ReduceSum, exclusive);
        check(ReduceMean, exclusive);
        check(ReduceLogSumExp, exclusive);
    }
    check(ArgMax::default(), false);
}

#[test]
fn axes_may_be_several() -> Result<(), Error> {
    let data = elements(4 * 10 * 7 * 30);
    let view = View::new(&data, &[4, 10, 7, 30])?;
    let scan = Reduction::new(ReduceSum).axes([1, 3]).scanning();
    let expected = scan.run(&view)?;
    let mut stream = ScanStream::over(scan);
    for (from, to) in [(0, 3), (3, 4), (4, 10)] {
        let found = stream.update(&view.slice(1, from, to, 1)?)?;
        let expected = expected.view().slice(1, from, to, 1)?;
        let expected = Reduction::new(ReduceSum).axes([] as [i64; 0]).run(&expected)?;
        assert_eq!(found.data(), expected.data());
    }
    Ok(())
}

#[test]
fn errors_leave_a_stream_as_it_was() -> Result<(), Error> {
    let rows = View::new(&[1.0f32, 2.0], &[1, 2])?;
    let mut stream = ScanStream::over(Reduction::new(ReduceSum).axes([0]).scanning());
    stream.update(&rows)?;
    let other = stream.update(&View::new(&[1.0f32], &[1, 1])?).expect_err("another width");
    assert_eq!(other.code(), "other-piece");
    assert_eq!(stream.update(&rows)?.data(), [2.0, 4.0]);
    let reversed = Reduction::new(ReduceSum).scanning().reversed(true);
    let error = ScanStream::over(reversed).update(&rows).expect_err("reversed");
    assert_eq!(error.code(), "reversed-stream");

    let masked = Reduction::new(Masked(ArgMax::default())).axes([0]).scanning();
    let mut masked = ScanStream::over(masked);
    let mask = |counts: &'static [bool; 2]| View::new(counts, &[1, 2]).expect("a row");
    let error = masked.update(&(rows.clone(), mask(&[true, false]))).expect_err("one has none");
    assert_eq!((error.code(), masked.count()), ("none-counts", 0));
    assert_eq!(masked.update(&(rows.clone(), mask(&[true, true])))?.data(), [0, 0]);
    assert_eq!(masked.update(&(rows, mask(&[false, false])))?.data(), [0, 0]);
    Ok(())
}
