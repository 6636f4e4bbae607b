//! A pass over units: everything that is compiled once per CPU level.

use std::marker::PhantomData;
use std::ops::Range;

use super::ahead::Ahead;
use super::fold::Fold;
use super::inputs::Inputs;
use super::stored::Stored;
use super::tasks::Passes;
use super::tree::Tree;
use crate::dtype::DType;
use crate::element::Slot;
use crate::level::{Available, Code, Work};
use crate::plan::{Grid, InHalves, Path, Plan};

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

impl<'t, S: Copy, O> Task<'t, S, O> {
    /// All of a plan.
    #[inline(always)]
    pub(super) fn of(plan: &Plan, output: &'t mut [O]) -> Self {
        let Grid { units, blocks, .. } = plan.grid;
        Task { units: 0..units, blocks: 0..blocks, tree: None, output: Some(output) }
    }
}

/// Results that are finalised together: as many as the lanes of a group, or a part.
pub(super) const PART: usize = 16;

/// Room for packed elements.
pub(super) type Scratch<'a, T> = <<T as Stored>::Inputs<'a> as Inputs<'a>>::Scratch;

/// Where an element lies.
pub(super) type Place<'a, T> = <<T as Stored>::Inputs<'a> as Inputs<'a>>::Place;

/// Types that are named but not held: threads may share them.
pub(super) type Types<F, O> = fn() -> (F, O);

/// An operator, its data and its plan.
pub(super) struct Job<'a, F, Op, T: Stored, O, const L: usize> {
    pub(super) op: &'a Op,
    pub(super) inputs: T::Inputs<'a>,
    pub(super) plan: &'a Plan,
    pub(super) level: Available,
    pub(super) types: PhantomData<Types<F, O>>,
}

impl<F, Op, T: Stored, O, const L: usize> Clone for Job<'_, F, Op, T, O, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<F, Op, T: Stored, O, const L: usize> Copy for Job<'_, F, Op, T, O, L> {}

impl<F, Op, T, O, const L: usize> Passes<F::State, O> for Job<'_, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    Op: Sync,
    T: Stored,
    O: Slot,
{
    // Or small jobs would have a copy.
    #[inline(never)]
    fn pass(&self, task: &mut Task<'_, F::State, O>) {
        let (job, plan) = (self, self.plan);
        let level = self.level_of_pass();
        if let Some(tree) = &mut task.tree
            && task.blocks.is_empty()
        {
            level.run_narrow(Merge { job, unit: task.units.start, tree });
        }
        match (plan.path, plan.across) {
            (Path::Elements, _) => {
                // Where there are no vectors, one element is a case of few.
                let elements = Pass::<F, Op, T, O, L, ELEMENTS> { job, task };
                if let Err(Pass { job, task }) = level.run_narrow_in_vectors(elements) {
                    level.run_narrow(Pass::<F, Op, T, O, L, FEW> { job, task });
                }
            }
            (Path::Few, _) => level.run_narrow(Pass::<F, Op, T, O, L, FEW> { job, task }),
            (_, false) if plan.has_whole_rows() && job.inputs.is_in_place() => {
                let rows = Pass::<F, Op, T, O, L, ROWS> { job, task };
                if let Err(Pass { job, task }) = level.run_in_vectors(rows) {
                    level.run(Pass::<F, Op, T, O, L, ALONG> { job, task });
                }
            }
            (_, false) => level.run(Pass::<F, Op, T, O, L, ALONG> { job, task }),
            (Path::ShortRows, true) if job.inputs.are_short_rows() => self.short_rows(level, task),
            (_, true) => level.run(Pass::<F, Op, T, O, L, ACROSS> { job, task }),
        }
    }
}

// Kinds of passes, each a function of its own: in one large function the compiler
// finds no registers for lanes.

/// Results of one element each.
const ELEMENTS: u8 = 0;
/// Results of few elements each.
const FEW: u8 = 1;
/// Lanes along the elements of a result.
const ALONG: u8 = 2;
/// Lanes across results.
const ACROSS: u8 = 3;
/// Lanes along results of one block each, which is read in place.
const ROWS: u8 = 4;
/// Lanes across very short rows.
const COLUMNS: u8 = 5;
/// Lanes across short rows of one run each.
const TRANSPOSED: u8 = 6;

/// A job with a task, for a kind of pass: where they are, since copying both takes a tenth of a
/// small call.
struct Pass<'p, 'a, 't, F, Op, T, O, const L: usize, const KIND: u8>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    job: &'p Job<'a, F, Op, T, O, L>,
    task: &'p mut Task<'t, F::State, O>,
}

impl<F, Op, T, O, const L: usize, const KIND: u8> Work for Pass<'_, '_, '_, F, Op, T, O, L, KIND>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        // A copy, which nothing else can change.
        let job = *self.job;
        let Task { units, blocks, tree, output } = self.task;
        let (units, blocks) = (units.clone(), blocks.clone());
        let (tree, output) = (tree.as_deref_mut(), output.as_deref_mut());
        match (KIND, output) {
            (ALONG, output) => job.units::<C, false>(code, Task { units, blocks, tree, output }),
            (ACROSS, output) => job.units::<C, true>(code, Task { units, blocks, tree, output }),
            (ELEMENTS, Some(output)) => job.elements(units, output),
            (FEW, Some(output)) => job.few(units, output),
            (ROWS, Some(output)) => job.rows(code, units, output),
            (COLUMNS, Some(output)) => job.columns(code, units, output),
            (TRANSPOSED, Some(output)) => job.transposed(code, units, output),
            _ => {}
        }
    }
}

