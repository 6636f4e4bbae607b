//! A floating-point number whose products, squares and sums neither overflow nor underflow.

mod real;

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use reduce_macros::Accumulator;

use crate::facts::dtype::for_storage_types;
use crate::values::element::{Element, Load, Store};
use crate::values::number::{ConstOne, ConstZero, Num, Ordered, Real};

/// A number of double precision whose exponent is an integer of 64 bits.
///
/// It holds 53 bits as `f64` does, but from 2^(-2^59) to 2^(2^59), so that no intermediate value of a
/// reduction overflows or underflows. Each operation rounds once, but for
/// [`mul_add`](Real::mul_add), which rounds product and sum, and functions, which round as those of
/// `f64` do. A result that is stored becomes what rounding the number gives: an infinity or zero
/// beyond the range of the stored type.
///
/// It is many times slower than `f64`. Results that an operator doubts are computed in it:
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
    /// Zero, infinite, NaN, or of a magnitude from 1 up to 2.
    fraction: f64,
    /// The power of two. For zero, and for what is not finite, it is beyond all others.
    exponent: i64,
}

/// Exponents of all numbers are nearer to zero than this: those of products of 2^48 elements are.
const END: i64 = 1 << 59;

/// This lies beyond the exponents of all numbers, and beyond sums and differences of these.
const BEYOND: i64 = 4 * END;

/// Bits of the fraction of an `f64`, and what is added to its exponent.
const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
const BIAS: i64 = 1023;

/// A number more than this many powers of two below another does not change the sum of both.
const APART: i64 = 64;

/// A power of two, which is a normal number.
fn power(exponent: i64) -> f64 {
    f64::from_bits(((exponent + BIAS) << FRACTION_BITS).cast_unsigned())
}

impl Extended {
    /// A number that is zero, infinite, NaN or normal, times a power of two.
    fn scaled(x: f64, exponent: i64) -> Self {
        if x == 0.0 {
            return Extended { fraction: x, exponent: -BEYOND };
        }
        if !x.is_finite() {
            return Extended { fraction: x, exponent: BEYOND };
        }
        let own = (x.to_bits() >> FRACTION_BITS & 0x7ff).cast_signed() - BIAS;
        let bits = x.to_bits() & !(0x7ff << FRACTION_BITS);
        let fraction = f64::from_bits(bits | 1f64.to_bits());
        let exponent = exponent + own;
        match exponent.abs() >= END {
            true if exponent > 0 => Extended::scaled(fraction * f64::INFINITY, 0),
            true => Extended::scaled(fraction * 0.0, 0),
            false => Extended { fraction, exponent },
        }
    }

    /// The number rounded to `f64`, once.
    pub fn value(self) -> f64 {
        let Extended { fraction, exponent } = self;
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
        match self.exponent.abs() == BEYOND {
            true => self,
            false => Extended::scaled(self.fraction, self.exponent + exponent),
        }
    }
}

impl From<f64> for Extended {
    fn from(x: f64) -> Self {
        match x.is_subnormal() {
            true => Extended::scaled(x * power(64), -64),
            false => Extended::scaled(x, 0),
        }
    }
}

impl Add for Extended {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (high, low) =
            if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let apart = high.exponent - low.exponent;
        if apart > APART && high.fraction.is_finite() {
            return high;
        }
        // The larger number is not finite, or the other is at most `APART` powers of two below.
        let low = low.fraction * power(-apart.min(APART));
        Extended::scaled(high.fraction + low, high.exponent.min(END))
    }
}

impl Neg for Extended {
    type Output = Self;

    fn neg(self) -> Self {
        Extended { fraction: -self.fraction, ..self }
    }
}

impl Sub for Extended {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

/// The sum of two exponents; one may be beyond all.
fn both(a: i64, b: i64) -> i64 {
    a.clamp(-END, END) + b.clamp(-END, END)
}

impl Mul for Extended {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Extended::scaled(self.fraction * other.fraction, both(self.exponent, other.exponent))
    }
}

impl Div for Extended {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        Extended::scaled(self.fraction / other.fraction, both(self.exponent, -other.exponent))
    }
}

impl PartialEq for Extended {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Extended {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.fraction == other.fraction && self.exponent == other.exponent {
            return Some(Ordering::Equal);
        }
        (*self - *other).fraction.partial_cmp(&0.0)
    }
}

impl num_traits::Zero for Extended {
    fn zero() -> Self {
        Self::ZERO
    }

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
    const ZERO: Self = Extended { fraction: 0.0, exponent: -BEYOND };
}

impl ConstOne for Extended {
    const ONE: Self = Extended { fraction: 1.0, exponent: 0 };
}

impl Num for Extended {
    type Least = ();

    fn is_finite(self) -> bool {
        self.fraction.is_finite()
    }

    fn abs(self) -> Self {
        Extended { fraction: self.fraction.abs(), ..self }
    }

    fn from_int(x: i64) -> Self {
        Extended::from(f64::from_int(x))
    }

    fn div_count(self, count: usize) -> Self {
        self / Self::from_count(count)
    }
}

impl Ordered for Extended {
    const LOWEST: Self = Self::NEG_INFINITY;
    const HIGHEST: Self = Self::INFINITY;

    fn is_nan(self) -> bool {
        self.fraction.is_nan()
    }

    fn maximum(self, other: Self) -> Self {
        if other > self || other.is_nan() { other } else { self }
    }

    fn minimum(self, other: Self) -> Self {
        if other < self || other.is_nan() { other } else { self }
    }
}

impl<T: Element + Load<f64>> Load<Extended> for T {
    fn load(self) -> Extended {
        Extended::from(Load::<f64>::load(self))
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
