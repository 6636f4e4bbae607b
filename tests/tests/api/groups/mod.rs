//! Reductions by key: against the rows of each key, reduced by plain loops or as a list of their own.

mod any;
mod columns;
mod numbering;
mod refusals;
mod rules;
mod segments;
mod threads;

use std::fmt::Debug;

use reduce_core::bounds::Streams;
use reduce_core::numbers::Compensated;
use reduce_core::{Element, Groups, Level, ReduceOp, Reduction, Tensor, View, reduce_op};
use reduce_specs::{
    ArgMax, ArgMin, ReduceL1, ReduceL2, ReduceLogSumExp, ReduceMax, ReduceMean, ReduceMin,
    ReduceProd, ReduceSum, ReduceSumSquare,
};
use reduce_tests::cases::{available, same_bits};

use crate::numbers;

/// Says how the keys of the groups lie over the rows.
#[derive(Clone, Copy, Debug)]
enum Keys {
    Sorted,
    Mixed,
    /// All but a few rows in group 0.
    Skewed,
}

impl Keys {
    const ALL: [Keys; 3] = [Keys::Sorted, Keys::Mixed, Keys::Skewed];

    fn of(self, rows: usize, groups: usize) -> Vec<usize> {
        let mixed = |row: usize| row * 7919 % 104_729 % groups;
        let key = |row: usize| match self {
            Keys::Sorted => row * groups / rows,
            Keys::Mixed => mixed(row),
            Keys::Skewed => {
                if row.is_multiple_of(100) {
                    mixed(row)
                } else {
                    0
                }
            }
        };
        (0..rows).map(key).collect()
    }
}

/// Numbers of rows around those at which another way of folding begins, and numbers of groups.
const SIZES: [(usize, usize); 12] = [
    (0, 3),
    (1, 1),
    (40, 1),
    (63, 2),
    (64, 2),
    (1000, 7),
    (8191, 10),
    (8192, 256),
    (8193, 257),
    (9000, 5000),
    (20_000, 1),
    (20_000, 40),
];

/// Which rows count.
fn masks(rows: usize) -> [Option<Vec<bool>>; 3] {
    let mask = |counts: fn(usize) -> bool| Some((0..rows).map(counts).collect());
    [None, mask(|row| row % 3 != 1), mask(|row| row > 8000)]
}

/// The rows of each group that count.
fn rows_of(keys: &[usize], groups: usize, mask: Option<&[bool]>) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); groups];
    for (row, &key) in keys.iter().enumerate() {
        if mask.is_none_or(|mask| mask[row]) {
            rows[key].push(row);
        }
    }
    rows
}

/// Calls a function with each case: keys, the number of groups, which rows count.
fn for_each_case(mut then: impl FnMut(&[usize], usize, Option<&[bool]>)) {
    for (rows, groups) in SIZES {
        for kind in Keys::ALL {
            let keys = kind.of(rows, groups);
            for mask in masks(rows) {
                then(&keys, groups, mask.as_deref());
            }
        }
    }
}

/// What groups give after one update, or after one for each of some pieces.
fn by_key<Op, T>(
    op: Op,
    data: &[T],
    keys: &[usize],
    groups: usize,
    mask: Option<&[bool]>,
    piece: usize,
) -> Groups<Op, T>
where
    T: Element,
    Op: Streams<T>,
{
    let mut all = Groups::new(op, groups).expect("few");
    for first in (0..data.len()).step_by(piece) {
        let part = first..data.len().min(first + piece);
        let view = View::new(&data[part.clone()], &[part.len()]).expect("a list");
        let keys = &keys[part.clone()];
        match mask {
            Some(mask) => all.update_masked(&view, keys, &mask[part]),
            None => all.update(&view, keys),
        }
        .expect("keys of groups");
    }
    all
}

