// error: an array of length 0 holds nothing; write a length of at least 1

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Histogram<const N: usize> {
    pub counts: [u64; N],
    pub nothing: [(f32, [f32; 0]); N],
}

fn main() {}
