//! Running reductions: at each element, the result over all elements of its line up to it.
//!
//! The elements of a line are cut in blocks, and blocks are taken together in groups (`docs/numerics.md`, rule 10). [`tile`]
//! has the microkernels: a few steps of several lanes. [`table`] has them at all levels, their types erased. All else is
//! compiled once: [`walk`] cuts lines into tiles, [`pack`] brings elements to where lanes can read them, and results to
//! their places. Nothing of this is compiled for an operator that is never scanned.

#![allow(unsafe_code, reason = "operators and buffers have their types erased")]

mod pack;
mod table;
mod tile;
mod walk;

pub(crate) use table::ScanKernel;
pub use tile::{DOUBTFUL, LACKING};
pub(crate) use walk::Scanning;

use crate::values::element::Slot;
use crate::values::steps::{Steps, Wide};

/// What is written of the accumulator of all elements up to one.
pub trait Passing<S: Steps>: 'static {
    /// What is written.
    type Output: Slot;

    /// Whether anything may be [found](Passing::found).
    const WATCHES: bool;

    /// What is written at element `x`, of the accumulator of `count` elements.
    fn written(op: &S::Op, x: Wide<S>, acc: S::Acc, count: usize) -> Self::Output;

    /// What is found of a result: that the operator doubts it, or has no value for a set of no elements.
    fn found(op: &S::Op, acc: &S::Acc, count: usize) -> u8;
}
