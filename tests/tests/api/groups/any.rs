//! Groups whose types are known at run time.

use reduce_core::{AnyGroups, AnyTensor, AnyView, DType, Groups, View};
use reduce_specs::{ArgMax, ReduceMean, ReduceSum};

#[test]
fn as_groups_whose_types_are_known() {
    let data = crate::numbers(10_000);
    let keys: Vec<usize> = (0..10_000).map(|row| row * row % 11).collect();
    let mask: Vec<bool> = data.iter().map(|x| x % 5 != 0).collect();
    let view = View::new(&data, &[10_000]).expect("a list");
    let mut known = Groups::<_, i32>::new(ReduceSum, 11).expect("few");
    let mut any = AnyGroups::new(ReduceSum, &[DType::I32]).expect("a row");
    any.grow(11).expect("few");
    known.update_masked(&view, &keys, &mask).expect("keys");
    any.update(&[view.clone().into()], &keys, Some(&mask)).expect("keys");
    assert_eq!(any.finish().expect("sums"), [AnyTensor::from(known.finish().expect("sums"))]);
    // All rows in one group, with and without a mask.
    let slice = View::new(&data[..100], &[100]).expect("a list");
    known.update_masked(&slice, &[4; 100], &mask[..100]).expect("keys");
    known.update(&slice, &[5; 100]).expect("keys");
    any.update_one(&[slice.clone().into()], 4, Some(&mask[..100])).expect("a group");
    any.update_one(&[slice.into()], 5, None).expect("a group");
    assert_eq!(any.columns().expect("fits"), known.columns().expect("fits"));
    let (first, columns) = (any.take_first(3).expect("fits"), known.columns().expect("fits"));
    let views: Vec<AnyView<'_>> = columns.iter().map(|column| column.view()).collect();
    assert_eq!((first.len(), any.len(), any.seen().len()), (3, 8, 8));
    any.merge_columns(&views, &[0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0], None).expect("columns");
    assert!(any.bytes() >= 8 * 12);
}

#[test]
fn one_group_of_others_is_merged() {
    let list =
        |data: &'static [i32]| AnyView::from(View::new(data, &[data.len()]).expect("a list"));
    let filled = |groups: usize| {
        let mut any = AnyGroups::new(ReduceSum, &[DType::I32]).expect("a row");
        any.grow(groups).expect("few");
        any.update(&[list(&[1, 2, 4])], &[0, 1, 1], None).expect("keys");
        any
    };
    let (mut all, others) = (filled(2), filled(3));
    all.merge_one(&others, 1, 0).expect("a group");
    all.merge_one(&others, 2, 1).expect("a group without rows");
    let sums = all.finish().expect("sums").remove(0).downcast::<i32>().expect("as the input");
    assert_eq!(sums.data(), [7, 6]);
    for (from, group) in [(3, 0), (0, 2)] {
        let error = all.merge_one(&others, from, group).expect_err("no such group");
        assert_eq!(error.code(), "key-out-of-range");
    }
    let floats = AnyGroups::new(ReduceSum, &[DType::F32]).expect("a row");
    assert_eq!(all.merge_one(&floats, 0, 0).expect_err("other types").code(), "other-operator");
    let means = AnyGroups::new(ReduceMean, &[DType::I32]).expect("a row");
    assert_eq!(all.merge_one(&means, 0, 0).expect_err("means").code(), "other-operator");
}

#[test]
fn of_a_group_without_rows() {
    let mut any = AnyGroups::new(ReduceMean, &[DType::I32]).expect("a row");
    any.grow(2).expect("few");
    any.update_one(&[View::new(&[4i32, 8], &[2]).expect("a list").into()], 1, None)
        .expect("a group");
    assert_eq!(
        any.finish().expect("zero where there is none"),
        [AnyTensor::from(reduce_core::Tensor::from_list(vec![0i32, 6]))]
    );
    assert_eq!(any.seen(), [false, true]);
}

#[test]
fn types_without_a_row() {
    let error = AnyGroups::new(ReduceSum, &[DType::Bool]).expect_err("no row");
    assert_eq!(error.code(), "dtype-not-allowed");
    let error = AnyGroups::new(ReduceSum, &[DType::F32; 2]).expect_err("one input");
    assert_eq!(error.code(), "input-count");
    let mut any = AnyGroups::new(ReduceSum, &[DType::F32]).expect("a row");
    assert!(!any.is_positioned() && any.is_empty());
    let wrong: AnyView<'_> = View::new(&[1.0f64], &[1]).expect("a list").into();
    assert_eq!(any.update(&[wrong], &[0], None).expect_err("f64").code(), "other-columns");
    assert!(AnyGroups::new(ArgMax::default(), &[DType::F32]).expect("a row").is_positioned());
}
