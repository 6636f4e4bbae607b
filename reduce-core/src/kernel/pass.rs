//! A pass over units: everything that is compiled once per CPU level.

use std::marker::PhantomData;
use std::ops::Range;

use smallvec::SmallVec;

use super::fold::{Fold, STEPS, Spread};
use super::lanes::Ahead;
use super::source::{Scratch, Source, SourceBlocks};
use super::tasks::Passes;
use super::tree::Tree;
use crate::element::{Element, Written};
use crate::level::{Code, Work};
use crate::plan::{Grid, Path, Places};

/// What a pass is asked for: blocks of some units folded, and their results written.
///
/// With a tree, of one unit, blocks are merged into it. Without an output, there
/// are no results yet; without blocks, they are all in the tree.
pub(super) struct Task<'t, S: Copy, O> {
    pub(super) units: Range<usize>,
    pub(super) blocks: Range<usize>,
    pub(super) tree: Option<&'t mut Tree<S>>,
    pub(super) output: Option<&'t mut [O]>,
}

/// Results that are finalised together: as many as the lanes of a group, or a part.
const PART: usize = 16;

/// Types that are named but not held: threads may share them.
pub(super) type Types<F, O> = fn() -> (F, O);

/// An operator, its data and its plan.
pub(super) struct Job<'a, F, Op, T, O, const L: usize> {
    pub(super) op: &'a Op,
    pub(super) source: Source<'a, T>,
    pub(super) types: PhantomData<Types<F, O>>,
}

impl<F, Op, T, O, const L: usize> Clone for Job<'_, F, Op, T, O, L>
where
    T: Copy,
{
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<F, Op, T: Copy, O, const L: usize> Copy for Job<'_, F, Op, T, O, L> {}

impl<F, Op, T, O, const L: usize> Passes<F::State, O> for Job<'_, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    Op: Sync,
    T: Element,
    O: Written,
{
    fn pass(&self, task: Task<'_, F::State, O>) {
        let Source { plan, level, .. } = self.source;
        let job = *self;
        match (plan.path, plan.across) {
            (Path::Elements | Path::Few, _) => {
                level.run(Pass::<F, Op, T, O, L, SINGLES> { job, task });
            }
            (_, false) => level.run(Pass::<F, Op, T, O, L, ALONG> { job, task }),
            (_, true) => level.run(Pass::<F, Op, T, O, L, ACROSS> { job, task }),
        }
    }
}

// Kinds of passes, each a function of its own: in one large function the compiler
// finds no registers for lanes.

/// Elements one after another.
const SINGLES: u8 = 0;
/// Lanes along the elements of a result.
const ALONG: u8 = 1;
/// Lanes across results.
const ACROSS: u8 = 2;

/// A job with a task, for a kind of pass.
pub(super) struct Pass<'a, 't, F, Op, T, O, const L: usize, const KIND: u8>
where
    F: Fold<Op, T, O, L>,
    T: Element,
{
    pub(super) job: Job<'a, F, Op, T, O, L>,
    pub(super) task: Task<'t, F::State, O>,
}

impl<F, Op, T, O, const L: usize, const KIND: u8> Work for Pass<'_, '_, F, Op, T, O, L, KIND>
where
    F: Fold<Op, T, O, L>,
    T: Element,
    O: Written,
{
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let Pass { job, task } = self;
        match KIND {
            SINGLES => {
                let Some(output) = task.output else { return };
                match job.source.plan.path {
                    Path::Elements => job.elements(task.units, output),
                    _ => job.few(task.units, output),
                }
            }
            ALONG => job.units::<C, false>(code, task),
            _ => job.units::<C, true>(code, task),
        }
    }
}

