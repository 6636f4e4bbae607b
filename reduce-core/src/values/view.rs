//! Views: a buffer read through a shape and strides.

use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::{Dims, Shape};
use crate::values::element::Element;
use crate::values::layout::{Layout, check_bounds};

/// A tensor that borrows its elements, at any strides.
///
/// Strides count elements. They may be negative (a reversed axis) or zero (a broadcast one), and elements may
/// overlap. That every element lies in the buffer is proved once, here, and never asked again.
///
/// Several inputs are given as a tuple of views, by value: clone a view to use it again. A clone borrows
/// the same elements, and copies none.
///
/// ```
/// use reduce_core::View;
/// let data = [1, 2, 3, 4, 5, 6];
/// let rows = View::new(&data, &[2, 3])?;
/// let columns = rows.permute(&[1, 0])?;
/// assert_eq!((columns.shape().dims(), columns.strides()), (&[3, 2][..], &[1, 3][..]));
/// assert!(View::with_strides(&data, &[2, 3], &[3, 1], 1).is_err());
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct View<'a, T> {
    data: &'a [T],
    shape: Shape,
    strides: Dims<isize>,
    offset: usize,
}

impl<'a, T: Element> View<'a, T> {
    /// A row-major view of a whole buffer.
    ///
    /// # Errors
    /// If the shape's number of elements is not the buffer's.
    pub fn new(data: &'a [T], shape: &[usize]) -> Result<Self, Error> {
        let shape = Shape::new(shape)?;
        if shape.count() != data.len() {
            let (expected, found) = (shape.count(), data.len());
            return Err(ErrorKind::LengthMismatch { what: "the buffer", expected, found }.into());
        }
        Ok(View { data, strides: shape.row_major_strides(), shape, offset: 0 })
    }

    /// A view with one stride per axis, its first element at `offset`. Strides and offset count elements,
    /// and not bytes.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceSum;
    ///
    /// // The first two columns of rows of three.
    /// let data = [1.0f32, 2.0, 9.0, 3.0, 4.0, 9.0];
    /// let columns = View::with_strides(&data, &[2, 2], &[3, 1], 0)?;
    /// assert_eq!(Reduction::new(ReduceSum).axes([0]).run(&columns)?.data(), [4.0, 6.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the strides are not one per axis, or an element would lie outside the
    /// buffer. A view without elements is always within bounds.
    pub fn with_strides(
        data: &'a [T],
        shape: &[usize],
        strides: &[isize],
        offset: usize,
    ) -> Result<Self, Error> {
        let shape = Shape::new(shape)?;
        check_bounds(&shape, strides, offset, data.len())?;
        Ok(View { data, shape, strides: Dims::from_slice(strides), offset })
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The distance, in elements, from one index to the next, per axis.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The same view of another buffer of this length.
    pub(crate) fn with_data<Other>(&self, data: &'a [Other]) -> View<'a, Other> {
        assert_eq!(data.len(), self.data.len(), "a buffer of the same length");
        View { data, shape: self.shape.clone(), strides: self.strides.clone(), offset: self.offset }
    }

    /// The whole buffer; the view may use a part of it.
    pub fn data(&self) -> &'a [T] {
        self.data
    }

    /// The place of the first element in the buffer.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// A view of the same elements: its axis `i` is axis `axes[i]` of this one. `[1, 0]` transposes a matrix.
    ///
    /// # Errors
    /// If `axes` does not name each axis once.
    pub fn permute(&self, axes: &[usize]) -> Result<Self, Error> {
        Ok(self.lying(Layout::from(self).permute(axes)?))
    }

    /// Every `step`-th index of `start..end` along one axis, backwards from
    /// `end - 1` for a negative step.
    ///
    /// ```
    /// use reduce_core::View;
    ///
    /// let list = View::new(&[0, 1, 2, 3, 4, 5], &[6])?;
    /// let odd = list.slice(0, 1, 6, 2)?; // 1, 3, 5
    /// assert_eq!((odd.shape().dims(), odd.strides(), odd.offset()), (&[3][..], &[2][..], 1));
    /// let backwards = list.slice(0, 0, 6, -1)?; // 5, 4, 3, 2, 1, 0
    /// assert_eq!((backwards.strides(), backwards.offset()), (&[-1][..], 5));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the range is not within the axis or the step is 0, or there is no such
    /// axis.
    pub fn slice(&self, axis: usize, start: usize, end: usize, step: isize) -> Result<Self, Error> {
        Ok(self.lying(Layout::from(self).slice(axis, start, end, step)?))
    }

    /// A view that repeats the elements along axes of size 1, or along new outer axes. Views that are reduced
    /// together are broadcast without this.
    ///
    /// ```
    /// use reduce_core::View;
    ///
    /// let column = View::new(&[1.0f32, 2.0], &[2, 1])?;
    /// let matrix = column.broadcast(&[2, 3])?; // 1, 1, 1 and 2, 2, 2
    /// assert_eq!((matrix.shape().dims(), matrix.strides()), (&[2, 3][..], &[1, 0][..]));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a size other than 1 would have to change, or axes would be lost.
    pub fn broadcast(&self, shape: &[usize]) -> Result<Self, Error> {
        Ok(self.lying(Layout::from(self).broadcast(shape)?))
    }

    /// A view of elements of this one, which lie as a layout of them says.
    fn lying(&self, layout: Layout) -> Self {
        let Layout { shape, strides, offset, .. } = layout;
        View { data: self.data, shape, strides, offset }
    }
}

impl<T: Element> From<&View<'_, T>> for Layout {
    fn from(view: &View<'_, T>) -> Self {
        let View { shape, strides, offset, .. } = view;
        Layout { dtype: T::DTYPE, shape: shape.clone(), strides: strides.clone(), offset: *offset }
    }
}

#[cfg(test)]
mod tests {
    use super::View;

    #[test]
    fn bounds_are_exact() {
        let data = [0u8; 12];
        for (strides, offset, fits) in [
            ([4, 1], 0, true),
            ([4, 1], 1, false),
            ([-4, 1], 8, true),
            ([-4, 1], 7, false),
            ([0, 0], 11, true),
            ([isize::MAX, 1], 0, false),
            ([isize::MIN, 1], 0, false),
        ] {
            assert_eq!(
                View::with_strides(&data, &[3, 4], &strides, offset).is_ok(),
                fits,
                "{strides:?}"
            );
        }
    }

    #[test]
    fn slices_keep_to_their_axis() {
        let data: Vec<i32> = (0..10).collect();
        let view = View::new(&data, &[10]).expect("fits");
        let odd = view.slice(0, 1, 10, 2).expect("within");
        assert_eq!((odd.shape().dims(), odd.strides(), odd.offset()), (&[5][..], &[2][..], 1));
        let back = view.slice(0, 2, 5, -1).expect("within");
        assert_eq!((back.shape().dims(), back.strides(), back.offset()), (&[3][..], &[-1][..], 4));
        assert_eq!(view.slice(0, 10, 10, 1).expect("empty").shape().count(), 0);
        for (start, end, step) in [(0, 11, 1), (3, 2, 1), (0, 1, 0)] {
            assert!(view.slice(0, start, end, step).is_err());
        }
    }

    #[test]
    fn broadcasting_stretches_ones_only() {
        let view = View::new(&[1.0f32, 2.0], &[2, 1]).expect("fits");
        assert_eq!(view.broadcast(&[3, 2, 5]).expect("stretches").strides(), [0, 1, 0]);
        for shape in [&[1][..], &[3, 1], &[2, 0, 2]] {
            assert!(view.broadcast(shape).is_err(), "{shape:?}");
        }
    }
}
