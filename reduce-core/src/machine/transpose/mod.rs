//! Transposition of small blocks: the packing of short rows, one row per lane.
//!
//! Rows are read in pieces of 16 bytes. Each 128-bit lane of a vector takes a piece of one row. As many vectors
//! as a piece has elements are transposed within their lanes. Every vector then holds one column of consecutive
//! rows, and is stored at once. Very short rows without gaps are read in whole vectors, and columns are picked
//! out of these. Where pieces would reach beyond the source, or rows are too few for a vector, a plain loop
//! does the rest.

#[cfg(target_arch = "x86_64")]
mod dense;
mod pass;
mod plain;
#[cfg(test)]
mod tests;
mod tiles;
mod turn;
mod vectors;

pub(crate) use turn::{turn_by, turn_plainly};

use crate::machine::bits::Bits;
use crate::machine::level::Available;

/// `out[c * width + r] = src[r * row_stride + c]` for `r < rows` and `c < columns`; the rest of `out` stays as
/// it is. Meanwhile, what lies `ahead` bytes further on is fetched; nothing if `ahead` is 0.
///
/// # Panics
/// If there are more rows than `width`, or elements do not lie in `src` or `out`.
#[allow(clippy::too_many_arguments, reason = "two slices, and how a block lies in them")]
pub(crate) fn transpose<T: Bits>(
    level: Available,
    src: &[T],
    row_stride: usize,
    rows: usize,
    columns: usize,
    out: &mut [T],
    width: usize,
    ahead: usize,
) {
    if rows > 0 && columns > 0 {
        let mut block =
            Rectangle { ahead, ..Rectangle::new(src, row_stride, rows, columns, out, width) };
        let done = tiles::transpose(level, &mut block);
        plain::transpose(&mut block, done);
    }
}

/// A block that is not empty and whose elements lie in `src` and in `out`.
struct Rectangle<'a, T> {
    src: &'a [T],
    row_stride: usize,
    rows: usize,
    columns: usize,
    out: &'a mut [T],
    width: usize,
    ahead: usize,
}

impl<'a, T> Rectangle<'a, T> {
    #[inline(always)]
    fn new(
        src: &'a [T],
        row_stride: usize,
        rows: usize,
        columns: usize,
        out: &'a mut [T],
        width: usize,
    ) -> Self {
        assert!(rows > 0 && columns > 0, "a block has elements");
        assert!(lies_within(src.len(), rows, row_stride, columns), "rows must lie in the source");
        assert!(rows <= width, "columns must not overlap");
        assert!(lies_within(out.len(), columns, width, rows), "columns must lie in the output");
        Rectangle { src, row_stride, rows, columns, out, width, ahead: 0 }
    }
}

/// Whether `count` runs, one or more, `stride` apart, end within `len`.
#[inline(always)]
fn lies_within(len: usize, count: usize, stride: usize, run: usize) -> bool {
    let last = (count - 1).checked_mul(stride);
    last.and_then(|last| last.checked_add(run)).is_some_and(|end| end <= len)
}
