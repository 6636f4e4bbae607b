//! Tasks: a job split among threads.
//!
//! Units are split first, and each thread takes neighbouring results. If there are fewer units than threads, the blocks
//! of a unit are split too, always at a boundary of the tree of blocks. So the bits of a result do not depend on the
//! number of threads.
//!
//! All of this is compiled once: it depends on how many bytes lanes hold, but not on the operator.

use std::ops::Range;

use super::super::read::Scratch;
use super::Job;
use crate::facts::progress::Stopped;
use crate::machine::team::{GRAIN, Team};
use crate::plan::{Path, Plan};

/// A large job whose progress is watched has at least this many tasks, so that each is one percent or less.
const WATCHED: usize = 256;

/// Such a task has about this many elements at most: as many as a cache holds, for reductions that keep step.
const STEP: usize = 1 << 20;

/// The states of all blocks of some neighbouring shares: an entry for each share, which is merged
/// with the others later.
pub(super) struct Tree {
    room: Scratch<'static>,
    /// Bytes of an entry, and of the room.
    entry: usize,
    bytes: usize,
    /// The first entries of other trees, later ones behind earlier ones.
    later: Vec<Tree>,
}

impl Tree {
    fn new() -> Self {
        Tree { room: Scratch::new(), entry: 0, bytes: 0, later: Vec::new() }
    }

    /// Room for the entries of a stack. The first becomes the entry of the tree.
    pub(super) fn stack(&mut self, entry: usize, bytes: usize) -> *mut u8 {
        (self.entry, self.bytes) = (entry, bytes);
        self.room.bytes(bytes)
    }

    /// The one entry, of `states` states, that all others are merged into.
    pub(super) fn merged(&mut self, job: &Job<'_>, states: usize) -> *mut u8 {
        let entry = self.entry;
        let first = self.room.bytes(self.bytes);
        for mut later in std::mem::take(&mut self.later) {
            let mut both = Scratch::new();
            let room = both.bytes(2 * entry);
            // SAFETY: *states* and *room*: an entry of this tree, and a room of its own for two.
            unsafe { first.copy_to_nonoverlapping(room, entry) };
            let second = later.room.bytes(later.bytes);
            // SAFETY: *states* and *room*: an entry of the later tree, and the second half of the same room.
            unsafe { second.copy_to_nonoverlapping(room.wrapping_add(entry), entry) };
            job.merge(room, (2, states), (std::ptr::null_mut(), 0));
            // SAFETY: *states* and *room*: `merge` made one of the two, which goes back to this tree's entry.
            unsafe { room.copy_to_nonoverlapping(first, entry) };
        }
        first
    }
}

/// A job that is split among a team.
pub(super) struct Split<'a, 'j> {
    pub(super) job: &'a Job<'j>,
    pub(super) plan: &'a Plan,
    pub(super) team: Team<'a>,
}

/// Blocks of some units, and where their results or their states are written.
struct TaskPart<'o> {
    units: Range<usize>,
    blocks: Range<usize>,
    to: To<'o>,
}

enum To<'o> {
    Results(*mut u8),
    Tree(&'o mut Tree),
}

// SAFETY: *places*: `split_units` gives each part units of its own, and so results that no other part writes.
unsafe impl Send for TaskPart<'_> {}

/// A unit whose blocks are shared, and where its results go.
struct Shared {
    units: Range<usize>,
    shares: Vec<Share>,
    output: *mut u8,
}

/// Some blocks of a unit, and what they become.
struct Share {
    blocks: Range<usize>,
    tree: Tree,
}

impl Shared {
    /// A part for each share.
    fn parts(&mut self) -> impl Iterator<Item = TaskPart<'_>> {
        let units = &self.units;
        self.shares.iter_mut().map(|Share { blocks, tree }| TaskPart {
            units: units.clone(),
            blocks: blocks.clone(),
            to: To::Tree(tree),
        })
    }
}

