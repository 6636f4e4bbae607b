//! Layouts: how the elements of a tensor lie in a buffer, without the buffer.

use crate::facts::dtype::DType;
use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::{Dims, Shape};

/// The type of a tensor's elements, its shape, and where the elements lie in a buffer: what a
/// [`Call`](crate::nodes::Call) is planned for.
///
/// Strides and offset count elements, and not bytes.
///
/// ```
/// use reduce_core::DType;
/// use reduce_core::planning::Layout;
///
/// let rows = Layout::new(DType::F32, &[2, 3])?;
/// assert_eq!((rows.strides(), rows.length()), (&[3, 1][..], 6));
/// // The same matrix, its columns one behind the other.
/// let columns = Layout::with_strides(DType::F32, &[2, 3], &[1, 2], 0)?;
/// assert_eq!(columns.length(), 6);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub(crate) dtype: DType,
    pub(crate) shape: Shape,
    pub(crate) strides: Dims<isize>,
    pub(crate) offset: usize,
}

impl Layout {
    /// Elements in row-major order, without gaps.
    ///
    /// # Errors
    /// If there are more elements than `isize` can count.
    pub fn new(dtype: DType, shape: &[usize]) -> Result<Self, Error> {
        let shape = Shape::new(shape)?;
        Ok(Layout { dtype, strides: shape.row_major_strides(), shape, offset: 0 })
    }

    /// Elements with one stride per axis, the first of them at `offset`.
    ///
    /// # Errors
    /// If the strides are not one per axis. If an element would lie before the beginning of the buffer, or so far behind
    /// it that no buffer is long enough.
    pub fn with_strides(
        dtype: DType,
        shape: &[usize],
        strides: &[isize],
        offset: usize,
    ) -> Result<Self, Error> {
        let shape = Shape::new(shape)?;
        let longest = isize::MAX.cast_unsigned() / dtype.size();
        check_bounds(&shape, strides, offset, longest)?;
        Ok(Layout { dtype, shape, strides: Dims::from_slice(strides), offset })
    }

    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The sizes of the axes.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The distance, in elements, from one index to the next, per axis.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The place of the first element in a buffer.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Whether elements lie one behind the other in row-major order, from the first place on.
    pub fn is_row_major(&self) -> bool {
        self.offset == 0 && self.shape.is_row_major(&self.strides)
    }

    /// The layout with its axes in another order: axis `i` is axis `axes[i]` of this one.
    ///
    /// ```
    /// use reduce_core::DType;
    /// use reduce_core::planning::Layout;
    ///
    /// // Heads of queries, as a model keeps them: tokens, then heads.
    /// let tokens = Layout::new(DType::F32, &[128, 12, 64])?;
    /// let heads = tokens.permute(&[1, 0, 2])?;
    /// assert_eq!((heads.shape().dims(), heads.strides()), (&[12, 128, 64][..], &[64, 768, 1][..]));
    /// // The first ten tokens of each.
    /// assert_eq!(heads.slice(1, 0, 10, 1)?.shape().dims(), [12, 10, 64]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `axes` is no permutation of the axes.
    pub fn permute(&self, axes: &[usize]) -> Result<Self, Error> {
        let rank = self.shape.rank();
        let mut seen: Dims<bool> = smallvec::smallvec![false; rank];
        let valid = axes.len() == rank
            && axes.iter().all(|&axis| axis < rank && !std::mem::replace(&mut seen[axis], true));
        if !valid {
            return Err(ErrorKind::NotAPermutation { axes: axes.to_vec(), rank }.into());
        }
        let shape: Dims<usize> = axes.iter().map(|&axis| self.shape[axis]).collect();
        let strides = axes.iter().map(|&axis| self.strides[axis]).collect();
        Ok(Layout { shape: Shape::new(&shape)?, strides, ..*self })
    }

    /// Every `step`-th index of `start..end` along one axis, backwards from `end - 1` for a negative step.
    ///
    /// # Errors
    /// If the range is not within the axis or the step is 0, or there is no such axis.
    pub fn slice(&self, axis: usize, start: usize, end: usize, step: isize) -> Result<Self, Error> {
        let rank = self.shape.rank();
        let size = self.shape.get(axis).ok_or(ErrorKind::NoSuchAxis { axis, rank })?;
        if step == 0 {
            return Err(ErrorKind::ZeroStep { axis }.into());
        }
        if start > end || end > *size {
            return Err(ErrorKind::BadSlice { axis, start, end, size: *size }.into());
        }
        let mut shape = Dims::from_slice(&self.shape);
        let mut strides = self.strides.clone();
        shape[axis] = (end - start).div_ceil(step.unsigned_abs());
        strides[axis] = strides[axis].wrapping_mul(step);
        let first = if step > 0 || end == start { start } else { end - 1 };
        let offset = if shape.contains(&0) { 0 } else { self.place(axis, first) };
        Self::with_strides(self.dtype, &shape, &strides, offset)
    }

