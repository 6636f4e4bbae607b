//! Running reductions, held bit by bit against plain loops that follow `docs/numerics.md`.

mod documented;
mod forms;
mod operators;
mod pieces;
mod prefixes;
