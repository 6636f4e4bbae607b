//! Which part of a buffer a view reads.

use std::ops::Range;

use crate::facts::error::Error;
use crate::machine::bits;
use crate::values::element::Element;
use crate::values::input::Input;

/// The range of its buffer that each view of an input reads, from the first element that is read to the last.
/// Some in between may not be read. An engine that copies elements needs no others, whatever reduction it runs
/// over them. The [offsets](super::Order::offsets) of an order then count from the start of the range.
///
/// ```
/// use reduce_core::{View, backend::spans};
///
/// // The second column of a matrix.
/// let column = View::with_strides(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[3], &[2], 1)?;
/// assert_eq!(spans(&column)?, [1..6]);
/// # Ok::<(), reduce_core::Error>(())
/// ```
///
/// # Errors
/// If several views do not broadcast to one shape.
pub fn spans<I: Input>(input: &I) -> Result<Vec<Range<usize>>, Error> {
    let shape = input.shape()?;
    input.strided(&shape, |views| {
        views.iter().map(|&(strides, offset)| span(&shape, strides, offset)).collect()
    })
}

/// The bytes of elements, as a device copies them.
///
/// ```
/// assert_eq!(reduce_core::backend::bytes(&[1u16, 0x203]).len(), 4);
/// ```
pub fn bytes<T: Element>(elements: &[T]) -> &[u8] {
    bits::bytes(elements)
}

fn span(shape: &[usize], strides: &[isize], offset: usize) -> Range<usize> {
    if shape.contains(&0) {
        return 0..0;
    }
    let (mut first, mut last) = (offset, offset);
    for (&size, &stride) in shape.iter().zip(strides) {
        let way = stride.wrapping_mul((size - 1).cast_signed());
        let end = if way < 0 { &mut first } else { &mut last };
        *end = end.wrapping_add_signed(way);
    }
    first..last + 1
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn the_first_and_the_last_element_may_be_any_corner() {
        assert_eq!(span(&[], &[], 3), 3..4);
        assert_eq!(span(&[4, 5], &[5, 1], 2), 2..22);
        assert_eq!(span(&[4, 5], &[-5, 1], 17), 2..22);
        assert_eq!(span(&[4, 5], &[0, -2], 8), 0..9);
        assert_eq!(span(&[4, 0], &[1, 1], 8), 0..0);
    }
}
