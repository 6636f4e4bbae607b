//! Emission row by row: where the elements of each result are one contiguous row of at
//! most one block, all stages are done for a few rows before the next ones, in the first
//! level of cache. A stage takes all of these rows before the next stage begins, so that
//! the CPU has something to do while the lanes of one row are combined.

use super::super::fold::{Block, Blocks, Fold, STEPS};
use super::super::inputs::Inputs;
use super::super::lanes::Ahead;
use super::super::stored::Stored;
use super::{ResultRows, SAME, Walk, line, line_in_place};
use crate::element::{Element, Slot};
use crate::emit::EmitsEach;
use crate::level::{Available, Code, Work};
use crate::plan::Plan;

/// Lanes along a row, of all stages: as many as registers hold of accumulators of 32 and
/// of 64 bits.
const LANES: usize = 32;

/// The longest row: one block.
pub(crate) const LONGEST: usize = STEPS * LANES;

/// Rows that are emitted together, at most, if they have so many elements at most.
pub(crate) const TOGETHER: usize = 8;
const ELEMENTS: usize = 2048;

/// The elements of a result.
pub struct Row<'a, T: Stored> {
    /// They, and maybe others behind them.
    data: T::Data<'a>,
    count: usize,
}

impl<T: Stored> Clone for Row<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Stored> Copy for Row<'_, T> {}

impl<T: Stored> std::fmt::Debug for Row<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Row").field("count", &self.count).finish_non_exhaustive()
    }
}

impl<T: Stored> Row<'_, T> {
    /// The result over the row.
    #[inline(always)]
    pub(crate) fn reduced<C: Code, F, Op, O>(self, code: C, op: &Op) -> O
    where
        F: Fold<Op, T, O, LANES>,
    {
        let Row { data, count } = self;
        let block = Block { data, count, number: 0, position: 0, ahead: Ahead::NONE };
        let state = F::along(code, op, block);
        let acc = F::all_lanes(code, op, &state, &mut { self });
        F::store(op, acc, count)
    }

    /// Each element with the result over all.
    #[inline(always)]
    fn emitted<C: Code, Op, O>(self, code: C, op: &Op, result: Op::Kept, to: &mut [O])
    where
        Op: EmitsEach<T, O>,
        O: Slot,
    {
        let walk = Walk { results: &[result], first: 0, way: 0, count: self.count };
        line::<C, Op, T, O, SAME>(code, op, self.data, &walk, to);
    }
}

/// Emits over some rows, into their places in the output.
#[inline(always)]
pub(crate) fn emit_rows<C, Op, T, O>(code: C, op: &Op, rows: &[Row<'_, T>], output: &mut [O])
where
    C: Code,
    Op: EmitsEach<T, O>,
    T: Stored,
    O: Slot,
{
    let mut results = [None; TOGETHER];
    for (result, row) in results.iter_mut().zip(rows) {
        *result = op.kept_of(code, *row);
    }
    let size = rows.first().map_or(1, |row| row.count);
    for ((result, row), to) in results.iter().zip(rows).zip(output.chunks_exact_mut(size)) {
        if let Some(result) = *result {
            row.emitted(code, op, result, to);
        }
    }
}

/// Emits over rows of a size, one behind the other.
#[inline(always)]
pub(crate) fn emit_rows_of<C, Op, T, O>(code: C, op: &Op, size: usize, rows: &[T], output: &mut [O])
where
    C: Code,
    Op: EmitsEach<T, O>,
    T: Element,
    O: Slot,
{
    let mut all = [Row { data: rows, count: size }; TOGETHER];
    let count = rows.len() / size;
    for (row, first) in all.iter_mut().zip((0..rows.len()).step_by(size)) {
        row.data = &rows[first..];
    }
    emit_rows(code, op, &all[..count], output);
}

/// As [`emit_rows_of`], each element in its place.
#[inline(always)]
pub(crate) fn emit_rows_in_place<C, Op, E>(code: C, op: &Op, size: usize, rows: &mut [E])
where
    C: Code,
    Op: EmitsEach<E, E>,
    E: Element,
{
    let mut results = [None; TOGETHER];
    for (result, first) in results.iter_mut().zip((0..rows.len()).step_by(size)) {
        *result = op.kept_of(code, Row { data: &rows[first..], count: size });
    }
    for (result, row) in results.iter().zip(rows.chunks_exact_mut(size)) {
        if let Some(result) = *result {
            let walk = Walk { results: &[result], first: 0, way: 0, count: size };
            line_in_place::<Op, E, SAME>(op, &walk, row);
        }
    }
}

impl<T: Stored> Blocks<T> for Row<'_, T> {
    #[inline(always)]
    fn count(&self) -> usize {
        1
    }

    #[inline(always)]
    fn block(&mut self, _number: u64) -> (T::Data<'_>, u64) {
        (T::shortened(T::split_at(self.data, self.count).0), 0)
    }
}

/// What is done with some rows of a size.
pub(crate) trait EachRow<T: Stored, O> {
    /// Emits over them, into their places in the output.
    fn emit<C: Code>(&mut self, code: C, size: usize, rows: &[Row<'_, T>], output: &mut [O]);
}

/// All rows of a walk over inputs and, behind them, results.
pub(crate) struct Rows<'a, 'o, S, T: Stored, O> {
    pub(crate) stages: S,
    pub(crate) data: T::Data<'a>,
    pub(crate) plan: &'a Plan,
    pub(crate) output: &'o mut [O],
    pub(crate) level: Available,
}

impl<S: EachRow<T, O>, T: Stored, O: Slot> Rows<'_, '_, S, T, O> {
    /// Emits over all rows, with the instructions of the level.
    pub(crate) fn run(self) {
        self.level.run(self);
    }
}

impl<S: EachRow<T, O>, T: Stored, O: Slot> Work for Rows<'_, '_, S, T, O> {
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let Rows { mut stages, data, plan, output, level } = self;
        let inputs = T::Inputs::new(data, T::plan_of(plan), level);
        let (size, _) = ResultRows::<()>::row(T::plan_of(plan));
        let together = (ELEMENTS / size).clamp(1, TOGETHER);
        let mut places = inputs.outer_rows(0);
        for output in output.chunks_mut(together * size) {
            let mut rows = [Row { data, count: 0 }; TOGETHER];
            let count = output.len() / size;
            for (row, place) in rows[..count].iter_mut().zip(&mut places) {
                *row = Row { data: inputs.from(place, size), count: size };
            }
            stages.emit(code, size, &rows[..count], output);
        }
    }
}
