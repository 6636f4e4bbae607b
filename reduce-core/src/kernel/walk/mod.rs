//! Drivers: which elements microkernels are given, in which order, and where results go.
//!
//! All of this depends on shapes, layouts and threads alone, and is compiled once for all operators. From the outside
//! in:
//!
//! - [`tasks`] splits a job among threads,
//! - a [`Job`] takes each task by the way that its plan says: lanes [`along`] results or [`across`]
//!   them, [`rows`] of one block each, or [`few`] elements one after another,
//! - [`tree`] says which states of blocks are merged, and when.

#![allow(unsafe_code, reason = "microkernels are called with pointers")]

mod across;
mod along;
mod few;
mod lone;
mod rows;
mod short_rows;
mod strands;
mod tasks;
pub(super) mod tree;
mod units;

use std::ops::Range;

use super::micro::{Few, INPUTS, Sizes, Table};
use super::read::Source;
use crate::facts::error::Error;
use crate::facts::progress::Stopped;
use crate::machine::level::Available;
use crate::machine::memory::caught;
use crate::machine::team::{Team, is_small};
use crate::plan::{Path, Plan};
use crate::values::stored::Buffers;

use tasks::{Split, Tree};

/// A kernel, and what it is to be run over.
pub(super) struct KernelCall<'a> {
    pub(super) table: &'a Table,
    pub(super) sizes: &'a Sizes,
    pub(super) op: *const (),
    pub(super) buffers: Buffers,
    pub(super) plan: &'a Plan,
    pub(super) level: Available,
}

/// If a state has up to this many bytes, room for a few elements is taken for granted. A unit has some thousand results
/// at most, and there are a few blocks at most.
const GRANTED_STATE: usize = 1024;

impl KernelCall<'_> {
    /// Writes the results of an operator that doubts nothing. This is not inlined, or each operator and each type would
    /// have a copy.
    ///
    /// # Errors
    /// As [`KernelCall::guarded`].
    ///
    /// # Safety
    /// As [`KernelCall::with_inputs`].
    #[inline(never)]
    pub(super) unsafe fn unwatched(&self, output: *mut u8, team: Team<'_>) -> Result<(), Error> {
        // SAFETY: *operator*, *types*, *buffers*, *sharing*, *places* and *level*, which the caller keeps.
        unsafe { self.guarded(output, team) }
    }

    /// Writes the results of the plan, if there is memory for what that takes. A small call saves the time that it
    /// takes to be prepared for an error.
    ///
    /// # Errors
    /// If there is not enough memory. Then some results may be written.
    ///
    /// # Safety
    /// As [`KernelCall::with_inputs`].
    #[inline(always)]
    pub(super) unsafe fn guarded(&self, output: *mut u8, team: Team<'_>) -> Result<(), Error> {
        if is_small(self.plan.elements()) && self.sizes.state <= GRANTED_STATE {
            // SAFETY: *operator*, *types*, *buffers*, *sharing*, *places* and *level*, which the caller keeps.
            return unsafe { self.with_inputs(output, team) }.map_err(Error::from);
        }
        // SAFETY: *operator*, *types*, *buffers*, *sharing*, *places* and *level*, which the caller keeps.
        unsafe { self.large(output, team) }
    }

    /// Does what [`KernelCall::guarded`] does for large calls, in a function of its own.
    ///
    /// # Errors
    /// As [`KernelCall::guarded`].
    ///
    /// # Safety
    /// As [`KernelCall::with_inputs`].
    #[inline(never)]
    unsafe fn large(&self, output: *mut u8, team: Team<'_>) -> Result<(), Error> {
        // SAFETY: *operator*, *types*, *buffers*, *sharing*, *places* and *level*, which the caller keeps.
        caught(|| unsafe { self.with_inputs(output, team) })?.map_err(Error::from)
    }

    /// Writes the results of the plan, in its order: over each input as a source, and with as many threads as there are
    /// in the team.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop. Some results may be written then.
    ///
    /// # Safety
    /// *operator*, *types*, *buffers*, *sharing*, *places* and *level*: table and sizes are of this operator and its
    /// types, and the table is of the level. The operator is watched if it doubts results.
    #[inline(always)]
    pub(super) unsafe fn with_inputs(
        &self,
        output: *mut u8,
        team: Team<'_>,
    ) -> Result<(), Stopped> {
        // Buffers are not copied: they were just written one by one, and would be read as a whole.
        let &KernelCall { table, sizes, op, buffers: (ref data, ref lengths), plan, level } = self;
        if plan.outputs == 0 {
            return Ok(());
        }
        team.check()?;
        let source = |input: usize| {
            let plan = plan.inputs.get(input).unwrap_or(plan);
            // SAFETY: *types* and *buffers*, which the caller keeps for each input.
            unsafe { Source::new(data[input], lengths[input], sizes.elements[input], plan, level) }
        };
        if sizes.inputs == 1 && lone::fold(table, sizes, op, source(0), output, team) {
            return Ok(());
        }
        let others = match sizes.inputs {
            1 => Vec::new(),
            inputs => (1..inputs).map(source).collect(),
        };
        let job = Job { table, sizes, op, first: source(0), others, plan };
        if plan.count == 0 {
            job.none(output);
            return Ok(());
        }
        if team.is_unwatched_one() {
            // For a few elements, each function on the way to them takes its time.
            job.pass(0..plan.grid.units, 0..plan.grid.blocks, None, output);
            return Ok(());
        }
        Split { job: &job, plan, team }.in_tasks(output)
    }
}

