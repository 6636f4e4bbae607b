//! A pass over units: everything that is compiled once per CPU level.

use std::marker::PhantomData;
use std::ops::Range;

use smallvec::SmallVec;

use super::fold::{Fold, STEPS, Spread};
use super::grid::Grid;
use super::reader::Reader;
use super::source::{Scratch, Source};
use super::tasks::Passes;
use super::tree::Tree;
use crate::element::{Store, Widen};
use crate::level::Work;
use crate::op::ReduceOp;
use crate::plan::{Path, Places};
use crate::simd::prefetch;

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

/// How far ahead the columns of a wide matrix are fetched, in bytes.
const AHEAD: usize = 1024;

/// Results that are finalised together: as many as the lanes of a group, or a part.
const PART: usize = 16;

/// Types that are named but not held: threads may share them.
pub(super) type Types<F, R, O> = fn() -> (F, R, O);

/// An operator, its data and its plan.
pub(super) struct Job<'a, F, R, Op, T, O, const L: usize> {
    pub(super) op: &'a Op,
    pub(super) source: Source<'a, T>,
    pub(super) types: PhantomData<Types<F, R, O>>,
}

impl<F, R, Op, T, O, const L: usize> Clone for Job<'_, F, R, Op, T, O, L>
where
    T: Copy,
{
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<F, R, Op, T: Copy, O, const L: usize> Copy for Job<'_, F, R, Op, T, O, L> {}

impl<F, R, Op, T, O, const L: usize> Passes<F::State, O> for Job<'_, F, R, Op, T, O, L>
where
    F: Fold<Op, T::Wide, L, Acc = Op::Acc>,
    R: Reader<T>,
    Op: ReduceOp<R::Element> + Sync,
    T: Widen,
    O: Store<Op::Output>,
{
    fn pass(&self, task: Task<'_, F::State, O>) {
        self.source.level.run(Pass { job: *self, task });
    }
}

/// A job with a task.
pub(super) struct Pass<'a, 't, F, R, Op, T, O, const L: usize>
where
    F: Fold<Op, T::Wide, L>,
    T: Widen,
{
    pub(super) job: Job<'a, F, R, Op, T, O, L>,
    pub(super) task: Task<'t, F::State, O>,
}

impl<F, R, Op, T, O, const L: usize> Work for Pass<'_, '_, F, R, Op, T, O, L>
where
    F: Fold<Op, T::Wide, L, Acc = Op::Acc>,
    R: Reader<T>,
    Op: ReduceOp<R::Element>,
    T: Widen,
    O: Store<Op::Output>,
{
    #[inline(always)]
    fn run(self) {
        self.walk::<true>();
    }

    #[inline(always)]
    fn run_simply(self) {
        self.walk::<false>();
    }
}

impl<F, R, Op, T, O, const L: usize> Pass<'_, '_, F, R, Op, T, O, L>
where
    F: Fold<Op, T::Wide, L, Acc = Op::Acc>,
    R: Reader<T>,
    Op: ReduceOp<R::Element>,
    T: Widen,
    O: Store<Op::Output>,
{
    #[inline(always)]
    fn walk<const VECTORS: bool>(self) {
        let Pass { job, task } = self;
        match (job.source.plan.path, task.output) {
            (Path::Elements, Some(output)) => job.elements(task.units, output),
            (Path::Few, Some(output)) => job.few(task.units, output),
            (_, output) => job.units::<VECTORS>(Task { output, ..task }),
        }
    }
}

impl<'a, F, R, Op, T, O, const L: usize> Job<'a, F, R, Op, T, O, L>
where
    F: Fold<Op, T::Wide, L, Acc = Op::Acc>,
    R: Reader<T>,
    Op: ReduceOp<R::Element>,
    T: Widen,
    O: Store<Op::Output>,
{
    #[inline(always)]
    pub(super) fn grid(&self) -> Grid<'a> {
        Grid::new(self.source.plan, L, F::BLOCKS, size_of::<T>())
    }

    #[inline(always)]
    fn store(&self, acc: Op::Acc) -> O {
        O::store(self.op.finalize(acc, self.source.plan.count))
    }

    /// Results over one element each.
    #[inline(always)]
    fn elements(&self, results: Range<usize>, output: &mut [O]) {
        let plan = self.source.plan;
        let Some((&inner, outer)) = plan.outer.split_last() else {
            let x = self.source.data[plan.offset];
            return output.fill(self.store(self.op.map(R::read(x, 0))));
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
                    *result = self.store(self.op.map(R::read(x, 0)));
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
            let mut acc = self.op.map(R::read(data[start], 0));
            for (&way, position) in ways.iter().zip(1..) {
                let x = R::read(data[start.wrapping_add(way)], position);
                acc = self.op.combine(acc, self.op.map(x));
            }
            *result = self.store(acc);
        }
    }

    /// Units with lanes. Each step stands here once, since all that is called is
    /// compiled into it.
    #[inline(always)]
    fn units<const VECTORS: bool>(&self, task: Task<'_, F::State, O>) {
        let Task { units, blocks, tree: mut shared, mut output } = task;
        let plan = self.source.plan;
        let mut scratch = Scratch::new();
        let grid = self.grid();
        // Cheaper than a place by number; asked for single results only.
        let mut places = Places::from_index(&plan.outer, plan.offset, units.start);
        let mut own = Tree::new();
        for unit in units {
            let tree = match &mut shared {
                Some(tree) => &mut **tree,
                None => &mut own,
            };
            let (place, results) = match grid.is_single() {
                true => (places.next().unwrap_or(plan.offset), 1),
                false => (grid.place(unit), grid.results(unit).len()),
            };
            tree.widen(grid.groups(results), F::identity(self.op));
            let mut number = blocks.start;
            loop {
                let mut taken = 1;
                if number < blocks.end && plan.across {
                    self.fold_across::<VECTORS>(&mut scratch, place, results, number, tree);
                } else if number < blocks.end {
                    // Two, if they make a subtree.
                    let is_even = (number - blocks.start).is_multiple_of(2);
                    if F::PAIRS
                        && is_even
                        && number + 2 <= blocks.end
                        && self.source.is_pair(number, grid.piece())
                    {
                        taken = 2;
                    }
                    self.fold_along::<VECTORS>(&mut scratch, place, number, taken, tree);
                }
                number += taken;
                let is_last = number >= blocks.end;
                tree.merge::<F, Op, T::Wide, L, VECTORS>(self.op, taken, is_last);
                if is_last {
                    break;
                }
            }
            if let Some(rest) = output.take() {
                let (results, rest) = rest.split_at_mut(results);
                self.finish::<VECTORS>(&mut scratch, place, tree, results);
                output = Some(rest);
            }
        }
    }

    /// A block of each result of a unit, or two, lanes along its elements.
    #[inline(always)]
    fn fold_along<const VECTORS: bool>(
        &self,
        scratch: &mut Scratch<T>,
        mut place: usize,
        number: usize,
        taken: usize,
        tree: &mut Tree<F::State>,
    ) {
        let piece = self.grid().piece();
        for state in &mut tree.newest {
            let (values, position) = self.source.block(scratch, place, number, piece, taken);
            *state = if taken == 2 {
                let (first, second) = values.split_at(piece);
                F::along_pair::<VECTORS>(self.op, first, second, position)
            } else {
                F::along::<VECTORS>(self.op, values, number as u64, position)
            };
            place = place.wrapping_add_signed(self.source.plan.lane.stride);
        }
    }

    /// A block of rows of a panel of results, lanes across them.
    #[inline(always)]
    fn fold_across<const VECTORS: bool>(
        &self,
        scratch: &mut Scratch<T>,
        place: usize,
        results: usize,
        number: usize,
        tree: &mut Tree<F::State>,
    ) {
        let plan = self.source.plan;
        let grid = self.grid();
        let lanes = plan.side_by_side * results;
        let first = number * STEPS;
        let end = grid.rows().min(first + STEPS);
        let Tree { newest, spare, .. } = tree;
        let is_wide = newest.len() > 1 && grid.rows_at_once() < STEPS;
        let mut row = first;
        while row < end {
            let rows = self.source.segment(place, grid, row..end);
            let at_once = self.source.lanes_at_once(rows.count, L);
            for (chunk, states) in newest.chunks_mut(at_once / L).enumerate() {
                let skipped = chunk * at_once;
                let lanes = (lanes - skipped).min(at_once);
                let mut run = self.source.rows(scratch, rows, skipped, lanes, L);
                let mut full = rows.full.saturating_sub(skipped);
                for state in states {
                    if is_wide {
                        let ahead = run.at + AHEAD / size_of::<T::Wide>();
                        let bytes = L * size_of::<T::Wide>();
                        prefetch(run.data, ahead, run.stride, run.steps, bytes);
                    }
                    let before = if row == first { F::identity(self.op) } else { *state };
                    // Aside, not in a copy of the lanes that the loop works on: these
                    // must not be in memory.
                    if full < L {
                        spare.clear();
                        spare.push(if row == first { F::identity(self.op) } else { *state });
                    }
                    *state = F::rows::<VECTORS>(self.op, before, row == first, run, row as u64);
                    if full < L {
                        F::restore(state, &spare[0], full);
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
    fn finish<const VECTORS: bool>(
        &self,
        scratch: &mut Scratch<T>,
        place: usize,
        tree: &Tree<F::State>,
        output: &mut [O],
    ) {
        let plan = self.source.plan;
        // Within one group of lanes.
        let size = PART.min(L);
        for (part, results) in output.chunks_mut(size).enumerate() {
            let mut accs = [self.op.identity(); PART];
            if !plan.across {
                for (result, acc) in accs[..results.len()].iter_mut().enumerate() {
                    let result = part * size + result;
                    let way = result.cast_signed().wrapping_mul(plan.lane.stride);
                    let place = place.wrapping_add_signed(way);
                    *acc = F::all_lanes::<VECTORS>(self.op, &tree.newest[result], |number| {
                        let number = usize::try_from(number).unwrap_or(0);
                        self.source.block(scratch, place, number, self.grid().piece(), 1)
                    });
                }
            } else if plan.side_by_side > 1 {
                for (column, acc) in accs[..results.len()].iter_mut().enumerate() {
                    *acc = self.side_by_side(tree, part * size + column);
                }
            } else {
                let first = part * size;
                let state = &tree.newest[first / L];
                for (lane, acc) in accs[..results.len()].iter_mut().enumerate() {
                    *acc = F::one_lane(self.op, state, (first + lane) % L, Spread::NONE);
                }
            }
            for (result, &acc) in results.iter_mut().zip(&accs) {
                *result = self.store(acc);
            }
        }
    }

    /// The accumulator of a column whose rows were folded side by side.
    #[inline(always)]
    fn side_by_side(&self, tree: &Tree<F::State>, column: usize) -> Op::Acc {
        let plan = self.source.plan;
        let strand = |first: usize| {
            let lane = first * plan.lane.size + column;
            let spread = Spread { rows: plan.side_by_side as u64, first: first as u64 };
            F::one_lane(self.op, &tree.newest[lane / L], lane % L, spread)
        };
        (1..plan.side_by_side).fold(strand(0), |acc, first| self.op.combine(acc, strand(first)))
    }
}