#[test]
fn groups_give_what_their_rows_give_as_lists() {
    fn compare<Op, O>(op: &Op)
    where
        Op: Streams<i32, Result = O> + Clone + Debug,
        O: Element,
    {
        for_each_case(|keys, groups, mask| {
            let data = numbers(keys.len());
            for piece in [usize::MAX, 700] {
                let all =
                    by_key(op.clone(), &data, keys, groups, mask, piece.min(data.len().max(1)));
                let rows = rows_of(keys, groups, mask);
                assert!(all.seen().eq(rows.iter().map(|rows| !rows.is_empty())));
                let Ok(found) = all.finish() else {
                    assert!(rows.iter().any(Vec::is_empty), "{op:?}");
                    continue;
                };
                for (group, rows) in rows.iter().enumerate() {
                    let list: Vec<i32> = rows.iter().map(|&row| data[row]).collect();
                    let list = View::new(&list, &[list.len()]).expect("a list");
                    let expected =
                        Reduction::new(op.clone()).run(&list).expect("not empty, or with a value");
                    let found = Tensor::from_list(vec![found.data()[group]]);
                    let expected = Tensor::from_list(expected.into_data());
                    same_bits(&expected.into(), &found.into()).unwrap_or_else(|error| {
                        panic!("{op:?}, {} rows, group {group} of {groups}: {error}", keys.len())
                    });
                }
            }
        });
    }
    compare(&ReduceSum);
    compare(&ReduceMax);
    compare(&ReduceMin);
    compare(&ReduceProd);
    compare(&ReduceL1);
    compare(&ReduceSumSquare);
    compare(&ReduceMean);
}

#[test]
fn positions_are_those_of_rows() {
    for_each_case(|keys, groups, mask| {
        let data = numbers(keys.len());
        let rows = rows_of(keys, groups, mask);
        if rows.iter().any(Vec::is_empty) {
            return;
        }
        for piece in [data.len(), 700] {
            let ops = (ArgMax::default(), ArgMin { select_last_index: true }, ReduceMax);
            let all = by_key(ops, &data, keys, groups, mask, piece);
            let (first, last, max) = all.finish().expect("rows in each group");
            for (group, rows) in rows.iter().enumerate() {
                let most = rows.iter().map(|&row| data[row]).max().expect("rows");
                let least = rows.iter().map(|&row| data[row]).min().expect("rows");
                let of_most = rows.iter().find(|&&row| data[row] == most).expect("it is there");
                let of_least = rows.iter().rfind(|&&row| data[row] == least).expect("it is there");
                let place = |row: usize| i64::try_from(row).expect("few");
                let found = (first.data()[group], last.data()[group], max.data()[group]);
                let expected = (place(*of_most), place(*of_least), most);
                assert_eq!(found, expected, "{} rows, group {group} of {groups}", keys.len());
            }
        }
    });
}

#[test]
fn floats_are_as_near_as_promised() {
    for_each_case(|keys, groups, mask| {
        let data: Vec<f32> = numbers(keys.len()).iter().map(|&x| x as f32 * 0.1).collect();
        let rows = rows_of(keys, groups, mask);
        let ops = (ReduceSum, ReduceL2, ReduceLogSumExp);
        let all = by_key(ops, &data, keys, groups, mask, data.len().max(1));
        let (sum, norm, log) = all.finish().expect("they have a value over no elements");
        for (group, rows) in rows.iter().enumerate() {
            let list: Vec<f64> = rows.iter().map(|&row| f64::from(data[row])).collect();
            let near = |found: f32, expected: f64, scale: f64| {
                let bound = 1e-6 * scale * (1.0 + list.len() as f64 / 64.0);
                let found = f64::from(found);
                assert!(
                    (found - expected).abs() <= bound || found == expected,
                    "{found}, not {expected}"
                );
            };
            let magnitudes: f64 = list.iter().map(|x| x.abs()).sum();
            near(sum.data()[group], list.iter().sum(), magnitudes);
            let expected = list.iter().map(|x| x * x).sum::<f64>().sqrt();
            near(norm.data()[group], expected, expected);
            let expected = list.iter().map(|x| x.exp()).sum::<f64>().ln();
            near(log.data()[group], expected, 1.0 + expected.abs());
        }
    });
}