/// What a job is asked for: see [`Job::pass`].
struct Task<'t> {
    units: Range<usize>,
    blocks: Range<usize>,
    tree: Option<&'t mut Tree>,
    output: *mut u8,
}

/// An operator, its data and its plan.
struct Job<'a> {
    table: &'a Table,
    sizes: &'a Sizes,
    op: *const (),
    /// The inputs: most jobs have one.
    first: Source<'a>,
    others: Vec<Source<'a>>,
    plan: &'a Plan,
}

// SAFETY: *sharing*, which the caller of `with_inputs` keeps: threads read through these pointers, and write through
// none.
unsafe impl Sync for Job<'_> {}

impl<'a> Job<'a> {
    /// How many inputs there are, in code that is for one, or for any number.
    #[inline(always)]
    fn inputs<const N: usize>(&self) -> usize {
        if N == 1 { 1 } else { self.sizes.inputs }
    }

    /// An input.
    #[inline(always)]
    fn source(&self, input: usize) -> &Source<'a> {
        if input == 0 { &self.first } else { &self.others[input - 1] }
    }

    /// Folds blocks of some units, and writes their results.
    ///
    /// If there is a tree, there is one unit, and its blocks are merged into the tree. If the output is null, there are
    /// no results yet. If there are no blocks, all of them are in the tree.
    // This is not inlined, since small jobs would have a copy of it. It is not given a `Task`: ranges that are read as
    // a whole, just after they were written in halves, take as long as a small reduction.
    #[inline(never)]
    fn pass(
        &self,
        units: Range<usize>,
        blocks: Range<usize>,
        tree: Option<&mut Tree>,
        output: *mut u8,
    ) {
        let task = Task { units, blocks, tree, output };
        match self.sizes.inputs {
            1 => self.pass_over::<1>(task),
            _ => self.pass_over::<INPUTS>(task),
        }
    }

    #[inline(always)]
    fn pass_over<const N: usize>(&self, task: Task<'_>) {
        match (self.plan.path, self.plan.across) {
            (Path::Elements | Path::Few, _) => self.few::<N>(task),
            (_, true) if self.has_short_rows(&task) => self.short_rows(task),
            (_, true) => self.across::<N>(task),
            (_, false) if self.has_rows(&task) => self.rows::<N>(&task),
            (_, false) => self.along::<N>(task),
        }
    }

    /// Whether blocks are read where they are, of all inputs.
    #[inline(always)]
    fn is_in_place(&self) -> bool {
        self.first.is_in_place() && self.others.iter().all(Source::is_in_place)
    }

    /// The results of an operator over no elements.
    fn none(&self, out: *mut u8) {
        let few = Few {
            data: [std::ptr::null(); INPUTS],
            next: [0; INPUTS],
            results: self.plan.outputs,
            ways: std::ptr::null(),
            elements: 0,
            position: 0,
            out,
        };
        self.sizes.assert_few(&few);
        // SAFETY: *operator*, *types* and *places*, which the caller of `with_inputs` keeps. *elements*: results are
        // over none.
        unsafe { (self.table.few)(self.op, &few) };
    }
}
