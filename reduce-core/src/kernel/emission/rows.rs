//! Emission row by row: where the elements of each result are one contiguous row of at
//! most one block, all stages are done for a few rows before the next ones, in the first
//! level of cache. A stage takes all of these rows before the next stage begins, so that
//! the CPU has something to do while the lanes of one row are combined.

#![allow(unsafe_code, reason = "a fold searches blocks through pointers")]

use super::super::fold::lanes::{take, take_part, take_two};
use super::super::fold::last::{join_in_memory, keep, last_lanes, one_row};
use super::super::fold::{Fold, Lanes, STEPS, end_of_block, none_kept};
use super::super::micro::{Blocks, Elements, INPUTS};
use super::follow::Follow;
use super::{
    Inputs, SAME, TOGETHER as VECTOR, Walk, bytes_ahead, emitted, fetch_places, line, line_in_place,
};
use crate::front::emit::{EmitsEach, Keeps};
use crate::machine::barrier;
use crate::machine::code::{Code, Work};
use crate::machine::level::Available;
use crate::plan::Plan;
use crate::values::accumulator::Accumulator;
use crate::values::element::{Element, Slot, Unrounded};
use crate::values::stored::Stored;

/// Lanes along a row, of all stages: as many as registers hold of accumulators of 32 and
/// of 64 bits.
pub(crate) const LANES: usize = 32;

/// The longest row: one block.
pub(crate) const LONGEST: usize = STEPS * LANES;

/// Rows that are emitted together, at most, if they have so many elements at most.
pub(crate) const TOGETHER: usize = 8;
const ELEMENTS: usize = 2048;

/// What some rows result in.
pub(crate) type Results<R> = [Option<R>; TOGETHER];

/// What a row is folded into: the lanes along it.
pub(super) type State<T, Op> = Lanes<<<Op as Keeps<T>>::RowFold as Fold>::Acc, LANES>;

/// The elements of a result.
pub struct Row<'a, T: Stored> {
    /// They, and maybe others behind them.
    data: T::Data<'a>,
    count: usize,
    /// How far ahead of them others are fetched: see [`bytes_ahead`].
    ahead: usize,
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

impl<'a, T: Stored> Row<'a, T> {
    /// Elements that are in a cache.
    #[inline(always)]
    pub(super) fn of(data: T::Data<'a>, count: usize) -> Self {
        Row { data, count, ahead: 0 }
    }

    /// The state of the row.
    #[inline(always)]
    pub(super) fn folded<C: Code, Op: Keeps<T>>(self, code: C, op: &Op) -> State<T, Op> {
        let Row { data, count, .. } = self;
        let mut lanes: Lanes<<Op::RowFold as Fold>::Moving, LANES> = Op::RowFold::begin(op).splat();
        let mut steps = T::steps::<LANES>(data, 0);
        let (mut left, mut position) = (count / LANES, 0);
        if Op::RowFold::TWO_STEPS {
            while left >= 2 {
                let (Some(first), Some(second)) = (steps.next(), steps.next()) else { break };
                barrier();
                let [first, second] = [first, second].map(|step| T::widen::<C, LANES>(code, step));
                take_two::<C, Op::RowFold, LANES>(op, &mut lanes, [&first, &second], position);
                position += 2 * LANES as u64;
                left -= 2;
            }
        }
        for values in steps.take(left) {
            barrier();
            let values = T::widen::<C, LANES>(code, values);
            take::<C, Op::RowFold, LANES>(op, &mut lanes, &values, position, 1);
            position += LANES as u64;
        }
        let rest = count % LANES;
        if rest > 0 {
            let values = T::rest::<C, LANES>(code, T::rest_of(data, &[count - rest; INPUTS]));
            take_part::<C, Op::RowFold, LANES>(op, &mut lanes, &values, position, 0..rest);
        }
        end_of_block::<C, Op::RowFold, LANES>(op, &lanes, (0, 0, count))
    }

