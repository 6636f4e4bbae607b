//! Numbers a kernel computes in, as the operator's author sees them.
//!
//! [`Num`] is what every arithmetic type can do: floats, wrapping integers and
//! wide wrapping integers. [`Real`] adds what only floats can do. A spec says
//! `impl<A: Num>` or `impl<A: Real>` and is then one piece of code for all of
//! its types.
//!
//! `A::ZERO` and `A::ONE` come from [`num_traits`], re-exported as
//! [`ConstZero`] and [`ConstOne`].

#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::num::Wrapping;
use std::ops::{Add, Div, Mul, Neg, Sub};

pub use num_traits::{ConstOne, ConstZero};

use crate::machine::{index_f32, index_f64};
use crate::values::accumulator::Accumulator;
use crate::values::math;

/// A number: `f32`, `f64`, or `Wrapping` of an integer of 8 to 128 bits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number a reduction can compute in",
    label = "expected `f32`, `f64` or `Wrapping` of an integer",
    note = "integers wrap on overflow: `i32` in `dtypes` computes in `Wrapping<i32>`"
)]
pub trait Num:
    Accumulator + ConstZero + ConstOne + PartialEq + PartialOrd + Debug + Sub<Output = Self>
where
    Self: Add<Output = Self> + Mul<Output = Self>,
{
    /// The magnitude. The least signed integer has none and is returned as is.
    fn abs(self) -> Self;

    /// An integer constant or parameter of the operator: the nearest float, or the integer
    /// modulo the type's width.
    fn from_int(x: i64) -> Self;

    /// This sum divided by a number of elements: rounded once for floats,
    /// truncated toward zero for integers.
    ///
    /// For a count of 0, floats give `self / 0` and integers 0; an operator on
    /// integers says `empty = error` to keep that from being seen.
    fn div_count(self, count: usize) -> Self;
}

/// A value that is larger or smaller than others: floats, wrapping integers and
/// `bool`, for which `false < true`.
///
/// Comparison is that of the type, so NaN is neither: an operator that is to
/// propagate it asks [`Ordered::is_nan`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no order that a reduction can use",
    label = "expected `f32`, `f64`, `bool` or `Wrapping` of an integer"
)]
pub trait Ordered: Accumulator + PartialOrd {
    /// No value is less: −∞ for floats.
    const LOWEST: Self;
    /// No value is greater: +∞ for floats.
    const HIGHEST: Self;

    /// Whether this is not a number.
    #[must_use]
    fn is_nan(self) -> bool;

    /// The larger of two values; NaN if either is (IEEE 754-2019 `maximum`, but
    /// zeros are equal, whatever their sign). As fast as a comparison that loses
    /// NaN.
    #[must_use]
    fn maximum(self, other: Self) -> Self;

    /// The smaller of two values; NaN if either is, as [`Ordered::maximum`].
    #[must_use]
    fn minimum(self, other: Self) -> Self;

    /// The largest of three values: `self.maximum(x).maximum(y)` to the last bit, in less work
    /// for floats.
    #[must_use]
    #[inline(always)]
    fn maximum3(self, x: Self, y: Self) -> Self {
        self.maximum(x).maximum(y)
    }

    /// The smallest of three values, as [`Ordered::maximum3`].
    #[must_use]
    #[inline(always)]
    fn minimum3(self, x: Self, y: Self) -> Self {
        self.minimum(x).minimum(y)
    }

    /// Whether two values are equal, or both NaN.
    #[must_use]
    #[inline(always)]
    fn is_same(self, other: Self) -> bool {
        // No short circuits: a loop over lanes has no branches.
        (self == other) | (self.is_nan() & other.is_nan())
    }
}

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

    /// The nearest value to a constant or a parameter of the operator.
    fn from_f64(x: f64) -> Self;

    /// The nearest value to a number of elements.
    fn from_count(count: usize) -> Self;

    /// The whole part as an index of a list of so many, up to 2²⁴: of what is negative or NaN the
    /// first, and of what is too large the last. Faster than a conversion by `as`.
    #[must_use]
    fn index_below(self, count: usize) -> usize;

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

    /// The square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;

    /// `self * factor + addend`, rounded once, at every CPU level.
    #[must_use]
    fn mul_add(self, factor: Self, addend: Self) -> Self;
}

/// A value if others are numbers, or else the NaN of which all bits are set: so the first of some
/// keeps its own NaN and takes over those of others, by a comparison that does not have to wait for
/// the first. One comparison asks of two others.
///
/// Without masks, a vector is or-ed with the comparison. With them, the instruction that computes the
/// value leaves out the lanes of NaN, if the value is what a number leads to: asked for the other way
/// round, it would be computed for all lanes and some then overwritten.
macro_rules! if_numbers {
    ($float:ident, $($x:ident),+ => $value:expr) => {{
        // Computed in any case: in an arm of the choice, it would be a branch.
        let (value, are_numbers) = ($value, true $(& !$x.is_nan())+);
        if are_numbers { value } else { $float::from_bits(!0) }
    }};
}

