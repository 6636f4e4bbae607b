// error: an accumulator outlives the data; keep values, not references

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Longest<'a> {
    pub run: &'a [f32],
}

fn main() {}
