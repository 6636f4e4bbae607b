//! What another engine, such as one for GPUs, must know of a reduction to compute it with the same bits.
//!
//! An engine calls the steps of an operator, or knows what they compute, and reads elements where they lie. What it
//! needs beside them is the [`Order`] in which elements are combined.

mod order;

pub use order::{Order, OrderAxis, Scattered};
