//! Plans that combine elements in the order of another plan.
//!
//! The order of combination follows from where elements lie. One stage of an emission writes in the order of
//! the output what it hands to the next, which need not be row-major order. Yet the next stage is to combine it
//! as if it lay in row-major order. The elements of each result are walked in one sequence either way. Two
//! things may differ: on how many strands they are folded, and where blocks are cut. Most plans can be turned
//! to fold on another number of strands.

use super::strands::worth_lanes;
use super::{Grid, Needs, Path, Plan, Spread};
use crate::facts::order::TIMES;

/// Up to this many bytes, the states of columns that are folded side by side do not matter.
const FEW_BYTES: usize = 1 << 20;

impl Plan {
    /// How the elements of each result are spread, with blocks no longer than what they are cut from.
    fn order(&self, needs: Needs) -> Spread {
        let spread = self.spread(needs);
        Spread { block: spread.block.min(spread.run.unwrap_or(self.count)), ..spread }
    }

    /// Whether the elements of each result are walked, and combined, in the order of another plan, over
    /// the same inputs with their axes in another order.
    pub(crate) fn combines_like(&self, other: &Plan, needs: Needs) -> bool {
        let inputs = || self.inputs.iter().zip(&other.inputs);
        self.reduced == other.reduced
            && inputs().all(|(plan, other)| plan.reduced == other.reduced)
            && self.order(needs) == other.order(needs)
    }

    /// Turns the plan, of one input, into one that combines the elements of each result in the order of
    /// another. The other plan walks them in the same sequence, through other places. Says whether it is one
    /// now: some plans cannot be turned, and others would be slow.
    pub(crate) fn combine_like(&mut self, other: &Plan, needs: Needs) -> bool {
        let wanted = other.order(needs);
        if needs.any_order || self.order(needs) == wanted {
            return true;
        }
        let [axis] = self.reduced[..] else { return false };
        let rows = wanted.rows;
        match self.path {
            Path::Columns if rows == 1 => self.side_by_side = 1,
            Path::Columns if needs.spreads && axis.stride == self.lane.size.cast_signed() => {
                let bytes = rows.saturating_mul(self.lane.size).saturating_mul(needs.element);
                if bytes > FEW_BYTES && self.count < TIMES * rows {
                    return false;
                }
                self.side_by_side = rows;
            }
            Path::Lanes if rows == 1 && self.lane.size >= worth_lanes(needs.lanes, 8) => {
                (self.path, self.across) = (Path::ShortRows, true);
            }
            _ => return false,
        }
        self.grid = Grid::new(self, needs);
        self.order(needs) == wanted
    }
}
