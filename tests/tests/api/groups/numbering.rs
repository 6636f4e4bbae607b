//! Numbers of keys, against a list that is searched from its beginning.

use std::fmt::Debug;
use std::sync::Arc;

use reduce_core::keys::{GroupKey, KeyColumn};
use reduce_core::{Groups, Numbering, Reduction, Threads, View, bf16, f16};
use reduce_specs::{ReduceLogSumExp, ReduceMean, ReduceSum};

/// The number of each key by the order in which keys first appear, where two are equal if a function says so; and the first
/// row of each.
fn expected<V>(keys: &[V], is_same: impl Fn(&V, &V) -> bool) -> (Vec<u32>, Vec<usize>) {
    let mut firsts: Vec<usize> = Vec::new();
    let number = |row: usize| {
        let known = firsts.iter().position(|&first| is_same(&keys[first], &keys[row]));
        let number = known.unwrap_or(firsts.len());
        if known.is_none() {
            firsts.push(row);
        }
        u32::try_from(number).expect("few")
    };
    ((0..keys.len()).map(number).collect(), firsts)
}

/// That a column has these numbers, whole and in pieces.
fn check<V, K>(keys: &[V], is_same: impl Fn(&V, &V) -> bool, key: impl Fn(&V) -> K)
where
    [V]: KeyColumn<Key = K>,
    K: GroupKey + Debug + PartialEq,
{
    let (numbers, firsts) = expected(keys, is_same);
    for piece in [keys.len(), 1, 7] {
        let mut numbering = Numbering::new();
        let pieces = keys.chunks(piece).map(|keys| numbering.number(keys).expect("few"));
        let found: Vec<u32> = pieces.flatten().collect();
        assert_eq!(found, numbers);
        assert_eq!(numbering.len(), firsts.len());
        let kept: Vec<K> = firsts.iter().map(|&first| key(&keys[first])).collect();
        assert_eq!(numbering.keys().collect::<Vec<_>>(), kept);
        assert_eq!(numbering.key(kept.len() - 1), kept[kept.len() - 1]);
    }
}

#[test]
fn integers_of_any_size() {
    macro_rules! types {
        ($($int:ident)*) => {$({
            let few = [$int::MIN, $int::MAX, 0, 1, $int::MAX - 1, $int::MIN + 1, 7, $int::MAX / 2];
            let keys: Vec<$int> = (0..3000).map(|row| few[row * row % 13 % 8]).collect();
            check(&keys, |a, b| a == b, |x| *x);
            let many: Vec<$int> = (0..3000u64).map(|row| row.wrapping_mul(0x9E37_79B9_7F4A_7C15) as $int).collect();
            check(&many, |a, b| a == b, |x| *x);
        })*};
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "any bits will do"
    )]
    {
        types!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
    }
    let wide = [0, u128::MAX, 1 << 64, 1 << 127, 1, (1 << 64) | 1];
    let keys: Vec<u128> = (0..600).map(|row| wide[row * row % 11 % 6]).collect();
    check(&keys, |a, b| a == b, |x| *x);
    check(&[i128::MIN, i128::MAX, 0, -1, i128::MIN], |a, b| a == b, |x| *x);
    check(&[true, false, false, true], |a, b| a == b, |x| *x);
    check(&['a', '\u{10FFFF}', 'a', '\0'], |a, b| a == b, |x| *x);
}

