//! Tasks: a job split among threads.
//!
//! Units are split first, each thread taking neighbouring results. Where there
//! are fewer units than threads, the blocks of a unit are split too, always at a
//! boundary of the tree of blocks: so the bits of a result do not depend on how
//! many threads there were, or on whether there were any.
//!
//! None of this depends on the operator, only on what its lanes hold, so that it
//! is not compiled for each anew.

use std::ops::Range;

use super::pass::Task;
use super::tree::Tree;
use crate::plan::{Path, Plan};
use crate::threads::Team;

/// Elements below which a task is not split: less takes no longer than waking a
/// thread.
const GRAIN: usize = 1 << 16;

/// Tasks of a job whose progress is watched: one percent each, or less.
const WATCHED: usize = 256;

/// Something that carries out tasks.
pub(super) trait Passes<S: Copy, O>: Sync {
    /// Carries out a task.
    fn pass(&self, task: Task<'_, S, O>);
}

/// A job that is split among a team.
pub(super) struct Split<'a, S: Copy, O> {
    pub(super) job: &'a dyn Passes<S, O>,
    pub(super) plan: &'a Plan,
    pub(super) team: Team<'a>,
}

impl<S: Copy, O> Clone for Split<'_, S, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Copy, O> Copy for Split<'_, S, O> {}

impl<S: Copy + Send + Sync, O: Send> Split<'_, S, O> {
    /// Writes all results, in the order of the plan.
    pub(super) fn run(self, output: &mut [O]) {
        let units = 0..self.plan.grid.units;
        let most = match self.team.threads() {
            _ if self.team.is_watched() => WATCHED,
            1 => return self.results(units, output),
            threads => 4 * threads,
        };
        let total = self.plan.outputs.saturating_mul(self.plan.count);
        self.split_units(units, output, (total / GRAIN).min(most));
    }

    /// The results of some units, as about so many tasks.
    fn split_units(self, units: Range<usize>, output: &mut [O], parts: usize) {
        if parts <= 1 {
            return self.results(units, output);
        }
        if units.len() == 1 {
            return self.split_blocks(units, output, parts);
        }
        let middle = units.start + units.len() / 2;
        let first = self.plan.results(units.start).start;
        let (left, right) = output.split_at_mut(self.plan.results(middle).start - first);
        // Rounded up: of few units, blocks are to be split as well.
        let parts = parts.div_ceil(2);
        self.team.join(
            || self.split_units(units.start..middle, left, parts),
            || self.split_units(middle..units.end, right, parts),
        );
    }

    /// The results of one unit, its blocks as about so many tasks.
    fn split_blocks(self, units: Range<usize>, output: &mut [O], parts: usize) {
        let blocks = self.plan.grid.blocks;
        if blocks < 2 || matches!(self.plan.path, Path::Elements | Path::Few) {
            return self.results(units, output);
        }
        let mut tree = self.subtree(units.clone(), 0..blocks, blocks.div_ceil(parts));
        self.merged(units, &mut tree, Some(output));
    }

    /// Some blocks of a unit, merged.
    fn subtree(self, units: Range<usize>, blocks: Range<usize>, grain: usize) -> Tree<S> {
        let count = blocks.len();
        if count <= grain.max(1) {
            let mut tree = Tree::new();
            let (elements, all) = (self.elements(&units), self.plan.grid.blocks);
            // The last blocks are shorter; in the end all are counted.
            let upto = |block: usize| elements / all * block + elements % all * block / all;
            let done = upto(blocks.end) - upto(blocks.start);
            self.job.pass(Task { units, blocks, tree: Some(&mut tree), output: None });
            self.team.done(done);
            return tree;
        }
        // The largest power of two below the number of blocks, as the tree has it.
        let middle = blocks.start + (1 << (count - 1).ilog2());
        let (earlier, later) = self.team.join(
            || self.subtree(units.clone(), blocks.start..middle, grain),
            || self.subtree(units.clone(), middle..blocks.end, grain),
        );
        let mut tree = earlier.followed_by(&later);
        self.merged(units, &mut tree, None);
        tree
    }

    /// The trees of a unit merged, and its results written.
    fn merged(self, units: Range<usize>, tree: &mut Tree<S>, output: Option<&mut [O]>) {
        self.job.pass(Task { units, blocks: 0..0, tree: Some(tree), output });
    }

    fn results(self, units: Range<usize>, output: &mut [O]) {
        let blocks = 0..self.plan.grid.blocks;
        let elements = self.plan.count * output.len();
        self.job.pass(Task { units, blocks, tree: None, output: Some(output) });
        self.team.done(elements);
    }

    /// The elements of some units.
    fn elements(self, units: &Range<usize>) -> usize {
        let results = self.plan.results(units.start).start..self.plan.results(units.end - 1).end;
        results.len() * self.plan.count
    }
}