/// A sum whose order can be seen in its bits, and which is not commutative.
#[derive(Clone, Copy, Debug, Default)]
struct InOrder;

#[reduce_op(dtypes = [i32], commutative = false)]
impl<A: reduce_core::Num> ReduceOp<A> for InOrder {
    // The hash, and 31 to the power of the count.
    type Acc = (A, A);
    type Output = A;
    fn identity(&self) -> (A, A) {
        (A::ZERO, A::ONE)
    }
    fn map(&self, x: A) -> (A, A) {
        let four = A::ONE + A::ONE + A::ONE + A::ONE;
        (x, four + four + A::ONE)
    }
    fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
        (a.0 * b.1 + b.0, a.1 * b.1)
    }
    fn finalize(&self, acc: (A, A), _count: usize) -> A {
        acc.0
    }
}

#[test]
fn rows_of_a_key_keep_their_order() {
    for_each_case(|keys, groups, mask| {
        let data = numbers(keys.len());
        let all = by_key(InOrder, &data, keys, groups, mask, data.len().max(1));
        let found = all.finish().expect("with a value over no elements");
        for (group, rows) in rows_of(keys, groups, mask).iter().enumerate() {
            let hash = |hash: i32, &row: &usize| hash.wrapping_mul(9).wrapping_add(data[row]);
            assert_eq!(found.data()[group], rows.iter().fold(0, hash));
        }
    });
}

#[test]
fn every_level_gives_the_same_bits() {
    for_each_case(|keys, groups, mask| {
        let data: Vec<f32> = numbers(keys.len()).iter().map(|&x| x as f32 * 0.1).collect();
        let view = View::new(&data, &[data.len()]).expect("a list");
        let all = vec![true; keys.len()];
        let of = |level| {
            let reduction = Reduction::new((ReduceLogSumExp, ReduceSum)).level(level);
            let by_key = reduction.by_key(keys, groups);
            by_key.run_where(&view, mask.unwrap_or(&all)).expect("with a value over no elements")
        };
        let (log, sum) = of(Level::Scalar);
        for level in available() {
            let (other, of_other) = of(level);
            same_bits(&log.clone().into(), &other.into()).expect("the same bits");
            same_bits(&sum.clone().into(), &of_other.into()).expect("the same bits");
        }
    });
}

#[test]
fn views_of_any_layout_and_keys_of_any_integer() {
    let data: Vec<i64> = (0..24).collect();
    let view = View::new(&data, &[4, 6]).expect("fits").permute(&[1, 0]).expect("two axes");
    let view = view.slice(0, 0, 6, -2).expect("within"); // 3 rows of 4, from the last column on
    let keys = [0i8, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3];
    let sums = Reduction::new(ReduceSum).by_key(&keys, 4).run(&view).expect("right keys");
    assert_eq!(sums.data(), [5 + 3 + 1, 11 + 9 + 7, 17 + 15 + 13, 23 + 21 + 19]);
    let wide: Vec<u64> = keys.iter().map(|&key| key.cast_unsigned().into()).collect();
    assert_eq!(Reduction::new(ReduceSum).by_key(&wide, 4).run(&view).expect("right keys"), sums);
    // There are two inputs, and the second is broadcast.
    let weights = View::new(&[1i32, 0], &[2]).expect("fits");
    let rows = View::new(&[1i32, 2, 3, 4], &[2, 2]).expect("fits");
    let by_key = Reduction::new(Weighted).by_key(&[1u16, 0, 0, 1], 2);
    assert_eq!(by_key.run(&(rows, weights)).expect("right keys").data(), [3, 1]);
}

