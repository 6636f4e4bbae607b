//! Emission: each element, with the result over its set, becomes another one.
//!
//! The output is written in its own order. Elements and results are read along the
//! output's rows: a row is as long as all of them can be walked at one stride.

use std::ops::Range;

use super::inputs::Inputs;
use super::lanes::Ahead;
use super::stored::Stored;
use crate::accumulator::Accumulator;
use crate::emit::Emits;
use crate::level::{Available, Code, Work};
use crate::plan::Plan;

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
            match way {
                _ if !inputs.outer_is_dense() => {
                    let mut place = place;
                    let mut result = result;
                    for to in row {
                        *to = op.emitted(inputs.element(place).wide(), &results[result]);
                        place = <T::Inputs<'_>>::behind(place, inputs.outer_way());
                        result = result.wrapping_add_signed(way);
                    }
                }
                0 => {
                    let result = results[result];
                    line::<C, Op, T>(code, op, inputs.neighbours(place, count), |_| result, row);
                }
                1 => {
                    let results = &results[result..result + count];
                    let data = inputs.neighbours(place, count);
                    line::<C, Op, T>(code, op, data, |index| results[index], row);
                }
                _ => {
                    let at = |index: usize| {
                        let way = index.cast_signed().wrapping_mul(way);
                        results[result.wrapping_add_signed(way)]
                    };
                    line::<C, Op, T>(code, op, inputs.neighbours(place, count), at, row);
                }
            }
        }
    }
}

/// Neighbours, each with its result.
#[inline(always)]
fn line<C: Code, Op: Emits<T>, T: Stored>(
    code: C,
    op: &Op,
    data: T::Data<'_>,
    result: impl Fn(usize) -> Op::Kept,
    output: &mut [T::First],
) {
    let (steps, rest) = output.as_chunks_mut::<TOGETHER>();
    let mut index = 0;
    for (to, values) in steps.iter_mut().zip(T::steps::<TOGETHER>(data, Ahead::NONE)) {
        let values = T::widen::<C, TOGETHER>(code, values);
        // Aside, where they cannot overlap with what is read.
        let mut emitted = [T::First::default(); TOGETHER];
        for lane in 0..TOGETHER {
            emitted[lane] = op.emitted(T::Wide::get(&values, lane), &result(index + lane));
        }
        *to = emitted;
        index += TOGETHER;
    }
    for (lane, to) in rest.iter_mut().enumerate() {
        *to = op.emitted(T::element(data, index + lane).wide(), &result(index + lane));
    }
}
