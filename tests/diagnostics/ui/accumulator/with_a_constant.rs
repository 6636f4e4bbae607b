// error: a const parameter is not supported; write the length out

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Histogram<const N: usize> {
    pub count: f32,
}

fn main() {}
