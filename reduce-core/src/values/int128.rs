//! Integers of 128 bits whose lanes are added in vectors.
//!
//! No CPU adds vectors of 128 bits, so lanes of `i128` are added one by one. Lanes of [`Int128`] and [`Uint128`] are
//! two arrays of 64 bits each, of lower and of upper halves. A sum is two additions and one comparison, which gives the
//! carry: the lower half of a sum is less than that of a summand exactly if it wrapped.

use std::fmt;
use std::num::Wrapping;
use std::ops::{Add, Mul, Sub};

use crate::machine::TURNED;
use crate::machine::code::Code;
use crate::values::element::accumulator::{Accumulator, Scalars};
use crate::values::element::{Element, Load, Slot, Store};
use crate::values::number::{ConstOne, ConstZero, Num, Ordered};

/// A wrapping integer of 128 bits with a sign. `i32 => i128` in a spec computes in it.
///
/// It has the values of `Wrapping<i128>`, and sums of it are several times as fast, since many are added at once.
///
/// ```
/// use reduce_core::numbers::Int128;
///
/// let sum = Int128::from(i128::from(i64::MAX)) + Int128::from(1);
/// assert_eq!(i128::from(sum), 1 << 63);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "i128", into = "i128"))]
pub struct Int128 {
    // In the order in which halves are compared.
    high: i64,
    low: u64,
}

/// A wrapping integer of 128 bits without a sign, as [`Int128`] otherwise. `u32 => u128` in a spec computes in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "u128", into = "u128"))]
pub struct Uint128 {
    high: u64,
    low: u64,
}

/// A count that magnitudes are divided by, and its reciprocal, which is computed once for all of them.
///
/// That is `2⁶⁴ / count`, too small by at most 1. So a number times it, divided by 2⁶⁴, is the quotient or one less.
#[derive(Clone, Copy)]
struct Divisor {
    count: u64,
    reciprocal: u64,
}

impl Divisor {
    /// A count of 0 is taken for 1.
    #[inline(always)]
    fn new(count: usize) -> Self {
        let count = (count as u64).max(1);
        Divisor { count, reciprocal: u64::MAX / count }
    }

    /// The quotient and the rest of a number of 64 bits.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "the upper half")]
    fn divide(self, x: u64) -> (u64, u64) {
        let below = ((u128::from(x) * u128::from(self.reciprocal)) >> 64) as u64;
        let rest = x - below * self.count;
        let is_less = rest >= self.count;
        (below + u64::from(is_less), if is_less { rest - self.count } else { rest })
    }

    /// The quotient of a longer number, in digits of 32 bits if the count is one.
    #[cold]
    #[inline(never)]
    #[allow(clippy::cast_possible_truncation, reason = "digits")]
    fn divide_long(self, x: u128) -> u128 {
        if self.count >> 32 != 0 {
            return x / u128::from(self.count);
        }
        let (high, rest) = self.divide((x >> 64) as u64);
        let (middle, rest) = self.divide(rest << 32 | (x as u64) >> 32);
        let (low, _) = self.divide(rest << 32 | (x as u64) & u64::from(u32::MAX));
        u128::from(high) << 64 | u128::from(middle << 32 | low)
    }
}

impl Int128 {
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "halves")]
    const fn of(x: i128) -> Self {
        Int128 { high: (x >> 64) as i64, low: x as u64 }
    }

    #[inline(always)]
    const fn value(self) -> i128 {
        (self.high as i128) << 64 | self.low as i128
    }

    /// The sum divided by a count, and truncated toward zero.
    #[inline(always)]
    fn over(self, count: usize) -> Self {
        let divisor = Divisor::new(count);
        if count == 0 {
            return Self::ZERO;
        }
        let is_negative = self.low.cast_signed() >> 63;
        if self.high != is_negative {
            let magnitude = divisor.divide_long(self.value().unsigned_abs()).cast_signed();
            return Self::of(if self.high < 0 { magnitude.wrapping_neg() } else { magnitude });
        }
        let sign = is_negative.cast_unsigned();
        let (magnitude, _) = divisor.divide((self.low ^ sign).wrapping_sub(sign));
        let low = (magnitude ^ sign).wrapping_sub(sign);
        Int128 { high: low.cast_signed() >> 63, low }
    }
}

impl Uint128 {
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "halves")]
    const fn of(x: u128) -> Self {
        Uint128 { high: (x >> 64) as u64, low: x as u64 }
    }

    #[inline(always)]
    const fn value(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }

    /// The sum divided by a count, and truncated.
    #[inline(always)]
    fn over(self, count: usize) -> Self {
        let divisor = Divisor::new(count);
        match self.high {
            _ if count == 0 => Self::ZERO,
            0 => Uint128 { high: 0, low: divisor.divide(self.low).0 },
            _ => Self::of(divisor.divide_long(self.value())),
        }
    }
}

