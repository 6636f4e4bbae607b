// error: `accumulator` has no arguments; write `#[accumulator(crate = path)]`

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
#[accumulator]
pub struct Pair(f32, f32);

fn main() {}
