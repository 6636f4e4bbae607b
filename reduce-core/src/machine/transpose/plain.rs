//! Transposition without vectors.

use super::Rectangle;

/// Rows that are walked side by side: few enough for their lines to stay in the
/// cache from one column to the next.
const ROWS: usize = 8;

/// Transposes the rows of a block from `first` on.
pub(super) fn transpose<T: Copy>(block: &mut Rectangle<'_, T>, first: usize) {
    for row in (first..block.rows).step_by(ROWS) {
        let count = ROWS.min(block.rows - row);
        for column in 0..block.columns {
            let mut place = row * block.row_stride + column;
            for x in &mut block.out[column * block.width + row..][..count] {
                *x = block.src[place];
                place += block.row_stride;
            }
        }
    }
}
