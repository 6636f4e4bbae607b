//! Transposition of small blocks: the packing of short rows, one row per lane.
//!
//! Rows are read in pieces of 16 bytes. Each 128-bit lane of a vector takes a piece of one row. As many vectors
//! as a piece has elements are transposed within their lanes. Every vector then holds one column of consecutive
//! rows, and is stored at once. Very short rows without gaps are read in whole vectors, and columns are picked
//! out of these. Where pieces would reach beyond the source, or rows are too few for a vector, a plain loop
//! does the rest.

#[allow(dead_code, reason = "not every architecture has a level with such vectors")]
pub(super) mod dense;
mod pass;
mod plain;
#[cfg(test)]
mod tests;
pub(super) mod tiles;
mod turn;
pub(super) mod vectors;

pub(crate) use turn::{turn_by, turn_plainly};

use crate::facts::level_table::for_levels;
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
        let done = transpose_by_vectors(level, &mut block);
        plain::transpose(&mut block, done);
    }
}

/// How a level transposes by vectors; implemented by the proof that the CPU has it.
pub(super) trait Transposes: Copy {
    /// Transposes the first rows of a block, and says how many. By default there are none, and the plain loop does all.
    #[inline(always)]
    fn transpose<T: Bits>(self, _block: &mut Rectangle<'_, T>) -> usize {
        0
    }
}

/// Writes what chooses the transposition by the level.
macro_rules! by_level {
    ($(
        $(#[$doc:meta])*
        $level:ident {
            name: $name:literal, module: $module:ident, narrow: $narrow:ident,
            arch: $arch:literal, $($rest:tt)*
        }
    )+) => {
        /// Transposes the first rows of a block by the vectors of a level, and says how many.
        #[allow(unused_variables, reason = "there may be no level with vectors")]
        fn transpose_by_vectors<T: Bits>(level: Available, block: &mut Rectangle<'_, T>) -> usize {
            $(
                #[cfg(all(target_arch = $arch, reduce_level = $name))]
                if let Some(proof) = crate::machine::level::$module::Proof::of(level) {
                    return proof.transpose(block);
                }
            )+
            0
        }
    };
}

for_levels!(by_level);

/// A block that is not empty and whose elements lie in `src` and in `out`.
pub(super) struct Rectangle<'a, T> {
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

    #[allow(dead_code, reason = "for levels with a choice of vectors")]
    #[inline(always)]
    pub(super) fn columns(&self) -> usize {
        self.columns
    }
}

/// Whether `count` runs, one or more, `stride` apart, end within `len`.
#[inline(always)]
fn lies_within(len: usize, count: usize, stride: usize, run: usize) -> bool {
    let last = (count - 1).checked_mul(stride);
    last.and_then(|last| last.checked_add(run)).is_some_and(|end| end <= len)
}
