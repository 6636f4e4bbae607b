//! `ndarray` arrays: the same results as `ndarray`'s own loops, whatever the layout.

use ndarray::{Array1, Array2, Array3, ArrayD, Axis, Dimension, IxDyn, s};
use reduce_core::arrays::ReduceArray;
use reduce_core::{Reduction, Tensor, View};
use reduce_specs::{ReduceMax, ReduceMean, ReduceSum};

fn cube() -> Array3<i32> {
    Array3::from_shape_fn((4, 5, 6), |(i, j, k)| {
        i32::try_from((i * 30 + j * 6 + k) * 37 % 101).expect("small")
    })
}

/// Sums over each axis, by `ndarray` and by us.
fn compare<D: Dimension + ndarray::RemoveAxis>(array: &ndarray::ArrayView<'_, i32, D>) {
    for axis in 0..array.ndim() {
        let expected = array.sum_axis(Axis(axis));
        assert_eq!(array.reduce(&ReduceSum, Axis(axis)).expect("an axis"), expected);
    }
    assert_eq!(array.reduce_all(&ReduceSum).expect("elements"), array.sum());
}

#[test]
fn every_layout() {
    let cube = cube();
    compare(&cube.view());
    compare(&cube.view().permuted_axes([2, 0, 1]));
    compare(&cube.t());
    compare(&cube.slice(s![..;-1, .., ..;-1]));
    compare(&cube.slice(s![.., 1..4, ..;2]));
    compare(&cube.slice(s![1..3, .., ..]));
    compare(&cube.slice(s![.., 2, ..]));
    compare(&cube.slice(s![1, 2, ..;-3]));
    compare(&cube.broadcast((3, 4, 5, 6)).expect("broadcasts"));
    compare(&cube.view().into_dyn());
    compare(&Array2::<i32>::zeros((0, 3)).view());
}

#[test]
fn no_copy_without_gaps() {
    let cube = cube();
    for array in [
        cube.view(),
        cube.view().permuted_axes([1, 2, 0]),
        cube.slice(s![..;-1, .., ..;-1]),
        cube.slice(s![1..3, .., ..]),
    ] {
        let view = View::of_array(&array).expect("no gaps");
        let place = view.data().as_ptr_range();
        let cube = cube.as_slice().expect("row-major").as_ptr_range();
        assert!(cube.start <= place.start && place.end <= cube.end);
    }
    assert!(View::of_array(&cube.slice(s![.., ..;2, ..])).is_none());
}

#[test]
fn several_axes_and_errors() {
    let cube = cube();
    let found = cube.reduce_axes(&ReduceMax, &[Axis(2), Axis(0)]).expect("two axes");
    let expected = cube
        .map_axis(Axis(2), |row| *row.iter().max().expect("six"))
        .map_axis(Axis(0), |column| *column.iter().max().expect("four"));
    assert_eq!(found, expected.into_dyn());
    let error = cube.reduce(&ReduceSum, Axis(3)).expect_err("no such axis");
    assert_eq!(error.code(), "axis-out-of-range");
    let error = cube.reduce_axes(&ReduceSum, &[Axis(1), Axis(1)]).expect_err("twice");
    assert_eq!(error.code(), "duplicate-axis");
    let nothing = Array1::<i32>::zeros(0);
    assert_eq!(nothing.reduce_all(&ReduceMean).expect_err("no mean").code(), "empty-set");
}

#[test]
fn tensors_become_arrays() {
    let array: ArrayD<i32> = Tensor::new(vec![1, 2, 3, 4, 5, 6], &[2, 3]).expect("six").into();
    assert_eq!((array.shape(), array[IxDyn(&[1, 0])]), (&[2, 3][..], 4));
    let view = View::of_array(&array.view()).expect("no gaps");
    let sums: ArrayD<i32> = Reduction::new(ReduceSum).axes([0]).run(&view).expect("valid").into();
    assert_eq!(sums.as_slice(), Some(&[5, 7, 9][..]));
}
