// error: an accumulator has at most 12 fields; group some in a struct of their own

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Wide(
    f32, f32, f32, f32, f32, f32,
    f32, f32, f32, f32, f32, f32,
    f64,
);

fn main() {}
