//! From storage to the type a kernel computes in.

use std::num::Wrapping;

use half::{bf16, f16};

use super::Element;
use crate::machine::float8::{f8e4m3fn, f8e5m2};
use crate::machine::half_bits::{bf16_to_f32, f16_to_f32};

/// Reads a stored value as a value of the compute type `A`.
///
/// This is exact, except that 64-bit integers round to the nearest `f64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be computed in `{A}`",
    label = "no conversion from the stored `{Self}` to `{A}`"
)]
pub trait Load<A>: Element {
    /// The value, in the compute type.
    fn load(self) -> A;
}

macro_rules! load {
    ($($from:ty => $to:ty: |$x:ident| $convert:expr;)*) => {$(
        impl Load<$to> for $from {
            #[inline(always)]
            fn load(self) -> $to {
                let $x = self;
                $convert
            }
        }
    )*};
}

load! {
    f16 => f32: |x| f16_to_f32(x);
    f16 => f64: |x| f64::from(f16_to_f32(x));
    bf16 => f32: |x| bf16_to_f32(x);
    bf16 => f64: |x| f64::from(bf16_to_f32(x));
    f8e4m3fn => f32: |x| x.to_f32();
    f8e4m3fn => f64: |x| f64::from(x.to_f32());
    f8e5m2 => f32: |x| x.to_f32();
    f8e5m2 => f64: |x| f64::from(x.to_f32());
    f32 => f32: |x| x;
    f32 => f64: |x| f64::from(x);
    f64 => f64: |x| x;
    bool => bool: |x| x;
}

/// Integers widen into wrapping integers that hold all their values; `bool` into
/// those of 32 and 64 bits, as 0 and 1.
macro_rules! load_integer {
    ($($from:ty => [$($wide:ty),*];)*) => {$($(
        impl Load<Wrapping<$wide>> for $from {
            #[inline(always)]
            fn load(self) -> Wrapping<$wide> {
                Wrapping(<$wide>::from(self))
            }
        }
    )*)*};
}

load_integer! {
    bool => [i32, i64, u32, u64];
    i8 => [i8, i16, i32, i64, i128];
    i16 => [i16, i32, i64, i128];
    i32 => [i32, i64, i128];
    i64 => [i64, i128];
    u8 => [u8, u16, u32, u64, u128, i16, i32, i64, i128];
    u16 => [u16, u32, u64, u128, i32, i64, i128];
    u32 => [u32, u64, u128, i64, i128];
    u64 => [u64, u128, i128];
}

load! {
    bool => f32: |x| f32::from(u8::from(x));
    bool => f64: |x| f64::from(u8::from(x));
    i8 => f32: |x| f32::from(x);
    i16 => f32: |x| f32::from(x);
    u8 => f32: |x| f32::from(x);
    u16 => f32: |x| f32::from(x);
    i8 => f64: |x| f64::from(x);
    i16 => f64: |x| f64::from(x);
    i32 => f64: |x| f64::from(x);
    u8 => f64: |x| f64::from(x);
    u16 => f64: |x| f64::from(x);
    u32 => f64: |x| f64::from(x);
    i64 => f64: |x| nearest_signed(x);
    u64 => f64: |x| nearest_unsigned(x);
}

#[inline(always)]
#[allow(
    clippy::cast_precision_loss,
    reason = "documented: 64-bit integers round to the nearest f64"
)]
fn nearest_signed(x: i64) -> f64 {
    x as f64
}

#[inline(always)]
#[allow(
    clippy::cast_precision_loss,
    reason = "documented: 64-bit integers round to the nearest f64"
)]
fn nearest_unsigned(x: u64) -> f64 {
    x as f64
}
