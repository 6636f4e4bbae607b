// error: an accumulator has at least one field; a struct without fields carries nothing

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Nothing;

fn main() {}
