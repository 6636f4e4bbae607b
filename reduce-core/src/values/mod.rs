//! Values: elements as tensors store them, and what is made of them.
//!
//! Storage types and how a value enters and leaves a kernel, tensors, views and inputs, the numbers that
//! operators compute with, accumulators and their lanes, and [`ReduceOp`](crate::ReduceOp), the four
//! steps that an author writes. Nothing here knows in which order elements are combined.

pub(crate) mod accumulator;
pub(crate) mod chosen;
pub(crate) mod compensated;
pub(crate) mod element;
pub(crate) mod exact;
pub(crate) mod extended;
pub(crate) mod input;
pub(crate) mod listed;
pub(crate) mod math;
pub(crate) mod number;
pub(crate) mod op;
pub(crate) mod permuted;
pub(crate) mod reader;
pub(crate) mod stored;
pub(crate) mod tensor;
pub(crate) mod tuples;
pub(crate) mod view;
pub(crate) mod view_mut;
