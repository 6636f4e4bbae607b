//! Floats of eight bits, as ONNX and `ml_dtypes` define them, widened and rounded without branches, so that a loop over
//! lanes vectorises at every CPU level.

use std::fmt;

/// Parts of an `f32`: its sign, the exponent of infinity, and the bits of its fraction.
const SIGN: u32 = 1 << 31;
const INFINITE: u32 = 0x7f80_0000;
const FRACTION: u32 = 23;
const BIAS: u32 = 127;

/// How the bits of a format lie behind the sign.
#[derive(Clone, Copy)]
struct Format {
    /// The bits of the fraction.
    fraction: u32,
    /// What is added to an exponent.
    bias: u32,
    /// The greatest finite number, as bits without the sign.
    greatest: u32,
    /// What a larger number becomes that is not clamped.
    beyond: u32,
    /// From these bits on, values are infinite or NaN.
    first_special: u32,
    nan: u32,
}

/// Widens exactly; a NaN stays a NaN.
///
/// Exponent and fraction move to their place in an f32 by a shift. A multiplication by a power of two corrects the bias
/// of the exponent. It also normalises subnormals, since the product is exact. An exponent of infinities and NaN is set
/// to all ones afterwards.
#[inline(always)]
const fn widened(bits: u8, format: Format) -> f32 {
    let shift = FRACTION - format.fraction;
    let factor = f32::from_bits((2 * BIAS - format.bias) << FRACTION);
    let magnitude = (bits & 0x7f) as u32;
    let finite = (f32::from_bits(magnitude << shift) * factor).to_bits();
    let special = (magnitude << shift) | INFINITE;
    let widened = if magnitude >= format.first_special { special } else { finite };
    f32::from_bits(widened | ((bits & 0x80) as u32) << 24)
}

/// Rounds to the nearest number of the format, or to the even one of two; a NaN stays a NaN. What is beyond the
/// greatest number becomes that number if it is `clamped`.
///
/// To round, half of the last bit that is kept is added, or one less if that bit is 0. The CPU itself rounds a result
/// below the smallest normal number: such a result is added to a number whose last bit is worth as much as that of a
/// subnormal number.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "seven bits and the sign")]
const fn rounded(x: f32, format: Format, clamped: bool) -> u8 {
    let shift = FRACTION - format.fraction;
    let (rebias, smallest_normal) =
        ((BIAS - format.bias) << FRACTION, (BIAS - format.bias + 1) << FRACTION);
    let unit = f32::from_bits((BIAS + 1 - format.bias - format.fraction + FRACTION) << FRACTION);
    let bits = x.to_bits();
    let magnitude = bits & !SIGN;
    let to_even = (1 << (shift - 1)) - 1 + ((magnitude >> shift) & 1);
    let normal = magnitude.wrapping_sub(rebias).wrapping_add(to_even) >> shift;
    let subnormal = (f32::from_bits(magnitude) + unit).to_bits().wrapping_sub(unit.to_bits());
    let finite = if magnitude < smallest_normal { subnormal } else { normal };
    let beyond = if clamped { format.greatest } else { format.beyond };
    let bounded = if finite > format.greatest { beyond } else { finite };
    let rounded = if magnitude > INFINITE { format.nan } else { bounded };
    (rounded | ((bits & SIGN) >> 24)) as u8
}

macro_rules! float8 {
    ($(#[$doc:meta])* $name:ident, $format:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[allow(non_camel_case_types, reason = "as `f32`")]
        pub struct $name(u8);

        impl $name {
            const FORMAT: Format = $format;

            /// The greatest finite number.
            #[allow(clippy::cast_possible_truncation, reason = "seven bits")]
            pub const MAX: Self = $name(Self::FORMAT.greatest as u8);

            /// The least finite number.
            #[allow(clippy::cast_possible_truncation, reason = "seven bits")]
            pub const MIN: Self = $name(0x80 | Self::FORMAT.greatest as u8);

            /// The smallest positive number that is not subnormal.
            pub const MIN_POSITIVE: Self = $name(1 << Self::FORMAT.fraction);

            /// Not a number.
            #[allow(clippy::cast_possible_truncation, reason = "seven bits")]
            pub const NAN: Self = $name(Self::FORMAT.nan as u8);

            /// The number of these bits.
            pub const fn from_bits(bits: u8) -> Self {
                $name(bits)
            }

            /// Its bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// The same number.
            #[inline(always)]
            pub const fn to_f32(self) -> f32 {
                widened(self.0, Self::FORMAT)
            }

            /// The nearest number, the even one of two. What is beyond the greatest number becomes infinite, or NaN in
            /// a format without infinities, as in `ml_dtypes`.
            #[inline(always)]
            pub const fn from_f32(x: f32) -> Self {
                $name(rounded(x, Self::FORMAT, false))
            }

            /// As `from_f32`, but what is beyond the greatest number becomes that number, infinities too. ONNX has it
            /// so where it saturates.
            #[inline(always)]
            pub const fn clamped(x: f32) -> Self {
                $name(rounded(x, Self::FORMAT, true))
            }

            /// Whether it is NaN.
            pub const fn is_nan(self) -> bool {
                self.to_f32().is_nan()
            }

            /// Whether it is neither infinite nor NaN.
            pub const fn is_finite(self) -> bool {
                self.to_f32().is_finite()
            }
        }

        impl PartialEq for $name {
            #[inline(always)]
            fn eq(&self, other: &Self) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl PartialOrd for $name {
            #[inline(always)]
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }
    };
}

float8! {
    /// A float of four bits of exponent and three of fraction, without infinities: ONNX's `FLOAT8E4M3FN`, and
    /// `float8_e4m3fn` of `ml_dtypes`. Its greatest number is 448.
    ///
    /// ```
    /// use reduce_core::f8e4m3fn;
    ///
    /// assert_eq!(f8e4m3fn::from_f32(0.3).to_f32(), 0.3125);
    /// assert!(f8e4m3fn::from_f32(1000.0).is_nan());
    /// assert_eq!(f8e4m3fn::clamped(1000.0), f8e4m3fn::MAX);
    /// ```
    f8e4m3fn,
    Format { fraction: 3, bias: 7, greatest: 0x7e, beyond: 0x7f, first_special: 0x7f, nan: 0x7f }
}

float8! {
    /// A float of five bits of exponent and two of fraction: ONNX's `FLOAT8E5M2`, and `float8_e5m2` of `ml_dtypes`. Its
    /// greatest number is 57344.
    ///
    /// ```
    /// use reduce_core::f8e5m2;
    ///
    /// assert_eq!(f8e5m2::from_f32(0.3).to_f32(), 0.3125);
    /// assert_eq!(f8e5m2::from_f32(1e6).to_f32(), f32::INFINITY);
    /// assert_eq!(f8e5m2::clamped(1e6), f8e5m2::MAX);
    /// ```
    f8e5m2,
    Format { fraction: 2, bias: 15, greatest: 0x7b, beyond: 0x7c, first_special: 0x7c, nan: 0x7e }
}

impl f8e5m2 {
    /// Infinity.
    pub const INFINITY: Self = f8e5m2(0x7c);
}
