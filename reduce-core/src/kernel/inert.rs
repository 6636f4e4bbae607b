//! The fold of operators that cannot be run.

#![allow(unsafe_code, reason = "as `Fold`")]

use std::marker::PhantomData;
use std::ops::Range;

use super::fold::{Fold, Spread};
use super::lanes::Lanes;
use super::micro::{Block, Blocks, Steps};
use super::stored::Stored;
use crate::element::Slot;
use crate::level::Code;

/// The fold of an operator whose spec has mistakes: it is never run.
#[derive(Debug)]
pub struct Inert(PhantomData<()>);

impl<Op, T: Stored, O: Slot, const L: usize> Fold<Op, T, O, L> for Inert {
    type State = ();
    type Moving = ();
    type Acc = ();
    type Last = ();

    const ORDERED: bool = false;
    const SUITED: usize = 1;
    const FEW: usize = 1;
    const SHORT_ROWS: usize = 1;
    const SHORT_RUNS: usize = 1;
    const BLOCKS: usize = 1;
    const STRAND: Option<usize> = None;

    fn none(_: &Op) {}

    fn first(_: &Op, _: T, _: u64) {}

    fn combine(_: &Op, (): (), (): ()) {}

    fn store(_: &Op, (): (), _: usize) -> O {
        O::default()
    }

    fn identity(_: &Op) {}

    unsafe fn along<C: Code>(_: C, _: &Op, _: &Block) {}

    fn begin(_: &Op) {}

    fn step<C: Code>(_: C, _: &Op, (): &mut (), _: &Lanes<T::Wide, L>, _: u64) {}

    fn part<C: Code>(_: C, _: &Op, (): &mut (), _: &Lanes<T::Wide, L>, _: u64, _: Range<usize>) {}

    fn end((): (), _: u64, _: usize, _: usize) {}

    unsafe fn rows<C: Code>(_: C, _: &Op, (): &mut (), _: bool, _: &Steps, _: u64) {}

    fn element(_: &Op, (): &mut (), _: usize, _: T, _: u64, _: u64) {}

    fn merge<C: Code>(_: C, _: &Op, (): &mut (), (): &()) {}

    unsafe fn all_lanes<C: Code>(_: C, _: &Op, (): &(), _: usize, _: &mut dyn Blocks) {}

    fn no_last(_: &Op) {}

    fn keep_last<C: Code>(_: C, _: &Op, (): &mut (), _: usize, (): &()) {}

    fn one_row<C: Code>(_: C, _: &Op, (): &(), _: usize) {}

    fn all_rows<C: Code>(_: C, _: &Op, (): &(), (): &mut ()) {}

    fn of_row(_: &Op, (): &(), _: usize) {}

    fn one_lane(_: &Op, (): &(), _: usize, _: Spread) {}
}
