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
mod in_order;
mod like;
mod one;
mod part;
mod places;
mod reading;
mod scan;
mod spread;
mod strands;
#[cfg(test)]
mod tests;

pub(crate) use axis::Axis;
pub(crate) use grid::{Grid, Units};
pub(crate) use in_order::InOrder;
pub(crate) use places::{Places, Scatter};
pub(crate) use reading::FETCHED_BY_TURNING;
pub(crate) use scan::{OUT, ScanOrder, ScanPlaces, ScanPlan};
pub(crate) use spread::Spread;

use smallvec::SmallVec;

use crate::facts::axes::{Axes, AxisSet};
use crate::facts::error::Error;
use crate::facts::shape::{Dims, Shape};
use crate::machine::Machine;
use crate::values::layout::Strided;
use crate::values::layouts::HasLayouts;
use crate::values::stored::Stored;

use axis::{JointAxis, in_order_of_memory, merge};

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

/// What a plan must know of the kernel it is for, and of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs {
    /// The number of lanes; 1 if elements must be combined in their order.
    pub(crate) lanes: usize,
    /// Up to this many elements, a result is folded without lanes, one element after another: lanes would have
    /// to be combined in the end, which takes longer.
    pub(crate) few: usize,
    /// Up to this length of the innermost reduced axis, each result has a lane of its own, even where its
    /// elements have to be transposed for that.
    pub(crate) short: usize,
    /// Up to this length of that axis, each result has a lane of its own where elements come from memory and
    /// not from a cache. It is less than `short` for selections, and equal to it for all other operators.
    pub(crate) short_from_memory: usize,
    /// Elements are walked in row-major order, since their positions count.
    pub(crate) ordered: bool,
    /// Whether lanes take parts of a block that follow one another: a result then has one strand.
    pub(crate) in_parts: bool,
    /// Whether results are the same in any order, so that it may be the fastest.
    pub(crate) any_order: bool,
    /// Whether rows may be folded side by side, and neighbours of a result in lanes of their own.
    pub(crate) spreads: bool,
    /// Whether little is done with each element. Reading packed rows ahead then costs more than it saves.
    pub(crate) light: bool,
    /// Blocks of a contiguous run that are folded as one.
    pub(crate) blocks: usize,
    /// Bytes of an element.
    pub(crate) element: usize,
    /// What the plan is for.
    pub(crate) machine: Machine,
}

impl Needs {
    /// The needs of a walk that takes elements one by one, in row-major order.
    pub(crate) const IN_ORDER: Needs = Needs {
        lanes: 1,
        few: 1,
        short: 1,
        short_from_memory: 1,
        ordered: true,
        in_parts: false,
        any_order: true,
        spreads: false,
        light: true,
        blocks: 1,
        element: 1,
        machine: Machine::UNKNOWN,
    };
}

/// The walk of one reduction over one layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(crate) path: Path,
    /// Kept axes that are walked index by index.
    pub(crate) outer: MergedAxes,
    /// The kept axis whose results are reduced together: across the lanes, or one
    /// after another; of size 1 if there is none.
    pub(crate) lane: Axis,
    /// True if lanes go across results.
    pub(crate) across: bool,
    /// Whether the results of a unit, with lanes along each, are folded block by
    /// block in turn, because their runs lie between one another.
    pub(crate) interleaved: bool,
    /// How many rows of columns are folded side by side; 1 if not narrow.
    pub(crate) side_by_side: usize,
    /// The number of neighbours in a row that belong to each of the columns.
    pub(crate) neighbours: usize,
    /// Reduced axes; the last is the innermost.
    pub(crate) reduced: MergedAxes,
    /// The place of the first element.
    pub(crate) offset: usize,
    pub(crate) outputs: usize,
    pub(crate) count: usize,
    /// The position of the first element: that of a piece of something longer is not 0.
    pub(crate) first: u64,
    /// Where results go, if not in the order in which they are computed.
    pub(crate) scatter: Option<Scatter>,
    pub(crate) grid: Grid,
    /// The same walk through each of several inputs, in their order; none if there is
    /// one input.
    pub(crate) inputs: Vec<Plan>,
}

/// The few axes that are left when those that continue one another are merged. A plan is moved about, so it has
/// room for no more.
pub(crate) type MergedAxes = SmallVec<[Axis; 4]>;

