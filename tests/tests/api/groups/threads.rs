//! Long updates, which threads share: their bits are those of one thread, and those of an update in blocks where nothing
//! is rounded.

use std::sync::Arc;

use reduce_core::{Progress, Reduction, Threads, View};
use reduce_specs::{ArgMax, ReduceLogSumExp, ReduceMax, ReduceSum};

/// Rows that are shared, and a few.
const ROWS: usize = (1 << 19) + 12_345;

/// Numbers of groups around those at which spans end, and at which each thread has some of them.
const GROUPS: [usize; 6] = [1, 10, 1024, 1025, 50_000, 400_000];

/// Keys without an order, and long runs of keys among them.
fn keys(groups: usize) -> Vec<u32> {
    let key = |row: usize| match row / 20_000 % 3 {
        // So that each group has a row.
        _ if groups > 100_000 => row * 7919 % groups,
        0 => row / 100 % groups,
        _ => row * 7919 % 104_729 % groups,
    };
    (0..ROWS).map(|row| u32::try_from(key(row)).expect("few")).collect()
}

#[test]
fn threads_change_no_bit() {
    let data: Vec<f32> = (0..ROWS).map(|row| (row * 7919 % 6007) as f32 * 0.1 - 200.0).collect();
    let list = View::new(&data, &[ROWS]).expect("a list");
    let mask: Vec<bool> = (0..ROWS).map(|row| row < 400_000 || row % 7 != 3).collect();
    for groups in GROUPS {
        let keys = keys(groups);
        let run = |threads: Threads, is_masked: bool| {
            let of = Reduction::new((ReduceSum, ReduceLogSumExp)).threads(threads.clone());
            let at = Reduction::new(ArgMax::default()).threads(threads);
            let (of, at) = (of.by_key(&keys, groups), at.by_key(&keys, groups));
            let (floats, places) = match is_masked {
                true => (of.run_where(&list, &mask), at.run_where(&list, &mask)),
                false => (of.run(&list), at.run(&list)),
            };
            let (sum, log) = floats.expect("a value over no rows");
            let bits = |x: &f32| x.to_bits();
            let floats = [sum.data(), log.data()].map(|x| x.iter().map(bits).collect::<Vec<_>>());
            (floats, places.expect("rows in each group").into_data())
        };
        for is_masked in [false, true] {
            let alone = run(Threads::One, is_masked);
            for threads in [2, 3, 8] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = Threads::Pool(Arc::new(pool.expect("threads")));
                assert!(run(pool, is_masked) == alone, "{groups} groups, {threads} threads");
            }
        }
    }
}

#[test]
fn progress_counts_every_row() {
    let data = vec![1.0f32; ROWS];
    let list = View::new(&data, &[ROWS]).expect("a list");
    // In blocks, in spans, as lists, and shared among threads.
    for (rows, groups) in [(100_000, 2), (ROWS, 2), (ROWS, 1), (ROWS, 2_000_000)] {
        let keys: Vec<usize> = (0..rows).map(|row| row % groups).collect();
        let view = View::new(&data[..rows], &[rows]).expect("a list");
        let progress = Progress::default();
        let sum = Reduction::new(ReduceSum).progress(&progress);
        sum.clone().by_key(&keys, groups).run(&view).expect("sums");
        assert_eq!(progress.elements(), rows as u64, "{groups} groups");
    }
    let progress = Progress::default();
    let names = vec!["one"; ROWS];
    Reduction::new(ReduceSum).progress(&progress).group_by(&names).run(&list).expect("sums");
    assert_eq!(progress.elements(), ROWS as u64);
}

#[test]
fn long_updates_are_right() {
    let value = |row: usize| i64::try_from(row * 7919 % 600_007).expect("small") - 300_000;
    let data: Vec<i64> = (0..ROWS).map(value).collect();
    let list = View::new(&data, &[ROWS]).expect("a list");
    let mask: Vec<bool> = (0..ROWS).map(|row| row < 400_000 || row % 7 != 3).collect();
    for groups in GROUPS {
        let keys = keys(groups);
        for mask in [None, Some(&mask)] {
            let counts = |row: usize| mask.is_none_or(|mask| mask[row]);
            let (mut sums, mut most) = (vec![0i64; groups], vec![None; groups]);
            for row in (0..ROWS).filter(|&row| counts(row)) {
                let group = keys[row] as usize;
                sums[group] += data[row];
                // The first of equal ones.
                let is_more = most[group].is_none_or(|most: usize| data[most] < data[row]);
                most[group] = if is_more { Some(row) } else { most[group] };
            }
            let ops = (ReduceSum, ReduceMax, ArgMax::default());
            let reduction = Reduction::new(ops).by_key(&keys, groups);
            let (sum, max, place) = match mask {
                Some(mask) => reduction.run_where(&list, mask),
                None => reduction.run(&list),
            }
            .expect("rows in each group");
            assert_eq!(sum.data(), sums, "{groups} groups");
            for (group, most) in most.into_iter().enumerate() {
                let row = most.expect("a row");
                let found = (usize::try_from(place.data()[group]), max.data()[group]);
                assert_eq!(found, (Ok(row), data[row]), "group {group} of {groups}");
            }
        }
    }
}
