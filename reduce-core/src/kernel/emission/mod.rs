//! Emission: each element, with the result over its set, becomes another one.
//!
//! The output is written in its own order. Elements and results are read along the
//! output's rows: a row is as long as all of them can be walked at one stride.

mod follow;
mod output_rows;
mod rows;

#[allow(unreachable_pub, reason = "named by hidden functions of a public trait")]
pub use {follow::Follow, rows::Row};
pub(crate) use {
    follow::{Folding, Last},
    rows::{
        EachRow, LONGEST as LONGEST_ROW, Results, Rows, emit_rows, emit_rows_in_place,
        emit_rows_of, follow_rows,
    },
};

use std::ops::Range;

use output_rows::OutputRows;

use super::fold::Lanes;
use super::micro::INPUTS;
use crate::front::emit::{EmitsEach, Keeps};
use crate::machine::code::{Code, Work};
use crate::machine::level::Available;
use crate::machine::{FAR_AHEAD, Machine, barrier, fill_plainly, prefetch};
use crate::plan::{Axis, Places, Plan};
use crate::values::accumulator::Accumulator;
use crate::values::element::{Element, Slot};
use crate::values::stored::Stored;

/// Elements that are computed at once.
const TOGETHER: usize = 16;

/// How far ahead of what is emitted its places in the output are fetched, in bytes.
const OUTPUT_AHEAD: usize = 4096;

/// How far ahead of elements others are fetched while they are emitted, in bytes, and places of the
/// output; 0 if none are.
///
/// A CPU foresees less of groups, of which each is reduced before it is emitted, than of a sequence.
/// Measured on Emerald Rapids alone; others that look no further are taken for like it.
fn bytes_ahead() -> usize {
    if Machine::this().is_told() { FAR_AHEAD } else { 0 }
}

/// Fetches as many places of the output as these, further on, if others are fetched at all.
#[inline(always)]
fn fetch_places<O>(places: &[O], ahead: usize) {
    if ahead != 0 {
        prefetch(places.as_ptr().cast(), OUTPUT_AHEAD, size_of_val(places));
    }
}

/// What is emitted.
pub(crate) struct Emission<'a, Op: Keeps<T>, T: Stored> {
    pub(crate) op: &'a Op,
    pub(crate) data: T::Data<'a>,
    /// The walk over all inputs and, behind them, the results.
    pub(crate) plan: &'a Plan,
    pub(crate) results: &'a [Op::Kept],
}

impl<Op: Keeps<T>, T: Stored> Clone for Emission<'_, Op, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Op: Keeps<T>, T: Stored> Copy for Emission<'_, Op, T> {}

impl<Op: Keeps<T>, T: Stored> Emission<'_, Op, T> {
    /// Emits some elements, counted in the order of the output, with the instructions of
    /// a level.
    pub(crate) fn run<O: Slot>(self, level: Available, elements: Range<usize>, output: &mut [O])
    where
        Op: EmitsEach<T, O>,
    {
        level.run(AtLevel { emission: self, elements, output });
    }

    /// As [`Emission::run`], over elements that are where the output goes, not in `data`.
    pub(crate) fn run_in_place(self, level: Available, elements: Range<usize>, output: &mut [T])
    where
        Op: EmitsEach<T, T>,
        T: Element,
    {
        level.run(InPlace { emission: self, elements, output });
    }
}

/// Some elements, at a level.
struct AtLevel<'a, 'o, Op: EmitsEach<T, O>, T: Stored, O> {
    emission: Emission<'a, Op, T>,
    elements: Range<usize>,
    output: &'o mut [O],
}

impl<Op: EmitsEach<T, O>, T: Stored, O: Slot> Work for AtLevel<'_, '_, Op, T, O> {
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let AtLevel { emission, elements, output } = self;
        let Emission { op, data, plan, results } = emission;
        let Some(of_results) = plan.inputs.last() else { return };
        let ahead = bytes_ahead();
        let rows = OutputRows::from(plan, elements.start);
        let inputs = Inputs::of::<T>(plan);
        let places = inputs.rows(rows.first);
        let rows = rows.cut(output).zip(places).zip(Walk::rows(of_results, rows.first, results));
        for (((skipped, row), place), walk) in rows {
            let walk = walk.behind(skipped, row.len());
            let mut place = inputs.on(place, skipped);
            if !C::VECTORS || !inputs.are_dense() {
                for (index, to) in row.iter_mut().enumerate() {
                    *to = op.emitted(T::element(data, &place).wide(), &walk.result(index));
                    place = inputs.on(place, 1);
                }
                continue;
            }
            let data = T::rest_of(data, &place);
            match walk.way {
                0 => line::<C, Op, T, O, SAME>(code, op, (data, ahead), &walk, row),
                1 => line::<C, Op, T, O, NEXT>(code, op, (data, ahead), &walk, row),
                _ => line::<C, Op, T, O, APART>(code, op, (data, ahead), &walk, row),
            }
        }
    }
}