impl<'a, F, Op, T, O, const L: usize> Job<'a, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Element,
    O: Written,
{
    #[inline(always)]
    fn store(&self, acc: F::Acc) -> O {
        F::store(self.op, acc, self.source.plan.count)
    }

    /// Results over one element each.
    #[inline(always)]
    fn elements(&self, results: Range<usize>, output: &mut [O]) {
        let plan = self.source.plan;
        let Some((&inner, outer)) = plan.outer.split_last() else {
            let x = self.source.data[plan.offset];
            return output.fill(self.store(F::first(self.op, x, 0)));
        };
        let mut next = results.start;
        while next < results.end {
            let (row, first) = (next / inner.size, next % inner.size);
            let count = (inner.size - first).min(results.end - next);
            let output = &mut output[next - results.start..][..count];
            let start = Places::from_index(outer, plan.offset, row).next().unwrap_or(plan.offset);
            let mut place =
                start.wrapping_add_signed(first.cast_signed().wrapping_mul(inner.stride));
            // As many at once as lie side by side.
            for neighbours in output.chunks_mut(if inner.stride == 1 { count } else { 1 }) {
                let values = &self.source.data[place..place + neighbours.len()];
                for (result, &x) in neighbours.iter_mut().zip(values) {
                    *result = self.store(F::first(self.op, x, 0));
                }
                place = place.wrapping_add_signed(inner.stride);
            }
            next += count;
        }
    }

    /// Results over few elements each, one after another.
    #[inline(always)]
    fn few(&self, results: Range<usize>, output: &mut [O]) {
        let Source { data, plan, .. } = self.source;
        // Where elements lie, from the first one on; the same for every result.
        let ways: SmallVec<[usize; 32]> = Places::from_index(&plan.reduced, 0, 1).collect();
        let starts = Places::from_index(&plan.outer, plan.offset, results.start);
        for (result, start) in output.iter_mut().zip(starts) {
            let mut acc = F::first(self.op, data[start], 0);
            for (&way, position) in ways.iter().zip(1..) {
                acc = F::next(self.op, acc, data[start.wrapping_add(way)], position);
            }
            *result = self.store(acc);
        }
    }

    /// Units with lanes. Each step stands here once, since all that is called is
    /// compiled into it.
    #[inline(always)]
    fn units<C: Code, const ACROSS: bool>(&self, code: C, task: Task<'_, F::State, O>) {
        let Task { units, blocks, tree: mut shared, mut output } = task;
        let plan = self.source.plan;
        let mut scratch = Scratch::new();
        let mut own = Tree::new();
        // Blocks of all results of a unit in turn, or one result after the other.
        let in_turn = ACROSS || plan.interleaved || shared.is_some();
        for (place, results) in plan.units_from(units.start).take(units.len()) {
            let tree = match &mut shared {
                Some(tree) => &mut **tree,
                None => &mut own,
            };
            let width = match (in_turn, ACROSS) {
                (false, _) => 1,
                (true, false) => results,
                (true, true) => (results * plan.side_by_side).div_ceil(L),
            };
            let mut first = place;
            if !blocks.is_empty() {
                tree.clear();
            }
            for _ in 0..if in_turn { 1 } else { results } {
                let mut stack = match blocks.is_empty() {
                    true => tree.reopened(width),
                    false => tree.stack(blocks.len(), width, F::identity(self.op)),
                };
                // What is left of a run that is read in place.
                let mut run: (&[T], u64) = (&[], 0);
                let mut number = blocks.start;
                loop {
                    if number < blocks.end && ACROSS {
                        let newest = stack.newest();
                        self.fold_across(code, &mut scratch, first, results, number, newest);
                    } else if number < blocks.end {
                        let blocks = number..blocks.end;
                        let newest = stack.newest();
                        self.fold_along(code, &mut scratch, first, blocks, &mut run, newest);
                    }
                    number += 1;
                    let is_last = number >= blocks.end;
                    stack.file::<F, Op, T, O, L>(code, self.op, is_last);
                    if is_last {
                        break;
                    }
                }
                first = first.wrapping_add_signed(plan.lane.stride);
            }
            if let Some(rest) = output.take() {
                let (results, rest) = rest.split_at_mut(results);
                self.finish::<C, ACROSS>(code, &mut scratch, place, tree.results(), results);
                output = Some(rest);
            }
        }
    }

    /// The first of some blocks of one result, or of neighbours that are folded in
    /// turn, lanes along its elements.
    #[inline(always)]
    fn fold_along<'s>(
        &self,
        code: impl Code,
        scratch: &mut Scratch<T>,
        mut place: usize,
        blocks: Range<usize>,
        run: &mut (&'s [T], u64),
        newest: &mut [F::State],
    ) where
        'a: 's,
    {
        let Grid { piece, ahead, .. } = self.source.plan.grid;
        let in_place = self.source.is_in_place();
        let is_alone = newest.len() == 1;
        let bytes = if in_place { ahead } else { 0 };
        let ahead = Ahead { bytes, share: 0, shares: 1 };
        for state in newest {
            let (values, position);
            if in_place {
                if run.0.is_empty() || !is_alone {
                    *run = self.source.run(place, blocks.clone());
                }
                let rest;
                (values, rest) = run.0.split_at(piece.min(run.0.len()));
                position = run.1;
                *run = (rest, position + piece as u64);
            } else {
                (values, position) = self.source.block(scratch, place, blocks.start);
            }
            let number = blocks.start as u64;
            *state = F::along(code, self.op, values, number, position, ahead);
            place = place.wrapping_add_signed(self.source.plan.lane.stride);
        }
    }

    /// A block of rows of a panel of results, lanes across them.
    #[inline(always)]
    fn fold_across(
        &self,
        code: impl Code,
        scratch: &mut Scratch<T>,
        place: usize,
        results: usize,
        number: usize,
        newest: &mut [F::State],
    ) {
        let plan = self.source.plan;
        let lanes = plan.side_by_side * results;
        let first = number * STEPS;
        let end = plan.grid.rows.min(first + STEPS);
        let mut row = first;
        while row < end {
            let rows = self.source.segment(place, row..end);
            let at_once = self.source.lanes_at_once(rows.count, L);
            for (chunk, states) in newest.chunks_mut(at_once / L).enumerate() {
                let skipped = chunk * at_once;
                let lanes = (lanes - skipped).min(at_once);
                let mut run = self.source.rows(scratch, rows, skipped, lanes, L);
                let mut full = rows.full.saturating_sub(skipped);
                for state in states {
                    if full >= L {
                        let before = if row == first { F::identity(self.op) } else { *state };
                        *state = F::rows(code, self.op, before, row == first, run, row as u64);
                    } else {
                        if row == first {
                            *state = F::identity(self.op);
                        }
                        let values: &[T; L] = run.step(run.at);
                        for lane in 0..full {
                            F::element(self.op, state, lane, values[lane], row as u64);
                        }
                    }
                    full = full.saturating_sub(L);
                    run.at += L;
                }
            }
            row += rows.count;
        }
    }

    /// Writes the results of a unit; `place` is that of its first element.
    #[inline(always)]
    fn finish<C: Code, const ACROSS: bool>(
        &self,
        code: C,
        scratch: &mut Scratch<T>,
        place: usize,
        states: &[F::State],
        output: &mut [O],
    ) {
        let plan = self.source.plan;
        if ACROSS && plan.side_by_side == 1 {
            return self.finish_lanes::<C>(states, output);
        }
        for (part, results) in output.chunks_mut(PART).enumerate() {
            let mut accs = [F::none(self.op); PART];
            for (result, acc) in accs[..results.len()].iter_mut().enumerate() {
                let result = part * PART + result;
                if ACROSS {
                    *acc = self.side_by_side(states, result);
                    continue;
                }
                let way = result.cast_signed().wrapping_mul(plan.lane.stride);
                let place = place.wrapping_add_signed(way);
                let mut blocks = SourceBlocks { source: self.source, scratch, place };
                *acc = F::all_lanes(code, self.op, &states[result], &mut blocks);
            }
            for (result, &acc) in results.iter_mut().zip(&accs) {
                *result = self.store(acc);
            }
        }
    }

    /// Writes the results of groups of lanes, one per lane.
    #[inline(always)]
    fn finish_lanes<C: Code>(&self, states: &[F::State], output: &mut [O]) {
        let result = |state, lane| self.store(F::one_lane(self.op, state, lane, Spread::NONE));
        // Within one group of lanes; the size is known where all are there.
        let size = PART.min(L);
        for (part, results) in output.chunks_mut(size).enumerate() {
            let first = (part * size) & (L - 1);
            let state = &states[part * size / L];
            if C::VECTORS && results.len() == size {
                // Aside, where they cannot overlap with the lanes.
                let mut all = [O::default(); PART];
                for lane in 0..size {
                    all[lane] = result(state, first + lane);
                }
                results.copy_from_slice(&all[..size]);
            } else {
                for (lane, to) in results.iter_mut().enumerate() {
                    *to = result(state, first + lane);
                }
            }
        }
    }

    /// The accumulator of a column whose rows were folded side by side.
    #[inline(always)]
    fn side_by_side(&self, states: &[F::State], column: usize) -> F::Acc {
        let plan = self.source.plan;
        let strand = |first: usize| {
            let lane = first * plan.lane.size + column;
            let spread = Spread { rows: plan.side_by_side as u64, first: first as u64 };
            F::one_lane(self.op, &states[lane / L], lane % L, spread)
        };
        (1..plan.side_by_side).fold(strand(0), |acc, first| F::combine(self.op, acc, strand(first)))
    }
}