/// A tree of all blocks of a unit, put together of its parts, to be merged.
struct Merge<'p, 'a, F, Op, T, O, const L: usize>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    job: &'p Job<'a, F, Op, T, O, L>,
    unit: usize,
    tree: &'p mut Tree<F::State>,
}

impl<F, Op, T, O, const L: usize> Work for Merge<'_, '_, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let Merge { job, unit, tree } = self;
        let width = job.width(job.plan.results(unit).len());
        tree.reopened(width).file::<F, Op, T, O, L>(code, job.op, true);
    }
}

impl<'a, F, Op, T, O, const L: usize> Job<'a, F, Op, T, O, L>
where
    F: Fold<Op, T, O, L>,
    T: Stored,
    O: Slot,
{
    /// The states of a unit that is folded block by block: one for each result, or for
    /// each group of lanes.
    #[inline(always)]
    fn width(&self, results: usize) -> usize {
        match self.plan.across {
            true => (results * self.plan.strands()).div_ceil(L),
            false => results,
        }
    }

    /// Short rows of one run each, by the first way that is there.
    #[inline(always)]
    fn short_rows(&self, level: Available, task: &mut Task<'_, F::State, O>) {
        let job = self;
        if Self::HAS_COLUMNS && job.inputs.are_very_short_rows() {
            let rows = Pass::<F, Op, T, O, L, COLUMNS> { job, task };
            if level.run_with_columns(rows).is_ok() {
                return;
            }
        }
        if Self::HAS_TRANSPOSED {
            let rows = Pass::<F, Op, T, O, L, TRANSPOSED> { job, task };
            if level.run_in_vectors(rows).is_ok() {
                return;
            }
        }
        level.run(Pass::<F, Op, T, O, L, ACROSS> { job, task });
    }

    /// The level of a pass: that of the job, or a lower one that reads its input faster.
    #[inline(always)]
    fn level_of_pass(&self) -> Available {
        let plan = self.plan;
        let is_halved = match plan.grid.in_halves {
            InHalves::Nothing => return self.level,
            InHalves::Light if !plan.has_single_blocks() => F::LIGHT,
            InHalves::Light | InHalves::Selections => F::LIGHT_ROWS,
        };
        let is_narrow = size_of::<F::Acc>() <= size_of::<u64>();
        // Other types are more work on narrower vectors: they are widened, or have no
        // instruction. Some of 64-bit integers have none either, which memory hides.
        let is_plain = |dtype: &DType| match dtype {
            DType::F32 | DType::F64 => true,
            DType::I32 | DType::U32 => is_narrow,
            DType::I64 | DType::U64 => is_narrow && plan.grid.is_from_memory,
            _ => false,
        };
        if is_halved && T::DTYPES.iter().all(is_plain) {
            return self.level.in_halves();
        }
        self.level
    }

    /// What is fetched while rows and runs are read in place.
    #[inline(always)]
    pub(super) fn ahead(&self) -> Ahead {
        Ahead::of(self.plan.grid.ahead)
    }

    /// How far the lanes along a result are shifted: see [`Block::shift`](super::block::Block).
    #[inline(always)]
    pub(super) fn shift<C: Code>(&self, place: Place<'a, T>) -> usize {
        match C::VECTORS && F::SHIFTED && self.inputs.is_in_place() {
            true => self.inputs.shift(place) % L,
            false => 0,
        }
    }

    #[inline(always)]
    pub(super) fn store(&self, acc: F::Acc) -> O {
        F::store(self.op, acc, self.plan.count)
    }

    /// Units with lanes. Each step stands here once, since all that is called is
    /// compiled into it.
    #[inline(always)]
    fn units<C: Code, const ACROSS: bool>(&self, code: C, task: Task<'_, F::State, O>) {
        let Task { units, blocks, tree: mut shared, mut output } = task;
        let plan = self.plan;
        let mut scratch = Scratch::<T>::default();
        let mut own = Tree::new();
        // Blocks of all results of a unit in turn, or one result after the other.
        let in_turn = ACROSS || plan.interleaved || shared.is_some();
        for (place, results) in self.inputs.units(units.start).take(units.len()) {
            let tree = match &mut shared {
                Some(tree) => &mut **tree,
                None => &mut own,
            };
            let width = if in_turn { self.width(results) } else { 1 };
            let mut first = place;
            if !blocks.is_empty() {
                tree.clear();
            }
            let times = match (blocks.is_empty(), in_turn) {
                (true, _) => 0,
                (false, true) => 1,
                (false, false) => results,
            };
            for _ in 0..times {
                let mut stack = tree.stack(blocks.len(), width, F::identity(self.op));
                let mut left = blocks.clone();
                while !left.is_empty() {
                    if ACROSS {
                        let newest = stack.newest();
                        self.fold_across(code, &mut scratch, first, results, left.start, newest);
                        left.start += 1;
                        stack.file::<F, Op, T, O, L>(code, self.op, left.is_empty());
                    } else {
                        let blocks = left.clone();
                        left.start +=
                            self.fold_along(code, &mut scratch, first, blocks, &mut stack);
                    }
                }
                first = <T::Inputs<'a>>::behind(first, self.inputs.lane_way());
            }
            if let Some(rest) = output.take() {
                let (results, rest) = rest.split_at_mut(results);
                self.finish::<C, ACROSS>(code, &mut scratch, place, tree.results(), results);
                output = Some(rest);
            }
        }
    }
}
