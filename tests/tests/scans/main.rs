//! Running reductions, held bit by bit against plain loops that follow `docs/numerics.md`.

#![allow(clippy::needless_pass_by_value, reason = "operators are small")]

mod documented;
mod forms;
mod operators;
mod pieces;
mod prefixes;
