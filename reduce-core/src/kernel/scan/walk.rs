//! The walk of a scan: lines are cut into tiles, and split among threads.
//!
//! Lines that are many are taken side by side, a lane for each ([`Scanning::panel`]). The blocks of a long line are taken
//! side by side where lines are few, or lie so that this reads memory in order ([`Scanning::list`]). If several threads share
//! one line, they first fold its groups. Which of these is done changes no bit.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use smallvec::SmallVec;

use super::super::block::{INPUTS, Ways};
use super::super::read::{Room, Scratch};
use super::mend::{MendedLine, ScanMends};
use super::pack::{Distances, LanePlaces, LanesFrom, distances, pack, unpack};
use super::table::ScanKernel;
use super::tile::{DOUBTFUL, Ends, LACKING, ScanTile};
use crate::facts::error::Error;
use crate::facts::order::{GROUP, SCAN_BLOCKS, STEPS};
use crate::facts::progress::Stopped;
use crate::machine::level::Available;
use crate::machine::memory::caught;
use crate::machine::team::{Crew, GRAIN, Team};
use crate::plan::{OUT, ScanPlaces, ScanPlan};
use crate::values::stored::Buffers;

/// A scan over buffers.
#[derive(Clone, Copy)]
pub(crate) struct Scanning<'a> {
    pub(crate) op: *const (),
    pub(crate) kernel: &'a ScanKernel,
    pub(crate) plan: &'a ScanPlan,
    pub(crate) level: Available,
    pub(crate) buffers: Buffers,
    pub(crate) out: *mut u8,
    /// How doubtful results are mended.
    pub(crate) mends: &'a ScanMends,
    /// Where lines stand if they go on.
    pub(crate) going: Option<Going>,
}

/// Lines that go on: the state of each, one behind the other, and how many elements each has had.
#[derive(Clone, Copy)]
pub(crate) struct Going {
    pub(crate) states: *mut u8,
    pub(crate) before: usize,
}

// SAFETY: *sharing* and *places*, which the caller of `run` keeps: each thread writes the results of lines of its own, or of
// its own part of one.
unsafe impl Sync for Scanning<'_> {}

/// Notes of several threads.
#[derive(Default)]
struct Found {
    flags: AtomicU8,
    doubtful: Mutex<Vec<Range<usize>>>,
}

impl Found {
    fn note(&self, flags: u8, lines: Range<usize>) {
        if flags == 0 {
            return;
        }
        self.flags.fetch_or(flags, Ordering::Relaxed);
        if flags & DOUBTFUL != 0 {
            let mut doubtful = self.doubtful.lock().unwrap_or_else(PoisonError::into_inner);
            if doubtful.last() != Some(&lines) {
                doubtful.push(lines);
            }
        }
    }

    /// Whether a result has no value, since no element counts.
    fn lacks(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & LACKING != 0
    }

    /// The lines with doubtful results.
    fn doubtful(self) -> Vec<Range<usize>> {
        let mut doubtful = self.doubtful.into_inner().unwrap_or_else(PoisonError::into_inner);
        doubtful.sort_unstable_by_key(|lines| lines.start);
        doubtful.dedup();
        doubtful
    }
}

/// Room for tiles, which a thread keeps from one to the next.
struct Rooms {
    inputs: [Room; INPUTS],
    results: Scratch<'static>,
    turned: Room,
    states: Scratch<'static>,
}

impl Rooms {
    fn new() -> Self {
        Rooms {
            inputs: [const { Room::new() }; INPUTS],
            results: Scratch::new(),
            turned: Room::new(),
            states: Scratch::new(),
        }
    }
}

/// The places of the first elements of some lanes.
type LanesOf<T> = SmallVec<[T; 32]>;

/// From this many blocks on, lanes over blocks are faster than one block after another.
const LEAST_BLOCKS: usize = 4;

/// Up to this many groups of lanes are walked side by side, so many steps at a time: memory is then read in rows.
const PANEL: usize = 64;
const PANEL_STEPS: usize = 16;

