// error: an accumulator is a struct; an enum has no fixed fields to keep in lanes

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
pub enum Extreme {
    None,
    Some(f32),
}

fn main() {}
