//! Several operators folded in one pass.
//!
//! A tuple of folds is a fold. Where the registers hold the lanes of all members,
//! they take each step in turn, in one loop. Otherwise each takes the whole block,
//! which after the first is in the nearest cache, so that no member costs another one
//! registers. Members may read elements, positions or both, and hold in their lanes
//! whatever they like. Plan, blocks and the number of lanes are common.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use std::ops::Range;

use super::ORDERED;
use super::block::take_block;
use super::fold::{Fold, Spread};
use super::lanes::Lanes;
use super::micro::{Block, Blocks, Elements, Steps};
use super::stored::Stored;
use crate::level::Code;

/// A fold of any number of lanes up to 256, of which one is chosen when all types
/// are known.
#[allow(unreachable_pub, reason = "named by a hidden type of a public trait")]
pub trait AnyLanes<Op, T: Stored, O>:
    Fold<Op, T, O, 1>
    + Fold<Op, T, O, 2>
    + Fold<Op, T, O, 4>
    + Fold<Op, T, O, 8>
    + Fold<Op, T, O, 16>
    + Fold<Op, T, O, 32>
    + Fold<Op, T, O, 64>
    + Fold<Op, T, O, 128>
    + Fold<Op, T, O, 256>
{
}

impl<F, Op, T: Stored, O> AnyLanes<Op, T, O> for F where
    F: Fold<Op, T, O, 1>
        + Fold<Op, T, O, 2>
        + Fold<Op, T, O, 4>
        + Fold<Op, T, O, 8>
        + Fold<Op, T, O, 16>
        + Fold<Op, T, O, 32>
        + Fold<Op, T, O, 64>
        + Fold<Op, T, O, 128>
        + Fold<Op, T, O, 256>
{
}

/// The largest, or the smallest, of some numbers.
pub(super) const fn extreme(numbers: &[usize], largest: bool) -> usize {
    let mut extreme = numbers[0];
    let mut next = 1;
    while next < numbers.len() {
        if (numbers[next] > extreme) == largest {
            extreme = numbers[next];
        }
        next += 1;
    }
    extreme
}

/// The largest of some costs; none if one is.
const fn dearest(costs: &[Option<usize>]) -> Option<usize> {
    let mut dearest = 0;
    let mut next = 0;
    while next < costs.len() {
        let Some(cost) = costs[next] else { return None };
        if cost > dearest {
            dearest = cost;
        }
        next += 1;
    }
    Some(dearest)
}

