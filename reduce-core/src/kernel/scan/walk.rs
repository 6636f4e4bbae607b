//! The walk of a scan: lines are cut into tiles, and split among threads.
//!
//! Lines that are many are taken side by side, a lane for each ([`panels`](super::panels)). The blocks of a long line are taken
//! side by side where lines are few, or lie so that this reads memory in order ([`lists`](super::lists)). Which of these is
//! done changes no bit.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use super::super::read::Scratch;
use super::mend::{MendedLine, ScanMends};
use super::table::ScanKernel;
use super::tile::{DOUBTFUL, LACKING};
use crate::facts::error::Error;
use crate::facts::order::GROUP;
use crate::facts::progress::Stopped;
use crate::machine::level::Available;
use crate::machine::memory::caught;
use crate::machine::team::{Crew, Team};
use crate::plan::{OUT, ScanPlan};
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
pub(super) struct Found {
    flags: AtomicU8,
    doubtful: Mutex<Vec<Range<usize>>>,
}

impl Found {
    pub(super) fn note(&self, flags: u8, lines: Range<usize>) {
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
            // SAFETY: *operator*, *buffers* and *places*, which the caller keeps.
            unsafe { self.begin(&found) };
            match self.takes_lists() {
                // SAFETY: *operator*, *buffers* and *places*, which the caller keeps.
                true => unsafe { self.lists(team, &found) }?,
                // SAFETY: *operator*, *buffers* and *places*, which the caller keeps.
                false => unsafe { self.panels(team, &found) }?,
            }
            let has_all = !found.lacks();
            if has_all && !self.mends.are_none() {
                // SAFETY: *operator*, *buffers* and *places*, which the caller keeps.
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
                // SAFETY: *operator*, *elements* and *places*, which the caller keeps; each line is mended once.
                unsafe { mend(self.op, self.mends, &line) };
            }
        })
    }

    /// How many elements of each line are taken.
    pub(super) fn taken(&self) -> usize {
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
    pub(super) fn before(&self) -> usize {
        self.going.map_or(0, |going| going.before)
    }

    /// The state of a line that goes on.
    pub(super) fn state(&self, line: usize) -> Option<*mut u8> {
        self.going.map(|going| going.states.wrapping_add(line * self.kernel.line_state))
    }

    /// The last elements of each line: no result of these is written, but lines that go on take them.
    pub(super) fn untold(&self) -> Range<usize> {
        let count = self.plan.along.count();
        if self.going.is_some() { self.taken()..count } else { count..count }
    }
}
