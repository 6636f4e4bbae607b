//! Parts of a plan: some of its results, each combined in the order that it has in the whole.

use std::ops::Range;

use super::{Grid, MergedAxes, Needs, Plan};

impl Plan {
    /// The plan for some results, counted in row-major order, with all that was chosen for all of them.
    /// None if they are computed in another order, or lie otherwise than as some indices of one axis,
    /// or if lanes are shared with other results.
    pub(crate) fn part(&self, results: Range<usize>, needs: Needs) -> Option<Plan> {
        let axes = self.cut(results.clone())?;
        let of_input = |whole: &Plan| {
            let mut part = Plan { inputs: Vec::new(), ..whole.clone() };
            part.outputs = results.len();
            for (axis, cut) in part.outer.iter_mut().chain([&mut part.lane]).zip(&axes) {
                axis.size = cut.size;
            }
            part.offset = whole.place(results.start);
            part
        };
        let mut part = of_input(self);
        part.grid = Grid::new(&part, needs);
        for whole in &self.inputs {
            let mut input = of_input(whole);
            input.grid = part.grid;
            input.grid.row_axis.stride = input.row_stride();
            part.inputs.push(input);
        }
        Some(part)
    }

    /// Moves a part of a plan to as many other results, which lie alike. The buffer of the first input begins with what
    /// is element number `begin` for the whole plan.
    pub(crate) fn move_to(&mut self, whole: &Plan, first: usize, begin: usize) {
        self.offset = whole.place(first);
        for (part, whole) in self.inputs.iter_mut().zip(&whole.inputs) {
            part.offset = whole.place(first);
        }
        let of_first = self.inputs.first_mut().map_or(&mut self.offset, |plan| &mut plan.offset);
        *of_first = of_first.wrapping_sub(begin);
    }

    /// The place of the first element of a result, counted in the order of the plan.
    pub(crate) fn place(&self, mut result: usize) -> usize {
        let mut place = self.offset;
        for axis in self.outer.iter().chain([&self.lane]).rev() {
            let index = (result % axis.size).cast_signed();
            place = place.wrapping_add_signed(index.wrapping_mul(axis.stride));
            result /= axis.size;
        }
        place
    }

    /// The outer axes and the lane axis, cut to some results: one index of each of the first axes, some
    /// of the next one, and all of those inside it.
    fn cut(&self, results: Range<usize>) -> Option<MergedAxes> {
        if self.scatter.is_some() {
            return None;
        }
        let mut axes: MergedAxes = self.outer.iter().copied().chain([self.lane]).collect();
        let lane = axes.len() - 1;
        let (mut inside, Range { mut start, mut end }) = (self.outputs, results);
        for (number, axis) in axes.iter_mut().enumerate() {
            inside /= axis.size;
            let is_whole = start.is_multiple_of(inside) && end.is_multiple_of(inside);
            let (first, last) = (start / inside, (end - 1) / inside);
            if !is_whole && first < last {
                return None;
            }
            if number == lane && last + 1 - first < axis.size && self.strands() > 1 {
                return None;
            }
            axis.size = last + 1 - first;
            if is_whole {
                return Some(axes);
            }
            (start, end) = (start - first * inside, end - first * inside);
        }
        None
    }
}
