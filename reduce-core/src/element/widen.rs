//! The type that lanes read.

use half::{bf16, f16};

use super::Element;
use crate::level::Available;
use crate::simd::{widen_bf16, widen_f16};

/// A storage type, and the type its values are widened to, a block at a time,
/// before lanes read them. That type is itself unless the CPU has instructions
/// for the conversion that a loop over lanes would not be compiled to.
pub trait Widen: Element {
    /// The wide type.
    type Wide: Widen;

    /// The values, if they are of the wide type.
    #[doc(hidden)]
    fn as_wide(values: &[Self]) -> Option<&[Self::Wide]>;

    /// Widens values exactly.
    #[doc(hidden)]
    fn widen(level: Available, values: &[Self], wide: &mut [Self::Wide]);
}

macro_rules! themselves {
    ($($type:ty),*) => {$(
        impl Widen for $type {
            type Wide = $type;

            #[inline(always)]
            fn as_wide(values: &[$type]) -> Option<&[$type]> {
                Some(values)
            }

            #[inline(always)]
            fn widen(_level: Available, values: &[$type], wide: &mut [$type]) {
                wide.copy_from_slice(values);
            }
        }
    )*};
}

themselves!(f32, f64, bool, i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! halves {
    ($($half:ty: $widen:path;)*) => {$(
        impl Widen for $half {
            type Wide = f32;

            #[inline(always)]
            fn as_wide(_values: &[$half]) -> Option<&[f32]> {
                None
            }

            #[inline(always)]
            fn widen(level: Available, values: &[$half], wide: &mut [f32]) {
                $widen(level, values, wide);
            }
        }
    )*};
}

halves! {
    f16: widen_f16;
    bf16: widen_bf16;
}
