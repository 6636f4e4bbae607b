//! Graphs printed as WGSL compute what Rust does, to the last bit.
#![allow(
    missing_docs,
    trivial_numeric_casts,
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a test, in which values are cut to the width of their type"
)]

mod cases;
mod conversions;
mod device;
mod floats;
mod functions;
mod integers;
mod numbers;
