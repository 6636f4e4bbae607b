// error: a field of an accumulator is a plain value; name its type, not a trait

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Sums {
    pub sum: f32,
    pub any: impl Copy,
}

fn main() {}
