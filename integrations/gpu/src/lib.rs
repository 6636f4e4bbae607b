//! Reductions written once, on a GPU.

pub mod graph;
pub mod trace;