impl Plan {
    /// A plan of nothing, to be made.
    #[inline(always)]
    pub(crate) fn empty() -> Self {
        Plan {
            path: Path::Elements,
            outer: MergedAxes::new(),
            lane: Axis { size: 1, stride: 1 },
            across: false,
            interleaved: false,
            side_by_side: 1,
            neighbours: 1,
            reduced: MergedAxes::new(),
            offset: 0,
            outputs: 0,
            count: 0,
            first: 0,
            scatter: None,
            grid: Grid::NONE,
            inputs: Vec::new(),
        }
    }

    /// The plan for one to four inputs of one shape, each with a layout of its own.
    pub(crate) fn new(shape: &Shape, inputs: &[Strided<'_>], axes: &AxisSet, needs: Needs) -> Self {
        let mut plan = Plan::empty();
        plan.make(shape, inputs, axes, needs);
        plan
    }

    /// Makes an empty plan the one for inputs of these layouts and for these axes. It returns the shape of the inputs, and which
    /// of its axes are reduced.
    ///
    /// # Errors
    /// If an axis does not fit the inputs, or several do not broadcast to one shape.
    pub(crate) fn make_for<T: Stored, I: HasLayouts<T> + ?Sized>(
        &mut self,
        inputs: &I,
        axes: &Axes,
        needs: Needs,
    ) -> Result<(Shape, AxisSet), Error> {
        inputs.lying(|shape, inputs| {
            let axes = axes.resolve(shape.rank())?;
            self.make(shape, inputs, &axes, needs);
            Ok((shape.clone(), axes))
        })?
    }

    /// Makes an empty plan the one of [`Plan::new`]. It is compiled here and not where it is called, whatever
    /// the number of inputs.
    #[inline(never)]
    pub(crate) fn make(
        &mut self,
        shape: &Shape,
        inputs: &[Strided<'_>],
        axes: &AxisSet,
        needs: Needs,
    ) {
        match *inputs {
            [a] => self.make_of(shape, [a], axes, needs),
            [a, b] => self.make_of(shape, [a, b], axes, needs),
            [a, b, c] => self.make_of(shape, [a, b, c], axes, needs),
            [a, b, c, d] => self.make_of(shape, [a, b, c, d], axes, needs),
            _ => unreachable!("no more than four inputs"),
        }
    }

    fn make_of<const N: usize>(
        &mut self,
        shape: &Shape,
        inputs: [Strided<'_>; N],
        axes: &AxisSet,
        needs: Needs,
    ) {
        let order = if N == 1 { [0; N] } else { leader_first(shape, &inputs) };
        let mut walk = Walk {
            kept: Dims::new(),
            reduced: Dims::new(),
            offsets: order.map(|input| inputs[input].1),
        };
        let (mut outputs, mut count) = (1usize, 1usize);
        // From the innermost axis outwards: the step of an axis in the result is
        // the number of results inside it.
        for index in (0..shape.rank()).rev() {
            let (size, strides) = (shape[index], order.map(|input| inputs[input].0[index]));
            let step = outputs.cast_signed();
            let (of_kind, inside, step) = match axes.contains(index) {
                true => (&mut walk.reduced, &mut count, 0),
                false => (&mut walk.kept, &mut outputs, step),
            };
            // A product of some of a shape's sizes fits: the shape was checked.
            *inside *= size;
            if size != 1 {
                of_kind.push(JointAxis { size, strides, step });
            }
        }
        walk.reduced.reverse();
        walk.kept.reverse();
        self.offset = walk.offsets[0];
        (self.outputs, self.count) = (outputs, count);
        if outputs > 0 && count > 0 {
            self.arrange(&mut walk, order, needs);
        }
    }

    /// Sorts and merges axes and chooses the path of a plan with elements.
    fn arrange<const N: usize>(&mut self, walk: &mut Walk<N>, order: [usize; N], needs: Needs) {
        let Walk { kept, reduced, offsets } = walk;
        let mut lane = JointAxis::ONE;
        if self.count > 1 {
            match needs.ordered {
                true => merge(reduced),
                false => (*offsets, _) = in_order_of_memory(reduced, *offsets, 0),
            }
            let start;
            (*offsets, start) = in_order_of_memory(kept, *offsets, 0);
            let choice = choose::choose(kept, reduced, &needs);
            self.path = choice.path;
            self.side_by_side = choice.side_by_side;
            self.neighbours = choice.neighbours;
            if choice.neighbours > 1 {
                reduced.pop();
            }
            if let Some(index) = choice.lane {
                self.across = choice.across;
                self.interleaved = choice.interleaved;
                lane = kept.remove(index);
            }
            if self.outputs > 1 {
                self.scatter = Scatter::of(kept, choice.lane.map(|_| lane), start);
            }
        }
        // They need not lie next to one another in the result.
        let mut outer = kept.iter().map(|kept| JointAxis { step: 0, ..*kept }).collect();
        merge(&mut outer);
        let as_read = |plan: &mut Plan, input: usize| {
            // In place: a list that was moved here would be read before it is written.
            plan.outer.clear();
            plan.outer.extend(outer.iter().map(|axis| axis.of(input)));
            plan.lane = lane.of(input);
            plan.reduced.clear();
            plan.reduced.extend(reduced.iter().map(|axis| axis.of(input)));
            plan.offset = offsets[input];
        };
        as_read(self, 0);
        self.grid = Grid::new(self, needs);
        if N == 1 {
            return;
        }
        for input in 0..N {
            let mut plan = Plan { inputs: Vec::new(), scatter: None, ..self.clone() };
            as_read(&mut plan, order.iter().position(|&index| index == input).unwrap_or(0));
            plan.grid.row_axis.stride = plan.row_stride();
            self.inputs.push(plan);
        }
    }

    /// The innermost outer axis.
    #[inline(always)]
    pub(crate) fn outer_row(&self) -> Axis {
        self.outer.last().copied().unwrap_or(Axis { size: 1, stride: 0 })
    }

    /// The places of an index of all outer axes but the innermost, and of all that follow.
    #[inline(never)]
    pub(crate) fn outer_rows(&self, index: usize) -> Places<'_> {
        let rows = &self.outer[..self.outer.len().saturating_sub(1)];
        Places::from_index(rows, self.offset, index)
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

    /// The distance from one row to the next, where rows that are folded side by side count as one.
    fn row_stride(&self) -> isize {
        self.run().stride.wrapping_mul(self.side_by_side.cast_signed())
    }

    /// A row across the lanes: its columns, or the neighbours that form them.
    #[inline(always)]
    pub(crate) fn row(&self) -> Axis {
        match self.neighbours {
            1 => self.lane,
            neighbours => Axis { size: self.lane.size * neighbours, stride: 1 },
        }
    }

    /// How many elements are read in all.
    #[inline(always)]
    pub(crate) fn elements(&self) -> usize {
        self.count.saturating_mul(self.outputs)
    }

    /// How many lanes a column has.
    #[inline(always)]
    pub(crate) fn strands(&self) -> usize {
        self.side_by_side * self.neighbours
    }

    /// The innermost reduced axis.
    #[inline(always)]
    pub(crate) fn run(&self) -> Axis {
        self.reduced.last().copied().unwrap_or(Axis { size: 1, stride: 1 })
    }
}

/// The axes of some inputs, and the places of their first elements.
struct Walk<const N: usize> {
    kept: Dims<JointAxis<N>>,
    reduced: Dims<JointAxis<N>>,
    offsets: [usize; N],
}

/// The inputs in their order, but the one of the most elements first: it leads, since
/// reading it is most of the work.
fn leader_first<const N: usize>(shape: &Shape, inputs: &[Strided<'_>; N]) -> [usize; N] {
    let mut order = std::array::from_fn(|input| input);
    order[..=leader(shape, inputs)].rotate_right(1);
    order
}

/// The input with the most elements of its own, repeated ones counted once; the first, if several have as many.
pub(crate) fn leader(shape: &Shape, inputs: &[Strided<'_>]) -> usize {
    let elements = |input: usize| -> usize {
        let sizes = shape.iter().zip(inputs[input].0);
        sizes.filter(|(_, stride)| **stride != 0).map(|(&size, _)| size).product()
    };
    (0..inputs.len()).rev().max_by_key(|&input| elements(input)).unwrap_or(0)
}
