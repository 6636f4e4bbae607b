//! `ndarray` arrays in and out.

use ndarray::{Array, ArrayBase, ArrayD, ArrayView, Axis, Data, Dimension, IxDyn, RemoveAxis};

use crate::facts::axes::Axes;
use crate::facts::error::Error;
use crate::facts::shape::Dims;
use crate::front::one_pass::OnePass;
use crate::front::reduction::Reduction;
use crate::values::element::Element;
use crate::values::tensor::{Tensor, reserve};
use crate::values::view::View;

impl<'a, T: Element> View<'a, T> {
    /// A view of an array, without a copy. None if there are gaps between the elements, as in every second row: memory
    /// in the gaps may be another's to write.
    ///
    /// ```
    /// use ndarray::arr2;
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::{ArgMax, ReduceMax};
    ///
    /// let array = arr2(&[[1.0f32, 5.0], [3.0, 4.0]]);
    /// let view = View::of_array(&array.t()).expect("no gaps");
    /// let (max, place) = Reduction::new((ReduceMax, ArgMax::default())).axes([1]).run(&view)?;
    /// assert_eq!((max.data(), place.data()), (&[3.0f32, 5.0][..], &[1i64, 0][..]));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    pub fn of_array<D: Dimension>(array: &ArrayView<'a, T, D>) -> Option<Self> {
        let data = array.to_slice_memory_order()?;
        let reach = |(&size, &stride): (&usize, &isize)| match stride < 0 {
            true => size.saturating_sub(1) * stride.unsigned_abs(),
            false => 0,
        };
        // The slice starts at the lowest address, the array where no index is reversed.
        let offset = array.shape().iter().zip(array.strides()).map(reach).sum();
        View::with_strides(data, array.shape(), array.strides(), offset).ok()
    }
}

impl<T: Element> From<Tensor<T>> for ArrayD<T> {
    fn from(tensor: Tensor<T>) -> Self {
        let shape = IxDyn(tensor.shape());
        Array::from_shape_vec(shape, tensor.into_data()).expect("a tensor has the length it says")
    }
}

/// Reductions as methods of arrays.
///
/// ```
/// use ndarray::{Axis, arr1, arr2};
/// use reduce_core::arrays::ReduceArray;
/// use reduce_specs::{ReduceLogSumExp, ReduceMax, ReduceSum};
///
/// let array = arr2(&[[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
/// assert_eq!(array.reduce(&ReduceSum, Axis(1))?, arr1(&[6.0, 15.0]));
/// assert_eq!(array.t().reduce(&ReduceMax, Axis(1))?, arr1(&[4.0, 5.0, 6.0]));
/// assert_eq!(array.reduce_all(&ReduceMax)?, 6.0);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// Arrays in any order of axes, and reversed ones, are read where they are; those with gaps
/// between their elements are copied first. For operators of several results or inputs, and
/// for the other settings of a [`Reduction`], see [`View::of_array`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no array of `ndarray` that can be reduced",
    label = "expected an array whose elements a tensor may hold"
)]
pub trait ReduceArray<T: Element, D: Dimension> {
    /// The reduction over one axis.
    ///
    /// # Errors
    /// If the array lacks the axis, or if the operator lacks a value for a result over no elements.
    fn reduce<Op, O>(&self, op: &Op, axis: Axis) -> Result<Array<O, D::Smaller>, Error>
    where
        D: RemoveAxis,
        O: Element,
        Op: OnePass<T, Result = O> + Clone;

    /// The reduction over some axes.
    ///
    /// # Errors
    /// As [`ReduceArray::reduce`], and if an axis is named twice.
    fn reduce_axes<Op, O>(&self, op: &Op, axes: &[Axis]) -> Result<ArrayD<O>, Error>
    where
        O: Element,
        Op: OnePass<T, Result = O> + Clone;

    /// The reduction over all axes.
    ///
    /// # Errors
    /// If the array is empty, and the operator lacks a value for that.
    fn reduce_all<Op, O>(&self, op: &Op) -> Result<O, Error>
    where
        O: Element,
        Op: OnePass<T, Result = O> + Clone;
}

impl<S, T, D> ReduceArray<T, D> for ArrayBase<S, D>
where
    S: Data<Elem = T>,
    T: Element,
    D: Dimension,
{
    fn reduce<Op, O>(&self, op: &Op, axis: Axis) -> Result<Array<O, D::Smaller>, Error>
    where
        D: RemoveAxis,
        O: Element,
        Op: OnePass<T, Result = O> + Clone,
    {
        let result = self.reduce_axes(op, &[axis])?;
        Ok(result.into_dimensionality().expect("one axis less"))
    }

    fn reduce_axes<Op, O>(&self, op: &Op, axes: &[Axis]) -> Result<ArrayD<O>, Error>
    where
        O: Element,
        Op: OnePass<T, Result = O> + Clone,
    {
        // What does not fit is out of range for every rank.
        let index = |axis: &Axis| i64::try_from(axis.index()).unwrap_or(i64::MAX);
        let axes: Dims<i64> = axes.iter().map(index).collect();
        run(&self.view(), op, Axes::of(&axes)).map(ArrayD::from)
    }

    fn reduce_all<Op, O>(&self, op: &Op) -> Result<O, Error>
    where
        O: Element,
        Op: OnePass<T, Result = O> + Clone,
    {
        Ok(run(&self.view(), op, Axes::all())?.data()[0])
    }
}

fn run<T, D, Op, O>(array: &ArrayView<'_, T, D>, op: &Op, axes: Axes) -> Result<Tensor<O>, Error>
where
    T: Element,
    D: Dimension,
    O: Element,
    Op: OnePass<T, Result = O> + Clone,
{
    let reduction = Reduction::new(op.clone()).axes(axes);
    if let Some(view) = View::of_array(array) {
        return reduction.run(&view);
    }
    let mut copy = reserve(array.len(), T::DTYPE)?;
    copy.extend(array.iter().copied());
    reduction.run(&View::new(&copy, array.shape())?)
}