    /// Each element with the result over all, and the state of what follows.
    #[inline(always)]
    fn emitted<C: Code, Op, O, N>(
        self,
        code: C,
        op: &Op,
        result: Op::Kept,
        to: &mut [O],
        next: N,
    ) -> N::State
    where
        Op: EmitsEach<T, O>,
        O: Slot,
        N: Follow<O>,
    {
        let results = &[result];
        let walk = |count| Walk { results, first: 0, way: 0, count };
        let mut moving = next.begin();
        let mut vectors = T::steps::<VECTOR>(self.data, self.ahead);
        let (steps, rest) = to.as_chunks_mut::<LANES>();
        let mut index = 0;
        for step in steps {
            let mut values = [O::default(); LANES];
            for vector in values.as_chunks_mut::<VECTOR>().0 {
                let Some(values) = vectors.next() else { break };
                barrier();
                let values = T::widen::<C, VECTOR>(code, values);
                *vector = emitted::<Op, T, O>(op, &values, &[result; VECTOR]);
            }
            barrier();
            fetch_places(step, self.ahead);
            next.step(code, &mut moving, &values, index);
            *step = values;
            index += LANES;
        }
        if !rest.is_empty() {
            // Whole vectors as far as possible: some elements are emitted a second time.
            let first = self.count.saturating_sub(VECTOR).min(index);
            let (data, rest) = (T::rest_of(self.data, &[first; INPUTS]), &mut to[first..]);
            line::<C, Op, T, O, SAME>(code, op, (data, 0), &walk(rest.len()), rest);
            next.part(code, &mut moving, &to[index..], index);
        }
        next.end(code, moving, to)
    }
}

/// Emits over some rows, into their places in the output; the results of what follows.
#[inline(always)]
pub(crate) fn emit_rows<C, Op, T, O, N>(
    code: C,
    op: &Op,
    rows: &[Row<'_, T>],
    output: &mut [O],
    next: N,
) -> Results<N::Result>
where
    C: Code,
    Op: EmitsEach<T, O>,
    T: Stored,
    O: Slot,
    N: Follow<O>,
{
    // What a loop does at the end of a row, with its lanes, decides how the compiler forms
    // them; so that is done in loops of its own, for all rows.
    let mut states: [State<T, Op>; TOGETHER] = [Op::RowFold::identity(op).splat(); TOGETHER];
    for (state, row) in states.iter_mut().zip(rows) {
        barrier();
        *state = row.folded(code, op);
    }
    let results = results::<C, Op, T>(code, op, &states, rows.iter().copied());
    let size = rows.first().map_or(1, |row| row.count);
    let mut states = [next.none(); TOGETHER];
    let places = output.chunks_exact_mut(size);
    for (((row, result), to), state) in rows.iter().zip(&results).zip(places).zip(&mut states) {
        if let Some(&result) = result.as_ref().and_then(Unrounded::get) {
            *state = row.emitted(code, op, result, to, next);
        }
    }
    next.results(code, &states, output, size)
}

/// The results over rows, by their states: all rows are left with their last lanes, before
/// these are combined, so that none waits for what was just stored.
#[inline(always)]
pub(super) fn results<'a, C: Code, Op: Keeps<T>, T: Stored>(
    code: C,
    op: &Op,
    states: &[State<T, Op>; TOGETHER],
    rows: impl Iterator<Item = Row<'a, T>> + Clone,
) -> Results<Unrounded<Op::Kept>> {
    let mut results = [None; TOGETHER];
    let mut last = none_kept::<Op::RowFold>(op);
    if !Op::RowFold::SEARCHED {
        for (number, (state, _)) in states.iter().zip(rows.clone()).enumerate() {
            barrier();
            let moving = Op::RowFold::moving::<LANES>(state, 0);
            let lanes = last_lanes::<C, Op::RowFold, LANES>(op, moving);
            keep::<<Op::RowFold as Fold>::Moving>(&mut last.0, number, lanes);
        }
    }
    for (number, ((result, state), mut row)) in results.iter_mut().zip(states).zip(rows).enumerate()
    {
        barrier();
        let acc = if Op::RowFold::SEARCHED {
            let moving = Op::RowFold::moving::<LANES>(state, 0);
            let best = join_in_memory::<C, Op::RowFold, LANES>(op, &moving);
            // SAFETY: the row is of this storage type.
            unsafe { Op::RowFold::found::<C, LANES>(code, op, best, &moving, None, 0, &mut row) }
        } else {
            let moving = one_row::<C, Op::RowFold>(op, &last.0, number);
            Op::RowFold::end(moving, 0, false)
        };
        *result = Some(Op::RowFold::store(op, acc, row.count));
    }
    results
}

