// error: expected `crate = path`

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
#[accumulator(crate(reduce_core))]
pub struct Pair(f32, f32);

fn main() {}