/// From this many elements on, a line in order is better walked by itself: lanes over its blocks read one stream.
const LONG: usize = 2 * GROUP;

impl Scanning<'_> {
    /// Writes all results, and says whether each has a value: over no elements that count, an operator may have none.
    ///
    /// # Errors
    /// If there is not enough memory, or someone who watches wants the work to stop.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers*, *sharing* and *places*, of the kernel, the mends and the plan.
    pub(crate) unsafe fn run(&self, crew: Crew<'_>) -> Result<bool, Error> {
        let (lines, count) = (self.plan.lines.count(), self.plan.along.count());
        if lines == 0 || count == 0 {
            return Ok(true);
        }
        let (found, team) = (Found::default(), crew.team(lines.saturating_mul(count)));
        let work = || -> Result<bool, Stopped> {
            team.check()?;
            // SAFETY: as the caller keeps.
            unsafe { self.begin(&found) };
            match self.takes_lists() {
                // SAFETY: as the caller keeps.
                true => unsafe { self.lists(team, &found) }?,
                // SAFETY: as the caller keeps.
                false => unsafe { self.panels(team, &found) }?,
            }
            let has_all = !found.lacks();
            if has_all && !self.mends.are_none() {
                // SAFETY: as the caller keeps.
                unsafe { self.mend(team, found.doubtful()) }?;
            }
            Ok(has_all)
        };
        Ok(caught(work)??)
    }

    /// Mends the doubtful results of some lines.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As for [`Scanning::run`].
    #[cold]
    unsafe fn mend(&self, team: Team<'_>, doubtful: Vec<Range<usize>>) -> Result<(), Stopped> {
        let ScanKernel { elements, inputs, result, mend, .. } = *self.kernel;
        team.each_unless_stopped(doubtful, |lines| {
            for first in lines.map(|line| self.plan.line(line)) {
                let at = |next: usize| {
                    let places = self.along(first, next);
                    let mut data = self.buffers.0;
                    for (input, data) in data.iter_mut().enumerate().take(inputs) {
                        *data = data.wrapping_add(places[input].wrapping_mul(elements[input]));
                    }
                    let out = self.out.wrapping_add(places[OUT].wrapping_mul(result));
                    (data, self.plan.position(next, 0), out)
                };
                let line = MendedLine { count: self.taken(), at: &at };
                // SAFETY: as the caller keeps; each line is mended once.
                unsafe { mend(self.op, self.mends, &line) };
            }
        })
    }

    /// How many elements of each line are taken.
    fn taken(&self) -> usize {
        self.plan.along.count().saturating_sub(self.plan.shift)
    }

    /// Whether each line is walked by itself.
    fn takes_lists(&self) -> bool {
        let ScanPlan { lines, along, .. } = self.plan;
        let is_dense = along.innermost().1[..self.kernel.inputs].iter().all(|&way| way.abs() == 1);
        let few = lines.count() < self.kernel.lanes.div_ceil(2);
        few || along.is_even() && is_dense && along.count() >= LONG
    }

    /// Writes the result in front of each line, if it is asked for: that over no elements, or over those before.
    ///
    /// # Safety
    /// As for [`Scanning::run`].
    unsafe fn begin(&self, found: &Found) {
        let ScanKernel { line_state, result, standing, begin_line, .. } = *self.kernel;
        if self.plan.shift == 0 {
            return;
        }
        let mut none = Scratch::new();
        let none = none.bytes(line_state);
        // SAFETY: *operator* and *states*: there is room for one.
        unsafe { begin_line(self.op, none) };
        for line in 0..self.plan.lines.count() {
            let out = self.out.wrapping_add(self.plan.line(line)[OUT].wrapping_mul(result));
            let state = self.state(line).unwrap_or(none);
            // SAFETY: *operator*, *states* and *places*, which the caller keeps.
            let flags = unsafe { standing(self.op, state, self.before(), out) };
            found.note(flags & LACKING, line..line + 1);
        }
    }

    /// How many elements each line has had.
    fn before(&self) -> usize {
        self.going.map_or(0, |going| going.before)
    }

    /// The state of a line that goes on.
    fn state(&self, line: usize) -> Option<*mut u8> {
        self.going.map(|going| going.states.wrapping_add(line * self.kernel.line_state))
    }

    /// The last elements of each line: no result of these is written, but lines that go on take them.
    fn untold(&self) -> Range<usize> {
        let count = self.plan.along.count();
        if self.going.is_some() { self.taken()..count } else { count..count }
    }

    /// Walks each line by itself.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As for [`Scanning::run`].
    unsafe fn lists(&self, team: Team<'_>, found: &Found) -> Result<(), Stopped> {
        let (lines, taken) = (self.plan.lines.count(), self.taken());
        let is_shared =
            lines < 2 * team.threads() && self.plan.along.is_even() && self.going.is_none();
        if team.threads() > 1 && is_shared && taken >= 2 * GRAIN {
            for line in 0..lines {
                // SAFETY: as the caller keeps.
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
                // SAFETY: as above.
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
                    // SAFETY: as above.
                    unsafe { self.list(&mut rooms, places, of_group(group), state, false) };
                }
            }
        })?;
        // SAFETY: *states*: all were begun.
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
                let first: LanesOf<ScanPlaces> = (0..some)
                    .map(|block| std::array::from_fn(|tensor| place(block, tensor)))
                    .collect();
                let forward = |way: isize| usize::try_from(way).ok().map(|way| way * STEPS);
                let lanes = LanesFrom { first: &first, distances: ways.map(forward) };
                let tile = self.tile(next, STEPS, some);
                let next_lane = tile.next_position.wrapping_mul(STEPS as u64);
                let ends = self.ends(number + some * STEPS);
                let tile = ScanTile { next_lane, ends, ..tile };
                // SAFETY: as the caller keeps.
                found |= unsafe { self.take(rooms, By::Blocks, tile, lanes, state, writes) };
                next += some * STEPS;
                continue;
            }
            let run = self.run_of(next);
            let steps = left.min(STEPS - number % STEPS).min(run);
            let tile = self.tile(next, steps, 1);
            let lanes = LanesFrom { first: &[places], distances: [Some(0); OUT + 1] };
            // SAFETY: as the caller keeps.
            found |= unsafe { self.take(rooms, By::Line, tile, lanes, state, writes) };
            next += steps;
        }
        found
    }

    /// Walks lines side by side.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop.
    ///
    /// # Safety
    /// As for [`Scanning::run`].
    unsafe fn panels(&self, team: Team<'_>, found: &Found) -> Result<(), Stopped> {
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
                // SAFETY: as the caller keeps; lines are of one thread each.
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
        let first: LanesOf<ScanPlaces> = lines.clone().map(|line| self.plan.line(line)).collect();
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
                // SAFETY: as the caller keeps.
                found |= unsafe { self.take(rooms, By::Lines, tile, lanes, state, writes) };
            }
            next += steps;
        }
        // SAFETY: *states*, as above.
        each_group(&|each, count, lanes| unsafe { (self.kernel.scatter)(lanes, count, each) });
        rooms.states = kept;
        found
    }

    /// How many elements, from one of a line on, lie at equal distances, and their results too.
    fn run_of(&self, next: usize) -> usize {
        let along = &self.plan.along;
        if along.is_even() {
            usize::MAX
        } else {
            along.run(next).min(along.run(next + self.plan.shift))
        }
    }

    /// The places of an element of a line, and of its result.
    fn along(&self, mut places: ScanPlaces, next: usize) -> ScanPlaces {
        let ScanPlan { along, shift, .. } = self.plan;
        let mut shifted = places;
        along.add(&mut places, next);
        if *shift > 0 {
            along.add(&mut shifted, next + shift);
            places[OUT] = shifted[OUT];
        }
        places
    }

    /// What ends in front of an element.
    fn ends(&self, next: usize) -> Ends {
        match () {
            () if next.is_multiple_of(GROUP) => Ends::Groups,
            () if next.is_multiple_of(STEPS) => Ends::Blocks,
            () => Ends::Nothing,
        }
    }

    /// A tile of so many steps and lanes, from an element on.
    fn tile(&self, next: usize, steps: usize, lanes: usize) -> ScanTile {
        let number = self.before() + next;
        ScanTile {
            data: [std::ptr::null(); INPUTS],
            ways: [0; INPUTS],
            steps,
            lanes,
            position: self.plan.position(next, self.before() as u64),
            next_position: self.plan.next_position(),
            next_lane: 0,
            count: number,
            begins: number.is_multiple_of(STEPS),
            ends: self.ends(number + steps),
            has_blocks: !(number / STEPS).is_multiple_of(SCAN_BLOCKS),
            has_groups: number >= GROUP,
            out: std::ptr::null_mut(),
            out_way: 0,
        }
    }

    /// Takes a tile: elements are packed if they lie apart, and results are brought to their places.
    ///
    /// # Safety
    /// As for [`Scanning::run`]. *elements* and *places*: `lanes` has those of each lane.
    unsafe fn take(
        &self,
        rooms: &mut Rooms,
        by: By,
        mut tile: ScanTile,
        lanes: LanesFrom<'_>,
        state: *mut u8,
        writes: bool,
    ) -> u8 {
        let ScanKernel { elements, inputs, result, lanes: width, .. } = *self.kernel;
        let (microkernel, is_single) = match by {
            By::Line => (self.kernel.line, true),
            By::Lines => (self.kernel.lines, width == 1),
            By::Blocks => (self.kernel.blocks, width == 1),
        };
        let (_, strides) = self.plan.along.innermost();
        let behind = self.along([0; OUT + 1], tile.count - self.before());
        let steps = tile.steps;
        let of = |tensor: usize| {
            let (behind, way) = (behind[tensor], strides[tensor]);
            LanePlaces { lanes, tensor, behind, way, steps }
        };
        let lie = |places: &LanePlaces<'_>| {
            is_single || lanes.first.len() == width && places.distance() == Some(1)
        };
        let mut data = [std::ptr::null(); INPUTS];
        let mut ways: Ways = [0; INPUTS];
        for input in 0..inputs {
            let (size, from) = (elements[input], of(input));
            let buffer = self.buffers.0[input];
            if lie(&from) {
                data[input] = buffer.wrapping_add(from.first(0) * size);
                ways[input] = from.way.wrapping_mul(size.cast_signed());
                continue;
            }
            let room = rooms.inputs[input].bytes(tile.steps * width * size);
            // SAFETY: *elements* and *room*, which the caller keeps, and as was asked for.
            unsafe { pack(self.level, (buffer, self.buffers.1[input], size), from, (room, width)) };
            data[input] = room;
            ways[input] = (width * size).cast_signed();
        }
        (tile.data, tile.ways) = (data, ways);
        if !writes {
            // SAFETY: *level*, *operator*, *states* and *elements*, which the caller keeps.
            return unsafe { microkernel(self.level, self.op, &tile, state) };
        }
        let to = of(OUT);
        if lie(&to) {
            tile.out = self.out.wrapping_add(to.first(0) * result);
            tile.out_way = to.way.wrapping_mul(result.cast_signed());
            // SAFETY: *level*, *operator*, *states*, *elements* and *places*, which the caller keeps.
            return unsafe { microkernel(self.level, self.op, &tile, state) };
        }
        tile.out = rooms.results.bytes(tile.steps * width * result);
        tile.out_way = (width * result).cast_signed();
        // SAFETY: *level*, *operator*, *states* and *elements*, which the caller keeps. *places*: the room has one for each
        // lane of each step.
        let found = unsafe { microkernel(self.level, self.op, &tile, state) };
        let packed = (tile.out.cast_const(), width, result);
        // SAFETY: *places*, which the caller keeps. *room*: the results were just written.
        unsafe { unpack(self.level, packed, to, self.out, |bytes| rooms.turned.bytes(bytes)) };
        found
    }
}

/// Who takes a tile: lanes across lines, a single lane, or lanes over the blocks of a line.
#[derive(Clone, Copy)]
enum By {
    Lines,
    Line,
    Blocks,
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