macro_rules! together {
    ($(($($F:ident $Op:ident $O:ident . $index:tt),+))*) => {$(
        impl<T: Stored, $($F, $Op, $O,)+ const L: usize> Fold<($($Op,)+), T, ($($O,)+), L>
            for ($($F,)+)
        where
            $($F: Fold<$Op, T, $O, L>,)+
        {
            type State = ($($F::State,)+);
            type Moving = ($($F::Moving,)+);
            type Acc = ($($F::Acc,)+);
            type Last = ($($F::Last,)+);

            const ORDERED: bool = false $(|| $F::ORDERED)+;
            const SUITED: usize = extreme(&[$($F::SUITED),+], true);
            const FEW: usize = extreme(&[$($F::FEW),+], false);
            // One length wherever rows come from: a member may be a sum.
            const SHORT_ROWS: usize = extreme(&[$($F::SHORT_ROWS_FROM_MEMORY),+], true);
            const SHORT_RUNS: usize = extreme(&[$($F::SHORT_RUNS),+], true);
            // Blocks are to stay in the nearest cache from member to member.
            const BLOCKS: usize = 1;
            const STRAND: Option<usize> = dearest(&[$($F::STRAND),+]);
            const ABREAST: bool = true $(&& $F::ABREAST)+;
            const SEARCHED: bool = false $(|| $F::SEARCHED)+;
            // Lanes of a member that pushes one at a time may otherwise go to memory.
            const TWO_STEPS: bool = true;
            const SHIFTED: bool = true $(&& $F::SHIFTED)+;

            #[inline(always)]
            fn none(op: &($($Op,)+)) -> Self::Acc {
                ($($F::none(&op.$index),)+)
            }

            #[inline(always)]
            fn first(op: &($($Op,)+), x: T, position: u64) -> Self::Acc {
                ($($F::first(&op.$index, x, position),)+)
            }

            #[inline(always)]
            fn combine(op: &($($Op,)+), a: Self::Acc, b: Self::Acc) -> Self::Acc {
                ($($F::combine(&op.$index, a.$index, b.$index),)+)
            }

            #[inline(always)]
            fn store(op: &($($Op,)+), acc: Self::Acc, count: usize) -> ($($O,)+) {
                ($($F::store(&op.$index, acc.$index, count),)+)
            }

            #[inline(always)]
            fn identity(op: &($($Op,)+)) -> Self::State {
                ($($F::identity(&op.$index),)+)
            }

            #[inline(always)]
            unsafe fn along<C: Code>(code: C, op: &($($Op,)+), block: &Block) -> Self::State {
                // All lanes in registers, and room for what is computed of them. Elements in
                // order are taken in strands by each member, at every level.
                let fits = size_of::<Self::Moving>() <= C::REGISTERS / 4 * 3;
                if L != ORDERED && fits {
                    // SAFETY: the caller's.
                    return unsafe { take_block::<C, Self, _, T, _, L>(code, op, block) };
                }
                // What the first member has read is near; it alone fetches.
                ($({
                    let ahead = if $index == 0 { block.ahead } else { 0 };
                    // SAFETY: the caller's.
                    unsafe { $F::along(code, &op.$index, &Block { ahead, ..*block }) }
                },)+)
            }

            #[inline(always)]
            fn begin(op: &($($Op,)+)) -> Self::Moving {
                ($($F::begin(&op.$index),)+)
            }

            #[inline(always)]
            fn step<C: Code>(
                code: C,
                op: &($($Op,)+),
                moving: &mut Self::Moving,
                values: &Lanes<T::Wide, L>,
                position: u64,
            ) {
                $($F::step(code, &op.$index, &mut moving.$index, values, position);)+
            }

            #[inline(always)]
            fn two_steps<C: Code>(
                code: C,
                op: &($($Op,)+),
                moving: &mut Self::Moving,
                values: [&Lanes<T::Wide, L>; 2],
                position: u64,
            ) {
                $($F::two_steps(code, &op.$index, &mut moving.$index, values, position);)+
            }

            #[inline(always)]
            fn part<C: Code>(
                code: C,
                op: &($($Op,)+),
                moving: &mut Self::Moving,
                values: &Lanes<T::Wide, L>,
                position: u64,
                taken: Range<usize>,
            ) {
                $({
                    let taken = taken.clone();
                    $F::part(code, &op.$index, &mut moving.$index, values, position, taken);
                })+
            }

            #[inline(always)]
            fn end(
                moving: Self::Moving,
                number: u64,
                shift: usize,
                count: usize,
            ) -> Self::State {
                ($($F::end(moving.$index, number, shift, count),)+)
            }

            #[inline(always)]
            unsafe fn rows<C: Code>(
                code: C,
                op: &($($Op,)+),
                state: &mut Self::State,
                fresh: bool,
                steps: &Steps,
                position: u64,
            ) {
                $({
                    let ahead = if $index == 0 { steps.ahead } else { 0 };
                    let (steps, state) = (&Steps { ahead, ..*steps }, &mut state.$index);
                    // SAFETY: the caller's.
                    unsafe { $F::rows(code, &op.$index, state, fresh, steps, position) };
                })+
            }

            #[inline(always)]
            fn element(
                op: &($($Op,)+),
                state: &mut Self::State,
                lane: usize,
                x: T,
                position: u64,
                tag: u64,
            ) {
                $($F::element(&op.$index, &mut state.$index, lane, x, position, tag);)+
            }

            #[inline(always)]
            fn merge<C: Code>(
                code: C,
                op: &($($Op,)+),
                earlier: &mut Self::State,
                newest: &Self::State,
            ) {
                $($F::merge(code, &op.$index, &mut earlier.$index, &newest.$index);)+
            }

            #[inline(always)]
            unsafe fn all_lanes<C: Code>(
                code: C,
                op: &($($Op,)+),
                state: &Self::State,
                shift: usize,
                blocks: &mut dyn Blocks,
            ) -> Self::Acc {
                ($({
                    // SAFETY: the caller's.
                    unsafe { $F::all_lanes(code, &op.$index, &state.$index, shift, blocks) }
                },)+)
            }

            #[inline(always)]
            fn no_last(op: &($($Op,)+)) -> Self::Last {
                ($($F::no_last(&op.$index),)+)
            }

            #[inline(always)]
            fn keep_last<C: Code>(
                code: C,
                op: &($($Op,)+),
                last: &mut Self::Last,
                row: usize,
                state: &Self::State,
            ) {
                $($F::keep_last(code, &op.$index, &mut last.$index, row, &state.$index);)+
            }

            #[inline(always)]
            fn one_row<C: Code>(
                code: C,
                op: &($($Op,)+),
                last: &Self::Last,
                row: usize,
            ) -> Self::Acc {
                ($($F::one_row(code, &op.$index, &last.$index, row),)+)
            }

            #[inline(always)]
            fn all_rows<C: Code>(
                code: C,
                op: &($($Op,)+),
                last: &Self::Last,
                turned: &mut Self::Last,
            ) {
                $($F::all_rows(code, &op.$index, &last.$index, &mut turned.$index);)+
            }

            #[inline(always)]
            fn of_row(op: &($($Op,)+), turned: &Self::Last, row: usize) -> Self::Acc {
                ($($F::of_row(&op.$index, &turned.$index, row),)+)
            }

            #[inline(always)]
            unsafe fn searched<C: Code>(
                code: C,
                op: &($($Op,)+),
                acc: Self::Acc,
                last: &Self::Last,
                row: usize,
                elements: &Elements,
            ) -> Self::Acc {
                ($({
                    let (op, acc, last) = (&op.$index, acc.$index, &last.$index);
                    // SAFETY: the caller's.
                    unsafe { $F::searched(code, op, acc, last, row, elements) }
                },)+)
            }

            #[inline(always)]
            fn one_lane(
                op: &($($Op,)+),
                state: &Self::State,
                lane: usize,
                spread: Spread,
            ) -> Self::Acc {
                ($($F::one_lane(&op.$index, &state.$index, lane, spread),)+)
            }
        }
    )*};
}

together! {
    (F P A.0)
    (F P A.0, G Q B.1)
    (F P A.0, G Q B.1, H R D.2)
    (F P A.0, G Q B.1, H R D.2, I S E.3)
    (F P A.0, G Q B.1, H R D.2, I S E.3, J U K.4)
    (F P A.0, G Q B.1, H R D.2, I S E.3, J U K.4, M V N.5)
    (F P A.0, G Q B.1, H R D.2, I S E.3, J U K.4, M V N.5, W X Y.6)
    (F P A.0, G Q B.1, H R D.2, I S E.3, J U K.4, M V N.5, W X Y.6, Z Aa Ab.7)
}
