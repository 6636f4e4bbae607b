//! What only floats can do.

use std::ops::{Div, Neg};

use super::Num;
use crate::values::math;

/// A real number in floating point: `f32` or `f64`.
///
/// `exp` and `ln` are this crate's own: without branches, so that a loop over
/// lanes vectorises, and with the same bits at every CPU level.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no floating-point type",
    label = "expected `f32` or `f64`",
    note = "write `i32 => f64` in `dtypes` to compute on integers in floating point"
)]
pub trait Real: Num + Div<Output = Self> + Neg<Output = Self> {
    /// Positive infinity.
    const INFINITY: Self;
    /// Negative infinity.
    const NEG_INFINITY: Self;
    /// Not a number.
    const NAN: Self;
    /// The least normal number: below, numbers lose bits.
    const MIN_POSITIVE: Self;

    /// The nearest value to a constant or a parameter of the operator.
    fn from_f64(x: f64) -> Self;

    /// The nearest value to a number of elements.
    fn from_count(count: usize) -> Self;

    /// e to this power.
    #[must_use]
    fn exp(self) -> Self;

    /// e to the power of a number that is not positive, within 2 ulp (`f64`: 1); 0 where
    /// the result would be subnormal. Faster than [`Real::exp`]. Of a positive number it
    /// may be anything.
    fn exp_nonpositive(self) -> Self;

    /// The natural logarithm.
    #[must_use]
    fn ln(self) -> Self;

    /// The natural logarithm of 1 + this, accurate also near 0.
    #[must_use]
    fn ln_1p(self) -> Self;

    /// The square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;

    /// `self * factor + addend`, rounded once, at every CPU level.
    #[must_use]
    fn mul_add(self, factor: Self, addend: Self) -> Self;
}

macro_rules! real {
    ($($float:ident: $exp:path, $exp_nonpositive:path, $ln:path, $ln_1p:path;)*) => {$(
        impl Real for $float {
            const INFINITY: Self = $float::INFINITY;
            const NEG_INFINITY: Self = $float::NEG_INFINITY;
            const NAN: Self = $float::NAN;
            const MIN_POSITIVE: Self = $float::MIN_POSITIVE;

            #[inline(always)]
            #[allow(
                clippy::cast_possible_truncation,
                trivial_numeric_casts,
                reason = "documented: the nearest value"
            )]
            fn from_f64(x: f64) -> Self {
                x as $float
            }

            #[inline(always)]
            #[allow(clippy::cast_precision_loss, reason = "documented: the nearest value")]
            fn from_count(count: usize) -> Self {
                count as $float
            }

            #[inline(always)]
            fn exp(self) -> Self {
                $exp(self)
            }

            #[inline(always)]
            fn exp_nonpositive(self) -> Self {
                $exp_nonpositive(self)
            }

            #[inline(always)]
            fn ln(self) -> Self {
                $ln(self)
            }

            #[inline(always)]
            fn ln_1p(self) -> Self {
                $ln_1p(self)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $float::sqrt(self)
            }

            #[inline(always)]
            fn mul_add(self, factor: Self, addend: Self) -> Self {
                $float::mul_add(self, factor, addend)
            }
        }
    )*};
}

real! {
    f32: math::exp_f32, math::exp_nonpositive_f32, math::ln_f32, math::ln_1p_f32;
    f64: math::exp_f64, math::exp_nonpositive_f64, math::ln_f64, math::ln_1p_f64;
}
