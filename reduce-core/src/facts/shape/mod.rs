//! Sizes of tensors: checked arithmetic, no allocation for common ranks.

mod order;
mod partial;

pub(crate) use order::{sort_some, stand_as_they_lie};
pub use partial::{Dim, PartialShape};

use std::fmt;
use std::ops::Deref;

use smallvec::SmallVec;

use crate::facts::error::{Error, ErrorKind};

/// The most axes that are asked for by their number alone, where no list of sizes shows that there is
/// memory for so many.
pub(crate) const MOST_AXES: usize = 1 << 20;

/// One number per axis; inline up to rank 8.
pub(crate) type Dims<T> = SmallVec<[T; 8]>;

/// The sizes of a tensor's axes, outermost first.
///
/// The number of elements is known to fit a `usize`: it is checked when the
/// shape is made, so no later arithmetic on it can overflow. Rank 0 (a scalar)
/// has one element.
///
/// ```
/// use reduce_core::Shape;
/// let shape = Shape::new(&[2, 0, 3])?;
/// assert_eq!((shape.rank(), shape.count()), (3, 0));
/// assert!(Shape::new(&[usize::MAX, 2]).is_err());
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(PartialEq, Eq, Hash)]
pub struct Shape {
    dims: Dims<usize>,
    count: usize,
}

// As a whole: a derived one goes size by size.
impl Clone for Shape {
    fn clone(&self) -> Self {
        Shape { dims: Dims::from_slice(&self.dims), count: self.count }
    }
}

impl Shape {
    /// Checks that the sizes multiply to at most `isize::MAX` elements.
    ///
    /// # Errors
    /// [`ErrorKind::SizeOverflow`] otherwise, also when one size is 0 and the
    /// others overflow: such a shape could not be permuted or sliced safely.
    pub fn new(dims: &[usize]) -> Result<Self, Error> {
        let overflow = || Error::from(ErrorKind::SizeOverflow { shape: dims.to_vec() });
        let nonzero = dims
            .iter()
            .filter(|&&dim| dim != 0)
            .try_fold(1usize, |product, &dim| product.checked_mul(dim))
            .filter(|&product| isize::try_from(product).is_ok())
            .ok_or_else(overflow)?;
        let count = if dims.contains(&0) { 0 } else { nonzero };
        Ok(Shape { dims: Dims::from_slice(dims), count })
    }

    /// The shape with one more axis, the last, if each result is an array of this length.
    ///
    /// # Errors
    /// As [`Shape::new`].
    pub(crate) fn with_length(self, length: Option<usize>) -> Result<Self, Error> {
        match length {
            None => Ok(self),
            Some(length) => Shape::new(&self.dims.into_iter().chain([length]).collect::<Dims<_>>()),
        }
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The sizes, outermost first.
    #[inline]
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// A shape of some of these sizes, which need not be checked again.
    pub(crate) fn subset(&self, dims: impl Iterator<Item = usize>) -> Shape {
        let dims: Dims<usize> = dims.collect();
        let count = dims.iter().product();
        Shape { dims, count }
    }

    /// Strides, in elements, of a row-major tensor of this shape.
    pub(crate) fn row_major_strides(&self) -> Dims<isize> {
        let mut strides: Dims<isize> = smallvec::smallvec![0; self.rank()];
        let mut step = 1isize;
        for (stride, &dim) in strides.iter_mut().zip(&self.dims).rev() {
            *stride = step;
            // A zero size leaves strides that no element uses.
            step = step.wrapping_mul(isize::try_from(dim.max(1)).unwrap_or(isize::MAX));
        }
        strides
    }

    /// True if elements at these strides lie one behind the other, in row-major order.
    pub(crate) fn is_row_major(&self, strides: &[isize]) -> bool {
        let in_order = self.row_major_strides();
        let mut axes = self.iter().zip(strides.iter().zip(&in_order));
        axes.all(|(&size, (stride, in_order))| size == 1 || stride == in_order)
    }
}

impl Deref for Shape {
    type Target = [usize];

    #[inline]
    fn deref(&self) -> &[usize] {
        &self.dims
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.dims(), f)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.dims(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn counts_and_strides() {
        let shape = Shape::new(&[2, 3, 4]).expect("small");
        assert_eq!(shape.count(), 24);
        assert_eq!(shape.row_major_strides().as_slice(), [12, 4, 1]);
        assert_eq!(Shape::new(&[]).expect("scalar").count(), 1);
    }

    #[test]
    fn an_overflow_behind_a_zero_is_still_an_overflow() {
        let message = Shape::new(&[0, usize::MAX, 3]).expect_err("overflows").to_string();
        assert!(message.contains("too many elements"), "{message}");
    }
}
