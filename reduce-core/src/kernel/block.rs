//! Blocks: elements of a result that lanes fold before they are merged with others.
//!
//! Element `i` of a block goes to lane `i mod L`, whatever its address. A vector that is loaded
//! across two lines of the cache takes two accesses, and so most vectors do where a buffer begins
//! between two lines, as most allocations do. So lanes can be *shifted*: if the first element lies
//! `n` elements behind the beginning of a line, it goes to lane `n`, and each other to the lane
//! `n` further than its own. Vectors then begin with lines. Which elements a lane combines, and in
//! which order, is as before; what was lane `i` is lane `i + n`, until the result's last block is
//! merged and its lanes are put back; or until a selection is searched, which knows how far they are
//! shifted.

use super::ahead::Ahead;
use super::fold::{Fold, STEPS};
use super::lanes::Steps;
use super::stored::Stored;
use crate::accumulator::Accumulator;
use crate::level::Code;
use crate::simd::barrier;

/// The fewest lanes that are shifted: fewer are less than a vector.
pub(super) const LEAST_SHIFTED: usize = 16;

/// A block of the elements of a result.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "as `Fold`")]
pub struct Block<'a, T: Stored> {
    /// Some elements that come before it, its own, and maybe others behind them.
    pub(super) data: T::Data<'a>,
    /// How many come before it: as many as lanes are shifted, or none.
    pub(super) before: usize,
    /// The lane of the first element.
    pub(super) shift: usize,
    pub(super) count: usize,
    /// Which of the blocks of its result it is.
    pub(super) number: u64,
    /// The position of the first element.
    pub(super) position: u64,
    pub(super) ahead: Ahead,
}

impl<'a, T: Stored> Block<'a, T> {
    /// The first elements of some, as all of a result.
    #[inline(always)]
    pub(super) fn of(data: T::Data<'a>, count: usize) -> Self {
        Block { data, before: 0, shift: 0, count, number: 0, position: 0, ahead: Ahead::NONE }
    }

    /// The first `count` elements, and the others, as blocks of their own.
    #[inline(always)]
    pub(super) fn in_two(self, count: usize) -> [Self; 2] {
        let (number, position) = (self.number + 1, self.position + count as u64);
        // If none are left, there may be fewer.
        let behind = (self.before + count).saturating_sub(self.shift);
        let (_, data) = T::split_at(self.data, behind);
        let rest =
            Block { data, before: self.shift, count: self.count - count, number, position, ..self };
        [Block { count, ..self }, rest]
    }

    /// For a shorter time.
    #[inline(always)]
    pub(super) fn shortened<'s>(self) -> Block<'s, T>
    where
        'a: 's,
    {
        let Block { data, before, shift, count, number, position, ahead } = self;
        let data = T::shortened(data);
        Block { data, before, shift, count, number, position, ahead }
    }

    /// The elements of the first step, if lanes are shifted; and the block after it.
    #[inline(always)]
    fn split_first<const L: usize>(self) -> (usize, Self) {
        let first = (L - self.shift).min(self.count);
        let (_, data) = T::split_at(self.data, self.before + first);
        let (position, count) = (self.position + first as u64, self.count - first);
        (first, Block { data, before: 0, shift: 0, count, position, ..self })
    }
}

/// Folds a block, step by step.
#[inline(always)]
pub(super) fn take_block<C: Code, F, Op, T, O, const L: usize>(
    code: C,
    op: &Op,
    block: Block<'_, T>,
) -> F::State
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    let (mut moving, Block { data, count, mut position, ahead, .. }) =
        begin_block::<C, F, Op, T, O, L>(code, op, block);
    let (mut steps, mut left) = (count / L, T::split_at(data, count).0);
    while steps > 0 {
        let together = ahead.together(steps);
        let (some, behind) = T::split_at(left, together * L);
        if ahead.in_streams {
            T::fetch_in_streams(some);
        }
        let mut all = T::steps(some, ahead);
        if F::TWO_STEPS {
            for _ in 0..together / 2 {
                let (Some(first), Some(second)) = (all.next(), all.next()) else { break };
                barrier();
                let [first, second] = [first, second].map(|step| T::widen::<C, L>(code, step));
                F::two_steps(code, op, &mut moving, [&first, &second], position);
                position += 2 * L as u64;
            }
        }
        for values in all {
            barrier();
            let values = T::widen::<C, L>(code, values);
            F::step(code, op, &mut moving, &values, position);
            position += L as u64;
        }
        left = behind;
        steps -= together;
    }
    let rest = count % L;
    if rest > 0 {
        let values = T::rest::<C, L>(code, T::split_at(data, count - rest).1, ahead);
        F::part(code, op, &mut moving, &values, position, 0..rest);
    }
    F::end(moving, block)
}