/// Emits over rows of a size, one behind the other, by their results.
#[inline(always)]
pub(crate) fn emit_rows_of<C, Op, T, O, N>(
    code: C,
    op: &Op,
    (rows, size): (&[T], usize),
    results: &Results<Unrounded<Op::Kept>>,
    output: &mut [O],
    next: N,
) -> Results<N::Result>
where
    C: Code,
    Op: EmitsEach<T, O>,
    T: Element,
    O: Slot,
    N: Follow<O>,
{
    let mut states = [next.none(); TOGETHER];
    let places = rows.chunks_exact(size).zip(output.chunks_exact_mut(size));
    for (((data, to), result), state) in places.zip(results).zip(&mut states) {
        if let Some(&result) = result.as_ref().and_then(Unrounded::get) {
            let row = Row::of(data, size);
            *state = row.emitted(code, op, result, to, next);
        }
    }
    next.results(code, &states, output, size)
}

/// As [`emit_rows_of`], each element in its place.
#[inline(always)]
pub(crate) fn emit_rows_in_place<Op, E>(
    op: &Op,
    size: usize,
    results: &Results<Unrounded<Op::Kept>>,
    rows: &mut [E],
) where
    Op: EmitsEach<E, E>,
    E: Element,
{
    for (row, result) in rows.chunks_exact_mut(size).zip(results) {
        if let Some(&result) = result.as_ref().and_then(Unrounded::get) {
            let walk = Walk { results: &[result], first: 0, way: 0, count: size };
            line_in_place::<Op, E, SAME>(op, &walk, 0, row);
        }
    }
}

/// The results of what follows over rows that were emitted in their places.
#[inline(always)]
pub(crate) fn follow_rows<C: Code, O, N: Follow<O>>(
    code: C,
    size: usize,
    rows: &[O],
    next: N,
) -> Results<N::Result> {
    let mut states = [next.none(); TOGETHER];
    for (row, state) in rows.chunks_exact(size).zip(&mut states) {
        barrier();
        *state = next.over(code, row);
    }
    next.results(code, &states, rows, size)
}

impl<T: Stored> Blocks for Row<'_, T> {
    #[inline(always)]
    fn count(&self) -> usize {
        1
    }

    #[inline(always)]
    fn block(&mut self, _number: u64) -> Elements {
        let (data, counts) = T::buffers(self.data);
        let is_there = counts[..T::DTYPES.len()].iter().all(|&count| self.count <= count);
        assert!(is_there, "a row ends beyond the buffer");
        // SAFETY: so many elements of each input.
        unsafe { Elements::new(data, self.count, 0) }
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
        let Rows { mut stages, data, plan, output, .. } = self;
        let size = plan.outer_row().size;
        let together = (ELEMENTS / size).clamp(1, TOGETHER);
        let mut places = Inputs::of::<T>(plan).rows(0);
        let ahead = bytes_ahead();
        for output in output.chunks_mut(together * size) {
            let mut rows = [Row::of(data, 0); TOGETHER];
            let count = output.len() / size;
            for (row, place) in rows[..count].iter_mut().zip(&mut places) {
                *row = Row { data: T::rest_of(data, &place), count: size, ahead };
            }
            stages.emit(code, size, &rows[..count], output);
        }
    }
}
