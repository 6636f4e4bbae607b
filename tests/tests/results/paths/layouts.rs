//! The cases, with what is asked of each more than once.

use reduce_tests::cases::{Case, Walk, path_cases};
use reduce_tests::oracle::{self, Expected, Op, Type, Values, sets};

/// A layout is a case, the elements that its view reads, and the set of them for each result.
pub(crate) struct Layout {
    pub(crate) case: Case,
    pub(crate) walk: Walk,
    /// Per result, the places of its elements, in row-major order.
    pub(crate) sets: Vec<Vec<usize>>,
}

pub(crate) fn layouts() -> Vec<Layout> {
    let layout = |case: Case| {
        let walk = case.recipe.walk();
        let place = |index: usize| walk.places[index];
        let sets = sets(&walk.shape, &case.axes);
        let sets = sets.into_iter().map(|set| set.into_iter().map(place).collect()).collect();
        Layout { case, walk, sets }
    };
    path_cases().into_iter().map(layout).collect()
}

impl Layout {
    /// Whether it is cheap.
    pub(crate) fn small(&self) -> bool {
        self.walk.places.len() <= 700 && self.case.recipe.count() <= 5000
    }

    /// Returns the oracle's results over a buffer, without the reduced axes.
    pub(crate) fn expected(&self, op: Op, ty: Type, buffer: &Values) -> Option<Expected> {
        let shape = oracle::output_shape(&self.walk.shape, &self.case.axes, false);
        let results = oracle::reduce_sets(op, ty, buffer, &self.sets)?;
        Some(Expected { shape, ..results })
    }

    /// Whether every result has elements.
    pub(crate) fn has_elements(&self) -> bool {
        !self.walk.places.is_empty()
    }
}