/// A weighted sum.
#[derive(Clone, Copy, Debug, Default)]
struct Weighted;

#[reduce_op(dtypes = [i32])]
impl<A: reduce_core::Num> ReduceOp<(A, A)> for Weighted {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A {
        A::ZERO
    }
    fn map(&self, (x, weight): (A, A)) -> A {
        x * weight
    }
    fn combine(&self, a: A, b: A) -> A {
        a + b
    }
    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

#[test]
fn in_another_type() {
    let data = [1e8f32, 1.0, 5.0, -1e8, 1.0, 5.0];
    let view = View::new(&data, &[6]).expect("a list");
    let sums = Reduction::new(ReduceSum).computing_in::<Compensated<f32>>();
    let sums = sums.by_key(&[0, 0, 1, 0, 0, 1], 2).run(&view).expect("right keys");
    assert_eq!(sums.data(), [2.0, 10.0]);
}

#[test]
fn merged_behind_what_there_is() {
    let data = numbers(5000);
    let keys = Keys::Mixed.of(5000, 30);
    let whole = by_key(ReduceSum, &data, &keys, 30, None, 5000);
    let mut first = by_key(ReduceSum, &data[..2000], &keys[..2000], 30, None, 700);
    // The other groups are numbered from the last on.
    let turned: Vec<usize> = keys[2000..].iter().map(|key| 29 - key).collect();
    let second = by_key(ReduceSum, &data[2000..], &turned, 30, None, 3000);
    first.merge(&second, &(0..30).rev().collect::<Vec<u8>>()).expect("groups");
    assert_eq!(whole.finish().expect("sums"), first.finish().expect("sums"));
    assert!(whole.seen().eq(first.seen()));
    let taken = first.take_first(10).expect("fits");
    assert_eq!((taken.len(), first.len()), (10, 20));
    let (all, taken, left) = (whole.finish(), taken.finish(), first.finish());
    let both = [taken.expect("sums").into_data(), left.expect("sums").into_data()].concat();
    assert_eq!(all.expect("sums").data(), both);
}

/// A sum of integers, which can be taken out again.
#[derive(Clone, Copy, Debug, Default)]
struct Balance;

#[reduce_op(dtypes = [i32])]
impl<A: reduce_core::Num> ReduceOp<A> for Balance {
    type Acc = A;
    type Output = A;
    fn identity(&self) -> A {
        A::ZERO
    }
    fn map(&self, x: A) -> A {
        x
    }
    fn combine(&self, a: A, b: A) -> A {
        a + b
    }
    fn remove(&self, sum: A, x: A) -> A {
        sum - x
    }
    fn finalize(&self, sum: A, _count: usize) -> A {
        sum
    }
}

#[test]
fn rows_are_taken_out_again() {
    let data = numbers(1000);
    let view = |part: std::ops::Range<usize>| {
        View::new(&data[part.clone()], &[part.len()]).expect("a list")
    };
    let mut groups = Groups::new((Balance, Balance), 2).expect("few");
    groups.update_one(&view(0..1000), 1).expect("a group");
    groups.remove(&view(0..400), 1).expect("an inverse");
    let expected: i32 = data[400..].iter().sum();
    let (sum, same) = groups.finish().expect("sums");
    assert_eq!((sum.data(), same.data()), (&[0, expected][..], &[0, expected][..]));
    assert!(groups.removes() && groups.seen().eq([false, true]));
    let error = groups.remove(&view(0..601), 1).expect_err("there are fewer");
    assert_eq!(
        error.to_string(),
        "601 elements cannot be taken out of group 1, which has 600; take out those that were taken in"
    );
    assert_eq!(groups.remove(&view(0..1), 0).expect_err("there is none").code(), "too-few");
    let mut sums = Groups::<_, i32>::new((Balance, ReduceSum), 1).expect("few");
    assert_eq!(sums.remove(&view(0..0), 0).expect_err("no inverse").code(), "no-inverse");
}
