//! Several operators folded in one pass.
//!
//! A tuple of folds is a fold, and its accumulator is a tuple. Where the registers hold the lanes of all
//! members, they take each step in turn, in one loop. Otherwise each takes the whole block by itself, so that no member
//! costs another one registers. After the first member the block is in the nearest cache. Members may read elements,
//! positions or both, and hold in their lanes whatever they like. Plan, blocks and the number of lanes are common.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use super::super::block::{Block, Blocks, EvenRows};
use super::{Combine, Fold, LaneSpread, Lanes, Wants, lanes};
use crate::facts::order::{ORDERED, Short};
use crate::machine::code::Code;
use crate::values::steps::{Holds, Through};
use crate::values::stored::Stored;
use crate::values::tuples::for_tuples;

/// The largest, or the smallest, of some numbers.
const fn extreme(numbers: &[usize], largest: bool) -> usize {
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

macro_rules! tuples {
    ($(($($F:ident . $index:tt),+))*) => {$(
        impl<T: Stored, $($F: Fold<Stored = T>),+> Fold for ($($F,)+) {
            type Op = ($($F::Op,)+);
            type Stored = T;
            type Acc = ($($F::Acc,)+);
            type Steps = ($($F::Steps,)+);
            type Moving = ($($F::Moving,)+);
            type Through<Outer: Holds<Self::Op>> = Combine<Through<Outer, Self::Steps>>;

            const WANTS: Wants = Wants {
                lanes: extreme(&[$($F::WANTS.lanes),+], true),
                ordered: false $(|| $F::WANTS.ordered)+,
                in_parts: false,
                few: extreme(&[$($F::WANTS.few),+], false),
                short: Short::longest(&[$($F::WANTS.short),+]),
                // Blocks are to stay in the nearest cache from member to member.
                blocks: 1,
                any_order: true $(&& $F::WANTS.any_order)+,
                spreads: true $(&& $F::WANTS.spreads)+,
                light: false,
            };
            // Lanes of a member that pushes one at a time may otherwise go to memory.
            const TWO_STEPS: bool = true;
            const SEARCHED: bool = false $(|| $F::SEARCHED)+;
            const POSITIONED: bool = false $(|| $F::POSITIONED)+;

            #[inline(always)]
            fn begin(op: &Self::Op) -> Self::Moving {
                ($($F::begin(&op.$index),)+)
            }

            #[inline(always)]
            fn push(op: &Self::Op, lane: Self::Moving, x: T::Wide, position: u64) -> Self::Moving {
                ($($F::push(&op.$index, lane.$index, x, position),)+)
            }

            #[inline(always)]
            fn push_two(
                op: &Self::Op,
                lane: Self::Moving,
                x: [T::Wide; 2],
                positions: [u64; 2],
            ) -> Self::Moving {
                ($($F::push_two(&op.$index, lane.$index, x, positions),)+)
            }

            #[inline(always)]
            fn join(op: &Self::Op, a: Self::Moving, b: Self::Moving) -> Self::Moving {
                ($($F::join(&op.$index, a.$index, b.$index),)+)
            }

            #[inline(always)]
            fn end(lane: Self::Moving, number: u64, is_empty: bool) -> Self::Acc {
                ($($F::end(lane.$index, number, is_empty),)+)
            }

            #[inline(always)]
            fn moving<const L: usize>(lanes: &Lanes<Self::Acc, L>) -> Lanes<Self::Moving, L> {
                ($($F::moving::<L>(&lanes.$index),)+)
            }

            #[inline(always)]
            fn take(
                op: &Self::Op,
                lane: Self::Acc,
                x: T::Wide,
                position: u64,
                tag: u64,
            ) -> Self::Acc {
                ($($F::take(&op.$index, lane.$index, x, position, tag),)+)
            }

            #[inline(always)]
            fn of_lane(lane: Self::Acc, spread: LaneSpread) -> Self::Acc {
                ($($F::of_lane(lane.$index, spread),)+)
            }

            #[inline(always)]
            unsafe fn along<Isa: Code, const L: usize>(
                code: Isa,
                op: &Self::Op,
                block: &Block,
            ) -> Lanes<Self::Acc, L> {
                // All lanes in registers, and room for what is computed of them.
                let fits = size_of::<Lanes<Self::Moving, L>>() <= Isa::REGISTERS / 4 * 3;
                if L != ORDERED && fits {
                    // SAFETY: *steps*, which the caller keeps for this block.
                    return unsafe { lanes::along::<Isa, Self, L>(code, op, block) };
                }
                // What the first member has read is near; it alone fetches.
                ($({
                    let ahead = if $index == 0 { block.ahead } else { 0 };
                    // SAFETY: *steps*, which the caller keeps: every member reads the same block.
                    unsafe { $F::along::<Isa, L>(code, &op.$index, &Block { ahead, ..*block }) }
                },)+)
            }

            #[inline(always)]
            unsafe fn across<Isa: Code, const L: usize>(
                code: Isa,
                op: &Self::Op,
                lanes: &mut Lanes<Self::Acc, L>,
                fresh: bool,
                rows: &EvenRows,
                position: u64,
            ) {
                $({
                    let ahead = if $index == 0 { rows.ahead } else { 0 };
                    let (op, rows) = (&op.$index, &EvenRows { ahead, ..*rows });
                    let lanes = &mut lanes.$index;
                    // SAFETY: *steps*, which the caller keeps: every member reads the same rows.
                    unsafe { $F::across::<Isa, L>(code, op, lanes, fresh, rows, position) };
                })+
            }

            #[inline(always)]
            fn merge<Isa: Code, const L: usize>(
                code: Isa,
                op: &Self::Op,
                earlier: &mut Lanes<Self::Acc, L>,
                newest: &Lanes<Self::Acc, L>,
            ) {
                $($F::merge::<Isa, L>(code, &op.$index, &mut earlier.$index, &newest.$index);)+
            }

            #[inline(always)]
            unsafe fn found<Isa: Code, const L: usize>(
                code: Isa,
                op: &Self::Op,
                best: Self::Moving,
                moving: &Lanes<Self::Moving, L>,
                lanes: Option<&Lanes<Self::Acc, L>>,
                blocks: &mut dyn Blocks,
            ) -> Self::Acc {
                ($({
                    let lanes = lanes.map(|lanes| &lanes.$index);
                    let (op, best, moving) = (&op.$index, best.$index, &moving.$index);
                    // SAFETY: *elements*, which the caller keeps: every member is of the same storage type.
                    unsafe { $F::found::<Isa, L>(code, op, best, moving, lanes, blocks) }
                },)+)
            }
        }
    )*};
}

for_tuples!(tuples);