impl Split<'_, '_> {
    /// Writes all results, in the order of the plan. The team has several threads, or is watched.
    ///
    /// # Errors
    /// If someone who watches wants the work to stop. Some results may be written then.
    pub(super) fn in_tasks(self, output: *mut u8) -> Result<(), Stopped> {
        let units = 0..self.plan.grid.units;
        let total = self.plan.elements();
        let most = match self.team.threads() {
            _ if self.team.is_watched() => WATCHED.max(total / STEP),
            threads => 4 * threads,
        };
        let parts = (total / GRAIN).min(most);
        if parts <= 1 {
            self.results(units, 0..self.plan.grid.blocks, output);
            return Ok(());
        }
        let (mut whole, mut shared) = (Vec::new(), Vec::new());
        self.split_units(units, output, parts, &mut whole, &mut shared);
        let parts = whole.into_iter().chain(shared.iter_mut().flat_map(Shared::parts));
        self.team.each_unless_stopped(parts.collect(), |part| self.part(part))?;
        for Shared { units, shares, output } in shared {
            let mut tree = self.together(&units, shares);
            self.merge(&units, &mut tree, output);
        }
        Ok(())
    }

    /// Splits some units into about `parts` parts.
    fn split_units(
        &self,
        units: Range<usize>,
        output: *mut u8,
        parts: usize,
        whole: &mut Vec<TaskPart<'_>>,
        shared: &mut Vec<Shared>,
    ) {
        let blocks = 0..self.plan.grid.blocks;
        let has_blocks = blocks.len() > 1 && !matches!(self.plan.path, Path::Elements | Path::Few);
        if parts <= 1 || units.len() == 1 && !has_blocks {
            return whole.push(TaskPart { units, blocks, to: To::Results(output) });
        }
        if units.len() == 1 {
            let mut shares = Vec::new();
            split_blocks(blocks.clone(), blocks.len().div_ceil(parts), &mut shares);
            return shared.push(Shared { units, shares, output });
        }
        let middle = units.start + units.len() / 2;
        let first = self.plan.results(units.start).start;
        let before = self.plan.results(middle).start - first;
        let right = output.wrapping_add(before * self.job.sizes.result);
        // This is rounded up, so that the blocks of few units are split as well.
        let parts = parts.div_ceil(2);
        self.split_units(units.start..middle, output, parts, whole, shared);
        self.split_units(middle..units.end, right, parts, whole, shared);
    }

    fn part(&self, part: TaskPart<'_>) {
        let TaskPart { units, blocks, to } = part;
        match to {
            To::Results(output) => self.results(units, blocks, output),
            To::Tree(tree) => {
                let (elements, all) = (self.elements(&units), self.plan.grid.blocks);
                // The last blocks are shorter; in the end all are counted.
                let upto = |block: usize| elements / all * block + elements % all * block / all;
                let done = upto(blocks.end) - upto(blocks.start);
                let output = std::ptr::null_mut();
                self.job.pass(units, blocks, Some(tree), output);
                self.team.done(done);
            }
        }
    }

    fn results(&self, units: Range<usize>, blocks: Range<usize>, output: *mut u8) {
        let elements = if units.is_empty() { 0 } else { self.elements(&units) };
        self.job.pass(units, blocks, None, output);
        self.team.done(elements);
    }

    /// The tree of all blocks of some shares, which are neighbours.
    fn together(&self, units: &Range<usize>, mut shares: Vec<Share>) -> Tree {
        let all = shares[0].blocks.start..shares[shares.len() - 1].blocks.end;
        let later = shares.partition_point(|share| share.blocks.start < middle(&all));
        if later == shares.len() {
            return shares.swap_remove(0).tree;
        }
        let later = self.together(units, shares.split_off(later));
        let mut tree = self.together(units, shares);
        tree.later.push(later);
        self.merge(units, &mut tree, std::ptr::null_mut());
        tree
    }

    /// The trees of a unit merged, and its results written.
    fn merge(&self, units: &Range<usize>, tree: &mut Tree, output: *mut u8) {
        self.job.pass(units.clone(), 0..0, Some(tree), output);
    }

    /// The elements of some units.
    fn elements(&self, units: &Range<usize>) -> usize {
        let results = self.plan.results(units.start).start..self.plan.results(units.end - 1).end;
        results.len() * self.plan.count
    }
}

/// Splits some blocks into shares of up to `grain` blocks.
fn split_blocks(blocks: Range<usize>, grain: usize, shares: &mut Vec<Share>) {
    if blocks.len() <= grain.max(1) {
        return shares.push(Share { blocks, tree: Tree::new() });
    }
    let middle = middle(&blocks);
    split_blocks(blocks.start..middle, grain, shares);
    split_blocks(middle..blocks.end, grain, shares);
}

/// Where blocks are split: at the largest power of two below their number, as the tree has it.
fn middle(blocks: &Range<usize>) -> usize {
    match blocks.len() {
        0 | 1 => blocks.end,
        count => blocks.start + (1 << (count - 1).ilog2()),
    }
}
