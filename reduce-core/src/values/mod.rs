//! Values: elements as tensors store them, and what is made of them.
//!
//! This folder has storage types, with how a value enters and leaves a kernel, and tensors, views and inputs.
//! It has the numbers that operators compute with, and accumulators and their lanes. An author writes the four
//! steps of [`ReduceOp`](crate::ReduceOp). Nothing here knows in which order elements are combined.

pub(crate) mod any;
pub(crate) mod chooser;
pub(crate) mod compensated;
pub(crate) mod element;
pub(crate) mod erased;
pub(crate) mod exact;
pub(crate) mod extended;
pub(crate) mod input;
pub(crate) mod int128;
pub(crate) mod layout;
pub(crate) mod layouts;
pub(crate) mod leading;
pub(crate) mod listed;
pub(crate) mod math;
pub(crate) mod number;
pub(crate) mod op;
pub(crate) mod permuted;
mod raw;
pub(crate) mod reader;
pub(crate) mod slices;
pub(crate) mod steps;
pub(crate) mod stored;
pub(crate) mod tensor;
pub(crate) mod tuples;
pub(crate) mod view;
pub(crate) mod view_mut;
pub(crate) mod written;