#[test]
fn floats_are_one_key_if_equal_or_both_nan() {
    macro_rules! types {
        ($($float:ident $bits:ident)*) => {$({
            let zero = $float::from_bits(0);
            let nan = $float::NAN;
            let others = [nan, -nan, $float::from_bits(nan.to_bits() | 1), $float::from_bits(!0)];
            let numbers = [zero, -zero, $float::INFINITY, -$float::INFINITY, $float::from_bits(1)];
            let keys: Vec<$float> = (0..900).map(|row| match row * row % 11 {
                place @ 0..4 => others[place],
                place @ 4..9 => numbers[place - 4],
                _ => $float::from_bits((row * 37 % 1000) as $bits),
            }).collect();
            let is_same = |a: &$float, b: &$float| a == b || a.is_nan() && b.is_nan();
            let numbers = expected(&keys, is_same);
            let mut numbering = Numbering::new();
            assert_eq!(numbering.number(&keys).expect("few"), numbers.0);
            // What is kept has one NaN, and zero without a sign.
            for (key, first) in numbering.keys().zip(numbers.1) {
                let kept = if keys[first].is_nan() { nan } else { keys[first] + zero };
                assert_eq!(key.to_bits(), kept.to_bits());
            }
        })*};
    }
    #[allow(clippy::cast_possible_truncation, reason = "small")]
    {
        types!(f16 u16 bf16 u16 f32 u32 f64 u64);
    }
}

/// Strings of 0 to 40 bytes. Many have the first eight in common, and some the length as well; some end in zero bytes.
fn names() -> Vec<String> {
    let name = |row: usize| {
        let (length, kind) = (row * 31 % 41, row % 5);
        let text = ["aaaaaaaab", "\0\0", "zz", "prefixed", "ä"][kind];
        let name: String = text.chars().cycle().take(length).collect();
        name + if row.is_multiple_of(3) { "" } else { "\0" }
    };
    (0..2000).map(name).collect()
}

#[test]
fn strings_of_any_length() {
    let names = names();
    check(&names, |a, b| a == b, Clone::clone);
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    check(&borrowed, |a, b| a == b, |x| (*x).to_owned());
    let few = ["", "\0", "\0\0", "12345678", "12345678\0", "123456789", "12345678", "\0"];
    check(&few, |a, b| a == b, |x| (*x).to_owned());
}

#[test]
fn what_is_not_there_is_a_key() {
    check(&[Some(0u64), None, Some(u64::MAX), None, Some(0)], |a, b| a == b, |x| *x);
    let nested = [None, Some(None), Some(Some(0)), None, Some(Some(1)), Some(None)];
    check::<Option<Option<u8>>, _>(&nested, |a, b| a == b, |x| *x);
    let names = [Some(""), None, Some("\0"), None, Some("a long name of a key"), Some("")];
    check(&names, |a, b| a == b, |x| x.map(str::to_owned));
}

#[test]
fn several_columns() {
    let names = names();
    let years: Vec<i32> = (0..2000).map(|row| row * 7 % 5 - 2).collect();
    let halves: Vec<Option<bool>> =
        (0..2000).map(|row| [None, Some(true), Some(false)][row % 3]).collect();
    let sizes: Vec<f32> = (0..2000u16).map(|row| f32::from(row % 2) * -0.0).collect();
    let rows: Vec<usize> = (0..2000).collect();
    let is_same = |a: usize, b: usize| names[a] == names[b] && years[a] == years[b];
    let (two, firsts) = expected(&rows, |&a, &b| is_same(a, b));
    let mut numbering = Numbering::new();
    assert_eq!(numbering.number(&(&names, &years)).expect("few"), two);
    let kept: Vec<_> = firsts.iter().map(|&row| (names[row].clone(), years[row])).collect();
    assert_eq!(numbering.keys().collect::<Vec<(String, i32)>>(), kept);

    let (three, _) = expected(&rows, |&a, &b| is_same(a, b) && halves[a] == halves[b]);
    let mut numbering = Numbering::new();
    assert_eq!(numbering.number(&(&names, &years, &halves)).expect("few"), three);
    let last = numbering.len() - 1;
    let row = three.iter().position(|&number| number as usize == last).expect("a row");
    assert_eq!(numbering.key(last), (names[row].clone(), years[row], halves[row]));
    // Sizes are all equal, and change nothing; nor do columns in columns.
    assert_eq!(Numbering::new().number(&(&names, &years, &halves, &sizes)).expect("few"), three);
    assert_eq!(
        Numbering::new().number(&((&names, &years), (&halves, &sizes))).expect("few"),
        three
    );
    assert_eq!(Numbering::new().number(&((&sizes, &names), &years)).expect("few"), two);
}

