//! What only floats can do.

use std::ops::{Div, Neg};

use super::Num;
use crate::machine::{index_f32, index_f64};
use crate::values::math;

/// A real number in floating point: `f32` or `f64`.
///
/// Its functions are this crate's own, or instructions of the CPU. They have no branches, so that a loop over
/// lanes vectorises. They give the same bits at every CPU level, within 2 ulp (the distance from one number to
/// the next). [Numerics](crate::guide::numerics#elementary-functions) has what was measured.
///
/// ```
/// use reduce_core::{Real, ReduceOp, Reduction, View, reduce_op};
///
/// /// How far angles agree: the length of the mean of their unit vectors, 1 if all are the same.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Agreement;
///
/// #[reduce_op(dtypes = [f32, f64])]
/// impl<A: Real> ReduceOp<A> for Agreement {
///     type Acc = (A, A);
///     type Output = A;
///
///     fn identity(&self) -> (A, A) {
///         (A::ZERO, A::ZERO)
///     }
///
///     fn map(&self, angle: A) -> (A, A) {
///         (angle.cos(), angle.sin())
///     }
///
///     fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) {
///         (a.0 + b.0, a.1 + b.1)
///     }
///
///     fn finalize(&self, (x, y): (A, A), count: usize) -> A {
///         x.hypot(y).div_count(count)
///     }
/// }
///
/// # fn main() -> Result<(), reduce_core::Error> {
/// let angles = [[0.1f64, 0.1, 0.1], [0.0, 2.0, 4.0]].concat();
/// let agreement = Reduction::new(Agreement).axes([1]).run(&View::new(&angles, &[2, 3])?)?;
/// assert!((agreement.data()[0] - 1.0).abs() < 1e-15 && agreement.data()[1] < 0.1);
/// # Ok(())
/// # }
/// ```
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

    /// The whole part as an index into a list of `count` entries, up to 2²⁴. A number that is negative or NaN
    /// gives the first index, and one that is too large the last. This is faster than a conversion by `as`.
    #[must_use]
    fn index_below(self, count: usize) -> usize;

    /// e to this power.
    #[must_use]
    fn exp(self) -> Self;

    /// e to the power of a number that is not positive, within 2 ulp (`f64`: 1); 0 where
    /// the result would be subnormal. Faster than [`Real::exp`]. Of a positive number it
    /// may be anything.
    #[must_use]
    fn exp_nonpositive(self) -> Self;

    /// e to this power, less 1, accurate also near 0.
    #[must_use]
    fn exp_m1(self) -> Self;

    /// 2 to this power; exact of an integer.
    #[must_use]
    fn exp2(self) -> Self;

    /// The natural logarithm.
    #[must_use]
    fn ln(self) -> Self;

    /// The natural logarithm of 1 + this, accurate also near 0.
    #[must_use]
    fn ln_1p(self) -> Self;

    /// The logarithm to base 2; exact of a power of two.
    #[must_use]
    fn log2(self) -> Self;

    /// This to the power of an integer. Its zeroth power is 1, also of NaN.
    #[must_use]
    fn powi(self, exponent: i32) -> Self;

    /// This to the power of a number, with the special cases of C's `pow`: NaN if this is negative
    /// and the exponent no integer; 1 if this is 1 or the exponent 0, whatever the other one is.
    #[must_use]
    fn powf(self, exponent: Self) -> Self;

    /// 1 divided by this, correctly rounded.
    #[must_use]
    #[inline(always)]
    fn recip(self) -> Self {
        Self::ONE / self
    }

    /// The square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;

    /// The square root of the sum of this square and that of another number, without overflow or
    /// underflow on the way. Infinite if either is, also beside NaN.
    #[must_use]
    fn hypot(self, other: Self) -> Self;

    /// The hyperbolic tangent.
    #[must_use]
    fn tanh(self) -> Self;

    /// The sine of this angle in radians. `f64` gives NaN for magnitudes beyond 2^46, about 7e13.
    #[must_use]
    fn sin(self) -> Self;

    /// The cosine of this angle in radians, with the limit of [`Real::sin`].
    #[must_use]
    fn cos(self) -> Self;

    /// The largest integer that is not greater.
    #[must_use]
    fn floor(self) -> Self;

    /// The nearest integer; of two, the one further from zero.
    #[must_use]
    fn round(self) -> Self;

    /// This magnitude with the sign of another number, which may be that of a zero or of NaN.
    #[must_use]
    fn copysign(self, sign: Self) -> Self;

    /// `self * factor + addend`, rounded once, at every CPU level.
    #[must_use]
    fn mul_add(self, factor: Self, addend: Self) -> Self;
}

/// What each type has for a function of [`Real`].
macro_rules! real {
    ($($function:ident($($argument:ident: $type:ty),*): $of_f32:path, $of_f64:path;)*) => {
        real! { f32, index_f32 { $($function($($argument: $type),*): $of_f32;)* } }
        real! { f64, index_f64 { $($function($($argument: $type),*): $of_f64;)* } }
    };
    ($float:ident, $index:ident { $($function:ident($($argument:ident: $type:ty),*): $of_float:path;)* }) => {
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
            fn index_below(self, count: usize) -> usize {
                $index(self, count)
            }

            $(
                #[inline(always)]
                fn $function(self, $($argument: $type),*) -> Self {
                    $of_float(self, $($argument),*)
                }
            )*
        }
    };
}

real! {
    exp(): math::exp_f32, math::exp_f64;
    exp_nonpositive(): math::exp_nonpositive_f32, math::exp_nonpositive_f64;
    exp_m1(): math::exp_m1_f32, math::exp_m1_f64;
    exp2(): math::exp2_f32, math::exp2_f64;
    ln(): math::ln_f32, math::ln_f64;
    ln_1p(): math::ln_1p_f32, math::ln_1p_f64;
    log2(): math::log2_f32, math::log2_f64;
    powi(exponent: i32): math::powi_f32, math::powi_f64;
    powf(exponent: Self): math::powf_f32, math::powf_f64;
    sqrt(): f32::sqrt, f64::sqrt;
    hypot(other: Self): math::hypot_f32, math::hypot_f64;
    tanh(): math::tanh_f32, math::tanh_f64;
    sin(): math::sin_f32, math::sin_f64;
    cos(): math::cos_f32, math::cos_f64;
    floor(): f32::floor, f64::floor;
    round(): f32::round, f64::round;
    copysign(sign: Self): f32::copysign, f64::copysign;
    mul_add(factor: Self, addend: Self): math::mul_add_f32, math::mul_add_f64;
}
