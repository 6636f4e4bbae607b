// error: unknown key `krate`; write `#[accumulator(crate = path)]`

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
#[accumulator(krate = reduce_core)]
pub struct Pair(f32, f32);

fn main() {}
