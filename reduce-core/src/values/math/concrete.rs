//! `f32` and `f64` as the floats of elementary functions.

use super::float::{Exponent, Float, FloatBits};
use super::fused::{mul_add_f32, mul_add_f64};

macro_rules! floats {
    ($($float:ident: $bits:ident, $mul_add:path, |$x:ident| $widened:expr, |$wide:ident| $narrowed:expr;)*) => {$(
        impl Float for $float {
            type Concrete = Self;
            type Flag = bool;
            type Bits = $bits;
            type Wide = f64;

            #[inline(always)]
            fn of(x: Self) -> Self {
                x
            }

            #[inline(always)]
            fn pattern(self) -> $bits {
                $float::to_bits(self)
            }

            #[inline(always)]
            fn of_pattern(bits: $bits) -> Self {
                $float::from_bits(bits)
            }

            #[inline(always)]
            fn widen(self) -> f64 {
                let $x = self;
                $widened
            }

            #[inline(always)]
            fn narrow($wide: f64) -> Self {
                $narrowed
            }

            #[inline(always)]
            fn is_less(self, other: Self) -> bool {
                self < other
            }

            #[inline(always)]
            fn is_at_most(self, other: Self) -> bool {
                self <= other
            }

            #[inline(always)]
            fn is_equal(self, other: Self) -> bool {
                self == other
            }

            #[inline(always)]
            fn select(flag: bool, yes: Self, no: Self) -> Self {
                if flag { yes } else { no }
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                $float::abs(self)
            }

            #[inline(always)]
            fn square_root(self) -> Self {
                $float::sqrt(self)
            }

            #[inline(always)]
            fn round_down(self) -> Self {
                $float::floor(self)
            }

            #[inline(always)]
            fn with_sign_of(self, sign: Self) -> Self {
                $float::copysign(self, sign)
            }

            #[inline(always)]
            fn times_plus(self, factor: Self, addend: Self) -> Self {
                $mul_add(self, factor, addend)
            }
        }

        impl FloatBits for $bits {
            type Concrete = Self;
            type Flag = bool;

            #[inline(always)]
            fn of(bits: Self) -> Self {
                bits
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                $bits::wrapping_add(self, other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                $bits::wrapping_sub(self, other)
            }

            #[inline(always)]
            fn is_equal(self, other: Self) -> bool {
                self == other
            }

            #[inline(always)]
            fn select(flag: bool, yes: Self, no: Self) -> Self {
                if flag { yes } else { no }
            }
        }
    )*};
}

#[allow(clippy::cast_possible_truncation, reason = "rounded to nearest")]
const fn nearest(wide: f64) -> f32 {
    wide as f32
}

floats! {
    f32: u32, mul_add_f32, |x| x.into(), |wide| nearest(wide);
    f64: u64, mul_add_f64, |x| x, |wide| wide;
}

impl Exponent<f64> for i32 {
    #[inline(always)]
    fn to_float(self) -> f64 {
        self.into()
    }

    #[inline(always)]
    fn is_odd(self) -> bool {
        self & 1 == 1
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0
    }
}
