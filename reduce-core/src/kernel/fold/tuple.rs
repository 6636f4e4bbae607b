//! Several operators folded in one pass.
//!
//! A tuple of folds is a fold, whose accumulator is a tuple. Where the registers hold the lanes of all
//! members, they take each step in turn, in one loop. Otherwise each takes the whole block, which after
//! the first is in the nearest cache, so that no member costs another one registers. Members may read
//! elements, positions or both, and hold in their lanes whatever they like. Plan, blocks and the number
//! of lanes are common.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use std::marker::PhantomData;

use super::super::block::{Block, Blocks, Steps};
use super::{Fold, Folds, Lanes, Length, ORDERED, Short, Spread, along};
use crate::machine::code::Code;
use crate::values::element::Slot;
use crate::values::stored::Stored;

/// The folds of a tuple of operators.
#[derive(Debug)]
pub struct Together<F>(PhantomData<F>);

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

/// The longest of the lengths of members, one wherever rows come from: a member may be a sum.
const fn longest(members: &[Short]) -> Short {
    let mut rows = members[0].from_memory;
    let mut next = 1;
    while next < members.len() {
        rows = Length::or(rows, members[next].from_memory);
        next += 1;
    }
    Short { rows, from_memory: rows }
}

macro_rules! together {
    ($(($($F:ident $Op:ident $O:ident . $index:tt),+))*) => {$(
        impl<T: Stored, $($F, $Op, $O),+> Folds<($($Op,)+), T, ($($O,)+)> for ($($F,)+)
        where
            $($F: Folds<$Op, T, $O>, $Op: 'static, $O: Slot,)+
        {
            type Fold = Together<($($F::Fold,)+)>;
        }

        impl<T: Stored, $($F),+> Fold for Together<($($F,)+)>
        where
            $($F: Fold<Stored = T>,)+
        {
            type Op = ($($F::Op,)+);
            type Stored = T;
            type Output = ($($F::Output,)+);
            type Acc = ($($F::Acc,)+);
            type Moving = ($($F::Moving,)+);

            const SUITED: usize = extreme(&[$($F::SUITED),+], true);
            const ORDERED: bool = false $(|| $F::ORDERED)+;
            const FEW: usize = extreme(&[$($F::FEW),+], false);
            const SHORT: Short = longest(&[$($F::SHORT),+]);
            // Blocks are to stay in the nearest cache from member to member.
            const BLOCKS: usize = 1;
            const ANY_ORDER: bool = true $(&& $F::ANY_ORDER)+;
            const SPREADS: bool = true $(&& $F::SPREADS)+;
            const LIGHT: bool = false;
            // Lanes of a member that pushes one at a time may otherwise go to memory.
            const TWO_STEPS: bool = true;
            const SHIFTED: bool = true $(&& $F::SHIFTED)+;
            const SEARCHED: bool = false $(|| $F::SEARCHED)+;
            const POSITIONED: bool = false $(|| $F::POSITIONED)+;
            const DOUBTS: bool = false $(|| $F::DOUBTS)+;
            const MEMBERS: u32 = 0 $(+ $F::MEMBERS)+;
            const REMOVES: bool = true $(&& $F::REMOVES)+;

            #[inline(always)]
            fn doubts(op: &Self::Op, acc: &Self::Acc, count: usize) -> u32 {
                let (mut doubts, mut first) = (0, 0);
                $(
                    let of_member = $F::doubts(&op.$index, &acc.$index, count);
                    doubts |= of_member.checked_shl(first).unwrap_or(0);
                    first += $F::MEMBERS;
                )+
                let _ = first;
                doubts
            }

            #[inline(always)]
            fn none(op: &Self::Op) -> Self::Acc {
                ($($F::none(&op.$index),)+)
            }

            #[inline(always)]
            fn first(op: &Self::Op, x: T, position: u64) -> Self::Acc {
                ($($F::first(&op.$index, x, position),)+)
            }

            #[inline(always)]
            fn next(op: &Self::Op, acc: Self::Acc, x: T, position: u64) -> Self::Acc {
                ($($F::next(&op.$index, acc.$index, x, position),)+)
            }

            #[inline(always)]
            fn next_into(op: &Self::Op, acc: &mut Self::Acc, x: T, position: u64) {
                $($F::next_into(&op.$index, &mut acc.$index, x, position);)+
            }

            #[inline(always)]
            fn remove(op: &Self::Op, acc: Self::Acc, x: T) -> Self::Acc {
                ($($F::remove(&op.$index, acc.$index, x),)+)
            }

            #[inline(always)]
            fn combine(op: &Self::Op, a: Self::Acc, b: Self::Acc) -> Self::Acc {
                ($($F::combine(&op.$index, a.$index, b.$index),)+)
            }

            #[inline(always)]
            fn store(op: &Self::Op, acc: Self::Acc, count: usize) -> Self::Output {
                ($($F::store(&op.$index, acc.$index, count),)+)
            }

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
            fn moving<const L: usize>(
                lanes: &Lanes<Self::Acc, L>,
                shift: usize,
            ) -> Lanes<Self::Moving, L> {
                ($($F::moving::<L>(&lanes.$index, shift),)+)
            }

            #[inline(always)]
            fn identity(op: &Self::Op) -> Self::Acc {
                ($($F::identity(&op.$index),)+)
            }

            #[inline(always)]
            fn take(
                op: &Self::Op,
                lane: Self::Acc,
                x: T,
                position: u64,
                tag: u64,
            ) -> Self::Acc {
                ($($F::take(&op.$index, lane.$index, x, position, tag),)+)
            }

            #[inline(always)]
            fn of_lane(lane: Self::Acc, spread: Spread) -> Self::Acc {
                ($($F::of_lane(lane.$index, spread),)+)
            }

            #[inline(always)]
            unsafe fn along<C: Code, const L: usize>(
                code: C,
                op: &Self::Op,
                block: &Block,
            ) -> Lanes<Self::Acc, L> {
                // All lanes in registers, and room for what is computed of them.
                let fits = size_of::<Lanes<Self::Moving, L>>() <= C::REGISTERS / 4 * 3;
                if L != ORDERED && fits {
                    // SAFETY: the caller's.
                    return unsafe { along::along::<C, Self, L>(code, op, block) };
                }
                // What the first member has read is near; it alone fetches.
                ($({
                    let ahead = if $index == 0 { block.ahead } else { 0 };
                    // SAFETY: the caller's.
                    unsafe { $F::along::<C, L>(code, &op.$index, &Block { ahead, ..*block }) }
                },)+)
            }

            #[inline(always)]
            unsafe fn across<C: Code, const L: usize>(
                code: C,
                op: &Self::Op,
                lanes: &mut Lanes<Self::Acc, L>,
                fresh: bool,
                steps: &Steps,
                position: u64,
            ) {
                $({
                    let ahead = if $index == 0 { steps.ahead } else { 0 };
                    let (op, steps) = (&op.$index, &Steps { ahead, ..*steps });
                    let lanes = &mut lanes.$index;
                    // SAFETY: the caller's.
                    unsafe { $F::across::<C, L>(code, op, lanes, fresh, steps, position) };
                })+
            }

            #[inline(always)]
            fn merge<C: Code, const L: usize>(
                code: C,
                op: &Self::Op,
                earlier: &mut Lanes<Self::Acc, L>,
                newest: &Lanes<Self::Acc, L>,
            ) {
                $($F::merge::<C, L>(code, &op.$index, &mut earlier.$index, &newest.$index);)+
            }

            #[inline(always)]
            unsafe fn found<C: Code, const L: usize>(
                code: C,
                op: &Self::Op,
                best: Self::Moving,
                moving: &Lanes<Self::Moving, L>,
                lanes: Option<&Lanes<Self::Acc, L>>,
                shift: usize,
                blocks: &mut dyn Blocks,
            ) -> Self::Acc {
                ($({
                    let lanes = lanes.map(|lanes| &lanes.$index);
                    let (op, best, moving) = (&op.$index, best.$index, &moving.$index);
                    // SAFETY: the caller's.
                    unsafe { $F::found::<C, L>(code, op, best, moving, lanes, shift, blocks) }
                },)+)
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
