//! Plans: a reduction's axes put into the order in which memory is walked.
//!
//! 1. Axes of size 1 are dropped. Axes of negative stride are turned forward,
//!    axes are sorted, the largest stride outermost, and neighbours that together
//!    walk one arithmetic sequence are merged. Reduced axes stay as they are where
//!    the order of elements matters.
//! 2. One of the kept axes may be laid *across the lanes*: each lane then folds a
//!    result of its own. Otherwise the lanes go *along* the elements of one result.
//!    [`Path`] names the cases.
//! 3. Results are computed in the order of memory; if that is not row-major order
//!    they are put into it at the end.
//!
//! A plan depends on shape, strides, axes and the operator's number of lanes. The
//! order in which elements are combined follows from it, never from the CPU or the
//! number of threads.

mod axis;
mod choose;
mod grid;
mod places;
#[cfg(test)]
mod tests;

pub(crate) use axis::Axis;
pub(crate) use grid::Grid;
pub(crate) use places::Places;

use crate::axes::AxisSet;
use crate::shape::{Dims, Shape};

use axis::{KeptAxis, merge, turn_forward};

/// How a plan reads memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Path {
    /// No element is combined with another: `finalize(map(x))` of each.
    Elements,
    /// Too few elements for lanes to pay: combined one after another.
    Few,
    /// The elements of a result lie in long contiguous runs: lanes go along them.
    Lanes,
    /// Neighbours in memory belong to different results: lanes go across results
    /// and are read as they lie. Narrow columns fold several rows side by side.
    Columns,
    /// Results have few, contiguous elements: lanes go across results, for which
    /// blocks are transposed first.
    ShortRows,
    /// Elements lie apart: packed into blocks, then as one of the others.
    Gather,
}

/// What a plan must know of the kernel it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs {
    /// The number of lanes; 1 if elements must be combined in their order.
    pub(crate) lanes: usize,
    /// Elements that are combined one after another sooner than lanes could be
    /// brought together.
    pub(crate) few: usize,
    /// The longest contiguous run that counts as a short row.
    pub(crate) short_rows: usize,
    /// Elements are walked in row-major order, since their positions count.
    pub(crate) ordered: bool,
    /// Rows of narrow columns may be folded side by side.
    pub(crate) side_by_side: bool,
    /// Steps of a block.
    pub(crate) steps: usize,
    /// Blocks of a contiguous run that are folded as one.
    pub(crate) blocks: usize,
    /// Bytes of an element.
    pub(crate) element: usize,
}

/// The walk of one reduction over one layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(crate) path: Path,
    /// Kept axes that are walked index by index.
    pub(crate) outer: Dims<Axis>,
    /// The kept axis whose results are reduced together: across the lanes, or one
    /// after another; of size 1 if there is none.
    pub(crate) lane: Axis,
    /// Whether lanes go across results.
    pub(crate) across: bool,
    /// Whether the results of a unit, with lanes along each, are folded block by
    /// block in turn, because their runs lie between one another.
    pub(crate) interleaved: bool,
    /// How many rows of columns are folded side by side; 1 if not narrow.
    pub(crate) side_by_side: usize,
    /// Reduced axes; the last is the innermost.
    pub(crate) reduced: Dims<Axis>,
    /// The place of the first element.
    pub(crate) offset: usize,
    pub(crate) outputs: usize,
    pub(crate) count: usize,
    /// Where results go, if not in the order in which they are computed.
    pub(crate) scatter: Option<Scatter>,
    pub(crate) grid: Grid,
}

/// The places, in the result, of results in the order of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scatter {
    pub(crate) axes: Dims<Axis>,
    pub(crate) start: usize,
}

impl Plan {
    /// The plan for a view of this layout.
    pub(crate) fn new(
        shape: &Shape,
        strides: &[isize],
        offset: usize,
        axes: &AxisSet,
        needs: Needs,
    ) -> Self {
        let mut kept: Dims<KeptAxis> = Dims::new();
        let mut reduced: Dims<Axis> = Dims::new();
        let (mut outputs, mut count) = (1usize, 1usize);
        // From the innermost axis outwards: the stride of an axis in the result is
        // the number of results inside it.
        for index in (0..shape.rank()).rev() {
            let axis = Axis { size: shape[index], stride: strides[index] };
            // A product of some of a shape's sizes fits: the shape was checked.
            if axes.contains(index) {
                count *= axis.size;
                if axis.size != 1 {
                    reduced.insert(0, axis);
                }
            } else {
                if axis.size != 1 {
                    kept.insert(0, KeptAxis { axis, step: outputs.cast_signed() });
                }
                outputs *= axis.size;
            }
        }
        let mut plan = Plan {
            path: Path::Elements,
            outer: Dims::new(),
            lane: Axis { size: 1, stride: 1 },
            across: false,
            interleaved: false,
            side_by_side: 1,
            reduced,
            offset,
            outputs,
            count,
            scatter: None,
            grid: Grid::NONE,
        };
        if outputs > 0 && count > 0 {
            plan.arrange(kept, needs);
            plan.grid = Grid::new(&plan, needs);
        }
        plan
    }

    /// Sorts and merges axes and chooses the path of a plan with elements.
    fn arrange(&mut self, mut kept: Dims<KeptAxis>, needs: Needs) {
        if self.count == 1 {
            self.outer = merge(kept.iter().map(|kept| kept.axis));
            return;
        }
        if !needs.ordered {
            self.offset = turn_forward(&mut self.reduced, self.offset);
            self.reduced.sort_by_key(Axis::outermost_first);
        }
        self.reduced = merge(self.reduced.iter().copied());
        let mut start = 0;
        for kept in &mut kept {
            (self.offset, start) = kept.turn_forward(self.offset, start);
        }
        kept.sort_by_key(|kept| kept.axis.outermost_first());
        let mut kept = axis::merge_kept(&kept);

        let choice = choose::choose(&kept, &self.reduced, needs);
        self.path = choice.path;
        self.side_by_side = choice.side_by_side;
        if let Some(lane) = choice.lane {
            self.across = choice.across;
            self.interleaved = choice.interleaved;
            let lane = kept.remove(lane);
            self.lane = lane.axis;
            kept.push(lane);
        }
        let places =
            merge(kept.iter().map(|kept| Axis { size: kept.axis.size, stride: kept.step }));
        let in_order = match places.as_slice() {
            [] => true,
            [place] => place.stride == 1 && start == 0,
            _ => false,
        };
        self.scatter = (!in_order).then_some(Scatter { axes: places, start });
        let outer = kept.len() - usize::from(choice.lane.is_some());
        self.outer = merge(kept[..outer].iter().map(|kept| kept.axis));
    }

    /// How memory is read.
    pub fn path(&self) -> Path {
        self.path
    }

    /// The number of results.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The number of elements combined into each result.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The innermost reduced axis.
    #[inline(always)]
    pub(crate) fn run(&self) -> Axis {
        self.reduced.last().copied().unwrap_or(Axis { size: 1, stride: 1 })
    }
}
