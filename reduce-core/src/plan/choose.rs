//! Which path a reduction takes, and which kept axis goes across the lanes.
//!
//! The thresholds were measured (docs/kernels.md). They compare sizes with
//! the number of lanes, so they are the same at every CPU level.

use super::axis::{JointAxis, KeptAxis};
use super::{Needs, Path};

/// What was chosen.
pub(super) struct Choice {
    pub(super) path: Path,
    /// The kept axis whose results are reduced together, if any.
    pub(super) lane: Option<usize>,
    /// Whether each lane has a result of its own.
    pub(super) across: bool,
    /// Whether results with lanes along each are folded block by block in turn.
    pub(super) interleaved: bool,
    pub(super) side_by_side: usize,
    /// Elements of the innermost reduced axis, if each has a lane of its own.
    pub(super) neighbours: usize,
}

impl Choice {
    fn along(path: Path) -> Self {
        Choice {
            path,
            lane: None,
            across: false,
            interleaved: false,
            side_by_side: 1,
            neighbours: 1,
        }
    }

    fn across(path: Path, lane: usize) -> Self {
        Choice { lane: Some(lane), across: true, ..Choice::along(path) }
    }
}

/// Elements of all results together that are taken one after another, results of few of them, if
/// little is done with each: to begin with lanes takes longer.
const FEW_IN_ALL: usize = 64;

/// The path for kept and reduced axes, both sorted and merged, of a reduction
/// that combines at least two elements.
pub(super) fn choose<const N: usize>(
    kept: &[KeptAxis<N>],
    reduced: &[JointAxis<N>],
    needs: Needs,
) -> Choice {
    let lanes = needs.lanes;
    let run = reduced.last().copied().unwrap_or(JointAxis { size: 1, strides: [1; N] });
    let count: usize = reduced.iter().map(|axis| axis.size).product();
    let along = match count <= needs.few {
        true => Choice::along(Path::Few),
        false => along(kept, reduced, run, lanes),
    };
    if lanes == 1 || kept.is_empty() {
        return along;
    }
    let Some(widest) = widest(kept) else { return along };
    if needs.light && along.path == Path::Few && elements(kept, count) <= FEW_IN_ALL {
        return along;
    }
    let enough = |index: usize| kept[index].axis.size >= worth_lanes(lanes);
    if let Some(runs) = runs_side_by_side(kept, reduced, needs) {
        return runs;
    }
    if run.stride() == 1 {
        // Short rows: the nearest axis with enough results, so that the rows of a
        // group of lanes lie close together.
        let lane = (0..kept.len())
            .rev()
            .find(|&index| kept[index].axis.stride() != 0 && enough(index))
            .unwrap_or(widest);
        // Lanes along a result of many short runs would have to be packed. Of rows that are not the
        // shortest, a group of lanes that is not full takes longer than lanes along each.
        let short = match reduced.len() {
            1 if elements(kept, count).saturating_mul(needs.element)
                >= needs.machine.beyond_last =>
            {
                needs.short_rows_from_memory
            }
            1 => needs.short_rows,
            _ => needs.short_runs,
        };
        let least = match needs.light && reduced.len() == 1 && run.size > 3 * lanes / 8 {
            true => lanes,
            false => worth_lanes(lanes),
        };
        return match run.size <= short && kept[lane].axis.size >= least {
            true => Choice::across(Path::ShortRows, lane),
            false => along,
        };
    }
    if let Some(nearest) = kept.iter().rposition(|kept| kept.axis.stride() == 1) {
        return columns(kept, reduced, nearest, widest, needs).unwrap_or(along);
    }
    let nearest = kept.iter().rposition(|kept| kept.axis.stride() != 0).unwrap_or(widest);
    let is_nearer = kept[nearest].axis.stride().unsigned_abs() < run.stride().unsigned_abs();
    match (enough(nearest), enough(widest)) {
        (true, _) if is_nearer || run.stride() == 0 => Choice::across(Path::Gather, nearest),
        (_, true) if run.size <= needs.short_runs => Choice::across(Path::Gather, widest),
        _ => along,
    }
}

/// How many elements results of `count` elements each have.
fn elements<const N: usize>(kept: &[KeptAxis<N>], count: usize) -> usize {
    let outputs: usize = kept.iter().map(|kept| kept.axis.size).product();
    outputs.saturating_mul(count)
}

/// Lanes along the elements of each result. Results whose runs lie between one
/// another are folded in turn, so that memory is read in order.
fn along<const N: usize>(
    kept: &[KeptAxis<N>],
    reduced: &[JointAxis<N>],
    run: JointAxis<N>,
    lanes: usize,
) -> Choice {
    let direct = run.stride() == 1 && (run.size >= lanes || reduced.len() == 1);
    let path = if direct { Path::Lanes } else { Path::Gather };
    let interleaved = match (kept, reduced) {
        ([.., kept], [.., next, _]) => {
            direct && kept.axis.stride().unsigned_abs() < next.stride().unsigned_abs()
        }
        _ => false,
    };
    Choice { lane: kept.len().checked_sub(1), interleaved, ..Choice::along(path) }
}

/// So many results that lanes across them are worth it.
fn worth_lanes(lanes: usize) -> usize {
    (lanes / 4).max(2)
}

/// The kept axis with the most results that are not repeated.
fn widest<const N: usize>(kept: &[KeptAxis<N>]) -> Option<usize> {
    let apart = |index: &usize| kept[*index].axis.stride() != 0;
    (0..kept.len()).filter(apart).max_by_key(|&index| kept[index].axis.size)
}

