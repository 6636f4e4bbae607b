//! Which path a reduction takes, and which kept axis goes across the lanes.
//!
//! [`strands`](super::strands) has decided on how many strands each result is folded, and with it every bit.
//! What is decided here is how memory is read, which changes speed alone. The thresholds were measured
//! (`docs/log/kernels.md`).

use super::axis::JointAxis;
use super::strands::{Strands, are_results_nearer, strands, worth_lanes};
use super::{Needs, Path};

/// What was chosen.
pub(super) struct Choice {
    pub(super) path: Path,
    /// The kept axis whose results a unit folds together, if there is one.
    pub(super) lane: Option<usize>,
    /// Whether each lane has a result of its own.
    pub(super) across: bool,
    /// Whether results with lanes along each take turns: one block of each, then the next of each.
    pub(super) interleaved: bool,
    /// How many rows are folded side by side, each in lanes of its own; 1 if none are.
    pub(super) side_by_side: usize,
    /// Elements of the innermost reduced axis, if each has a lane of its own; else 1.
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

/// Up to this many elements of all results together, lanes do not pay, if results have few elements and little
/// is done with each. To set the lanes up then takes longer than to take one element after another.
const FEW_IN_ALL: usize = 64;

/// The path of a reduction that combines at least two elements. Its kept and its reduced axes are sorted
/// and merged.
pub(super) fn choose<const N: usize>(
    kept: &[JointAxis<N>],
    reduced: &[JointAxis<N>],
    needs: &Needs,
) -> Choice {
    let run = reduced.last().copied().unwrap_or(JointAxis::ONE);
    let count: usize = reduced.iter().map(|axis| axis.size).product();
    let outputs: usize = kept.iter().map(|kept| kept.size).product();
    let elements = outputs.saturating_mul(count);
    match strands(kept, reduced, needs) {
        Strands::Rows { rows, neighbours } => {
            let columns = Choice::across(Path::Columns, kept.len() - 1);
            Choice { side_by_side: rows, neighbours, ..columns }
        }
        Strands::One if count <= needs.few => {
            let few = Choice::along(Path::Few);
            let are_few = needs.light && elements <= FEW_IN_ALL;
            if needs.lanes == 1 || are_few { few } else { across(kept, &run, needs).unwrap_or(few) }
        }
        Strands::Lanes => along(kept, reduced, run, needs),
        _ if needs.lanes == 1 || is_long_from_memory(reduced, elements, needs) => {
            along(kept, reduced, run, needs)
        }
        _ => {
            let along = || along(kept, reduced, run, needs);
            across(kept, &run, needs).unwrap_or_else(along)
        }
    }
}

/// Whether rows come from memory and are too long to be transposed there. Only operators whose results are the
/// same in any order are asked; others keep the strands that they have.
fn is_long_from_memory<const N: usize>(
    reduced: &[JointAxis<N>],
    elements: usize,
    &Needs { any_order, short_from_memory, element, machine, .. }: &Needs,
) -> bool {
    let is_from_memory = elements.saturating_mul(element) >= machine.beyond_last;
    let is_long = |run: &JointAxis<N>| run.stride() == 1 && run.size > short_from_memory;
    any_order && is_from_memory && matches!(reduced, [run] if is_long(run))
}

/// Lanes along the elements of each result. Where runs of different results alternate in memory,
/// results take turns, so that memory is read in its order.
fn along<const N: usize>(
    kept: &[JointAxis<N>],
    reduced: &[JointAxis<N>],
    run: JointAxis<N>,
    &Needs { lanes, in_parts, .. }: &Needs,
) -> Choice {
    // Parts of a block go on from run to run, so blocks of several runs are packed.
    let is_long = run.size >= lanes && !in_parts;
    let direct = run.stride() == 1 && (is_long || reduced.len() == 1);
    let path = if direct { Path::Lanes } else { Path::Gather };
    let interleaved = match (kept, reduced) {
        ([.., kept], [.., next, _]) => {
            direct && kept.stride().unsigned_abs() < next.stride().unsigned_abs()
        }
        _ => false,
    };
    Choice { lane: kept.len().checked_sub(1), interleaved, ..Choice::along(path) }
}

/// A lane for each result, if one of the axes has enough results.
fn across<const N: usize>(
    kept: &[JointAxis<N>],
    run: &JointAxis<N>,
    &Needs { lanes, .. }: &Needs,
) -> Option<Choice> {
    let size = |index: usize| kept[index].size;
    let enough = |index: usize| size(index) >= worth_lanes(lanes, 4);
    let moves = |index: &usize| kept[*index].stride() != 0;
    let widest = (0..kept.len()).filter(moves).max_by_key(|&index| size(index))?;
    let nearest = (0..kept.len()).rev().find(moves)?;
    if run.stride() == 1 {
        // The innermost axis that has enough, so that the rows of a group of lanes lie close together.
        let lane = (0..kept.len()).rev().find(|index| moves(index) && enough(*index));
        return lane.map(|lane| Choice::across(Path::ShortRows, lane));
    }
    let are_columns = kept[nearest].stride() == 1;
    let has_wider = size(widest) > size(nearest) && enough(widest);
    match are_columns {
        true if size(nearest) >= lanes / 2 => Some(Choice::across(Path::Columns, nearest)),
        true if has_wider => Some(Choice::across(Path::Gather, widest)),
        true if size(nearest) >= worth_lanes(lanes, 8) => {
            Some(Choice::across(Path::Columns, nearest))
        }
        false if enough(nearest) && are_results_nearer(kept, run) => {
            Some(Choice::across(Path::Gather, nearest))
        }
        _ if size(widest) >= worth_lanes(lanes, 8) => Some(Choice::across(Path::Gather, widest)),
        _ => None,
    }
}