    /// The layout of elements that are repeated along axes of size 1, or along new outer axes.
    ///
    /// # Errors
    /// If a size other than 1 would have to change, or axes would be lost.
    pub fn broadcast(&self, shape: &[usize]) -> Result<Self, Error> {
        let strides = broadcast(&self.shape, &self.strides, shape)?;
        Self::with_strides(self.dtype, shape, &strides, self.offset)
    }

    /// The place in the buffer of `index` along `axis`, other indices being 0.
    fn place(&self, axis: usize, index: usize) -> usize {
        let step = isize::try_from(index).unwrap_or(isize::MAX).wrapping_mul(self.strides[axis]);
        self.offset.wrapping_add_signed(step)
    }

    /// How many elements a buffer must have at least.
    pub fn length(&self) -> usize {
        if self.shape.count() == 0 {
            return 0;
        }
        let reach = |(&size, &stride): (&usize, &isize)| match stride {
            1.. => (size - 1) * stride.unsigned_abs(),
            _ => 0,
        };
        1 + self.offset + self.shape.iter().zip(&self.strides).map(reach).sum::<usize>()
    }
}

/// The strides of a tensor, and the place of its first element.
pub(crate) type Strided<'a> = (&'a [isize], usize);

/// The strides of elements that are repeated along axes of size 1, or along new outer axes.
///
/// # Errors
/// If a size other than 1 would have to change, or axes would be lost.
pub(crate) fn broadcast(
    from: &[usize],
    strides: &[isize],
    to: &[usize],
) -> Result<Dims<isize>, Error> {
    let cannot = || ErrorKind::CannotBroadcast { from: from.to_vec(), to: to.to_vec() };
    let new_axes = to.len().checked_sub(from.len()).ok_or_else(cannot)?;
    let mut repeated: Dims<isize> = smallvec::smallvec![0; new_axes];
    for ((&from, &to), &stride) in from.iter().zip(&to[new_axes..]).zip(strides) {
        match (from, to) {
            _ if from == to => repeated.push(stride),
            (1, _) => repeated.push(0),
            _ => return Err(cannot().into()),
        }
    }
    Ok(repeated)
}

/// Checks that elements lie in a buffer of this length.
///
/// # Errors
/// If the strides are not one per axis, or an element would lie outside the buffer. If there are no elements, none
/// does.
pub(crate) fn check_bounds(
    shape: &Shape,
    strides: &[isize],
    offset: usize,
    length: usize,
) -> Result<(), Error> {
    if strides.len() != shape.rank() {
        let (expected, found) = (shape.rank(), strides.len());
        let what = "the list of strides";
        return Err(ErrorKind::RankMismatch { what, expected, found }.into());
    }
    if shape.count() > 0 && !are_within(shape, strides, offset, length) {
        let (shape, strides) = (shape.to_vec(), strides.to_vec());
        return Err(ErrorKind::ViewOutOfBounds { shape, strides, offset, length }.into());
    }
    Ok(())
}

/// Whether elements, of which there are some, lie in a buffer: the lowest and the highest do. Every product is checked:
/// strides are the caller's.
fn are_within(shape: &Shape, strides: &[isize], offset: usize, length: usize) -> bool {
    let mut lowest = Some(offset);
    let mut highest = Some(offset);
    for (&dim, &stride) in shape.iter().zip(strides) {
        let reach = (dim - 1).checked_mul(stride.unsigned_abs());
        if stride < 0 {
            lowest = lowest.zip(reach).and_then(|(low, reach)| low.checked_sub(reach));
        } else {
            highest = highest.zip(reach).and_then(|(high, reach)| high.checked_add(reach));
        }
    }
    lowest.is_some() && highest.is_some_and(|high| high < length)
}

#[cfg(test)]
mod tests {
    use super::Layout;
    use crate::facts::dtype::DType;

    #[test]
    fn a_buffer_must_reach_the_last_element() {
        let of = |shape: &[usize], strides: &[isize], offset| {
            Layout::with_strides(DType::F64, shape, strides, offset)
        };
        for (shape, strides, offset, length) in [
            (&[3, 4][..], &[4, 1][..], 0, 12),
            (&[3, 4], &[-4, 1], 8, 12),
            (&[3, 4], &[8, 2], 1, 24),
            (&[3, 0], &[8, 2], 5, 0),
            (&[], &[], 7, 8),
            (&[9], &[0], 2, 3),
        ] {
            assert_eq!(of(shape, strides, offset).expect("a layout").length(), length, "{shape:?}");
        }
        let code = |shape: &[usize], strides: &[isize], offset| {
            of(shape, strides, offset).expect_err("no layout").code()
        };
        assert_eq!(code(&[3, 4], &[-4, 1], 7), "view-out-of-bounds");
        assert_eq!(code(&[2], &[isize::MAX], 0), "view-out-of-bounds");
        assert_eq!(code(&[2], &[1, 1], 0), "rank-mismatch");
    }
}
