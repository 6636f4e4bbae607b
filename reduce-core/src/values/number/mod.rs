//! Numbers a kernel computes in, as the operator's author sees them.
//!
//! [`Num`] is what every arithmetic type can do: floats, wrapping integers and
//! wide wrapping integers. [`Real`] adds what only floats can do. A spec says
//! `impl<A: Num>` or `impl<A: Real>` and is then one piece of code for all of
//! its types.
//!
//! `A::ZERO` and `A::ONE` come from [`num_traits`], re-exported as
//! [`ConstZero`] and [`ConstOne`].

mod least;
mod real;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::num::Wrapping;
use std::ops::{Add, Mul, Sub};

pub use least::{Least, LeastFloat};
pub use num_traits::{ConstOne, ConstZero};
pub use real::Real;

use crate::values::element::accumulator::Accumulator;

/// A number: `f32`, `f64`, or `Wrapping` of an integer of 8 to 128 bits.
///
/// ```
/// use reduce_core::{Num, ReduceOp, Reduction, View, reduce_op};
///
/// /// The sum of the squares. Integers wrap.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct SumOfSquares;
///
/// #[reduce_op(dtypes = [f32, i32])]
/// impl<A: Num> ReduceOp<A> for SumOfSquares {
///     type Acc = A;
///     type Output = A;
///     fn identity(&self) -> A { A::ZERO }
///     fn map(&self, x: A) -> A { x * x }
///     fn combine(&self, a: A, b: A) -> A { a + b }
///     fn finalize(&self, sum: A, _count: usize) -> A { sum }
/// }
///
/// # fn main() -> Result<(), reduce_core::Error> {
/// let squares = Reduction::new(SumOfSquares);
/// assert_eq!(squares.run(&View::new(&[0.5f32, 2.0], &[2])?)?.data(), [4.25]);
/// assert_eq!(squares.run(&View::new(&[2i32, 3], &[2])?)?.data(), [13]);
/// assert_eq!(squares.run(&View::new(&[1i32 << 16], &[1])?)?.data(), [0]); // 2 to the power of 32
/// # Ok(())
/// # }
/// ```
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
    /// What is kept of how small numbers became.
    type Least: Least<Self>;

    /// Whether this is neither infinite nor NaN, as no integer is.
    #[must_use]
    fn is_finite(self) -> bool;

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
/// Comparison is that of the type, so NaN is neither larger nor smaller. An operator that is to propagate NaN
/// asks [`Ordered::is_nan`], or takes [`Ordered::maximum`] and [`Ordered::minimum`], which keep it.
///
/// ```
/// use reduce_core::{Ordered, ReduceOp, Reduction, View, reduce_op};
///
/// /// The least and the greatest element.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Extremes;
///
/// #[reduce_op(dtypes = [f32, i32, bool])]
/// impl<A: Ordered> ReduceOp<A> for Extremes {
///     type Acc = (A, A);
///     type Output = (A, A);
///     fn identity(&self) -> (A, A) { (A::HIGHEST, A::LOWEST) }
///     fn map(&self, x: A) -> (A, A) { (x, x) }
///     fn combine(&self, a: (A, A), b: (A, A)) -> (A, A) { (a.0.minimum(b.0), a.1.maximum(b.1)) }
///     fn finalize(&self, acc: (A, A), _count: usize) -> (A, A) { acc }
/// }
///
/// # fn main() -> Result<(), reduce_core::Error> {
/// let (least, greatest) = Reduction::new(Extremes).run(&View::new(&[3, -7, 5], &[3])?)?;
/// assert_eq!((least.data(), greatest.data()), (&[-7][..], &[5][..]));
/// # Ok(())
/// # }
/// ```
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

    /// The larger of two values; NaN if either is (IEEE 754-2019 `maximum`, but zeros are equal, whatever their
    /// sign). It is as fast as a comparison that loses NaN.
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

/// A value if others are numbers, else the NaN whose bits are all set. So the first of some values keeps its
/// own NaN and takes over those of others, and the comparison does not have to wait for the first. One
/// comparison asks of two others.
///
/// Without masks, a vector is or-ed with the comparison. With them, the value must be what a number leads to:
/// then the instruction that computes it leaves out the lanes of NaN. Asked for the other way round, the value
/// would be computed for all lanes, and some would be overwritten.
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

macro_rules! float {
    ($($float:ident: $bits:ident),*) => {$(
        impl Num for $float {
            type Least = LeastFloat<$bits>;

            #[inline(always)]
            fn is_finite(self) -> bool {
                $float::is_finite(self)
            }

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
    )*};
}

float!(f32: i32, f64: i64);

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
            type Least = ();

            #[inline(always)]
            fn is_finite(self) -> bool {
                true
            }

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
