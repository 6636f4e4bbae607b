//! Layouts that reach every path of a plan, and every branch on it, whatever the
//! number of lanes: from 4 to 256, that is, for accumulators of any size.
//!
//! Sizes are chosen by what a kernel does with them. A block has 64 steps, and a panel has 16
//! groups of lanes. Narrow columns are folded side by side until they fill groups of lanes. Which
//! path a case takes depends on the type, and is asked of the plan where it matters.

mod across;
mod along;

use super::Recipe;

/// A view and the axes to reduce.
#[derive(Clone, Debug)]
pub struct Case {
    /// How the view is made.
    pub recipe: Recipe,
    /// The axes, in ascending order.
    pub axes: Vec<usize>,
}

impl Case {
    fn new(recipe: Recipe, axes: &[usize]) -> Self {
        Case { recipe, axes: axes.to_vec() }
    }
}

/// A row-major buffer, and axes.
fn whole(shape: &[usize], axes: &[usize]) -> Case {
    Case::new(Recipe::of(shape), axes)
}

/// Every case.
pub fn path_cases() -> Vec<Case> {
    [
        across::columns(),
        across::narrow_columns(),
        across::runs_side_by_side(),
        across::short_rows(),
        across::apart(),
        along::runs(),
        along::gathered(),
        along::few(),
        along::elements(),
        along::empty(),
    ]
    .concat()
}
