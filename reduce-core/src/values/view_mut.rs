//! Mutable views: a buffer written through a shape and strides.

use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::{Dims, Shape};
use crate::values::element::Element;
use crate::values::view::View;

/// A place for a tensor in a buffer that is borrowed, at any strides.
///
/// Strides count elements and may be negative. No two elements share a place: in the order of strides, each
/// axis steps beyond all that lies inside it. Any slice of a tensor is such a view, with its axes in any order.
/// What lies between the elements is left as it is.
///
/// ```
/// use reduce_core::{Reduction, View, ViewMut};
/// use reduce_specs::ReduceSum;
///
/// // The sums of the rows, into the first column of a matrix.
/// let mut matrix = [0.0f32; 6];
/// let mut column = ViewMut::with_strides(&mut matrix, &[2], &[3], 0)?;
/// let data = View::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2])?;
/// Reduction::new(ReduceSum).axes([1]).run_into_view(&data, &mut column)?;
/// assert_eq!(matrix, [3.0, 0.0, 0.0, 7.0, 0.0, 0.0]);
/// assert!(ViewMut::with_strides(&mut matrix, &[2, 2], &[1, 1], 0).is_err());
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Debug)]
pub struct ViewMut<'a, T> {
    data: &'a mut [T],
    shape: Shape,
    strides: Dims<isize>,
    offset: usize,
}

impl<'a, T: Element> ViewMut<'a, T> {
    /// A row-major view of a whole buffer.
    ///
    /// # Errors
    /// If the shape's number of elements is not the buffer's.
    pub fn new(data: &'a mut [T], shape: &[usize]) -> Result<Self, Error> {
        let view = View::new(&*data, shape)?;
        let (shape, strides) = (view.shape().clone(), Dims::from_slice(view.strides()));
        Ok(ViewMut { data, shape, strides, offset: 0 })
    }

    /// A view with one stride per axis, its first element at `offset`.
    ///
    /// # Errors
    /// As [`View::with_strides`], and if two elements share a place, or may: axes do not step beyond one
    /// another.
    pub fn with_strides(
        data: &'a mut [T],
        shape: &[usize],
        strides: &[isize],
        offset: usize,
    ) -> Result<Self, Error> {
        let shape = View::with_strides(&*data, shape, strides, offset)?.shape().clone();
        if overlaps(&shape, strides) {
            let (shape, strides) = (shape.to_vec(), strides.to_vec());
            return Err(ErrorKind::ViewOverlaps { shape, strides }.into());
        }
        Ok(ViewMut { data, shape, strides: Dims::from_slice(strides), offset })
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The distance, in elements, from one index to the next, per axis.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The place of the first element in the buffer.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The whole buffer; the view may use a part of it.
    pub fn data_mut(&mut self) -> &mut [T] {
        self.data
    }

    /// A view of the same places: its axis `i` is axis `axes[i]` of this one.
    ///
    /// # Errors
    /// As [`View::permute`].
    pub fn permute(self, axes: &[usize]) -> Result<Self, Error> {
        self.with(|view| view.permute(axes))
    }

    /// Every `step`-th index of `start..end` along one axis, backwards from `end - 1` for a negative
    /// step.
    ///
    /// # Errors
    /// As [`View::slice`].
    pub fn slice(self, axis: usize, start: usize, end: usize, step: isize) -> Result<Self, Error> {
        self.with(|view| view.slice(axis, start, end, step))
    }

    /// A view of some of these places: those that `change` gives for a view of the same.
    fn with(
        self,
        change: impl for<'v> Fn(View<'v, T>) -> Result<View<'v, T>, Error>,
    ) -> Result<Self, Error> {
        let view = View::with_strides(&*self.data, &self.shape, &self.strides, self.offset)?;
        let view = change(view)?;
        let (shape, strides) = (view.shape().clone(), Dims::from_slice(view.strides()));
        let offset = view.offset();
        Ok(ViewMut { data: self.data, shape, strides, offset })
    }

    /// Checks that it is of a shape.
    ///
    /// # Errors
    /// If it is not.
    pub(crate) fn check(&self, shape: &Shape) -> Result<(), Error> {
        if self.shape == *shape {
            return Ok(());
        }
        let (expected, found) = (shape.to_vec(), self.shape.to_vec());
        Err(ErrorKind::OutputShape { expected, found }.into())
    }

    /// The elements, if they lie one behind the other, in row-major order.
    pub(crate) fn in_order(&mut self) -> Option<&mut [T]> {
        let range = self.offset..self.offset + self.shape.count();
        if self.is_in_order() { self.data.get_mut(range) } else { None }
    }

    /// Writes elements, given in row-major order.
    pub(crate) fn put(&mut self, elements: &[T]) {
        let (mut index, rank): (Dims<usize>, _) =
            (smallvec::smallvec![0; self.shape.rank()], self.shape.rank());
        let mut place = self.offset;
        for &element in elements {
            self.data[place] = element;
            for axis in (0..rank).rev() {
                index[axis] += 1;
                place = place.wrapping_add_signed(self.strides[axis]);
                if index[axis] < self.shape[axis] {
                    break;
                }
                let back = self.strides[axis].wrapping_mul(self.shape[axis].cast_signed());
                place = place.wrapping_add_signed(back.wrapping_neg());
                index[axis] = 0;
            }
        }
    }

    /// True if elements lie one behind the other, in row-major order.
    pub(crate) fn is_in_order(&self) -> bool {
        self.shape.is_row_major(&self.strides)
    }
}

/// Whether two elements share a place, or may.
pub(crate) fn overlaps(shape: &Shape, strides: &[isize]) -> bool {
    if shape.count() == 0 {
        return false;
    }
    let mut axes: Dims<(usize, usize)> = shape
        .iter()
        .zip(strides)
        .filter(|&(&size, _)| size > 1)
        .map(|(&size, stride)| (stride.unsigned_abs(), size))
        .collect();
    axes.sort_unstable();
    let mut reach = 0;
    axes.iter().any(|&(stride, size)| {
        let is_inside = stride <= reach;
        // The sum is less than the buffer's length: all places were found to lie in it.
        reach += (size - 1) * stride;
        is_inside
    })
}