/// The first of two values unless the other is greater.
#[inline(always)]
fn larger<A: PartialOrd>(a: A, b: A) -> A {
    if b > a { b } else { a }
}

/// The first of two values unless the other is less.
#[inline(always)]
fn smaller<A: PartialOrd>(a: A, b: A) -> A {
    if b < a { b } else { a }
}

macro_rules! real {
    ($($float:ident: $index:path, $exp:path, $exp_nonpositive:path, $ln:path;)*) => {$(
        impl Num for $float {
            #[inline(always)]
            fn abs(self) -> Self {
                $float::abs(self)
            }

            #[inline(always)]
            #[allow(clippy::cast_precision_loss, reason = "documented: the nearest float")]
            fn from_int(x: i64) -> Self {
                x as $float
            }

            #[inline(always)]
            fn div_count(self, count: usize) -> Self {
                self / <$float as Real>::from_count(count)
            }
        }

        impl Ordered for $float {
            const LOWEST: Self = $float::NEG_INFINITY;
            const HIGHEST: Self = $float::INFINITY;

            #[inline(always)]
            fn is_nan(self) -> bool {
                $float::is_nan(self)
            }

            #[inline(always)]
            fn maximum(self, other: Self) -> Self {
                if_numbers!($float, other => larger(self, other))
            }

            #[inline(always)]
            fn minimum(self, other: Self) -> Self {
                if_numbers!($float, other => smaller(self, other))
            }

            #[inline(always)]
            fn maximum3(self, x: Self, y: Self) -> Self {
                if_numbers!($float, x, y => larger(self, larger(x, y)))
            }

            #[inline(always)]
            fn minimum3(self, x: Self, y: Self) -> Self {
                if_numbers!($float, x, y => smaller(self, smaller(x, y)))
            }
        }

        impl Real for $float {
            const INFINITY: Self = $float::INFINITY;
            const NEG_INFINITY: Self = $float::NEG_INFINITY;
            const NAN: Self = $float::NAN;

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
    f32: index_f32, math::exp_f32, math::exp_nonpositive_f32, math::ln_f32;
    f64: index_f64, math::exp_f64, math::exp_nonpositive_f64, math::ln_f64;
}

impl Ordered for bool {
    const LOWEST: Self = false;
    const HIGHEST: Self = true;

    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }

    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        self | other
    }

    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        self & other
    }
}

macro_rules! wrapping {
    ($($int:ident: |$x:ident| $abs:expr;)*) => {$(
        impl Ordered for Wrapping<$int> {
            const LOWEST: Self = Wrapping($int::MIN);
            const HIGHEST: Self = Wrapping($int::MAX);

            #[inline(always)]
            fn is_nan(self) -> bool {
                false
            }

            #[inline(always)]
            fn maximum(self, other: Self) -> Self {
                if other > self { other } else { self }
            }

            #[inline(always)]
            fn minimum(self, other: Self) -> Self {
                if other < self { other } else { self }
            }
        }

        impl Num for Wrapping<$int> {
            #[inline(always)]
            fn abs(self) -> Self {
                let $x = self.0;
                Wrapping($abs)
            }

            #[inline(always)]
            #[allow(
                clippy::cast_lossless,
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                trivial_numeric_casts,
                reason = "documented: modulo the type's width"
            )]
            fn from_int(x: i64) -> Self {
                Wrapping(x as $int)
            }

            #[inline(always)]
            fn div_count(self, count: usize) -> Self {
                // A count beyond the type's limit exceeds the magnitude of every sum
                // but one: the least value, which has one more than the limit.
                let beyond = usize::try_from($int::MAX).ok().and_then(|max| max.checked_add(1));
                match <$int>::try_from(count) {
                    Ok(count) => Wrapping(self.0.checked_div(count).unwrap_or(0)),
                    Err(_) if $int::MIN != 0 && self.0 == $int::MIN && beyond == Some(count) => {
                        Wrapping(!0)
                    }
                    Err(_) => Wrapping(0),
                }
            }
        }
    )*};
}

wrapping! {
    i8: |x| x.wrapping_abs();
    i16: |x| x.wrapping_abs();
    i32: |x| x.wrapping_abs();
    i64: |x| x.wrapping_abs();
    i128: |x| x.wrapping_abs();
    u8: |x| x;
    u16: |x| x;
    u32: |x| x;
    u64: |x| x;
    u128: |x| x;
}
