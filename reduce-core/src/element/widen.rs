//! The type that lanes compute on.

use half::{bf16, f16};

use super::Load;
use crate::accumulator::Accumulator;
use crate::level::Code;

/// A storage type, and the type its values are widened to when lanes read them.
/// That type is itself unless the CPU has instructions for the conversion that a
/// loop over lanes would not be compiled to.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no storage type",
    label = "tensors hold f16, bf16, f32, f64, bool, i8 to i64 or u8 to u64"
)]
pub trait Widen: Copy {
    /// The wide type.
    type Wide: Accumulator + Default;

    /// The values of some lanes, widened exactly.
    #[doc(hidden)]
    fn widen<C: Code, const L: usize>(
        code: C,
        values: &[Self; L],
    ) -> <Self::Wide as Accumulator>::Lanes<L>;
}

macro_rules! themselves {
    ($($type:ty),*) => {$(
        impl Widen for $type {
            type Wide = $type;

            #[inline(always)]
            fn widen<C: Code, const L: usize>(_code: C, values: &[$type; L]) -> [$type; L] {
                *values
            }
        }
    )*};
}

themselves!(f32, f64, bool, i8, i16, i32, i64, u8, u16, u32, u64);

impl Widen for f16 {
    type Wide = f32;

    #[inline(always)]
    fn widen<C: Code, const L: usize>(code: C, values: &[f16; L]) -> [f32; L] {
        code.widen_f16(values)
    }
}

impl Widen for bf16 {
    type Wide = f32;

    #[inline(always)]
    fn widen<C: Code, const L: usize>(_code: C, values: &[bf16; L]) -> [f32; L] {
        std::array::from_fn(|lane| values[lane].load())
    }
}
