//! The rows of an output: what lies along the innermost outer axis of a plan.

use crate::plan::Plan;

/// Where some of an output begins, in rows.
#[derive(Clone, Copy)]
pub(super) struct OutputRows {
    size: usize,
    /// The first row, and how many of its elements lie before.
    pub(super) first: usize,
    skipped: usize,
}

impl OutputRows {
    /// The rows of an output from the `start`th element on.
    #[inline(always)]
    pub(super) fn from(plan: &Plan, start: usize) -> Self {
        let size = plan.outer_row().size;
        // Divisions are slow, and most outputs are not split.
        let (first, skipped) = match start {
            0 => (0, 0),
            _ => (start / size, start % size),
        };
        OutputRows { size, first, skipped }
    }

    /// The output cut where rows end, each row with how many elements lie before it in its own:
    /// some in the first row, none in all others.
    #[inline(always)]
    pub(super) fn cut<O>(self, output: &mut [O]) -> impl Iterator<Item = (usize, &mut [O])> {
        let OutputRows { size, mut skipped, .. } = self;
        let mut rest = output;
        std::iter::from_fn(move || {
            let count = (size - skipped).min(rest.len());
            if count == 0 {
                return None;
            }
            let row;
            (row, rest) = std::mem::take(&mut rest).split_at_mut(count);
            Some((std::mem::take(&mut skipped), row))
        })
    }
}
