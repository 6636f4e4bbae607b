//! What groups refuse, and that they are then as they were.

use reduce_core::{ErrorKind, Groups, Reduction, View};
use reduce_specs::{ArgMax, ReduceMax, ReduceMean, ReduceSum};

#[test]
fn wrong_keys_change_nothing() {
    let mut groups = Groups::<_, i32>::new(ReduceSum, 2).expect("few");
    let values = View::new(&[1i32, 2, 3], &[3]).expect("a list");
    groups.update(&values, &[0, 1, 1]).expect("keys of groups");
    let before = groups.columns().expect("fits");
    let error = groups.update(&values, &[0, 1, 2]).expect_err("no group 2");
    assert_eq!(error.kind(), &ErrorKind::KeyOutOfRange { key: 2, row: 2, groups: 2 });
    assert_eq!(error.to_string(), "key 2 in row 2 is out of range for 2 groups; expected 0..=1");
    let error = groups.update(&values, &[0i64, -1, 1]).expect_err("no group -1");
    assert_eq!(error.to_string(), "key -1 in row 1 is out of range for 2 groups; expected 0..=1");
    let error = groups.update(&values, &[0, u64::MAX, 1]).expect_err("no such group");
    assert_eq!(error.code(), "key-out-of-range");
    let error = groups.update(&values, &[0, 1]).expect_err("a key is missing");
    assert_eq!(error.to_string(), "the list of keys has 2 elements; the shape has 3");
    let error = groups.update_masked(&values, &[0, 1, 1], &[true; 4]).expect_err("too long");
    assert_eq!(error.to_string(), "the mask has 4 elements; the shape has 3");
    // A row that does not count needs a key, too.
    let error = groups.update_masked(&values, &[0, 1, 9], &[true, true, false]);
    assert_eq!(error.expect_err("no group 9").code(), "key-out-of-range");
    let error = groups.update_one(&values, 2).expect_err("no group 2");
    assert_eq!(error.code(), "key-out-of-range");
    let others = Groups::<_, i32>::new(ReduceSum, 2).expect("few");
    assert_eq!(groups.merge(&others, &[0]).expect_err("one missing").code(), "length-mismatch");
    assert_eq!(groups.merge(&others, &[0, 5]).expect_err("no group 5").code(), "key-out-of-range");
    assert_eq!(groups.columns().expect("fits"), before);
    let none = Reduction::new(ReduceSum).by_key(&[0, 1, 1], 0).run(&values).expect_err("no groups");
    assert_eq!(
        none.to_string(),
        "key 0 in row 0 has no group; ask for as many groups as there are keys"
    );
}

#[test]
fn a_group_without_rows() {
    let values = View::new(&[1i32, 2], &[2]).expect("a list");
    let keys = [0, 2];
    let sums = Reduction::new(ReduceSum).by_key(&keys, 3).run(&values).expect("0 over none");
    assert_eq!(sums.data(), [1, 0, 2]);
    let error = Reduction::new(ReduceMean).by_key(&keys, 3).run(&values).expect_err("no mean");
    let expected = ErrorKind::EmptyGroup { group: 1, dtype: reduce_core::DType::I32 };
    assert_eq!(error.kind(), &expected);
    assert_eq!(
        error.to_string(),
        "no value over an empty set of i32: no element that counts has key 1; number the keys without gaps"
    );
    let both = Reduction::new((ReduceSum, ArgMax::default())).by_key(&keys, 3);
    assert_eq!(both.run(&values).expect_err("no place").code(), "empty-group");
}

#[test]
fn more_groups_than_memory() {
    for groups in [usize::MAX, 1 << 33, 1 << 32] {
        let error = Groups::<_, f32>::new(ReduceMax, groups).expect_err("too many");
        assert_eq!(error.code(), "result-too-large");
    }
    let mut groups = Groups::<_, f32>::new(ReduceMax, 3).expect("few");
    groups.grow(2).expect("there are more");
    assert_eq!(groups.len(), 3);
}
