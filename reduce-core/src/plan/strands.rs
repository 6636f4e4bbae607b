//! The order of combination: on how many strands the elements of a result are folded.
//!
//! A *strand* is an accumulator that takes some of the elements of a result, one after another. With `s`
//! strands, element `i` goes to strand `i mod s`. The rules stand in `docs/numerics.md`, and a test holds
//! results against them. The numbers in the rules are those of [`facts::order`](crate::facts::order).

use super::Needs;
use super::axis::JointAxis;
use crate::facts::order::{
    FILLED, FILLED_BY_MORE, LONGEST_RUN, PACKED_BLOCK, ROWS, ROWS_OF_LITTLE, ROWS_OF_SELECTIONS,
    SHORT_RUN, STEPS, TIMES,
};

impl Needs {
    /// How many blocks of packed elements are folded as one.
    pub(super) fn packed_blocks(&self) -> usize {
        self.blocks.min((PACKED_BLOCK / (STEPS * self.lanes)).max(1))
    }

    /// Elements that are packed and folded as one block.
    pub(crate) fn packed_piece(&self) -> usize {
        self.packed_blocks() * STEPS * self.lanes
    }
}

/// How the elements of each result are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strands {
    /// One strand takes all.
    One,
    /// As many strands as there are lanes take the elements in turn.
    Lanes,
    /// The elements lie in rows, and `rows` of them are folded side by side. Each row holds `neighbours`
    /// elements of a result, and each of these goes to a strand of its own.
    Rows { rows: usize, neighbours: usize },
}

/// On how many strands each result is folded. Kept and reduced axes are sorted and merged, and each
/// result has at least two elements.
pub(super) fn strands<const N: usize>(
    kept: &[JointAxis<N>],
    reduced: &[JointAxis<N>],
    needs: &Needs,
) -> Strands {
    let count: usize = reduced.iter().map(|axis| axis.size).product();
    if needs.lanes == 1 || count <= needs.few {
        return Strands::One;
    }
    // The longest kept axis whose results are not repeated.
    let results = kept.iter().filter(|kept| kept.stride() != 0).map(|kept| kept.size).max();
    let ([.., run], Some(results)) = (reduced, results) else { return Strands::Lanes };
    let is_short = is_short(reduced, results, needs);
    if let Some(rows) = rows(kept, reduced, is_short, needs) {
        return rows;
    }
    let is_across = are_results_nearer(kept, run) && results >= worth_lanes(needs.lanes, 8);
    if is_short || is_across { Strands::One } else { Strands::Lanes }
}

/// Whether lanes along the innermost reduced axis gain nothing, because it is short and there are many
/// results.
fn is_short<const N: usize>(reduced: &[JointAxis<N>], results: usize, needs: &Needs) -> bool {
    let part = if needs.light { 1 } else { 4 };
    match reduced {
        [run] => run.size <= needs.short && results >= worth_lanes(needs.lanes, part),
        [.., run] => run.size <= SHORT_RUN && results >= worth_lanes(needs.lanes, 4),
        [] => false,
    }
}

/// The fewest results for which a lane each is worth while: a part of the lanes, and at least two.
pub(super) fn worth_lanes(lanes: usize, part: usize) -> usize {
    (lanes / part).max(2)
}

/// Whether results lie nearer to one another than the elements of each result do.
pub(super) fn are_results_nearer<const N: usize>(
    kept: &[JointAxis<N>],
    run: &JointAxis<N>,
) -> bool {
    let mut moving = kept.iter().rev().map(JointAxis::stride).filter(|&way| way != 0);
    let nearest = moving.next().map_or(usize::MAX, isize::unsigned_abs);
    run.stride() == 0 || nearest < run.stride().unsigned_abs()
}

/// The strands of results whose elements lie in rows, if each result has several.
///
/// A row is all neighbours in memory along the innermost kept axis, and along the innermost reduced
/// one if that is nearer still.
fn rows<const N: usize>(
    kept: &[JointAxis<N>],
    reduced: &[JointAxis<N>],
    is_short: bool,
    needs: &Needs,
) -> Option<Strands> {
    let ([.., nearest], [.., last]) = (kept, reduced) else { return None };
    let (outer, neighbours) = match reduced {
        [outer @ .., run] if run.stride() == 1 => (outer, run.size),
        _ => (reduced, 1),
    };
    let width = nearest.size * neighbours;
    let is =
        |strides: &[isize; N], way: usize| strides.iter().all(|&it| usize::try_from(it) == Ok(way));
    let are_dense = is(&nearest.strides, neighbours) && (neighbours == 1 || is(&last.strides, 1));
    let rows = outer.last()?;
    let lie_apart = rows.strides.iter().all(|stride| stride.unsigned_abs() >= width);
    if !needs.spreads || !are_dense || !lie_apart || neighbours > LONGEST_RUN * needs.lanes {
        return None;
    }
    let count: usize = outer.iter().map(|axis| axis.size).product();
    let least = match () {
        () if !is_short && neighbours < needs.lanes => ROWS_OF_LITTLE,
        () if needs.any_order => ROWS_OF_SELECTIONS,
        () => ROWS,
    };
    if neighbours > 1 && count < least {
        return None;
    }
    let follow_one_another = is(&rows.strides, width);
    // If several axes lead to rows, the number must divide the innermost one, so that none of its rows
    // is left over.
    let axis = if outer.len() == 1 { None } else { Some(rows.size) };
    let rows = match rows_that_fill(width, axis, needs.lanes) {
        rows if follow_one_another && count >= TIMES * rows => rows,
        _ => 1,
    };
    (rows * neighbours > 1).then_some(Strands::Rows { rows, neighbours })
}

/// The fewest rows of a width that fill groups of lanes, and divide `all` if it is given; 1 if there are
/// none. Whole groups are counted by a mask, since the number of lanes is a power of two: a division
/// for each number of rows takes long.
fn rows_that_fill(width: usize, all: Option<usize>, lanes: usize) -> usize {
    let fills = |rows: usize, eighths: usize| {
        let used = rows * width;
        8 * used >= eighths * ((used + lanes - 1) & !(lanes - 1))
    };
    if fills(1, FILLED) {
        return 1;
    }
    let are_equal = |rows: &usize| all.is_none_or(|all| all.is_multiple_of(*rows));
    (1..=lanes).find(|rows| fills(*rows, FILLED_BY_MORE) && are_equal(rows)).unwrap_or(1)
}
