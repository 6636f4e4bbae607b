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

/// Elements from which on there is more than one task.
pub(super) const SPLIT: usize = 2 * GRAIN;

/// Tasks of a job whose progress is watched: one percent each, or less.
const WATCHED: usize = 256;

/// Something that carries out tasks.
pub(super) trait Passes<S: Copy, O>: Sync {
    /// Carries out a task.
    fn pass(&self, task: &mut Task<'_, S, O>);
}

/// A job that is split among a team.
pub(super) struct Split<'a, S: Copy, O> {
    pub(super) job: &'a dyn Passes<S, O>,
    pub(super) plan: &'a Plan,
    pub(super) team: Team<'a>,
}

/// Blocks of some units, and where what they become is written.
struct Part<'o, S: Copy, O> {
    units: Range<usize>,
    blocks: Range<usize>,
    to: To<'o, S, O>,
}

enum To<'o, S: Copy, O> {
    Results(&'o mut [O]),
    Tree(&'o mut Tree<S>),
}

/// A unit whose blocks are shared, and its results.
struct Shared<'o, S: Copy, O> {
    units: Range<usize>,
    shares: Vec<Share<S>>,
    output: &'o mut [O],
}

/// Some blocks of a unit, and what they become.
struct Share<S: Copy> {
    blocks: Range<usize>,
    tree: Tree<S>,
}

impl<S: Copy, O> Shared<'_, S, O> {
    /// A part for each share.
    fn parts<'o>(&'o mut self) -> impl Iterator<Item = Part<'o, S, O>> {
        let units = &self.units;
        self.shares.iter_mut().map(|Share { blocks, tree }| Part {
            units: units.clone(),
            blocks: blocks.clone(),
            to: To::Tree(tree),
        })
    }
}

impl<S: Copy + Send + Sync, O: Send> Split<'_, S, O> {
    /// Writes all results, in the order of the plan.
    pub(super) fn run(self, output: &mut [O]) {
        let units = 0..self.plan.grid.units;
        let most = match self.team.threads() {
            _ if self.team.is_watched() => WATCHED,
            1 => 1,
            threads => 4 * threads,
        };
        let total = self.plan.outputs.saturating_mul(self.plan.count);
        let parts = (total / GRAIN).min(most);
        if parts <= 1 {
            return self.results(units, 0..self.plan.grid.blocks, output);
        }
        let (mut whole, mut shared) = (Vec::new(), Vec::new());
        self.split_units(units, output, parts, &mut whole, &mut shared);
        let parts = whole.into_iter().chain(shared.iter_mut().flat_map(Shared::parts));
        self.team.each(parts.collect(), |part| self.part(part));
        for Shared { units, shares, output } in shared {
            let mut tree = self.together(&units, shares);
            self.merge(&units, &mut tree, Some(output));
        }
    }

    /// Some units, as about so many parts.
    fn split_units<'o>(
        &self,
        units: Range<usize>,
        output: &'o mut [O],
        parts: usize,
        whole: &mut Vec<Part<'o, S, O>>,
        shared: &mut Vec<Shared<'o, S, O>>,
    ) {
        let blocks = 0..self.plan.grid.blocks;
        let has_blocks = blocks.len() > 1 && !matches!(self.plan.path, Path::Elements | Path::Few);
        if parts <= 1 || units.len() == 1 && !has_blocks {
            return whole.push(Part { units, blocks, to: To::Results(output) });
        }
        if units.len() == 1 {
            let mut shares = Vec::new();
            split_blocks(blocks.clone(), blocks.len().div_ceil(parts), &mut shares);
            return shared.push(Shared { units, shares, output });
        }
        let middle = units.start + units.len() / 2;
        let first = self.plan.results(units.start).start;
        let (left, right) = output.split_at_mut(self.plan.results(middle).start - first);
        // Rounded up: of few units, blocks are to be split as well.
        let parts = parts.div_ceil(2);
        self.split_units(units.start..middle, left, parts, whole, shared);
        self.split_units(middle..units.end, right, parts, whole, shared);
    }

    fn part(&self, part: Part<'_, S, O>) {
        let Part { units, blocks, to } = part;
        match to {
            To::Results(output) => self.results(units, blocks, output),
            To::Tree(tree) => {
                let (elements, all) = (self.elements(&units), self.plan.grid.blocks);
                // The last blocks are shorter; in the end all are counted.
                let upto = |block: usize| elements / all * block + elements % all * block / all;
                let done = upto(blocks.end) - upto(blocks.start);
                self.job.pass(&mut Task { units, blocks, tree: Some(tree), output: None });
                self.team.done(done);
            }
        }
    }

    fn results(&self, units: Range<usize>, blocks: Range<usize>, output: &mut [O]) {
        let elements = self.plan.count * output.len();
        self.job.pass(&mut Task { units, blocks, tree: None, output: Some(output) });
        self.team.done(elements);
    }

    /// The tree of all blocks of some shares, which are neighbours.
    fn together(&self, units: &Range<usize>, mut shares: Vec<Share<S>>) -> Tree<S> {
        let all = shares[0].blocks.start..shares[shares.len() - 1].blocks.end;
        let later = shares.partition_point(|share| share.blocks.start < middle(&all));
        if later == shares.len() {
            return shares.swap_remove(0).tree;
        }
        let later = self.together(units, shares.split_off(later));
        let mut tree = self.together(units, shares).followed_by(&later);
        self.merge(units, &mut tree, None);
        tree
    }

    /// The trees of a unit merged, and its results written.
    fn merge(&self, units: &Range<usize>, tree: &mut Tree<S>, output: Option<&mut [O]>) {
        let mut task = Task { units: units.clone(), blocks: 0..0, tree: Some(tree), output };
        self.job.pass(&mut task);
    }

    /// The elements of some units.
    fn elements(&self, units: &Range<usize>) -> usize {
        let results = self.plan.results(units.start).start..self.plan.results(units.end - 1).end;
        results.len() * self.plan.count
    }
}

/// Some blocks, as shares of no more than `grain`.
fn split_blocks<S: Copy>(blocks: Range<usize>, grain: usize, shares: &mut Vec<Share<S>>) {
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
