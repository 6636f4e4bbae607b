//! From one type to another.
//!
//! The standard gives these rules. Floats are rounded to nearest, ties to even. A float becomes an integer by
//! dropping its fraction. An integer becomes a narrower one modulo its width. A value that is not zero, NaN
//! too, becomes true. Where the standard leaves it open, a float beyond the limits of an integer becomes the
//! nearest limit, and NaN 0.

use reduce_core::bounds::{Load, Store};
use reduce_core::dtypes::{with_any, with_dtype};
use reduce_core::{AnyTensor, AnyView, DType, Element, bf16, f8e4m3fn, f8e5m2, f16};

use super::collected;

/// The elements as another type.
///
/// # Errors
/// If they do not fit in memory.
pub(crate) fn cast(view: &AnyView<'_>, to: DType) -> Result<AnyTensor, String> {
    with_any!(AnyView, view, v => with_dtype!(to, T => {
        collected::<_, T, 1>([v], v.shape(), |[run], to| {
            to.extend(run.iter().map(|x| T::of(x.number())));
        })
    }))
}

/// Any element, exactly.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Float(f64),
    Signed(i64),
    Unsigned(u64),
}

/// An element that is cast.
pub(super) trait Casts: Element {
    fn number(self) -> Number;
    fn of(number: Number) -> Self;
}

macro_rules! casts {
    (integers $($type:ty => $variant:ident($wide:ty)),*) => {$(
        impl Casts for $type {
            #[inline(always)]
            fn number(self) -> Number {
                Number::$variant(<$wide>::from(self))
            }

            #[inline(always)]
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_possible_wrap,
                clippy::cast_sign_loss,
                trivial_numeric_casts,
                reason = "documented: modulo the width, and saturating from floats"
            )]
            fn of(number: Number) -> Self {
                match number {
                    Number::Float(x) => x as $type,
                    Number::Signed(x) => x as $type,
                    Number::Unsigned(x) => x as $type,
                }
            }
        }
    )*};
    (floats $($type:ty: $number:ty),*) => {$(
        impl Casts for $type {
            #[inline(always)]
            fn number(self) -> Number {
                Number::Float(self.load())
            }

            #[inline(always)]
            #[allow(
                clippy::cast_precision_loss,
                trivial_numeric_casts,
                reason = "documented: rounded to nearest"
            )]
            fn of(number: Number) -> Self {
                match number {
                    Number::Float(x) => <$type>::store(x),
                    Number::Signed(x) => <$type>::store(x as $number),
                    Number::Unsigned(x) => <$type>::store(x as $number),
                }
            }
        }
    )*};
}

casts!(integers i8 => Signed(i64), i16 => Signed(i64), i32 => Signed(i64), i64 => Signed(i64),
    u8 => Unsigned(u64), u16 => Unsigned(u64), u32 => Unsigned(u64), u64 => Unsigned(u64));
casts!(floats f16: f64, bf16: f64, f32: f32, f64: f64);

/// Floats of 8 bits saturate, as the standard has it by default.
macro_rules! clamped {
    ($($type:ty)*) => {$(
        impl Casts for $type {
            #[inline(always)]
            fn number(self) -> Number {
                Number::Float(self.load())
            }

            #[inline(always)]
            #[allow(clippy::cast_precision_loss, reason = "documented: rounded to nearest")]
            fn of(number: Number) -> Self {
                let number = match number {
                    Number::Float(x) => x,
                    Number::Signed(x) => x as f64,
                    Number::Unsigned(x) => x as f64,
                };
                // What is stored as NaN or infinity, but is a number, is beyond the greatest one.
                let stored = <$type>::store(number);
                match stored.is_finite() || number.is_nan() {
                    true => stored,
                    false => <$type>::clamped(f32::INFINITY.copysign(f32::store(number))),
                }
            }
        }
    )*};
}

clamped!(f8e4m3fn f8e5m2);

impl Casts for bool {
    #[inline(always)]
    fn number(self) -> Number {
        Number::Unsigned(u64::from(self))
    }

    #[inline(always)]
    fn of(number: Number) -> Self {
        match number {
            Number::Float(x) => x != 0.0,
            Number::Signed(x) => x != 0,
            Number::Unsigned(x) => x != 0,
        }
    }
}
