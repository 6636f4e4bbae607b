//! Which path a reduction takes, and which kept axis goes across the lanes.
//!
//! The order of combination is decided before ([`order`](super::order)): on how many strands each result is
//! folded. What is left is how memory is read, which no bit depends on. The thresholds were
//! measured (docs/kernels.md).

use super::axis::{JointAxis, KeptAxis};
use super::order::{Strands, are_results_nearer, strands, worth_lanes};
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
    needs: &Needs,
) -> Choice {
    let run = reduced.last().copied().unwrap_or(JointAxis { size: 1, strides: [1; N] });
    let count: usize = reduced.iter().map(|axis| axis.size).product();
    let outputs: usize = kept.iter().map(|kept| kept.axis.size).product();
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
        Strands::Lanes => along(kept, reduced, run, needs.lanes),
        _ if needs.lanes == 1 || is_long_from_memory(reduced, elements, needs) => {
            along(kept, reduced, run, needs.lanes)
        }
        _ => {
            let along = || along(kept, reduced, run, needs.lanes);
            across(kept, &run, needs).unwrap_or_else(along)
        }
    }
}

/// Whether rows are too long to be turned if they come from memory, of what has the same results in any
/// order.
fn is_long_from_memory<const N: usize>(
    reduced: &[JointAxis<N>],
    elements: usize,
    &Needs { any_order, short_from_memory, element, machine, .. }: &Needs,
) -> bool {
    let is_from_memory = elements.saturating_mul(element) >= machine.beyond_last;
    let is_long = |run: &JointAxis<N>| run.stride() == 1 && run.size > short_from_memory;
    any_order && is_from_memory && matches!(reduced, [run] if is_long(run))
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

/// A lane for each result, if there are enough results along an axis.
fn across<const N: usize>(
    kept: &[KeptAxis<N>],
    run: &JointAxis<N>,
    &Needs { lanes, .. }: &Needs,
) -> Option<Choice> {
    let size = |index: usize| kept[index].axis.size;
    let enough = |index: usize| size(index) >= worth_lanes(lanes, 4);
    let moves = |index: &usize| kept[*index].axis.stride() != 0;
    let widest = (0..kept.len()).filter(moves).max_by_key(|&index| size(index))?;
    let nearest = (0..kept.len()).rev().find(moves)?;
    if run.stride() == 1 {
        // The nearest axis, so that the rows of a group of lanes lie close together.
        let lane = (0..kept.len()).rev().find(|index| moves(index) && enough(*index));
        return lane.map(|lane| Choice::across(Path::ShortRows, lane));
    }
    let are_columns = kept[nearest].axis.stride() == 1;
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
