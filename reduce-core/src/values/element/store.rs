//! From a result to storage.

use std::num::Wrapping;

use half::{bf16, f16};

use super::Slot;
use crate::machine::float8::{f8e4m3fn, f8e5m2};
use crate::machine::half_bits::{f32_to_bf16, f32_to_f16};

/// Writes a result of type `R` as a stored value.
///
/// Floats round once, to nearest even. A float becomes an integer by dropping
/// its fraction and saturating at the type's limits; NaN becomes 0. An integer
/// becomes a narrower one modulo its width.
#[diagnostic::on_unimplemented(
    message = "a result of type `{R}` cannot be stored as `{Self}`",
    label = "no conversion from `{R}` to the stored `{Self}`",
    note = "the result is stored in the input's type unless the spec says `output = ..`"
)]
pub trait Store<R>: Slot {
    /// The stored value.
    fn store(result: R) -> Self;

    /// Stores as [`store`](Store::store) does, but a number beyond the greatest one of a float of eight bits becomes
    /// that one.
    #[inline(always)]
    fn clamped(result: R) -> Self {
        Self::store(result)
    }
}

macro_rules! store {
    ($($from:ty => $to:ty: |$x:ident| $convert:expr;)*) => {$(
        impl Store<$from> for $to {
            #[inline(always)]
            fn store($x: $from) -> $to {
                $convert
            }
        }
    )*};
}

macro_rules! store_as_is {
    ($($type:ty),*) => {$(
        impl Store<$type> for $type {
            #[inline(always)]
            fn store(result: $type) -> $type {
                result
            }
        }
    )*};
}

store_as_is! { bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 }

store! {
    f32 => f16: |x| f32_to_f16(x);
    f64 => f16: |x| f32_to_f16(to_odd(x));
    f32 => bf16: |x| f32_to_bf16(x);
    f64 => bf16: |x| f32_to_bf16(to_odd(x));
    f32 => f64: |x| f64::from(x);
}

macro_rules! float8 {
    ($($to:ident: $from:ty => |$x:ident| $single:expr;)*) => {$(
        impl Store<$from> for $to {
            #[inline(always)]
            fn store($x: $from) -> $to {
                $to::from_f32($single)
            }

            #[inline(always)]
            fn clamped($x: $from) -> $to {
                $to::clamped($single)
            }
        }
    )*};
}

float8! {
    f8e4m3fn: f32 => |x| x;
    f8e4m3fn: f64 => |x| to_odd(x);
    f8e5m2: f32 => |x| x;
    f8e5m2: f64 => |x| to_odd(x);
}

/// Rounds to the neighbour with an odd last bit, unless the value is exact.
///
/// The result may be rounded once more, to a type of at least two bits less. That gives what rounding the value
/// itself would: an odd last bit says that there was more (Boldo and Melquiond, 2008). `half`'s own conversions
/// from `f64` round twice or drop the lowest bits.
#[allow(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
fn to_odd(x: f64) -> f32 {
    let nearest = x as f32;
    let bits = nearest.to_bits();
    if f64::from(nearest) == x || x.is_nan() || bits % 2 == 1 {
        return nearest;
    }
    // Bits order magnitudes, whatever the sign.
    let is_too_large = f64::from(nearest).abs() > x.abs();
    f32::from_bits(if is_too_large { bits - 1 } else { bits + 1 })
}

impl Store<f64> for f32 {
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "documented: floats round once")]
    fn store(result: f64) -> f32 {
        result as f32
    }
}

/// `as` is the documented rule: modulo between integers, saturating from floats.
macro_rules! store_integer {
    ($($to:ty => [$($from:ty),*];)*) => {$(
        $(
            impl Store<Wrapping<$from>> for $to {
                #[inline(always)]
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_possible_wrap,
                    clippy::cast_sign_loss,
                    trivial_numeric_casts,
                    reason = "documented: modulo the stored width"
                )]
                fn store(result: Wrapping<$from>) -> $to {
                    result.0 as $to
                }
            }
        )*

        store_integer!(@float $to, f32);
        store_integer!(@float $to, f64);
    )*};
    (@float $to:ty, $from:ty) => {
        impl Store<$from> for $to {
            #[inline(always)]
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "documented: the fraction is dropped, the limits saturate"
            )]
            fn store(result: $from) -> $to {
                result as $to
            }
        }
    };
}

