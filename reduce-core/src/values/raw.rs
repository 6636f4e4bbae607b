//! Views of memory that is known by a pointer and a layout, as engines keep tensors.

#![allow(unsafe_code, reason = "elements are behind a pointer of the caller")]

use crate::facts::error::{Error, ErrorKind};
use crate::facts::shape::Shape;
use crate::values::element::Element;
use crate::values::view::View;

impl<'a, T: Element> View<'a, T> {
    /// A view of elements behind a pointer, with one stride per axis. Strides count elements, and not bytes. The pointer
    /// is that of the element whose indices are all zero, also where strides are negative.
    ///
    /// ```
    /// use reduce_core::{Reduction, View};
    /// use reduce_specs::ReduceSum;
    ///
    /// // A tensor of an engine: columns of three elements.
    /// let memory = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    /// let first = memory.as_ptr();
    /// // SAFETY: the six elements of `memory`, which is borrowed as long as the view.
    /// let columns = unsafe { View::from_raw(first, &[3, 2], &[1, 3])? };
    /// assert_eq!(Reduction::new(ReduceSum).axes([0]).run(&columns)?.data(), [6.0, 15.0]);
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the strides are not one per axis, or elements would lie further apart than memory reaches.
    ///
    /// # Safety
    /// The memory from the first to the last of the elements, in the order of memory, is initialised and holds values of
    /// `T`, aligned to it. For as long as `'a` it is not freed, and nobody writes to it. A view without elements asks nothing
    /// of the pointer.
    pub unsafe fn from_raw(
        first: *const T,
        shape: &[usize],
        strides: &[isize],
    ) -> Result<Self, Error> {
        let sizes = Shape::new(shape)?;
        if sizes.count() == 0 || strides.len() != sizes.rank() {
            return View::with_strides(&[], shape, strides, 0);
        }
        let beyond = || ErrorKind::ViewOutOfBounds {
            shape: shape.to_vec(),
            strides: strides.to_vec(),
            offset: 0,
            length: isize::MAX.cast_unsigned() / size_of::<T>(),
        };
        let (before, length) = reach(shape, strides)
            .filter(|(_, length)| *length <= isize::MAX.cast_unsigned() / size_of::<T>())
            .ok_or_else(beyond)?;
        // SAFETY: *buffers*, which the caller keeps: these are the elements from the first to the last, and `reach`
        // counted them.
        let data = unsafe { std::slice::from_raw_parts(first.wrapping_sub(before), length) };
        View::with_strides(data, shape, strides, before)
    }
}

/// How many elements lie in front of the one whose indices are all zero, and how many there are from the first to the
/// last. None if they are too many to be counted.
fn reach(shape: &[usize], strides: &[isize]) -> Option<(usize, usize)> {
    let (mut before, mut length) = (0usize, 1usize);
    for (&size, &stride) in shape.iter().zip(strides) {
        let way = stride.unsigned_abs().checked_mul(size - 1)?;
        length = length.checked_add(way)?;
        if stride < 0 {
            before += way;
        }
    }
    Some((before, length))
}

#[cfg(test)]
mod tests {
    use super::View;

    #[test]
    fn elements_lie_before_and_behind() {
        let memory: Vec<i32> = (0..12).collect();
        let at = |place: usize| memory[place..].as_ptr();
        // SAFETY: *buffers*: eleven of the twelve elements of the list, of which the ninth is the first.
        let turned = unsafe { View::from_raw(memory.as_ptr().wrapping_add(8), &[3, 2], &[-4, 2]) };
        let turned = turned.expect("a view");
        assert_eq!((turned.data(), turned.offset()), (&memory[..11], 8));
        // SAFETY: *buffers*: one element of the list, repeated a thousand times.
        let same = unsafe { View::from_raw(at(5), &[1000], &[0]) }.expect("a view");
        assert_eq!((same.data(), same.offset()), (&[5][..], 0));
        // SAFETY: *buffers*: a view without elements asks nothing of the pointer.
        let none = unsafe { View::from_raw(std::ptr::null::<i32>(), &[0, 3], &[3, 1]) };
        assert_eq!(none.expect("a view").shape().count(), 0);
    }

    #[test]
    fn what_no_memory_holds_is_refused() {
        let one = 1u8;
        // SAFETY: *buffers*: nothing is read, since the view is refused.
        let far = unsafe { View::from_raw(&raw const one, &[2, 2], &[isize::MAX, isize::MAX]) };
        assert_eq!(far.expect_err("too far").code(), "view-out-of-bounds");
        // SAFETY: *buffers*: nothing is read, since the view is refused.
        let few = unsafe { View::from_raw(&raw const one, &[2, 2], &[1]) };
        assert_eq!(few.expect_err("a stride is missing").code(), "rank-mismatch");
    }
}
