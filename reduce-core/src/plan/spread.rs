//! The spread of the elements of each result over strands, and their cut into blocks.

use super::{Needs, Path, Plan};
use crate::facts::order::STEPS;

/// How the elements of a result, walked in some sequence, are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spread {
    /// Rows and neighbours: each neighbour in each row has a strand.
    pub(crate) rows: usize,
    pub(crate) neighbours: usize,
    /// Elements of a block; a result may have fewer.
    pub(crate) block: usize,
    /// Elements of a run, if the blocks of each are its own.
    pub(crate) run: Option<usize>,
}

impl Plan {
    /// In which order the elements of each result are combined.
    pub(crate) fn spread(&self, needs: Needs) -> Spread {
        let is_along = !self.across && !self.takes_one_by_one();
        let run = is_along && self.path == Path::Lanes && self.reduced.len() > 1;
        let run = run.then(|| self.run().size);
        let (rows, block) = match is_along {
            true if needs.in_parts => (1, STEPS),
            true => (needs.lanes, self.grid.piece),
            false => (self.side_by_side, self.strands() * STEPS),
        };
        Spread { rows, neighbours: self.neighbours, block, run }
    }

    /// Whether elements are taken one after another, without lanes.
    pub(crate) fn takes_one_by_one(&self) -> bool {
        matches!(self.path, Path::Elements | Path::Few)
    }
}
