// error: an accumulator is a struct; a union has no fields to keep in lanes

use reduce_core::Accumulator;

#[derive(Clone, Copy, Accumulator)]
pub union Bits {
    pub float: f32,
    pub int: u32,
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

fn main() {}
