// error: the value ends before this; write `,` between two keys

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
#[accumulator(crate = reduce_core, lanes = 4)]
pub struct Pair(f32, f32);

fn main() {}
