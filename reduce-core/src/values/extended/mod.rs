//! A floating-point number whose products, squares and sums neither overflow nor underflow.

mod real;

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use reduce_macros::Accumulator;

use crate::facts::dtype::{DType, for_storage_types};
use crate::values::element::{Element, Load, Store};
use crate::values::number::{ConstOne, ConstZero, Num, Ordered, Real};

/// A number of double precision whose exponent has no end that a reduction reaches.
///
/// It holds 53 bits as `f64` does, but from 2^(-2^60) to 2^(2^60), so that no intermediate value of a
/// reduction overflows or underflows. Each operation rounds once, but for
/// [`mul_add`](Real::mul_add), which rounds product and sum, and functions, which round as those of
/// `f64` do. A result that is stored becomes what rounding the number gives: an infinity or zero
/// beyond the range of the stored type.
///
/// It is some times slower than `f64`. Results that an operator doubts are computed in it:
/// see [`ReduceOp::doubts`](crate::ReduceOp::doubts). Any operator over `A: Num` or `A: Real` can be computed in it by
/// [`Reduction::computing_in`](crate::Reduction::computing_in), a stream too.
///
/// ```
/// use reduce_core::Real;
/// use reduce_core::numbers::Extended;
///
/// let square = Extended::from(1e200) * Extended::from(1e200);
/// assert_eq!(square.value(), f64::INFINITY);
/// assert_eq!((square + square).sqrt().value(), 1.4142135623730951e200);
/// ```
#[derive(Clone, Copy, Debug, Accumulator)]
#[accumulator(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Extended {
    /// Zero, infinite, NaN, or of a magnitude from [`LOW`] up to [`HIGH`].
    fraction: f64,
    /// The power of two, a multiple of [`STEP`]. Zero has -∞, infinities have ∞. A float holds all
    /// such numbers up to 2^62 exactly, and it is computed on in vectors, as the fraction is.
    exponent: f64,
}

/// Fractions have this range, of [`STEP`] powers of two: products and sums of two are far from the ends of `f64`. Most
/// numbers have the exponent 0 then, so that an operation rounds as that of `f64` does.
const LOW: f64 = power(-256);
const HIGH: f64 = power(256);
const STEP: f64 = 512.0;

/// A fraction times these is that of the next exponent.
const UP: f64 = power(512);
const DOWN: f64 = power(-512);

/// Bits of the fraction of an `f64`, and what is added to its exponent.
const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const BIAS: i64 = 1023;

/// A power of two, which is a normal number.
const fn power(exponent: i64) -> f64 {
    f64::from_bits(((exponent + BIAS) << FRACTION_BITS).cast_unsigned())
}

/// One of two numbers, without a branch.
#[inline(always)]
fn either(first: bool, a: f64, b: f64) -> f64 {
    if first { a } else { b }
}

impl Extended {
    /// A fraction that came of two in range, and an exponent: brought into range. Zero and what is not finite stay what they
    /// are, and so do their exponents.
    #[inline(always)]
    fn of(fraction: f64, exponent: f64) -> Self {
        let size = fraction.abs();
        let (is_small, is_large) = (size < LOW, size >= HIGH);
        let factor = either(is_large, DOWN, either(is_small, UP, 1.0));
        let way = either(is_large, STEP, 0.0) - either(is_small, STEP, 0.0);
        Extended { fraction: fraction * factor, exponent: exponent + way }
    }

    /// A fraction in range with the exponent 0, or zero or what is not finite, with its exponent.
    #[inline(always)]
    fn in_range(fraction: f64) -> Self {
        let exponent = either(fraction.abs() < f64::INFINITY, 0.0, f64::INFINITY);
        Extended { fraction, exponent: either(fraction == 0.0, f64::NEG_INFINITY, exponent) }
    }

    /// A number that is zero, infinite, NaN or normal, times a power of two.
    fn scaled(x: f64, exponent: i64) -> Self {
        let whole = (exponent + 256).div_euclid(512);
        let rest = exponent - whole * 512;
        let Extended { fraction, exponent } = Extended::from(x);
        Extended::of(fraction * power(rest), exponent + f64::from_int(whole) * STEP)
    }

    /// A fraction from 1 up to 2, and a power of two. None if it is zero or not finite.
    fn parts(self) -> Option<(f64, i64)> {
        if !self.exponent.is_finite() {
            return None;
        }
        let own = (self.fraction.to_bits() >> FRACTION_BITS & 0x7ff).cast_signed() - BIAS;
        Some((self.fraction * power(-own), integer(self.exponent) + own))
    }

