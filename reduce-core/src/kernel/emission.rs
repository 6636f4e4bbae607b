//! Emission: each element, with the result over its set, becomes another one.
//!
//! The output is written in its own order. Elements and results are read along the
//! output's rows: a row is as long as all of them can be walked at one stride.

use std::ops::Range;

use super::inputs::Inputs;
use super::lanes::{Ahead, Lanes};
use super::stored::Stored;
use crate::accumulator::Accumulator;
use crate::emit::Emits;
use crate::level::{Available, Code, Work};
use crate::plan::Plan;
use crate::simd::barrier;

/// Elements that are computed at once.
const TOGETHER: usize = 16;

/// What is emitted.
pub(crate) struct Emission<'a, Op: Emits<T>, T: Stored> {
    pub(crate) op: &'a Op,
    pub(crate) data: T::Data<'a>,
    /// The walk over all inputs and, behind them, the results.
    pub(crate) plan: &'a Plan,
    pub(crate) results: &'a [Op::Kept],
}

impl<Op: Emits<T>, T: Stored> Clone for Emission<'_, Op, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Op: Emits<T>, T: Stored> Copy for Emission<'_, Op, T> {}

impl<Op: Emits<T>, T: Stored> Emission<'_, Op, T> {
    /// Emits some elements, counted in the order of the output, with the instructions of
    /// a level.
    pub(crate) fn run(self, level: Available, elements: Range<usize>, output: &mut [T::First]) {
        level.run(AtLevel { emission: self, level, elements, output });
    }
}

struct AtLevel<'a, 'o, Op: Emits<T>, T: Stored> {
    emission: Emission<'a, Op, T>,
    level: Available,
    elements: Range<usize>,
    output: &'o mut [T::First],
}

impl<Op: Emits<T>, T: Stored> Work for AtLevel<'_, '_, Op, T> {
    #[inline(always)]
    fn run<C: Code>(self, code: C) {
        let AtLevel { emission, level, elements, output } = self;
        let Emission { op, data, plan, results } = emission;
        let inputs = T::Inputs::new(data, T::plan_of(plan), level);
        let Some(of_results) = plan.inputs.last() else { return };
        let (size, way) = of_results.outer.last().map_or((1, 0), |axis| (axis.size, axis.stride));
        let (first_row, mut first) = (elements.start / size, elements.start % size);
        let rows = inputs.outer_rows(first_row).zip(of_results.outer_rows(first_row));
        let mut rest = output;
        for (place, result) in rows {
            let count = (size - first).min(rest.len());
            if count == 0 {
                break;
            }
            let row;
            (row, rest) = rest.split_at_mut(count);
            let skipped = <T::Inputs<'_>>::times(inputs.outer_way(), first);
            let place = <T::Inputs<'_>>::behind(place, skipped);
            let result = result.wrapping_add_signed(first.cast_signed().wrapping_mul(way));
            first = 0;
            let walk = Walk { results, first: result, way, count };
            match way {
                _ if !inputs.outer_is_dense() => {
                    let mut place = place;
                    for (index, to) in row.iter_mut().enumerate() {
                        *to = op.emitted(inputs.element(place).wide(), &walk.result(index));
                        place = <T::Inputs<'_>>::behind(place, inputs.outer_way());
                    }
                }
                0 => line::<C, Op, T, SAME>(code, op, inputs.neighbours(place, count), &walk, row),
                1 => line::<C, Op, T, NEXT>(code, op, inputs.neighbours(place, count), &walk, row),
                _ => line::<C, Op, T, APART>(code, op, inputs.neighbours(place, count), &walk, row),
            }
        }
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

impl<K: Copy> Walk<'_, K> {
    #[inline(always)]
    fn result(&self, index: usize) -> K {
        let way = index.cast_signed().wrapping_mul(self.way);
        self.results[self.first.wrapping_add_signed(way)]
    }

    /// The results of some neighbours; beyond the last, the last again.
    #[inline(always)]
    fn together<const WAY: u8>(&self, index: usize) -> [K; TOGETHER] {
        match WAY {
            SAME => [self.results[self.first]; TOGETHER],
            NEXT if index + TOGETHER <= self.count => {
                let mut all = [self.results[self.first]; TOGETHER];
                all.copy_from_slice(&self.results[self.first + index..][..TOGETHER]);
                all
            }
            _ => {
                let mut all = [self.results[self.first]; TOGETHER];
                for lane in 0..TOGETHER {
                    all[lane] = self.result((index + lane).min(self.count - 1));
                }
                all
            }
        }
    }
}

/// Neighbours, each with its result.
#[inline(always)]
fn line<C: Code, Op: Emits<T>, T: Stored, const WAY: u8>(
    code: C,
    op: &Op,
    data: T::Data<'_>,
    walk: &Walk<'_, Op::Kept>,
    output: &mut [T::First],
) {
    let (steps, rest) = output.as_chunks_mut::<TOGETHER>();
    let mut index = 0;
    for (to, values) in steps.iter_mut().zip(T::steps::<TOGETHER>(data, Ahead::NONE)) {
        // Or else the compiler would take several steps at once, and gather.
        barrier();
        let values = T::widen::<C, TOGETHER>(code, values);
        *to = emitted::<Op, T>(op, &values, &walk.together::<WAY>(index));
        index += TOGETHER;
    }
    if !rest.is_empty() {
        // A whole step, of which some are dropped.
        let values = T::rest::<C, TOGETHER>(code, data);
        let all = emitted::<Op, T>(op, &values, &walk.together::<WAY>(index));
        rest.copy_from_slice(&all[..rest.len()]);
    }
}

/// What some elements become.
#[inline(always)]
fn emitted<Op: Emits<T>, T: Stored>(
    op: &Op,
    values: &Lanes<T::Wide, TOGETHER>,
    results: &[Op::Kept; TOGETHER],
) -> [T::First; TOGETHER] {
    let mut emitted = [T::First::default(); TOGETHER];
    for lane in 0..TOGETHER {
        emitted[lane] = op.emitted(T::Wide::get(values, lane), &results[lane]);
    }
    emitted
}
