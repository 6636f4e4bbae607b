//! Lines side by side, a lane for each.

use std::ops::Range;

use smallvec::SmallVec;

use super::super::read::Scratch;
use super::pack::{Distances, LanesFrom, distances};
use super::table::ScanKernel;
use super::take::{By, Rooms};
use super::walk::{Found, Scanning};
use crate::facts::order::STEPS;
use crate::facts::progress::Stopped;
use crate::machine::team::{GRAIN, Team};
use crate::plan::{OUT, ScanPlaces};

/// Up to this many groups of lanes are walked side by side, so many steps at a time: memory is then read in rows.
const PANEL: usize = 64;
const PANEL_STEPS: usize = 16;

impl Scanning<'_> {
    /// Walks lines side by side.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As for [`Scanning::run`].
    pub(super) unsafe fn panels(&self, team: Team<'_>, found: &Found) -> Result<(), Stopped> {
        let (lines, lanes) = (self.plan.lines.count(), self.kernel.lanes);
        let (size, strides) = self.plan.lines.innermost();
        let tensors = (0..self.kernel.inputs).chain([OUT]);
        let are_columns = size >= lanes && tensors.into_iter().all(|tensor| strides[tensor] == 1);
        let groups = lines.div_ceil(lanes);
        let most = if are_columns { groups.div_ceil(2 * team.threads()).min(PANEL) } else { 1 };
        let together = match are_columns {
            true => most.max(1),
            false => (GRAIN / (lanes * self.plan.along.count())).max(1),
        };
        let parts = (0..groups).step_by(together).map(|first| first..groups.min(first + together));
        team.each_unless_stopped(parts.collect(), |part| {
            let mut rooms = Rooms::new();
            for first in part.clone().step_by(most.max(1)) {
                let some = first * lanes..lines.min(part.end.min(first + most.max(1)) * lanes);
                // SAFETY: *operator*, *buffers* and *places*, which the caller keeps; lines are of one thread each.
                let flags = unsafe { self.panel(&mut rooms, some.clone()) };
                found.note(flags, some.clone());
                team.done(some.len() * self.plan.along.count());
            }
        })
    }

    /// Takes all elements of some lines, side by side.
    ///
    /// # Safety
    /// As for [`Scanning::run`].
    unsafe fn panel(&self, rooms: &mut Rooms, lines: Range<usize>) -> u8 {
        let ScanKernel { lanes, lines_state, .. } = *self.kernel;
        let (taken, groups) = (self.taken(), lines.len().div_ceil(lanes));
        let first: SmallVec<[ScanPlaces; 32]> =
            lines.clone().map(|line| self.plan.line(line)).collect();
        let mut kept = std::mem::replace(&mut rooms.states, Scratch::new());
        let states = kept.bytes(groups * lines_state);
        for group in 0..groups {
            // SAFETY: *operator* and *states*: there is room for one of each group.
            unsafe { (self.kernel.begin_lines)(self.op, states.wrapping_add(group * lines_state)) };
        }
        let each_group = |then: &dyn Fn(*mut u8, usize, *mut u8)| {
            for group in 0..if self.going.is_some() { groups } else { 0 } {
                let first = lines.start + group * lanes;
                let each = self.state(first).unwrap_or(std::ptr::null_mut());
                then(each, lanes.min(lines.end - first), states.wrapping_add(group * lines_state));
            }
        };
        // SAFETY: *states*: both were begun, of as many lanes and more.
        each_group(&|each, count, lanes| unsafe { (self.kernel.gather)(each, count, lanes) });
        let apart: SmallVec<[Distances; 1]> = first.chunks(lanes).map(distances).collect();
        let most = if groups > 1 { PANEL_STEPS } else { STEPS };
        let (mut next, mut found) = (0, 0);
        let count = taken + self.untold().len();
        while next < count {
            let (writes, number) = (next < taken, self.before() + next);
            let left = if writes { taken - next } else { count - next };
            let steps = left.min(STEPS - number % STEPS).min(most).min(self.run_of(next));
            for (group, first) in first.chunks(lanes).enumerate() {
                let state = states.wrapping_add(group * lines_state);
                let lanes = LanesFrom { first, distances: apart[group] };
                let tile = self.tile(next, steps, first.len());
                // SAFETY: *operator*, *buffers* and *places*, which the caller keeps.
                found |= unsafe { self.take(rooms, By::Lines, tile, lanes, state, writes) };
            }
            next += steps;
        }
        // SAFETY: *states*, as above, of as many lanes and more.
        each_group(&|each, count, lanes| unsafe { (self.kernel.scatter)(lanes, count, each) });
        rooms.states = kept;
        found
    }
}