/// Lanes before the first whole step of a block, and what is left of it: if they are shifted, the
/// first of them have no element in the step before that.
#[inline(always)]
pub(super) fn begin_block<'a, C: Code, F, Op, T, O, const L: usize>(
    code: C,
    op: &Op,
    block: Block<'a, T>,
) -> (F::Moving, Block<'a, T>)
where
    F: Fold<Op, T, O, L>,
    T: Stored,
{
    let mut moving = F::begin(op);
    if !F::SHIFTED || block.shift == 0 {
        return (moving, block);
    }
    let Block { data, before, shift, position, .. } = block;
    let (count, rest) = block.split_first::<L>();
    let values = T::first::<C, L>(code, data, shift - before);
    F::part(code, op, &mut moving, &values, position, shift..shift + count);
    (moving, rest)
}

/// Strands of a whole block whose elements are taken in order.
const STRANDS: usize = 4;

/// Folds a whole block in order: as strands of neighbours, none of which waits for the
/// others, each from `none` on, which are then combined.
#[inline(always)]
pub(super) fn take_strands<S, T>(steps: S, none: S::Acc, block: Block<'_, T>) -> S::Acc
where
    S: Steps<T>,
    T: Stored,
{
    const SIZE: usize = STEPS / STRANDS;
    let Block { data, position, .. } = block;
    let strand = |number: usize| T::split_at(T::split_at(data, number * SIZE).1, SIZE).0;
    let [a, b, c, d] = [0, 1, 2, 3].map(|number| T::steps::<1>(strand(number), Ahead::NONE));
    let mut accs = [none; STRANDS];
    for ((((a, b), c), d), position) in a.zip(b).zip(c).zip(d).zip(position..) {
        let values = [a, b, c, d];
        for number in 0..STRANDS {
            let x = T::Wide::get(&T::widen::<S::Code, 1>(steps.code(), values[number]), 0);
            let place = position + (number * SIZE) as u64;
            accs[number] = steps.push(accs[number], x, place);
        }
    }
    let [a, b, c, d] = accs;
    steps.combine(steps.combine(a, b), steps.combine(c, d))
}

#[cfg(test)]
mod tests {
    use super::super::combining::{Combining, unshifted};
    use super::super::reader::Value;
    use super::{Block, take_block};
    use crate::level::Simple;
    use crate::op::ReduceOp;

    struct Sum;

    impl ReduceOp<f32> for Sum {
        type Acc = f32;
        type Output = f32;

        fn identity(&self) -> f32 {
            0.0
        }

        fn map(&self, x: f32) -> f32 {
            x
        }

        fn combine(&self, a: f32, b: f32) -> f32 {
            a + b
        }

        fn finalize(&self, sum: f32, _count: usize) -> f32 {
            sum
        }
    }

    const L: usize = 16;
    type Lanes = Combining<Value<f32>>;

    /// The lanes of a block, put back if they were shifted.
    fn lanes(block: Block<'_, f32>) -> [u32; L] {
        let state = take_block::<_, Lanes, _, f32, f32, L>(Simple, &Sum, block);
        let shift = block.shift;
        unshifted::<f32, L>(&state.0, shift).map(f32::to_bits)
    }

    /// Sums of them depend on their order.
    fn data(count: usize) -> Vec<f32> {
        (1..=count).map(|place| 1.0 / place as f32).collect()
    }

    fn block(elements: &[f32]) -> Block<'_, f32> {
        Block::of(elements, elements.len())
    }

    #[test]
    fn shifted_lanes_combine_the_same_elements_in_the_same_order() {
        let data = data(200);
        for shift in 0..L {
            for count in 1..150 {
                let expected = lanes(block(&data[shift..][..count]));
                for before in [0, shift] {
                    let block = Block::of(&data[shift - before..][..before + count], count);
                    let shifted = lanes(Block { before, shift, ..block });
                    assert_eq!(shifted, expected, "{count} elements from {shift} on");
                }
            }
        }
    }

    #[test]
    fn parts_of_a_shifted_block_are_shifted_as_far() {
        let few = Block { shift: 7, ..block(&[1.0; 3]) };
        assert_eq!(few.in_two(3).map(|block| block.count), [3, 0]);
        let data = data(150);
        let expected = block(&data).in_two(64);
        for shift in 0..L {
            let [first, second] = Block { shift, ..block(&data) }.in_two(64);
            assert_eq!((second.before, second.number, second.position), (shift, 1, 64));
            assert_eq!([first, second].map(lanes), expected.map(lanes));
        }
    }
}