#[test]
fn columns_of_other_lengths_are_refused() {
    let mut numbering = Numbering::new();
    let error = numbering.number(&(&[1, 2, 3], &["a", "b"])).expect_err("one is missing");
    assert_eq!(error.to_string(), "a column of keys has 2 elements; the shape has 3");
    assert!(numbering.is_empty());
    let values = View::new(&[1.0f32, 2.0], &[2]).expect("a list");
    let error = Reduction::new(ReduceSum).group_by(&[1, 2, 3]).run(&values).expect_err("one more");
    assert_eq!(error.to_string(), "the column of keys has 3 elements; the shape has 2");
    let error = Reduction::new(ReduceSum).axes([0]).group_by(&[1, 2]).run(&values);
    assert_eq!(error.expect_err("no axes").code(), "axes-of-list");
}

#[test]
fn no_rows_have_no_groups() {
    let values = View::new(&[0.0f32; 0], &[0]).expect("a list");
    let (keys, means) = Reduction::new(ReduceMean).group_by(&[""; 0]).run(&values).expect("none");
    assert!(keys.is_empty() && means.data().is_empty());
}

/// Pools of so many threads, and the calling one alone.
fn threads() -> Vec<Threads> {
    let pool = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Threads::Pool(Arc::new(pool.expect("threads")))
    };
    vec![Threads::One, pool(2), pool(3), pool(7)]
}

#[test]
fn threads_change_no_number() {
    let rows = 300_000usize;
    let column: Vec<u64> = (0..rows as u64).map(|row| (row * row % 100_003) << 30).collect();
    let names: Vec<String> = column.iter().map(|key| format!("{:x}", key >> 32)).collect();
    let alone = Numbering::new().threads(Threads::One).number(&column).expect("few");
    let together = Numbering::new().threads(Threads::One).number(&(&column, &names)).expect("few");
    for threads in threads() {
        let mut numbering = Numbering::new().threads(threads.clone());
        let (first, others) = column.split_at(160_000);
        let mut found = numbering.number(first).expect("few");
        found.extend(numbering.number(others).expect("few"));
        assert!(found == alone, "{threads:?}");
        let of_first = alone.iter().position(|&number| number == 77).expect("a row");
        assert_eq!(numbering.key(77), column[of_first]);
        let mut numbering = Numbering::new().threads(threads.clone());
        assert!(numbering.number(&(&column, &names)).expect("few") == together, "{threads:?}");
        // A copy goes on as the first would.
        let mut copy = numbering.clone();
        assert!(copy.number(&(&column, &names)).expect("few") == together, "{threads:?}");
    }
}

#[test]
fn groups_of_any_keys_are_those_of_their_numbers() {
    let rows = 700_000;
    let data: Vec<f32> = (0..rows).map(|row| (row * 7919 % 601) as f32 * 0.1).collect();
    let list = View::new(&data, &[rows]).expect("a list");
    let names: Vec<String> =
        (0..rows).map(|row| format!("key number {}", row * row % 1009 % 50)).collect();
    let ops = (ReduceSum, ReduceLogSumExp);
    let mut numbering = Numbering::new();
    let numbers = numbering.number(&names).expect("few");
    let mut groups = Groups::new(ops, numbering.len()).expect("few");
    groups.update(&list, &numbers).expect("keys");
    let expected = groups.finish().expect("rows in each group");
    for threads in threads() {
        let (keys, found) =
            Reduction::new(ops).threads(threads).group_by(&names).run(&list).expect("rows");
        assert_eq!(keys, numbering.keys().collect::<Vec<_>>());
        assert_eq!(found.0.data(), expected.0.data());
        assert_eq!(found.1.data(), expected.1.data());
    }
}