/// Columns, `nearest` being the kept axis whose elements are neighbours.
fn columns<const N: usize>(
    kept: &[KeptAxis<N>],
    reduced: &[JointAxis<N>],
    nearest: usize,
    widest: usize,
    needs: Needs,
) -> Option<Choice> {
    let lanes = needs.lanes;
    let width = kept[nearest].axis.size;
    let columns = Choice::across(Path::Columns, nearest);
    if let [outer @ .., rows] = reduced
        && needs.strand.is_some()
        && rows.strides.iter().all(|&stride| usize::try_from(stride) == Ok(width))
        && kept[nearest].axis.strides.iter().all(|&stride| stride == 1)
    {
        let count = rows.size * outer.iter().map(|axis| axis.size).product::<usize>();
        let side_by_side = match outer {
            [] => side_by_side(width, lanes),
            // All of the innermost axis, or an equal part: no row is left over.
            _ => (1..=rows.size)
                .find(|rows_at_once| {
                    rows.size.is_multiple_of(*rows_at_once) && fills(rows_at_once * width, lanes)
                })
                .filter(|_| width < 8 * lanes)
                .unwrap_or(1),
        };
        if side_by_side > 1 && strands_pay(count, width, side_by_side, needs) {
            return Some(Choice { side_by_side, ..columns });
        }
    }
    if width >= lanes / 2 {
        return Some(columns);
    }
    let is_wider = kept[widest].axis.size > width && kept[widest].axis.size >= worth_lanes(lanes);
    match (is_wider, width >= (lanes / 8).max(2)) {
        (true, _) => Some(Choice::across(Path::Gather, widest)),
        (false, true) => Some(columns),
        (false, false) => None,
    }
}

/// Fewer rows are not folded side by side.
const LEAST_ROWS: usize = 32;

/// Nor are they if there are not so many times as many as are side by side.
const TIMES: usize = 3;

/// Steps over a narrow row that take as long as one over a row that fills half of the lanes.
const NARROW: usize = 3;

/// Whether so many rows side by side save more steps than the strands of all columns cost.
fn strands_pay(count: usize, width: usize, side_by_side: usize, needs: Needs) -> bool {
    let Needs { lanes, strand: Some(strand), .. } = needs else { return false };
    if count < LEAST_ROWS.max(TIMES * side_by_side) {
        return false;
    }
    let steps = |rows: usize, width: usize| rows.saturating_mul(width.div_ceil(lanes));
    let longer = if width < lanes / 2 { NARROW } else { 1 };
    let alone = steps(count, width).saturating_mul(longer);
    let together = steps(count.div_ceil(side_by_side), side_by_side * width);
    alone.saturating_sub(together) > strand * side_by_side * width
}

/// Rows that are worth a strand for each element of a run, if combining is little work and the
/// run is short, and otherwise: strands are combined one by one.
const ROWS: usize = 16;
const MORE_ROWS: usize = 48;

/// Rows that are if lanes across results would be as empty as lanes along a run.
const LEAST_ROWS_OF_RUNS: usize = 4;

/// Columns where each row holds a run of every result, one behind the other: the elements of a
/// run lie side by side, each in a strand of its own.
fn runs_side_by_side<const N: usize>(
    kept: &[KeptAxis<N>],
    reduced: &[JointAxis<N>],
    needs: Needs,
) -> Option<Choice> {
    let ([outer @ .., rows, run], [.., nearest]) = (reduced, kept) else { return None };
    let width = nearest.axis.size * run.size;
    let are_neighbours = run.strides.iter().all(|&stride| stride == 1)
        && nearest.axis.strides.iter().all(|&stride| usize::try_from(stride) == Ok(run.size))
        && rows.strides.iter().all(|stride| stride.unsigned_abs() >= width);
    if !are_neighbours || needs.strand.is_none() || run.size > 16 * needs.lanes {
        return None;
    }
    let follow_one_another =
        outer.is_empty() && rows.strides.iter().all(|&stride| usize::try_from(stride) == Ok(width));
    let side_by_side = match follow_one_another {
        true => side_by_side(width, needs.lanes),
        false => 1,
    };
    let count = rows.size * outer.iter().map(|axis| axis.size).product::<usize>();
    let is_little = needs.light && run.size <= 4 * needs.lanes;
    let enough = if is_little { ROWS } else { MORE_ROWS };
    let columns = Choice { neighbours: run.size, ..Choice::across(Path::Columns, kept.len() - 1) };
    if count >= enough * side_by_side {
        return Some(Choice { side_by_side, ..columns });
    }
    // Neither lanes across such results are full, nor are lanes along such runs, all of which
    // would have to be packed.
    let widest = widest(kept).map_or(1, |index| kept[index].axis.size);
    let least = match needs.lanes {
        lanes if run.size >= lanes || widest >= lanes => usize::MAX,
        lanes if widest >= worth_lanes(lanes) => ROWS,
        _ if count * run.size <= needs.few => usize::MAX,
        _ => LEAST_ROWS_OF_RUNS,
    };
    (count >= least || count >= enough && width >= needs.lanes).then_some(columns)
}

/// How many rows of `width` columns fill whole groups of lanes to at least 7/8.
fn side_by_side(width: usize, lanes: usize) -> usize {
    let fill = |rows: &usize| fills(rows * width, lanes);
    if width >= 8 * lanes { 1 } else { (1..=lanes).find(fill).unwrap_or(1) }
}

/// Whether so many fill whole groups of lanes to at least 7/8. Lanes are a power of two in
/// number, and a division for each number of rows takes long.
fn fills(used: usize, lanes: usize) -> bool {
    8 * used >= 7 * ((used + lanes - 1) & !(lanes - 1))
}
