//! The fold of another, whose results are its accumulators: they are combined and finished later.

#![allow(unsafe_code, reason = "blocks are read through pointers")]

use std::marker::PhantomData;

use super::super::block::{Block, Blocks, Steps};
use super::{Fold, Inert, Lanes, Short, Spread};
use super::{combine::Combining, select::Selecting};
use crate::machine::code::Code;
use crate::values::element::Unrounded;
use crate::values::stored::Stored;
use crate::values::tuples::for_tuples;

/// Folds whose accumulators can be had: those of all operators but adaptors that choose among elements, whose
/// kernels are made of others.
#[diagnostic::on_unimplemented(
    message = "accumulators of this operator cannot be kept",
    label = "an operator over chosen elements has no accumulators of its own",
    note = "leave out the elements that do not count, or give a mask where one is taken"
)]
#[allow(unreachable_pub, reason = "bounds a public trait")]
pub trait Keepable {}

impl<R> Keepable for Combining<R> {}
impl<R> Keepable for Selecting<R> {}
impl Keepable for Inert {}

macro_rules! tuples {
    ($(($($F:ident . $index:tt),+))*) => {$(
        impl<$($F: Keepable),+> Keepable for ($($F,)+) {}
    )*};
}

for_tuples!(tuples);

/// The fold `F`, its results left as accumulators.
#[derive(Debug)]
#[allow(unreachable_pub, reason = "named by a hidden type of a public trait")]
pub struct Unfinished<F>(PhantomData<F>);

impl<F: Fold> Fold for Unfinished<F> {
    type Op = F::Op;
    type Stored = F::Stored;
    type Output = Unrounded<F::Acc>;
    type Acc = F::Acc;
    type Moving = F::Moving;

    const SUITED: usize = F::SUITED;
    const ORDERED: bool = F::ORDERED;
    const FEW: usize = F::FEW;
    const SHORT: Short = F::SHORT;
    const BLOCKS: usize = F::BLOCKS;
    const ANY_ORDER: bool = F::ANY_ORDER;
    const SPREADS: bool = F::SPREADS;
    const LIGHT: bool = F::LIGHT;
    const TWO_STEPS: bool = F::TWO_STEPS;
    const SHIFTED: bool = F::SHIFTED;
    const SEARCHED: bool = F::SEARCHED;
    const POSITIONED: bool = F::POSITIONED;

    #[inline(always)]
    fn store(_op: &F::Op, acc: F::Acc, _count: usize) -> Unrounded<F::Acc> {
        Unrounded::of(acc)
    }

    #[inline(always)]
    fn none(op: &F::Op) -> F::Acc {
        F::none(op)
    }

    #[inline(always)]
    fn first(op: &F::Op, x: F::Stored, position: u64) -> F::Acc {
        F::first(op, x, position)
    }

    #[inline(always)]
    fn next(op: &F::Op, acc: F::Acc, x: F::Stored, position: u64) -> F::Acc {
        F::next(op, acc, x, position)
    }

    #[inline(always)]
    fn next_into(op: &F::Op, acc: &mut F::Acc, x: F::Stored, position: u64) {
        F::next_into(op, acc, x, position);
    }

    #[inline(always)]
    fn combine(op: &F::Op, a: F::Acc, b: F::Acc) -> F::Acc {
        F::combine(op, a, b)
    }

    #[inline(always)]
    fn begin(op: &F::Op) -> F::Moving {
        F::begin(op)
    }

    #[inline(always)]
    fn push(
        op: &F::Op,
        lane: F::Moving,
        x: <F::Stored as Stored>::Wide,
        position: u64,
    ) -> F::Moving {
        F::push(op, lane, x, position)
    }

    #[inline(always)]
    fn push_two(
        op: &F::Op,
        lane: F::Moving,
        x: [<F::Stored as Stored>::Wide; 2],
        positions: [u64; 2],
    ) -> F::Moving {
        F::push_two(op, lane, x, positions)
    }

    #[inline(always)]
    fn join(op: &F::Op, a: F::Moving, b: F::Moving) -> F::Moving {
        F::join(op, a, b)
    }

    #[inline(always)]
    fn end(lane: F::Moving, number: u64, is_empty: bool) -> F::Acc {
        F::end(lane, number, is_empty)
    }

    #[inline(always)]
    fn moving<const L: usize>(lanes: &Lanes<F::Acc, L>, shift: usize) -> Lanes<F::Moving, L> {
        F::moving::<L>(lanes, shift)
    }

    #[inline(always)]
    fn identity(op: &F::Op) -> F::Acc {
        F::identity(op)
    }

    #[inline(always)]
    fn take(op: &F::Op, lane: F::Acc, x: F::Stored, position: u64, tag: u64) -> F::Acc {
        F::take(op, lane, x, position, tag)
    }

    #[inline(always)]
    fn of_lane(lane: F::Acc, spread: Spread) -> F::Acc {
        F::of_lane(lane, spread)
    }

    #[inline(always)]
    unsafe fn along<C: Code, const L: usize>(
        code: C,
        op: &F::Op,
        block: &Block,
    ) -> Lanes<F::Acc, L> {
        // SAFETY: the caller's.
        unsafe { F::along::<C, L>(code, op, block) }
    }

    #[inline(always)]
    unsafe fn across<C: Code, const L: usize>(
        code: C,
        op: &F::Op,
        lanes: &mut Lanes<F::Acc, L>,
        fresh: bool,
        steps: &Steps,
        position: u64,
    ) {
        // SAFETY: the caller's.
        unsafe { F::across::<C, L>(code, op, lanes, fresh, steps, position) };
    }

    #[inline(always)]
    fn merge<C: Code, const L: usize>(
        code: C,
        op: &F::Op,
        earlier: &mut Lanes<F::Acc, L>,
        newest: &Lanes<F::Acc, L>,
    ) {
        F::merge::<C, L>(code, op, earlier, newest);
    }

    #[inline(always)]
    unsafe fn found<C: Code, const L: usize>(
        code: C,
        op: &F::Op,
        best: F::Moving,
        moving: &Lanes<F::Moving, L>,
        lanes: Option<&Lanes<F::Acc, L>>,
        shift: usize,
        blocks: &mut dyn Blocks,
    ) -> F::Acc {
        // SAFETY: the caller's.
        unsafe { F::found::<C, L>(code, op, best, moving, lanes, shift, blocks) }
    }
}