    /// The number rounded to `f64`, once.
    pub fn value(self) -> f64 {
        let Some((fraction, exponent)) = self.parts() else { return self.fraction };
        match exponent {
            ..-1100 => fraction * 0.0,
            // The first product is exact; the other one rounds to the subnormal number.
            -1100..-1022 => fraction * power(-1022) * power(exponent + 1022),
            -1022..=1023 => fraction * power(exponent),
            _ => fraction * f64::INFINITY,
        }
    }

    /// The number times a power of two.
    fn times_power(self, exponent: i64) -> Self {
        match self.parts() {
            Some((fraction, own)) => Extended::scaled(fraction, own + exponent),
            None => self,
        }
    }
}

/// A whole number. One that is too large or too small becomes 10^18 or -10^18.
#[allow(clippy::cast_possible_truncation, reason = "beyond the range it saturates")]
fn integer(x: f64) -> i64 {
    x.clamp(-1e18, 1e18) as i64
}

impl From<f64> for Extended {
    #[inline(always)]
    fn from(x: f64) -> Self {
        let Extended { exponent, .. } = Extended::in_range(x);
        let once = Extended::of(x, exponent);
        // The least numbers take two steps.
        Extended::of(once.fraction, once.exponent)
    }
}

impl Add for Extended {
    type Output = Self;

    /// If one exponent is a step below the other, its fraction is brought to the other's. If it lies further below, the number
    /// does not change the sum.
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let exponent = either(self.exponent >= other.exponent, self.exponent, other.exponent);
        let factor = |own: f64| {
            let is_near = exponent - own == STEP;
            either(own == exponent, 1.0, either(is_near, DOWN, 0.0))
        };
        let (a, b) =
            (self.fraction * factor(self.exponent), other.fraction * factor(other.exponent));
        let sum = a + b;
        Extended::of(sum, either(sum == 0.0, f64::NEG_INFINITY, exponent))
    }
}

impl Neg for Extended {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Extended { fraction: -self.fraction, ..self }
    }
}

impl Sub for Extended {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Extended {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Extended::of(self.fraction * other.fraction, self.exponent + other.exponent)
    }
}

impl Div for Extended {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Extended::of(self.fraction / other.fraction, self.exponent - other.exponent)
    }
}

impl PartialEq for Extended {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        (self.fraction == other.fraction) & (self.exponent == other.exponent)
    }
}

impl PartialOrd for Extended {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self == other {
            return Some(Ordering::Equal);
        }
        (*self - *other).fraction.partial_cmp(&0.0)
    }

    #[inline(always)]
    fn lt(&self, other: &Self) -> bool {
        (*self - *other).fraction < 0.0
    }

    #[inline(always)]
    fn gt(&self, other: &Self) -> bool {
        other < self
    }
}

impl num_traits::Zero for Extended {
    fn zero() -> Self {
        Self::ZERO
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.fraction == 0.0
    }
}

impl num_traits::One for Extended {
    fn one() -> Self {
        Self::ONE
    }
}

impl ConstZero for Extended {
    const ZERO: Self = Extended { fraction: 0.0, exponent: f64::NEG_INFINITY };
}

impl ConstOne for Extended {
    const ONE: Self = Extended { fraction: 1.0, exponent: 0.0 };
}

impl Num for Extended {
    type Least = ();

    #[inline(always)]
    fn is_finite(self) -> bool {
        self.fraction.is_finite()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Extended { fraction: self.fraction.abs(), ..self }
    }

    #[inline(always)]
    fn from_int(x: i64) -> Self {
        Extended::from(f64::from_int(x))
    }

    #[inline(always)]
    fn div_count(self, count: usize) -> Self {
        self / Self::from_count(count)
    }
}

impl Ordered for Extended {
    const LOWEST: Self = Self::NEG_INFINITY;
    const HIGHEST: Self = Self::INFINITY;

    #[inline(always)]
    fn is_nan(self) -> bool {
        self.fraction.is_nan()
    }

    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        if other > self || other.is_nan() { other } else { self }
    }

    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        if other < self || other.is_nan() { other } else { self }
    }
}

impl<T: Element + Load<f64>> Load<Extended> for T {
    #[inline(always)]
    fn load(self) -> Extended {
        let x = Load::<f64>::load(self);
        match T::DTYPE {
            DType::F64 => Extended::from(x),
            // All others are in range.
            _ => Extended::in_range(x),
        }
    }
}

macro_rules! store {
    (
        []
        $($variant:ident: $type:ty, $name:literal, $size:literal, $class:ident, $doc:literal;)*
    ) => {
        $(store!(@ $class $type);)*
    };
    (@ bool $type:ty) => {};
    (@ $class:ident $type:ty) => {
        impl Store<Extended> for $type {
            fn store(result: Extended) -> $type {
                Store::store(result.value())
            }
        }
    };
}

for_storage_types!(store);
