//! The fold of operators that no fold is run of.

#![allow(unsafe_code, reason = "as `Fold`")]

use std::marker::PhantomData;

use super::super::block::{Blocks, Steps};
use super::{Fold, Folds, Lanes, Length, Short, Spread};
use crate::machine::code::Code;
use crate::values::element::Slot;
use crate::values::stored::Stored;

/// The fold of an operator whose spec has mistakes: it is never run.
#[derive(Debug)]
pub struct Inert(PhantomData<()>);

/// The fold of an operator whose kernel is made of those of others: nor is it.
#[derive(Debug)]
pub struct Elsewhere(PhantomData<()>);

/// The same, of an operator and its types.
#[derive(Debug)]
pub struct Nothing<Op, T, O>(PhantomData<fn(Op, T) -> O>);

impl<Op: 'static, T: Stored, O: Slot> Folds<Op, T, O> for Inert {
    type Fold = Nothing<Op, T, O>;
}

impl<Op: 'static, T: Stored, O: Slot> Folds<Op, T, O> for Elsewhere {
    type Fold = Nothing<Op, T, O>;
}

const NONE: Length = Length { eighths: 0, more: 1, least: 1 };

impl<Op: 'static, T: Stored, O: Slot> Fold for Nothing<Op, T, O> {
    type Op = Op;
    type Stored = T;
    type Output = O;
    type Acc = bool;
    type Moving = bool;

    const SUITED: usize = 1;
    const ORDERED: bool = false;
    const FEW: usize = 1;
    const SHORT: Short = Short { rows: NONE, from_memory: NONE };
    const BLOCKS: usize = 1;
    const ANY_ORDER: bool = true;
    const SPREADS: bool = false;
    const LIGHT: bool = true;
    const TWO_STEPS: bool = false;
    const SHIFTED: bool = false;
    const SEARCHED: bool = false;

    fn none(_: &Op) -> bool {
        false
    }

    fn first(_: &Op, _: T, _: u64) -> bool {
        false
    }

    fn next(_: &Op, acc: bool, _: T, _: u64) -> bool {
        acc
    }

    fn combine(_: &Op, a: bool, _: bool) -> bool {
        a
    }

    fn store(_: &Op, _: bool, _: usize) -> O {
        O::blank()
    }

    fn begin(_: &Op) -> bool {
        false
    }

    fn push(_: &Op, lane: bool, _: T::Wide, _: u64) -> bool {
        lane
    }

    fn push_two(_: &Op, lane: bool, _: [T::Wide; 2], _: [u64; 2]) -> bool {
        lane
    }

    fn join(_: &Op, a: bool, _: bool) -> bool {
        a
    }

    fn end(lane: bool, _: u64, _: bool) -> bool {
        lane
    }

    fn moving<const L: usize>(lanes: &Lanes<bool, L>, _: usize) -> Lanes<bool, L> {
        *lanes
    }

    fn identity(_: &Op) -> bool {
        false
    }

    fn take(_: &Op, lane: bool, _: T, _: u64, _: u64) -> bool {
        lane
    }

    fn of_lane(lane: bool, _: Spread) -> bool {
        lane
    }

    unsafe fn across<C: Code, const L: usize>(
        _: C,
        _: &Op,
        _: &mut Lanes<bool, L>,
        _: bool,
        _: &Steps,
        _: u64,
    ) {
    }

    fn merge<C: Code, const L: usize>(_: C, _: &Op, _: &mut Lanes<bool, L>, _: &Lanes<bool, L>) {}

    unsafe fn found<C: Code, const L: usize>(
        _: C,
        _: &Op,
        best: bool,
        _: &Lanes<bool, L>,
        _: Option<&Lanes<bool, L>>,
        _: usize,
        _: &mut dyn Blocks,
    ) -> bool {
        best
    }
}