macro_rules! numbers {
    ($($name:ident, $int:ident, $high:ident;)*) => {$(
        impl From<$int> for $name {
            #[inline(always)]
            fn from(x: $int) -> Self {
                Self::of(x)
            }
        }

        impl From<$name> for $int {
            #[inline(always)]
            fn from(x: $name) -> $int {
                x.value()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.value(), f)
            }
        }

        impl Accumulator for $name {
            type Lanes<const L: usize> = ([u64; L], [$high; L]);

            const SCALARS: usize = 2;

            #[inline(always)]
            fn splat<const L: usize>(self) -> Self::Lanes<L> {
                ([self.low; L], [self.high; L])
            }

            #[inline(always)]
            fn get<const L: usize>(lanes: &Self::Lanes<L>, lane: usize) -> Self {
                $name { high: lanes.1[lane], low: lanes.0[lane] }
            }

            #[inline(always)]
            fn set<const L: usize>(lanes: &mut Self::Lanes<L>, lane: usize, value: Self) {
                lanes.0[lane] = value.low;
                lanes.1[lane] = value.high;
            }

            /// As those of the language hand their halves over.
            #[inline(always)]
            fn each_scalar(&mut self, to: &mut impl Scalars) {
                let mut value = self.value();
                value.each_scalar(to);
                *self = Self::of(value);
            }

            #[inline(always)]
            fn turn(from: &Self::Lanes<TURNED>, to: &mut Self::Lanes<TURNED>, code: impl Code) {
                u64::turn(&from.0, &mut to.0, code);
                $high::turn(&from.1, &mut to.1, code);
            }
        }

        impl Add for $name {
            type Output = Self;

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                let low = self.low.wrapping_add(other.low);
                let carry = $high::from(low < other.low);
                $name { high: self.high.wrapping_add(other.high).wrapping_add(carry), low }
            }
        }

        impl Sub for $name {
            type Output = Self;

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                let borrow = $high::from(self.low < other.low);
                let high = self.high.wrapping_sub(other.high).wrapping_sub(borrow);
                $name { high, low: self.low.wrapping_sub(other.low) }
            }
        }

        impl Mul for $name {
            type Output = Self;

            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                Self::of(self.value().wrapping_mul(other.value()))
            }
        }

        impl num_traits::Zero for $name {
            fn zero() -> Self {
                Self::ZERO
            }

            fn is_zero(&self) -> bool {
                *self == Self::ZERO
            }
        }

        impl num_traits::One for $name {
            fn one() -> Self {
                Self::ONE
            }
        }

        impl ConstZero for $name {
            const ZERO: Self = Self::of(0);
        }

        impl ConstOne for $name {
            const ONE: Self = Self::of(1);
        }

        impl Num for $name {
            type Least = ();

            #[inline(always)]
            fn is_finite(self) -> bool {
                true
            }

            #[inline(always)]
            fn abs(self) -> Self {
                Self::of(Num::abs(Wrapping(self.value())).0)
            }

            #[inline(always)]
            fn from_int(x: i64) -> Self {
                Self::of(<Wrapping<$int> as Num>::from_int(x).0)
            }

            #[inline(always)]
            fn div_count(self, count: usize) -> Self {
                self.over(count)
            }
        }

        impl Ordered for $name {
            const LOWEST: Self = Self::of($int::MIN);
            const HIGHEST: Self = Self::of($int::MAX);

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

        impl<T: Element + Load<Wrapping<$int>>> Load<$name> for T {
            #[inline(always)]
            fn load(self) -> $name {
                $name::of(self.load().0)
            }
        }

        impl<T: Slot + Store<Wrapping<$int>>> Store<$name> for T {
            #[inline(always)]
            fn store(result: $name) -> T {
                T::store(Wrapping(result.value()))
            }
        }
    )*};
}

numbers! {
    Int128, i128, i64;
    Uint128, u128, u64;
}

#[cfg(test)]
mod tests {
    use super::{Int128, Num, Uint128, Wrapping};

    /// Numbers about the limits of one half and of both, of either sign.
    fn hard() -> Vec<i128> {
        let powers =
            (0..127).step_by(3).chain([31, 32, 62, 63, 64, 65]).map(|power| 1i128 << power);
        let near = powers.flat_map(|power| [power - 1, power, power + 1, power.wrapping_mul(-5)]);
        let some: Vec<i128> = near.chain([0, i128::MAX, 0x0123_4567_89ab_cdef]).collect();
        some.iter().flat_map(|&x| [x, !x, x.wrapping_neg()]).collect()
    }

    #[test]
    fn halves_compute_as_wrapping_integers_do() {
        for a in hard() {
            for b in hard() {
                let (wrapping, halves) = ([a, b].map(Wrapping), [a, b].map(Int128::from));
                let expected = [
                    wrapping[0] + wrapping[1],
                    wrapping[0] - wrapping[1],
                    wrapping[0] * wrapping[1],
                ];
                let found = [halves[0] + halves[1], halves[0] - halves[1], halves[0] * halves[1]];
                assert_eq!(found.map(i128::from), expected.map(|x| x.0), "{a} and {b}");
                assert_eq!(halves[0].partial_cmp(&halves[1]), a.partial_cmp(&b), "{a} and {b}");
                let [a, b] = [a, b].map(i128::cast_unsigned);
                let (wrapping, halves) = ([a, b].map(Wrapping), [a, b].map(Uint128::from));
                assert_eq!(u128::from(halves[0] + halves[1]), (wrapping[0] + wrapping[1]).0);
                assert_eq!(u128::from(halves[0] - halves[1]), (wrapping[0] - wrapping[1]).0);
                assert_eq!(halves[0].partial_cmp(&halves[1]), a.partial_cmp(&b), "{a} and {b}");
            }
        }
    }

    #[test]
    fn halves_are_divided_as_wrapping_integers_are() {
        let counts =
            (0..64).flat_map(|power| [1usize << power, (1 << power) - 1, (1 << power) + 1]);
        for count in counts.chain([5, 7, 1000, usize::MAX]) {
            for x in hard() {
                let expected = Wrapping(x).div_count(count).0;
                assert_eq!(i128::from(Int128::from(x).div_count(count)), expected, "{x} / {count}");
                let x = x.cast_unsigned();
                let expected = Wrapping(x).div_count(count).0;
                assert_eq!(
                    u128::from(Uint128::from(x).div_count(count)),
                    expected,
                    "{x} / {count}"
                );
            }
        }
    }
}