/// As [`AtLevel`], over elements that lie in the order of the output, which is where they
/// are.
struct InPlace<'a, 'o, Op: EmitsEach<T, T>, T: Element> {
    emission: Emission<'a, Op, T>,
    elements: Range<usize>,
    output: &'o mut [T],
}

impl<Op: EmitsEach<T, T>, T: Element> Work for InPlace<'_, '_, Op, T> {
    #[inline(always)]
    fn run<C: Code>(self, _code: C) {
        let InPlace { emission, elements, output } = self;
        let Emission { op, plan, results, .. } = emission;
        let Some(of_results) = plan.inputs.last() else { return };
        let ahead = bytes_ahead();
        let rows = OutputRows::from(plan, elements.start);
        let rows = rows.cut(output).zip(Walk::rows(of_results, rows.first, results));
        for ((skipped, row), walk) in rows {
            let walk = walk.behind(skipped, row.len());
            if !C::VECTORS {
                for (index, x) in row.iter_mut().enumerate() {
                    *x = op.emitted(x.wide(), &walk.result(index));
                }
                continue;
            }
            match walk.way {
                0 => line_in_place::<Op, T, SAME>(op, &walk, ahead, row),
                1 => line_in_place::<Op, T, NEXT>(op, &walk, ahead, row),
                _ => line_in_place::<Op, T, APART>(op, &walk, ahead, row),
            }
        }
    }
}

/// The walk through the inputs of an emission.
#[derive(Clone, Copy)]
struct Inputs<'a> {
    /// One for each input.
    plans: &'a [Plan],
    /// The ways from one element of a row to the next.
    ways: [isize; INPUTS],
}

impl<'a> Inputs<'a> {
    #[inline(always)]
    fn of<T: Stored>(plan: &'a Plan) -> Self {
        let plans = &plan.inputs[..T::DTYPES.len()];
        let mut ways = [0; INPUTS];
        for (way, plan) in ways.iter_mut().zip(plans) {
            *way = plan.outer_row().stride;
        }
        Inputs { plans, ways }
    }

    /// The places of the first element of each row from one on.
    #[inline(always)]
    fn rows(self, first: usize) -> impl Iterator<Item = [usize; INPUTS]> {
        let mut walks = [const { None::<Places<'_>> }; INPUTS];
        for (walk, plan) in walks.iter_mut().zip(self.plans) {
            *walk = Some(plan.outer_rows(first));
        }
        std::iter::from_fn(move || {
            let mut places = [0; INPUTS];
            for (walk, place) in walks.iter_mut().flatten().zip(&mut places) {
                *place = walk.next()?;
            }
            Some(places)
        })
    }

    /// The places so many elements on.
    #[inline(always)]
    fn on(self, mut places: [usize; INPUTS], elements: usize) -> [usize; INPUTS] {
        for (place, way) in places.iter_mut().zip(self.ways) {
            *place = place.wrapping_add_signed(way.wrapping_mul(elements.cast_signed()));
        }
        places
    }

    /// Whether elements of a row are neighbours in memory.
    fn are_dense(self) -> bool {
        self.ways[..self.plans.len()].iter().all(|&way| way == 1)
    }
}

/// All elements of a row have the same result.
const SAME: u8 = 0;
/// Neighbours have neighbouring results.
const NEXT: u8 = 1;
/// Results lie apart.
const APART: u8 = 2;

/// The results of a row of elements.
struct Walk<'a, K> {
    results: &'a [K],
    /// The place of the first.
    first: usize,
    /// The distance from one to the next.
    way: isize,
    count: usize,
}

impl<'a, K: Copy> Walk<'a, K> {
    /// The results of each row from one on, as their plan walks them.
    #[inline(always)]
    fn rows(plan: &'a Plan, first: usize, results: &'a [K]) -> impl Iterator<Item = Self> {
        let Axis { size: count, stride: way } = plan.outer_row();
        plan.outer_rows(first).map(move |first| Walk { results, first, way, count })
    }

    /// The results of some elements, behind those of others.
    #[inline(always)]
    fn behind(self, skipped: usize, count: usize) -> Self {
        let way = skipped.cast_signed().wrapping_mul(self.way);
        Walk { first: self.first.wrapping_add_signed(way), count, ..self }
    }

    #[inline(always)]
    fn result(&self, index: usize) -> K {
        let way = index.cast_signed().wrapping_mul(self.way);
        self.results[self.first.wrapping_add_signed(way)]
    }

