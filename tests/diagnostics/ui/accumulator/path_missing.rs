// error: expected a path: `crate = ::reduce_core`

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
#[accumulator(crate = "reduce_core")]
pub struct Pair(f32, f32);

fn main() {}
