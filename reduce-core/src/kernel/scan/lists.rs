//! Lines by themselves: lanes lie over the blocks of one.
//!
//! If several threads share a line, they first fold its groups. Then each knows what is before its own.

use std::ops::Range;

use smallvec::SmallVec;

use super::super::read::Scratch;
use super::pack::LanesFrom;
use super::take::{By, Rooms};
use super::tile::ScanTile;
use super::walk::{Found, Scanning};
use crate::facts::order::{GROUP, SCAN_BLOCKS, STEPS};
use crate::facts::progress::Stopped;
use crate::machine::team::{GRAIN, Team};
use crate::plan::{OUT, ScanPlaces};

/// From this many blocks on, lanes over blocks are faster than one block after another.
const LEAST_BLOCKS: usize = 4;

impl Scanning<'_> {
    /// Walks each line by itself.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As for [`Scanning::run`].
    pub(super) unsafe fn lists(&self, team: Team<'_>, found: &Found) -> Result<(), Stopped> {
        let (lines, taken) = (self.plan.lines.count(), self.taken());
        let is_shared =
            lines < 2 * team.threads() && self.plan.along.is_even() && self.going.is_none();
        if team.threads() > 1 && is_shared && taken >= 2 * GRAIN {
            for line in 0..lines {
                // SAFETY: *operator*, *buffers* and *places*, which the caller keeps.
                unsafe { self.shared_list(line, team, found) }?;
            }
            return Ok(());
        }
        let together = (GRAIN / taken.max(1)).max(1);
        let parts = (0..lines).step_by(together).map(|first| first..lines.min(first + together));
        team.each_unless_stopped(parts.collect(), |part| {
            let mut rooms = Rooms::new();
            for line in part {
                let fresh = rooms.states.bytes(self.kernel.line_state);
                let (state, places) = (self.state(line).unwrap_or(fresh), self.plan.line(line));
                // SAFETY: *operator* and *states*: there is room for one.
                unsafe { (self.kernel.begin_line)(self.op, fresh) };
                // SAFETY: *states*: this one was begun. The caller keeps all else; lines are of one thread each.
                let flags = unsafe { self.list(&mut rooms, places, 0..taken, state, true) };
                // SAFETY: *operator*, *buffers* and *states*, as above.
                unsafe { self.list(&mut rooms, places, self.untold(), state, false) };
                found.note(flags, line..line + 1);
                team.done(self.plan.along.count());
            }
        })
    }

    /// Walks a line by several threads: its groups are folded first, and combined from the first to the last.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As for [`Scanning::run`].
    unsafe fn shared_list(
        &self,
        line: usize,
        team: Team<'_>,
        found: &Found,
    ) -> Result<(), Stopped> {
        let (taken, places) = (self.taken(), self.plan.line(line));
        let groups = taken.div_ceil(GROUP);
        let together = GRAIN / GROUP;
        let parts =
            || (0..groups).step_by(together).map(|first| first..groups.min(first + together));
        let size = self.kernel.line_state;
        let mut kept = Scratch::new();
        let states = States(kept.bytes(groups * size));
        let of_group = |group: usize| group * GROUP..taken.min((group + 1) * GROUP);
        team.each_unless_stopped(parts().collect(), |part| {
            let mut rooms = Rooms::new();
            for group in part {
                let state = states.at(group * size);
                // SAFETY: *states*: there is room for one of each group. The caller keeps all else.
                unsafe { (self.kernel.begin_line)(self.op, state) };
                if group + 1 < groups {
                    // SAFETY: *operator*, *buffers* and *states*, as above.
                    unsafe { self.list(&mut rooms, places, of_group(group), state, false) };
                }
            }
        })?;
        // SAFETY: *states*: one of each group was begun, and nobody else has them.
        unsafe { (self.kernel.chain)(self.op, states.at(0), groups) };
        team.each_unless_stopped(parts().collect(), |part| {
            let mut rooms = Rooms::new();
            let elements = of_group(part.start).start..of_group(part.end - 1).end;
            team.done(elements.len());
            for group in part {
                // SAFETY: *states*: each is of one group, and has what is before it. The caller keeps all else.
                let flags = unsafe {
                    self.list(&mut rooms, places, of_group(group), states.at(group * size), true)
                };
                found.note(flags, line..line + 1);
            }
        })
    }

    /// Takes some elements of a line, which lie evenly if there is more than one axis, and writes their results if it is to.
    ///
    /// # Safety
    /// As for [`Scanning::run`]. *states*: the state of the line has what is before these elements.
    unsafe fn list(
        &self,
        rooms: &mut Rooms,
        places: ScanPlaces,
        elements: Range<usize>,
        state: *mut u8,
        writes: bool,
    ) -> u8 {
        let lanes = self.kernel.lanes;
        let is_even = self.plan.along.is_even();
        let (mut next, mut found) = (elements.start, 0);
        while next < elements.end {
            let (left, number) = (elements.end - next, self.before() + next);
            let some = (left / STEPS).min(SCAN_BLOCKS - number / STEPS % SCAN_BLOCKS).min(lanes);
            let is_whole = number.is_multiple_of(STEPS) && some > 0 && is_even;
            if is_whole && (some >= LEAST_BLOCKS || !writes) {
                let (_, ways) = self.plan.along.innermost();
                let place = |block: usize, tensor: usize| {
                    let way = ways[tensor].wrapping_mul((block * STEPS).cast_signed());
                    places[tensor].wrapping_add_signed(way)
                };
                let first: SmallVec<[ScanPlaces; 32]> = (0..some)
                    .map(|block| std::array::from_fn(|tensor| place(block, tensor)))
                    .collect();
                let forward = |way: isize| usize::try_from(way).ok().map(|way| way * STEPS);
                let lanes = LanesFrom { first: &first, distances: ways.map(forward) };
                let tile = self.tile(next, STEPS, some);
                let next_lane = tile.next_position.wrapping_mul(STEPS as u64);
                let ends = self.ends(number + some * STEPS);
                let tile = ScanTile { next_lane, ends, ..tile };
                // SAFETY: *operator*, *buffers* and *places*, which the caller keeps.
                found |= unsafe { self.take(rooms, By::Blocks, tile, lanes, state, writes) };
                next += some * STEPS;
                continue;
            }
            let run = self.run_of(next);
            let steps = left.min(STEPS - number % STEPS).min(run);
            let tile = self.tile(next, steps, 1);
            let lanes = LanesFrom { first: &[places], distances: [Some(0); OUT + 1] };
            // SAFETY: *operator*, *buffers* and *places*, which the caller keeps.
            found |= unsafe { self.take(rooms, By::Line, tile, lanes, state, writes) };
            next += steps;
        }
        found
    }
}

/// States of groups, which threads write one by one.
#[derive(Clone, Copy)]
struct States(*mut u8);

// SAFETY: *sharing* and *states*: each thread has states of its own.
unsafe impl Sync for States {}

impl States {
    fn at(&self, bytes: usize) -> *mut u8 {
        self.0.wrapping_add(bytes)
    }
}