    /// The results of some neighbours.
    #[inline(always)]
    fn together<const WAY: u8>(&self, index: usize) -> [K; TOGETHER] {
        match WAY {
            SAME => [self.results[self.first]; TOGETHER],
            // As they lie. Were others asked for where there are fewer, each would be put in its lane.
            NEXT => match self.results[self.first + index..].first_chunk() {
                Some(all) => *all,
                None => panic!("neighbours end beyond the results"),
            },
            _ => self.gathered(index),
        }
    }

    /// The same; beyond the last, the last again.
    #[inline(always)]
    fn up_to_last<const WAY: u8>(&self, index: usize) -> [K; TOGETHER] {
        if WAY == SAME || index + TOGETHER <= self.count {
            self.together::<WAY>(index)
        } else {
            self.gathered(index)
        }
    }

    #[inline(always)]
    fn gathered(&self, index: usize) -> [K; TOGETHER] {
        let mut all = [self.results[self.first]; TOGETHER];
        for lane in 0..TOGETHER {
            all[lane] = self.result((index + lane).min(self.count - 1));
        }
        all
    }
}

/// Neighbours, each with its result, while others so many bytes ahead are fetched. What lies behind
/// them in the data is not emitted.
#[inline(always)]
fn line<C: Code, Op: EmitsEach<T, O>, T: Stored, O: Slot, const WAY: u8>(
    code: C,
    op: &Op,
    (data, ahead): (T::Data<'_>, usize),
    walk: &Walk<'_, Op::Kept>,
    output: &mut [O],
) {
    let count = output.len();
    let mut index = 0;
    let steps = output.as_chunks_mut::<TOGETHER>().0;
    let values = T::steps::<TOGETHER>(data, ahead);
    for (to, values) in steps.iter_mut().zip(values) {
        fetch_places(to, ahead);
        // Or else the compiler would take several steps at once, and gather.
        barrier();
        let values = T::widen::<C, TOGETHER>(code, values);
        *to = emitted::<Op, T, O>(op, &values, &walk.together::<WAY>(index));
        index += TOGETHER;
    }
    if index < count {
        // A whole step that ends where the line does, or of which some are dropped.
        let first = count.saturating_sub(TOGETHER);
        let values = T::rest::<C, TOGETHER>(code, T::rest_of(data, &[first; INPUTS]));
        let all = emitted::<Op, T, O>(op, &values, &walk.up_to_last::<WAY>(first));
        match output[first..].first_chunk_mut() {
            Some(last) => *last = all,
            None => output.copy_from_slice(&all[..count]),
        }
    }
}

/// As [`line`], each in its place.
#[inline(always)]
fn line_in_place<Op: EmitsEach<T, T>, T: Element, const WAY: u8>(
    op: &Op,
    walk: &Walk<'_, Op::Kept>,
    ahead: usize,
    row: &mut [T],
) {
    let count = row.len();
    // As they were: the last step ends where the row does.
    let last = row.last_chunk::<TOGETHER>().copied();
    let (steps, rest) = row.as_chunks_mut::<TOGETHER>();
    let is_whole = rest.is_empty();
    let mut index = 0;
    for step in steps {
        fetch_places(step, ahead);
        barrier();
        *step = step_in_place(op, *step, &walk.together::<WAY>(index));
        index += TOGETHER;
    }
    match last {
        _ if is_whole => {}
        Some(last) => {
            let first = count - TOGETHER;
            let last = step_in_place(op, last, &walk.together::<WAY>(first));
            row[first..].copy_from_slice(&last);
        }
        None => {
            let all = step_in_place(op, fill_plainly(row, 0), &walk.up_to_last::<WAY>(0));
            row.copy_from_slice(&all[..count]);
        }
    }
}

/// What some elements become, stored as they are computed.
#[inline(always)]
fn step_in_place<Op: EmitsEach<T, T>, T: Element>(
    op: &Op,
    mut step: [T; TOGETHER],
    results: &[Op::Kept; TOGETHER],
) -> [T; TOGETHER] {
    for lane in 0..TOGETHER {
        step[lane] = op.emitted(step[lane].wide(), &results[lane]);
    }
    step
}

/// What some elements become.
#[inline(always)]
fn emitted<Op: EmitsEach<T, O>, T: Stored, O: Slot>(
    op: &Op,
    values: &Lanes<T::Wide, TOGETHER>,
    results: &[Op::Kept; TOGETHER],
) -> [O; TOGETHER] {
    let mut emitted = [O::default(); TOGETHER];
    for lane in 0..TOGETHER {
        emitted[lane] = op.emitted(T::Wide::get(values, lane), &results[lane]);
    }
    emitted
}
