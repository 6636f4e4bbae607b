// error: `&'static str` is no accumulator

use reduce_core::Accumulator;

#[derive(Clone, Copy, Debug, Accumulator)]
pub struct Names {
    pub names: [&'static str; 2],
}

fn main() {}