store_integer! {
    i8 => [i8, i16, i32, i64, i128];
    i16 => [i16, i32, i64, i128];
    i32 => [i32, i64, i128];
    i64 => [i64, i128];
    u8 => [u8, u16, u32, u64, u128, i16, i32, i64, i128];
    u16 => [u16, u32, u64, u128, i32, i64, i128];
    u32 => [u32, u64, u128, i64, i128];
    u64 => [u64, u128, i128];
}

/// Each part of a tuple by itself.
macro_rules! store_tuples {
    ($(($($to:ident $from:ident . $index:tt),+))*) => {$(
        impl<$($from, $to: Store<$from>),+> Store<($($from,)+)> for ($($to,)+) {
            #[inline(always)]
            fn store(result: ($($from,)+)) -> Self {
                ($($to::store(result.$index),)+)
            }

            #[inline(always)]
            fn clamped(result: ($($from,)+)) -> Self {
                ($($to::clamped(result.$index),)+)
            }
        }
    )*};
}

store_tuples! {
    (A R.0)
    (A R.0, B S.1)
    (A R.0, B S.1, C T.2)
    (A R.0, B S.1, C T.2, D U.3)
    (A R.0, B S.1, C T.2, D U.3, E V.4)
    (A R.0, B S.1, C T.2, D U.3, E V.4, F W.5)
    (A R.0, B S.1, C T.2, D U.3, E V.4, F W.5, G X.6)
    (A R.0, B S.1, C T.2, D U.3, E V.4, F W.5, G X.6, H Y.7)
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::Store;

    #[test]
    fn halves_of_doubles_are_rounded_once() {
        let above_the_middle = 1.0 + 2f64.powi(-11) + 2f64.powi(-50);
        assert_eq!(
            <f16 as Store<f64>>::store(above_the_middle),
            f16::from_f32(1.0 + 2f32.powi(-10))
        );
        assert_eq!(<f16 as Store<f64>>::store(-above_the_middle).to_f32(), -1.0 - 2f32.powi(-10));
        assert_eq!(<f16 as Store<f64>>::store(1.0 + 2f64.powi(-11)).to_f32(), 1.0);
        let above_the_middle = 1.0 + 2f64.powi(-8) + 2f64.powi(-50);
        assert_eq!(<bf16 as Store<f64>>::store(above_the_middle).to_f32(), 1.0 + 2f32.powi(-7));
        for (x, expected) in [(1e300, f32::INFINITY), (-1e300, f32::NEG_INFINITY), (1e-300, 0.0)] {
            assert_eq!(<f16 as Store<f64>>::store(x).to_f32(), expected);
            assert_eq!(<bf16 as Store<f64>>::store(x).to_f32(), expected);
        }
        assert!(<f16 as Store<f64>>::store(f64::NAN).is_nan());
        assert_eq!(<f16 as Store<f64>>::store(f64::NEG_INFINITY), f16::NEG_INFINITY);
    }

    #[test]
    fn floats_saturate_and_truncate_into_integers() {
        assert_eq!(<i32 as Store<f64>>::store(-1.9), -1);
        assert_eq!(<i32 as Store<f64>>::store(f64::NEG_INFINITY), i32::MIN);
        assert_eq!(<u32 as Store<f64>>::store(f64::NEG_INFINITY), 0);
        assert_eq!(<u64 as Store<f64>>::store(1e30), u64::MAX);
        assert_eq!(<i64 as Store<f64>>::store(f64::NAN), 0);
    }

    #[test]
    fn a_wide_sum_wraps_to_the_stored_width() {
        use std::num::Wrapping;
        assert_eq!(
            <i32 as Store<Wrapping<i64>>>::store(Wrapping(i64::from(i32::MAX) + 1)),
            i32::MIN
        );
    }
}
