//! Running reductions: at each element, the result over all elements of its line up to it.
//!
//! The elements of a line are cut in blocks, and blocks are taken together in groups (`docs/numerics.md`, rule 10). [`tile`]
//! has the microkernels: a few steps of several lanes. [`table`] has them at all levels, their types erased. All else is
//! compiled once: [`walk`] splits the work, [`lists`] and [`panels`] cut lines into tiles, and [`take`] and [`pack`] bring
//! elements to where lanes can read them, and results to their places. Nothing of this is compiled for an operator that is
//! never scanned.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

mod lists;
mod mend;
mod pack;
mod panels;
mod table;
mod take;
mod tile;
mod walk;

pub use mend::ScanMends;
pub(crate) use table::ScanKernel;
pub(crate) use tile::{DOUBTFUL, LACKING};
pub(crate) use walk::{Going, Scanning};

/// The state of a line that goes on, in a single lane.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct LineState<A: Accumulator>(
    #[allow(dead_code, reason = "read through pointers")] tile::OneLane<A>,
);

impl<A: Accumulator> LineState<A> {
    /// The state of a line without elements.
    pub(crate) fn none<S: Steps<Acc = A>>(op: &S::Op) -> Self {
        LineState(tile::empty::<S, 1>(op))
    }
}

use crate::values::element::Slot;
use crate::values::element::accumulator::Accumulator;
use crate::values::steps::{Steps, Wide};

/// What is written of the accumulator of all elements up to one.
pub(crate) trait Passing<S: Steps>: 'static {
    /// What is written.
    type Output: Slot;

    /// Whether anything may be [found](Passing::found).
    const WATCHES: bool;

    /// What is written at element `x`, of the accumulator of `count` elements.
    fn written(op: &S::Op, x: Wide<S>, acc: S::Acc, count: usize) -> Self::Output;

    /// What is found of a result: the operator doubts it, or its set is empty and it has no value.
    fn found(op: &S::Op, acc: &S::Acc, count: usize) -> u8;

    /// Which of the operators doubt a result: a bit for each.
    fn doubts(op: &S::Op, acc: &S::Acc, count: usize) -> u32;
}
